"""The blocking call inside a running event loop, as in a notebook."""

import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TypeAlias, cast

import pytest

from doubles import FakeFetcher, World, line_of
from helios.crawl import begin, loop
from helios.crawl.progress import Watch
from helios.crawl.summary import Summary
from helios.crawl.tally import Tally
from helios.stages import Stages

SEED = "http://one.test/0"
PAGES = 100_000  # nobody waits for all of them
LONG_MS = 100_000_000  # of the fake clock, which a hanging fetcher moves by half a second a turn


@pytest.fixture
def world() -> Iterator[World]:
    world = World(line_of(3))
    world.web = {f"http://one.test/{number}": [f"http://one.test/{number + 1}"] for number in range(PAGES)}
    yield world
    assert world.fetcher.closed


Handler: TypeAlias = Callable[[int, FrameType | None], object]


def blocking(world: World, watch: Watch, handler: Handler = signal.default_int_handler) -> Summary:
    before = signal.signal(signal.SIGINT, handler)  # as a notebook does while a cell runs
    try:
        return begin.blocking(begin.Start(world.stages(), [SEED], Path("there")), watch)
    finally:
        signal.signal(signal.SIGINT, before)


class Interrupts:
    """Presses Ctrl-C, as a person does, at the turns of the crawl that are named."""

    def __init__(self, *turns: int) -> None:
        self._left = list(turns)
        self._turn = 0
        self._pressed = False

    def __call__(self, stages: Stages, tally: Tally) -> None:
        del tally
        self._turn += 1
        # A second signal while the first is on its way would be one signal: wait until the first was heard.
        heard = not self._pressed or cast("FakeFetcher", stages.fetcher).drained
        if self._left and self._turn >= self._left[0] and heard:
            self._pressed = True
            self._left.pop(0)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def test_what_ends_a_crawl_is_all_that_its_traceback_tells(world: World) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as held:
        blocking(world, fail)
    assert held.value.__context__ is None


async def test_ctrl_c_in_a_notebook_ends_the_crawl_and_keeps_what_is_stored(world: World) -> None:
    summary = blocking(world, Interrupts(5))
    assert summary.ended == "interrupted"
    assert 0 < summary.pages == world.stored().total() < PAGES
    assert world.fetcher.drained


async def test_a_second_ctrl_c_in_a_notebook_does_not_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "DRAIN_MS", LONG_MS)  # signals take real time, in which the fake clock runs
    world.fetcher.hangs = True
    before = world.clock.now()
    summary = blocking(world, Interrupts(2, 3))
    assert summary.ended == "interrupted"
    assert world.clock.now() - before < LONG_MS


async def test_whatever_else_ends_the_wait_ends_the_crawl(world: World) -> None:
    def leave(number: int, _frame: object) -> None:
        raise SystemExit(number)

    with pytest.raises(SystemExit):
        blocking(world, Interrupts(5), leave)
    assert 0 < world.stored().total() < PAGES
