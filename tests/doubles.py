"""In-memory twins of the core's parts: a tiny web, a frontier over it, a fetcher, a clock that is told."""

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pyarrow as pa

from helios import _core
from helios.errors import StorageError
from helios.extract import Extractor
from helios.hooks import HookFailures
from helios.settings import Settings, load
from helios.stages import Stages
from helios.stores.base import Store
from helios.stores.memory import MemoryStore
from helios.stores.several import Stores


@dataclass
class FakeClock:
    """Time passes only when someone waits."""

    time: int = 1_000_000
    slept: list[int] = field(default_factory=list)

    def now(self) -> int:
        return self.time

    async def sleep(self, milliseconds: int) -> None:
        self.slept.append(milliseconds)
        self.time += milliseconds
        await asyncio.sleep(0)  # noqa: TID251  # gives way, does not wait


@dataclass
class FakeVisits:
    urls_list: list[str]

    def __len__(self) -> int:
        return len(self.urls_list)

    @property
    def urls(self) -> int:
        return len(self.urls_list)


@dataclass
class FakeDone:
    urls: list[str]
    robots: int = 1
    has_bodies: bool = True

    def __len__(self) -> int:
        return len(self.urls)

    @property
    def bytes(self) -> int:
        return 100 * len(self.urls)

    def absorb(self, other: "FakeDone") -> None:
        self.urls += other.urls
        self.robots += other.robots
        other.urls, other.robots = [], 0

    def failures(self) -> list[tuple[str, str, str]]:
        return []

    def outcomes(self) -> dict[str, int]:
        return {"fetched": len(self.urls)}

    def timings(self) -> dict[str, list[int]]:
        return {"first_byte": [5_000] * len(self.urls), "body": [1_000] * len(self.urls)}


class FakePages:
    """One row per URL; its links are those of the web."""

    def __init__(self, urls: Sequence[str], web: dict[str, list[str]]) -> None:
        self.found = [link for url in urls for link in web[url]]
        self._table = pa.table({"url": pa.array(urls, pa.string()), "status": pa.array([200] * len(urls), pa.uint16())})

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @property
    def links(self) -> int:
        return len(self.found)

    def each(self, done: FakeDone) -> list[str]:
        assert done.has_bodies, "whoever listens may read them"
        return done.urls

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


@dataclass
class FakeFrontier:
    """One site; a URL is due `delay` after the last lease."""

    journal: list[str]
    delay: int = 0
    max_pages: int | None = None
    queue: deque[str] = field(default_factory=deque)
    seen: set[str] = field(default_factory=set)
    leased: set[str] = field(default_factory=set)
    unpublished: list[str] = field(default_factory=list)
    granted: int = 0
    due: int = 0
    stopping: bool = False
    closed: bool = False
    full: bool = False
    broken: bool = False
    denied: int = 0
    behind: list[bool] = field(default_factory=list)

    def seed(self, now: int, urls: Sequence[str]) -> list[tuple[str, str]]:
        self.due = now
        self._offer(url for url in urls if "refused" not in url)
        return [(url, "refused by name") for url in urls if "refused" in url]

    def _offer(self, urls: Any) -> None:  # noqa: ANN401  # any iterable of URLs
        for url in urls:
            if url not in self.seen:
                self.seen.add(url)
                self.queue.append(url)

    def _open(self) -> bool:
        return not self.stopping and (self.max_pages is None or self.granted < self.max_pages)

    def lease(self, now: int, max_visits: int, *, behind: bool = False) -> FakeVisits:
        self.behind.append(behind)
        urls: list[str] = []
        while self._open() and self.queue and now >= self.due and len(urls) < max_visits:
            urls.append(self.queue.popleft())
            self.granted += 1
            self.due = now + self.delay
        self.leased.update(urls)
        if urls:
            self.journal.append(f"lease {len(urls)}")
        return FakeVisits(urls)

    def receive(self, done: FakeDone) -> None:
        done.urls = [url for url in done.urls if url in self.leased]

    def settle(self, now: int, done: FakeDone, pages: FakePages, staged: str | None) -> None:
        del now
        if self.full:
            self.broken = True
            raise StorageError("the disk is full")
        self.journal.append(f"settle {staged}")
        self.leased.difference_update(done.urls)
        self._offer(pages.found)
        if staged:
            self.unpublished.append(staged)

    def settle_robots(self, now: int, done: FakeDone) -> None:
        del now, done

    def staged(self) -> list[str]:
        if self.broken:
            raise StorageError("it stopped when a write failed")
        return list(self.unpublished)

    def published(self, names: Sequence[str]) -> None:
        self.unpublished = [name for name in self.unpublished if name not in names]

    def next_due(self, now: int) -> int | None:
        return max(self.due, now) if self.queue and self._open() else None

    def finished(self, now: int) -> bool:
        del now
        return not self.leased and (not self.queue or not self._open())

    def stop(self) -> None:
        self.journal.append("stop")
        self.stopping = True

    def stats(self) -> dict[str, int]:
        return {
            "pending": len(self.queue),
            "known": len(self.seen),
            "dead": 0,
            "denied": self.denied if self.granted else 0,
            "robots_answers": 40 if self.granted else 0,
        }

    def dead_letters(self, limit: int, after: str | None = None) -> list[tuple[str, str, int]]:
        del limit, after
        return []

    def replay(self, now: int, site: str | None = None, reason: str | None = None) -> int:
        del now, site, reason
        return 0

    def revive(self, pages: Sequence[object]) -> int:
        return len(pages)

    def why(self, now: int, url: str) -> str:
        del now, url
        return "{}"

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeFetcher:
    """Answers every URL when asked, unless it hangs; waiting makes the clock go."""

    clock: FakeClock
    room: int = 8
    hangs: bool = False
    busy: list[str] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    given: list[FakeDone] = field(default_factory=list)
    drained: bool = False
    closed: bool = False

    @property
    def free(self) -> int:
        return self.room - len(self.busy)

    @property
    def in_flight(self) -> int:
        return len(self.busy)

    @property
    def memory_held(self) -> int:
        return 0

    def dns_stats(self) -> dict[str, int]:
        return {}

    def proxy_stats(self) -> list[dict[str, str | int | float]]:
        return []

    def submit(self, visits: FakeVisits) -> None:
        assert len(visits) <= self.free, "more visits than there was room for"
        self.busy += visits.urls_list

    def completed(self, wait_ms: int, linger_ms: int, max_pages: int) -> FakeDone:
        del linger_ms
        self.waits.append(wait_ms)
        if self.hangs:
            self.clock.time += wait_ms
            return FakeDone([])
        self.clock.time += 1
        done, self.busy = self.busy[:max_pages], self.busy[max_pages:]
        self.given.append(FakeDone(done))
        return self.given[-1]

    def drain(self) -> None:
        self.drained = True

    def close(self) -> None:
        self.closed = True


