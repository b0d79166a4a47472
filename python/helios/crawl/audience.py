"""Who is told of pages that are stored and of those that could not be had: hooks of the user, or a stream.

Told after the settle, so of nothing that could be lost; a crash between the settle and the telling means that some are
stored and were not told: what must be complete is read from the table. Whoever listens slowly holds up the crawl: a few
batches wait for them, never more.
"""

import asyncio
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from helios._core import Done, Page, Pages
from helios.crawl.stop import Stop
from helios.hooks import LOOK_S, Failure, HookFailures, Hooks
from helios.outcome import Outcome

WAITING = 2  # batches that wait for a slow listener
AT_ONCE = 32  # calls of an asynchronous hook


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one batch."""

    pages: list[Page]
    failures: list[Failure]


class Audience(Protocol):
    """Listens to a crawl."""

    async def hear(self, told: Told) -> None:
        """Takes a batch; waits while there are too many."""

    async def leave(self) -> None:
        """The crawl has ended; waits until all that was told is dealt with, unless it is to end at once."""


def told_of(pages: Pages, done: Done) -> Told:
    """A batch as those who listen get it; before the settle, which takes the links away."""
    failures = [Failure(url, Outcome(kind), reason) for url, kind, reason in done.failures()]
    return Told(pages.each(done), failures)


class Letters:
    """Batches on their way to another thread: a few, then whoever brings more waits, as long as anybody reads them."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._letters: queue.SimpleQueue[Told | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(WAITING)

    async def post(self, told: Told) -> None:
        """Nobody else waits for that."""
        if self._room.acquire(blocking=False) or await asyncio.to_thread(self._wait_for_room):
            self._letters.put(told)

    def end(self) -> None:
        """There are no more."""
        self._letters.put(None)

    def take(self) -> Told | None:
        """The next one; waits for it."""
        told = self._letters.get()
        self._room.release()
        return told

    def _wait_for_room(self) -> bool:
        while not self._room.acquire(timeout=LOOK_S):
            if self._stop.left or self._stop.at_once:
                return False
        return True


class Listeners:
    """`on_page` and `on_error`, called in a thread of their own."""

    def __init__(self, hooks: Hooks, failures: HookFailures, stop: Stop) -> None:
        self._hooks = hooks
        self._failures = failures
        self._stop = stop
        self._letters = Letters(stop)
        self._thread = threading.Thread(target=self._listen, name="helios hooks", daemon=True)
        self._thread.start()

    async def hear(self, told: Told) -> None:
        """Takes a batch; waits while there are too many."""
        await self._letters.post(told)

    async def leave(self) -> None:
        """Waits for the hooks, unless the crawl is to end at once: then the thread is left behind."""
        self._letters.end()
        await asyncio.to_thread(self._wait_for_hooks)

    def _wait_for_hooks(self) -> None:
        while self._thread.is_alive() and not self._stop.at_once:
            self._thread.join(LOOK_S)

    def _listen(self) -> None:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            while (told := self._letters.take()) is not None:
                telling = loop.create_task(self._tell(told))
                while not telling.done():
                    # A task that a hook began breaks the loop so; whoever awaits that task is told.
                    with suppress(SystemExit, KeyboardInterrupt):
                        loop.run_until_complete(telling)

    async def _tell(self, told: Told) -> None:
        if self._hooks.on_page is not None:
            await self._each(self._hooks.on_page, told.pages)
        if self._hooks.on_error is not None:
            await self._each(self._hooks.on_error, told.failures)

    async def _each(self, hook: Callable[[Any], object], items: Iterable[Page | Failure]) -> None:
        """Calls a hook with each; those of an asynchronous one go on side by side."""
        room = asyncio.Semaphore(AT_ONCE)
        running: set[asyncio.Task[None]] = set()
        for item in items:
            if self._stop.at_once:
                break
            try:
                result = hook(item)
            except BaseException as error:  # noqa: BLE001  # as `HookFailures` says
                self._failures.add(item.url, error)
                continue
            if inspect.isawaitable(result):
                await room.acquire()
                task = asyncio.ensure_future(self._awaited(item.url, result))
                task.add_done_callback(lambda _: room.release())
                running.add(task)
                task.add_done_callback(running.discard)
        if running:
            await asyncio.wait(running)

    async def _awaited(self, url: str, result: Awaitable[object]) -> None:
        try:
            await result
        except BaseException as error:  # noqa: BLE001  # as above
            self._failures.add(url, error)
