"""Why and how soon a crawl ends before it is finished, or pauses."""

import asyncio
import concurrent.futures.thread  # noqa: F401  # what it does at exit must come after what we do
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
    of their own keeps it.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
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
    loop = asyncio.get_running_loop()
    taken = []
    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, stop.press)
        except (NotImplementedError, RuntimeError, ValueError):  # no such loop (Windows), or not the main thread
            continue
        taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


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