class JournalStore(MemoryStore):
    """A memory store that tells when it was called."""

    def __init__(self, journal: list[str]) -> None:
        super().__init__()
        self.journal = journal

    def stage(self, name: str, pages: Any) -> bool:  # noqa: ANN401  # ArrowStream
        rows = super().stage(name, pages)
        self.journal.append(f"stage {name if rows else None}")
        return rows

    def publish(self, names: Sequence[str]) -> int:
        self.journal.append(f"publish {','.join(names)}")
        return super().publish(names)


@dataclass
class FakeExtractor:
    """Finds the links that the web says."""

    web: dict[str, list[str]]
    failures: HookFailures = field(default_factory=HookFailures)

    def extract(self, done: FakeDone, *, keep_bodies: bool) -> FakePages:
        done.has_bodies = keep_bodies
        return FakePages(done.urls, self.web)

    def commit(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass
class World:
    """A crawl of a tiny web, all parts doubles."""

    web: dict[str, list[str]]
    settings: Settings = field(default_factory=load)
    journal: list[str] = field(default_factory=list)
    store: Store | None = None

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.frontier = FakeFrontier(self.journal, max_pages=self.settings.crawl.max_pages)
        self.fetcher = FakeFetcher(self.clock)
        self.store = self.store or JournalStore(self.journal)

    def stages(self) -> Stages:
        """The doubles in place of the real parts, which are final classes."""
        return Stages(
            frontier=cast("_core.Frontier", self.frontier),
            fetcher=cast("_core.Fetcher", self.fetcher),
            extractor=cast("Extractor", FakeExtractor(self.web)),
            store=Stores(memory=cast("Store", self.store)),
            clock=self.clock,
            settings=self.settings,
        )

    def stored(self) -> Counter[str]:
        """URLs in the table, counted."""
        table = cast("Store", self.store).scan().read_all()
        return Counter(table["url"].to_pylist() if table.num_columns else [])


def line_of(count: int) -> dict[str, list[str]]:
    """A web of pages that each link to the next."""
    urls = [f"http://one.test/{number}" for number in range(count)]
    return {url: urls[number + 1 : number + 2] for number, url in enumerate(urls)}


def star_of(count: int) -> dict[str, list[str]]:
    """A web of one page that links to all others."""
    urls = [f"http://one.test/{number}" for number in range(count)]
    return {url: urls if number == 0 else [] for number, url in enumerate(urls)}
