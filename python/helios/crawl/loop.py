"""The whole crawl in one loop: lease, fetch, extract, stage, settle, publish.

The order stage -> settle -> publish never changes: pages are on disk before the frontier says that they are done, and
visible only afterwards. A turn is short, so that whoever may be asked is asked at once: it leases and gathers, and
hands batches on. Extracting one batch and storing the one before it go on beside the turns. Policy is elsewhere: who
may be asked when is the frontier's, what is kept is the store's.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from helios._core import Done, Pages
from helios.crawl.audience import Audience, told_of
from helios.crawl.ceiling import Ceiling
from helios.crawl.stop import Stop
from helios.crawl.tally import Tally
from helios.errors import FrontierError, StorageError, StoreError
from helios.faults import passed
from helios.hooks import Apart, LeftBehindError
from helios.stages import Stages
from helios.stores.base import ArrowStream, Batch

PATIENCE_MS = 500  # longest wait without looking at limits, Ctrl-C and the clock
TURN_MS = 50  # the same, while batches are under way
NAP_MS = 10  # shortest wait: a due time that has just passed must not make the loop spin
COMPANY_MS = 10  # for each visit in flight, up to [store] batch_ms: few visits bring little company to wait for
CROWDED = 4  # a batch waits for no company while this part of the memory for bodies is held
MUCH = 64  # fewer results than this are never too many, however small a batch is
DRAIN_MS = 10_000  # how long a stopped crawl waits for what is in flight


@dataclass(frozen=True, slots=True)
class Read:
    """A batch that is extracted and not yet settled."""

    done: Done
    pages: Pages
    rows: ArrowStream


class Loop:
    """One crawl. `run` is `while not over: step()`; a test may call `step`."""

    def __init__(
        self, stages: Stages, stop: Stop, watch: Callable[[Tally], None], audience: Audience | None = None
    ) -> None:
        self._stages = stages
        self._stop = stop
        self._watch = watch
        self._audience = audience
        self._coming: asyncio.Task[Done] | None = None  # waits for what the fetcher finishes
        self._waiting: Done | None = None  # finished, and not yet being extracted
        self._extracting: asyncio.Task[Read | None] | None = None
        self._in_hand = 0  # results that are being extracted
        self._storing: asyncio.Task[None] | None = None
        self._apart = Apart()
        self._ceiling = Ceiling(stages.settings.crawl.memory)
        self._stopped_at: int | None = None
        self.tally = Tally(started=stages.clock.now())
        self._published_at = self._waiting_since = self.tally.started

    async def run(self) -> Tally:
        """Steps until the frontier is finished, the crawl is stopped or something fails; publishes what is settled."""
        try:
            await self._steps()
        except BaseException:
            with suppress(StoreError, StorageError):  # what failed first is what a person must hear
                await self._publish()
            raise
        await self._publish()
        return self.tally

    async def _steps(self) -> None:
        """Every turn, and all that is under way after the last; the fetcher is closed whatever happens."""
        try:
            while not self._over():
                await self.step()
            while self._hand_on(hurry=True):
                await asyncio.wait(self._under_way())
        finally:
            if tasks := self._under_way():
                await asyncio.wait(tasks)  # or they would work on with parts that are closed
            self._stages.fetcher.close()
            if self._coming is not None:
                await asyncio.wait({self._coming})  # it ends with the fetcher

    async def step(self) -> None:
        """One turn: hand out visits, gather what comes back, hand batches on."""
        now = self._stages.clock.now()
        self._lease(now)
        await self._gather(self._patience(now))
        self._hand_on()
        self._watch(self.tally)

    def _lease(self, now: int) -> None:
        """Hands out as many visits as the fetcher and the memory have room for."""
        self.tally.paused = self._stop.paused
        fetcher = self._stages.fetcher
        free = 0 if self._stop.paused else self._ceiling.room(fetcher.free, fetcher.in_flight)
        if free and len(visits := self._stages.frontier.lease(now, free, behind=self._is_behind())):
            fetcher.submit(visits)

    def _is_behind(self) -> bool:
        """Has more come in than can be read: two batches, in hand and waiting, or half of the memory for bodies?"""
        fetcher, settings = self._stages.fetcher, self._stages.settings
        waiting = 0 if self._waiting is None else len(self._waiting)
        much = self._in_hand + waiting >= max(2 * settings.store.batch_pages, MUCH)
        return much or fetcher.memory_held >= settings.fetch.max_memory_bytes // 2

    def _hand_on(self, *, hurry: bool = False) -> bool:
        """Gives each batch to its next stage when that is free; raises what went wrong there. Is any under way?"""
        now = self._stages.clock.now()
        if self._storing is not None and self._storing.done():
            self._storing.result()
            self._storing = None
        if self._storing is None and self._extracting is not None and self._extracting.done():
            read, self._extracting, self._in_hand = self._extracting.result(), None, 0
            if read is not None:
                self._storing = asyncio.create_task(self._store(read))
        elif self._storing is None and self._is_time_to_publish(now):
            self._storing = asyncio.create_task(self._publish())
        if self._extracting is None and self._waiting is not None and (hurry or self._has_company(now)):
            done, self._waiting = self._waiting, None
            self._in_hand = len(done)
            self._extracting = asyncio.create_task(self._extract(done))
        return bool(self._under_way())

    def _under_way(self) -> set[asyncio.Task[Read | None] | asyncio.Task[None]]:
        return {task for task in (self._extracting, self._storing) if task is not None}

    def _has_company(self, now: int) -> bool:
        """Has what waits been joined by as much as it can expect in reasonable time?"""
        fetcher, settings = self._stages.fetcher, self._stages.settings
        enough = self._waiting is not None and len(self._waiting) >= settings.store.batch_pages
        full = fetcher.memory_held >= settings.fetch.max_memory_bytes // CROWDED  # fetching would wait
        time = min(COMPANY_MS * fetcher.in_flight, settings.store.batch_ms)
        return enough or full or now - self._waiting_since >= time

    async def _gather(self, wait: int) -> None:
        """Waits at most so many milliseconds for something to finish: a fetch, or what is under way."""
        fetcher, store = self._stages.fetcher, self._stages.settings.store
        tasks = {task for task in self._under_way() if not task.done()}
        if tasks or self._waiting is not None:
            wait = min(wait, TURN_MS)
        if self._coming is None and fetcher.in_flight:
            linger = min(COMPANY_MS * fetcher.in_flight, store.batch_ms, TURN_MS)
            completed = asyncio.to_thread(fetcher.completed, wait, linger, store.batch_pages)
            self._coming = asyncio.create_task(completed)
        if self._coming is not None:
            await asyncio.wait({self._coming, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            if self._coming.done():
                done, self._coming = self._coming.result(), None
                await self._take_in(done)
        elif tasks:
            await asyncio.wait(tasks, timeout=wait / 1000, return_when=asyncio.FIRST_COMPLETED)
        elif self._waiting is None and not self._under_way():
            await self._stages.clock.sleep(wait)

    async def _take_in(self, done: Done) -> None:
        """Robots.txt answers are settled at once, because whole sites wait for them; all else waits for company."""
        self._stages.frontier.receive(done)
        if not len(done):
            return
        if done.robots:
            await asyncio.to_thread(self._stages.frontier.settle_robots, self._stages.clock.now(), done)
        if self._waiting is None:
            self._waiting, self._waiting_since = done, self._stages.clock.now()
        else:
            self._waiting.absorb(done)

    async def _extract(self, done: Done) -> Read | None:
        """None: the user's code was left behind, so these pages are not settled, and come again with the next run."""
        stages, listened_to = self._stages, self._audience is not None
        try:
            pages = await asyncio.to_thread(stages.extractor.extract, done, keep_bodies=listened_to)
            embedded = partial(stages.embed, pages)  # an embedder may be the user's, too
            rows = await asyncio.to_thread(self._apart.do, embedded, lambda: self._stop.at_once)
        except LeftBehindError:
            return None
        return Read(done, pages, rows)

    async def _store(self, read: Read) -> None:
        """Stage, settle: after this the batch is done for good."""
        done, pages = read.done, read.pages
        staged = await asyncio.to_thread(self._stages.store.stage, Batch(read.rows, pages))
        told = told_of(pages, done) if self._audience is not None else None
        await asyncio.to_thread(self._settle, done, pages, staged)
        passed("settle.settled")
        await asyncio.to_thread(self._stages.extractor.commit)
        if told is not None and self._audience is not None:
            await self._audience.hear(told)
        if self._is_time_to_publish(self._stages.clock.now()):
            await self._publish()

    def _settle(self, done: Done, pages: Pages, staged: str | None) -> None:
        """The commit."""
        self._stages.frontier.settle(self._stages.clock.now(), done, pages, staged)
        self.tally.pages += len(pages)
        self.tally.links += pages.links
        self.tally.bytes += done.bytes
        self.tally.robots += done.robots
        self.tally.outcomes.update(done.outcomes())

    def _is_time_to_publish(self, now: int) -> bool:
        late = now - self._published_at >= self._stages.settings.store.publish_ms
        return late and bool(self._stages.frontier.staged())

    async def _publish(self) -> None:
        """Makes visible what is settled."""
        self._published_at = self._stages.clock.now()
        if names := self._stages.frontier.staged():
            await asyncio.to_thread(self._stages.store.publish, names)
            self._stages.frontier.published(names)
            passed("publish.told")

    def _patience(self, now: int) -> int:
        """Milliseconds until there may be something to lease."""
        fetcher, due = self._stages.fetcher, self._stages.frontier.next_due(now)
        if due is None and self._is_idle() and not self._stages.frontier.finished(now):
            raise FrontierError("nothing is due, nothing is in flight, and yet the crawl is not finished")
        if due is None or fetcher.free == 0 or self._stop.paused:
            return PATIENCE_MS
        if self._is_behind():
            return TURN_MS  # what is due may be new sites, which wait
        return min(max(due - now, NAP_MS), PATIENCE_MS)

    def glance(self) -> None:
        """Looks at limits and shows how far it is, where no turn does it."""
        self._mind_stop(self._stages.clock.now())
        self._watch(self.tally)

    def _mind_stop(self, now: int) -> None:
        """Tells frontier and fetcher, once, that the crawl is to end: lease and begin nothing more."""
        limit = self._stages.settings.crawl.max_seconds
        if limit is not None and now - self.tally.started >= limit * 1000:
            self._stop.ask("time")
        if self._stop.reason is not None and self._stopped_at is None:
            self._stopped_at = now
            self.tally.stopping = True
            self._stages.frontier.stop()
            self._stages.fetcher.drain()

    def _is_idle(self) -> bool:
        nothing = self._coming is None and self._waiting is None and not self._under_way()
        return nothing and self._stages.fetcher.in_flight == 0

    def _over(self) -> bool:
        """Is there nothing more to do? Looks at limits and at Ctrl-C first."""
        now = self._stages.clock.now()
        self._mind_stop(now)
        if self._stop.at_once:
            return True
        if self._stopped_at is not None and now - self._stopped_at >= DRAIN_MS:
            return True
        return self._is_idle() and (self._stopped_at is not None or self._stages.frontier.finished(now))
