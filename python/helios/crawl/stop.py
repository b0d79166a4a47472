"""Why and how soon a crawl ends before it is finished, or pauses."""

import asyncio
import concurrent.futures.thread  # noqa: F401  # what it does at exit must come after what we do
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["finished", "pages", "bytes", "time", "hook", "interrupted"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)
EXIT_S = 20  # that the end of the program waits for hooks; longer than what is in flight takes


@dataclass(slots=True)
class Stop:
    """Asked for by a person or a limit, obeyed by the loop."""

    reason: Reason | None = None
    at_once: bool = False  # without waiting for what is in flight
    paused: bool = False  # lease nothing until further notice; limits of time go on
    left: bool = False  # whoever read its pages has gone

    def ask(self, reason: Reason) -> None:
        """Lease nothing more, let what is in flight come home."""
        self.reason = self.reason or reason

    def leave(self) -> None:
        """Nobody reads its pages any more: `ask`, and hand out no more of them."""
        self.left = True
        self.ask("interrupted")

    def press(self) -> None:
        """Ctrl-C: the first asks, the second does not wait."""
        self.at_once = self.at_once or self.reason == "interrupted"
        self.reason = "interrupted"


@contextmanager
def on_ctrl_c(stop: Stop) -> Iterator[None]:
    """While inside, Ctrl-C presses `stop` although the crawl is in another thread.

    A KeyboardInterrupt could come at any moment, also while the thread is being started or ended. Whoever has a handler
    of their own keeps it; that of `asyncio.run` does nothing but cancel a task, which hears it when we have returned.
    """
    mine = threading.current_thread() is threading.main_thread()
    nobodys = signal.getsignal(signal.SIGINT) is signal.default_int_handler or _main_task() is not None
    if not mine or not nobodys:
        yield
        return
    before = signal.signal(signal.SIGINT, lambda _number, _frame: stop.press())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def on_signals(stop: Stop) -> Iterator[None]:
    """While inside, Ctrl-C and SIGTERM press `stop`. Elsewhere than in a main thread signals stay as they are."""
    if threading.current_thread() is not threading.main_thread():
        with _with_main_task(stop):
            yield
        return
    loop = asyncio.get_running_loop()
    taken = []
    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, stop.press)
        except (NotImplementedError, RuntimeError, ValueError):  # no such loop (Windows)
            continue
        taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


@contextmanager
def _with_main_task(stop: Stop) -> Iterator[None]:
    """While inside, a Ctrl-C that cancels the main task of `asyncio.run` asks `stop`, too.

    Whoever awaits us in that task, by `asyncio.to_thread`, has gone then, and the program waits for our thread.
    """
    task = _main_task()
    if task is None:
        yield
        return

    def ask(task: asyncio.Task[object]) -> None:
        if task.cancelled():
            stop.ask("interrupted")

    loop = task.get_loop()
    with suppress(RuntimeError):  # it has just been closed
        loop.call_soon_threadsafe(task.add_done_callback, ask)
    try:
        yield
    finally:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(task.remove_done_callback, ask)


def _main_task() -> asyncio.Task[object] | None:
    """The main task of `asyncio.run`, if Ctrl-C would cancel one."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, partial) and isinstance(getattr(handler.func, "__self__", None), asyncio.Runner):
        return handler.keywords.get("main_task")
    return None


_going: dict[threading.Event, Stop] = {}  # crawls of this process, each with the event of its end


@contextmanager
def ended_at_exit(stop: Stop) -> Iterator[None]:
    """While inside, the end of the program ends the crawl as one Ctrl-C would, and waits for that."""
    over = threading.Event()
    _going[over] = stop
    try:
        yield
    finally:
        del _going[over]
        over.set()


def _end_all() -> None:
    going = dict(_going)
    for stop in going.values():
        stop.leave()
    for over, stop in going.items():
        if not over.wait(EXIT_S):
            stop.at_once = True
            over.wait()


# `atexit` comes too late: before it Python waits for threads, which wait for whoever reads, and lets none begin.
threading._register_atexit(_end_all)  # type: ignore[attr-defined]  # noqa: SLF001
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_going.clear)  # the crawls are the parent's
