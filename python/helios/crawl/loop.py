"""The whole crawl in one loop: lease, fetch, extract, stage, settle, publish.

The order stage -> settle -> publish never changes: pages are on disk before the frontier says that they are done, and
visible only afterwards. Three batches are under way at a time: while one is stored, the next is extracted and the one
after that gathers. Policy is elsewhere: who may be asked when is the frontier's, what is kept is the store's.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from helios._core import Done, Pages
from helios.crawl.audience import Audience, told_of
from helios.crawl.ceiling import Ceiling
from helios.crawl.stop import Stop
from helios.crawl.tally import Tally
from helios.errors import FrontierError, StorageError, StoreError
from helios.faults import passed
from helios.stages import Stages
from helios.stores.base import ArrowStream, Batch

PATIENCE_MS = 500  # longest wait without looking at limits, Ctrl-C and the clock
NAP_MS = 10  # shortest wait: a due time that has just passed must not make the loop spin
COMPANY_MS = 10  # for each visit in flight, up to [store] batch_ms: few visits bring little company to wait for
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
        self._done: Done | None = None  # finished and not yet extracted; at most one batch
        self._read: Read | None = None  # extracted and not yet settled; at most one batch
        self._ceiling = Ceiling(stages.settings.crawl.memory)
        self._stopped_at: int | None = None
        self.tally = Tally(started=stages.clock.now())
        self._published_at = self.tally.started

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
        """Every turn and the last commit; the fetcher is closed whatever happens."""
        try:
            while not self._over():
                await self.step()
            await self._commit()
            self._read = await self._extract()
            await self._commit()
        finally:
            self._stages.fetcher.close()

    async def step(self) -> None:
        """One turn: hand out visits; gather what comes back, extract what came before, store what was extracted."""
        now = self._stages.clock.now()
        self._lease(now)
        # Links of an unsettled batch may be due at once: then take what is there and do not wait for more.
        wait = self._patience(now) if self._done is None and self._read is None else 0
        beside = asyncio.gather(self._gather(wait), self._extract())
        try:
            await self._commit()
            if now - self._published_at >= self._stages.settings.store.publish_ms:
                await self._publish()
        finally:
            self._done, self._read = await beside
        self._watch(self.tally)

    def _lease(self, now: int) -> None:
        """Hands out as many visits as the fetcher and the memory have room for."""
        self.tally.paused = self._stop.paused
        fetcher = self._stages.fetcher
        free = 0 if self._stop.paused else self._ceiling.room(fetcher.free, fetcher.in_flight)
        if free and len(visits := self._stages.frontier.lease(now, free)):
            fetcher.submit(visits)

    async def _gather(self, wait: int) -> Done | None:
        """Whatever finished, as one batch; waits at most `wait` milliseconds for the first of it."""
        fetcher, store = self._stages.fetcher, self._stages.settings.store
        if fetcher.in_flight == 0:
            await self._stages.clock.sleep(wait)
            return None
        linger = min(COMPANY_MS * fetcher.in_flight, store.batch_ms)
        done = await asyncio.to_thread(fetcher.completed, wait, linger, store.batch_pages)
        return done if len(done) else None

    async def _extract(self) -> Read | None:
        """What was gathered before, read."""
        if (done := self._done) is None:
            return None
        self._done = None
        self._stages.frontier.receive(done)
        pages = await asyncio.to_thread(self._stages.extractor.extract, done)
        return Read(done, pages, await asyncio.to_thread(self._stages.embed, pages))

    async def _commit(self) -> None:
        """Stage, settle: after this the batch is done for good."""
        if (read := self._read) is None:
            return
        self._read = None
        done, pages = read.done, read.pages
        staged = await asyncio.to_thread(self._stages.store.stage, Batch(read.rows, pages))
        told = told_of(pages, done) if self._audience is not None else None
        await asyncio.to_thread(self._stages.frontier.settle, self._stages.clock.now(), done, pages, staged)
        passed("settle.settled")
        await asyncio.to_thread(self._stages.extractor.commit)
        self.tally.pages += len(pages)
        self.tally.links += pages.links
        self.tally.bytes += done.bytes
        self.tally.robots += done.robots
        self.tally.outcomes.update(done.outcomes())
        if told is not None and self._audience is not None:
            await self._audience.hear(told)

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
        if due is None and fetcher.in_flight == 0 and not self._stages.frontier.finished(now):
            raise FrontierError("nothing is due, nothing is in flight, and yet the crawl is not finished")
        if due is None or fetcher.free == 0 or self._stop.paused:
            return PATIENCE_MS
        return min(max(due - now, NAP_MS), PATIENCE_MS)

    def _mind_stop(self, now: int) -> None:
        """Tells frontier and fetcher, once, that the crawl is to end: lease and begin nothing more."""
        limit = self._stages.settings.crawl.max_seconds
        if limit is not None and now - self.tally.started >= limit * 1000:
            self._stop.ask("time")
        if self._stop.reason is not None and self._stopped_at is None:
            self._stopped_at = now
            self._stages.frontier.stop()
            self._stages.fetcher.drain()

    def _over(self) -> bool:
        """Is there nothing more to do? Looks at limits and at Ctrl-C first."""
        now = self._stages.clock.now()
        self._mind_stop(now)
        if self._stop.at_once:
            return True
        if self._stopped_at is not None and now - self._stopped_at >= DRAIN_MS:
            return True
        idle = self._done is None and self._read is None and self._stages.fetcher.in_flight == 0
        return idle and (self._stopped_at is not None or self._stages.frontier.finished(now))
