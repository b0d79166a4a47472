"""What another process may ask of a running crawl, done. `helios.control` is the door; these are the rooms.

Everything here runs in the crawl's event loop, between two of its awaits; what may take long goes to a thread.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from helios.control.server import listening
from helios.control.status import Status
from helios.control.verbs import (
    Add,
    Added,
    End,
    GoOn,
    ListDead,
    Pause,
    Request,
    RetryDead,
    TellStatus,
    TellWhy,
)
from helios.crawl.pace import Pace
from helios.crawl.progress import Watch
from helios.crawl.state import status_now
from helios.crawl.stop import Stop
from helios.crawl.tally import Tally
from helios.observe.snapshot import snapshot
from helios.seeds import seeds_from
from helios.settings import require_contact
from helios.stages import Stages

MOST_DEAD = 10_000  # letters in one answer


@asynccontextmanager
async def steered(stages: Stages, stop: Stop, out: Path, watch: Watch) -> AsyncIterator[Watch]:
    """While inside, the crawl can be steered; what is yielded must see every turn of it."""
    if not _is_there(out):  # a crawl of doubles
        yield watch
        return
    steering = Steering(stages, stop, out)

    def both(stages: Stages, tally: Tally) -> None:
        steering.turned(tally)
        watch(stages, tally)

    async with listening(out, steering.answer, stages.clock):
        yield both


def _is_there(out: Path) -> bool:
    return out.is_dir()


class Steering:
    """The verbs over one crawl."""

    def __init__(self, stages: Stages, stop: Stop, out: Path) -> None:
        self._stages = stages
        self._stop = stop
        self._out = out
        self._tally = Tally(started=stages.clock.now())  # until the first turn
        self._pace = Pace()

    def turned(self, tally: Tally) -> None:
        """The loop made a turn."""
        self._tally = tally
        self._pace.note(self._stages.clock.now(), tally.pages, tally.bytes)

    async def answer(self, request: Request) -> object:
        """What the request asks for."""
        match request:
            case TellStatus():
                return self.status()
            case Pause() | GoOn():
                return self.pause(isinstance(request, Pause))
            case End(now):
                self.stop(now=now)
                return None
            case _:
                return await self._ask(request)

    async def _ask(self, request: Add | TellWhy | ListDead | RetryDead) -> object:
        """Of the frontier, which may be at work: not on the loop's own thread."""
        match request:
            case Add(seeds):
                return await self._add(seeds)
            case TellWhy(url):
                return await self._why(url)
            case ListDead(limit, after):
                upto = min(max(limit, 0), MOST_DEAD)
                return await asyncio.to_thread(self._stages.frontier.dead_letters, upto, after)
            case RetryDead(site, reason):
                now = self._stages.clock.now()
                return await asyncio.to_thread(self._stages.frontier.replay, now, site, reason)

    def pause(self, paused: bool) -> bool:
        """Begins or ends a pause; was there one before?"""
        before = self._stop.paused
        self._stop.paused = paused
        return before

    def status(self) -> Status:
        """How it goes."""
        now = snapshot(self._stages, self._tally)
        self._pace.add(now)
        return status_now(self._out, now, self._pace, self._stop)

    def stop(self, *, now: bool) -> None:
        """As Ctrl-C, once or twice. A limit that was reached before is no Ctrl-C."""
        self._stop.press()
        if now and not self._stop.at_once:
            self._stop.press()

    async def _add(self, seeds: list[str]) -> Added:
        settings = self._stages.settings
        checked = seeds_from(seeds, settings.urls)
        require_contact(settings, checked)
        refused = await asyncio.to_thread(self._stages.frontier.seed, self._stages.clock.now(), list(checked))
        return Added(len(checked) - len(refused), refused, waits=self._stop.reason is not None)

    async def _why(self, url: str) -> dict[str, Any]:
        told = await asyncio.to_thread(self._stages.frontier.why, self._stages.clock.now(), url)
        return dict(msgspec.json.decode(told))
