"""HOOK: functions of the user that a crawl calls. In: a page or a failure. Out: fields, links, or nothing.

Always: whatever a hook does, the crawl goes on; what it fails on is counted, and the first failure is told. A hook that
raises `StopCrawl` ends the crawl as one Ctrl-C would.

* `extract(page)` returns more fields of a page, before it is stored
* `follow(page)` returns where a page leads, instead of all its links
* `on_page(page)` is told of each page that is stored for good, `on_error(failure)` of each that could not be had
"""

import functools
import inspect
import queue
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from helios._core import Page
from helios.errors import HeliosError, SettingsError
from helios.outcome import Outcome

MOST = 500  # letters of a reason
LOOK_S = 0.1  # between two looks whether the crawl is to end at once

ASYNC, GENERATOR, ASYNC_GENERATOR = "an async function", "a generator", "an async generator"
PLAIN = "a plain function, which may run async code with asyncio.run"
FIT = {  # what else than a plain function each hook may be, and what to give instead of the rest
    "extract": ((), f"{PLAIN}, and returns a dict or None"),
    "follow": ((GENERATOR,), f"{PLAIN}, or a plain generator of URLs"),
    "on_page": ((ASYNC,), "a function without yield, async or not"),
    "on_error": ((ASYNC,), "a function without yield, async or not"),
}

_T = TypeVar("_T")


class StopCrawl(HeliosError):  # noqa: N818  # it is a wish, no error
    """Raised by a hook to end the crawl: what is in flight comes home and is stored."""


class LeftBehindError(Exception):
    """The crawl was to end at once while the user's code was at work: there is no result, and nobody waits for one."""


class Failure(Struct, frozen=True):
    """A page, or the robots.txt of a site, that could not be had, or not now: it may be tried again."""

    url: str
    outcome: Outcome
    reason: str


Extract: TypeAlias = Callable[[Page], Mapping[str, object] | None]
Follow: TypeAlias = Callable[[Page], Iterable[str] | None]
OnPage: TypeAlias = Callable[[Page], Awaitable[object] | object]
OnError: TypeAlias = Callable[[Failure], Awaitable[object] | object]


@dataclass(slots=True)
class Hooks:
    """What the user wants to be asked and told."""

    extract: Extract | None = None
    follow: Follow | None = None
    on_page: OnPage | None = None
    on_error: OnError | None = None

    def __post_init__(self) -> None:
        """Refuses what would fail on every page."""
        for name in FIT:
            if (hook := getattr(self, name)) is not None:
                require_hook(name, hook, name)


def require_hook(name: str, hook: object, called: str) -> None:
    """Refuses what cannot be called, and what would only make something that nobody awaits or reads.

    A plain function that returns an awaitable cannot be told before it is called: that is its failure on each page.
    """
    if not callable(hook):
        raise SettingsError(f"{called} is a function that gets each page, not {type(hook).__name__}")
    fit, instead = FIT[name]
    if (kind := _kind(hook)) is not None and kind not in fit:
        lost = "awaits it" if kind == ASYNC else "reads what it yields"
        raise SettingsError(f"{called} is {kind}, and nobody {lost}: give {instead}")


def _kind(hook: Callable[..., object]) -> str | None:
    """What calling it makes, before anything of it runs; None: it runs."""
    while isinstance(hook, functools.partial):
        hook = hook.func
    for function in (hook, getattr(type(hook), "__call__", None)):  # noqa: B004  # an object may have an async __call__
        if inspect.iscoroutinefunction(function):
            return ASYNC
        if inspect.isasyncgenfunction(function):
            return ASYNC_GENERATOR
        if inspect.isgeneratorfunction(function):
            return GENERATOR
    return None


@dataclass(slots=True)
class HookFailures:
    """Pages that hooks failed on: how many, and the first of them; and whether a hook asked to stop.

    Whatever a hook raises counts, `SystemExit` and `KeyboardInterrupt`, too: hooks run in threads of their own, where
    no Ctrl-C arrives.
    """

    count: int = 0
    url: str = ""
    reason: str = ""
    stop: Callable[[], None] = field(default=lambda: None)  # set by whoever can
    at_once: Callable[[], bool] = field(default=lambda: False)  # is the crawl to end without waiting for hooks? same

    def add(self, url: str, error: BaseException) -> str:
        """Counts one; returns its reason."""
        if isinstance(error, StopCrawl):
            self.stop()
            return ""
        reason = f"{type(error).__name__}: {error}"[:MOST].encode(errors="backslashreplace").decode()
        if not self.count:
            self.url, self.reason = url, reason
        self.count += 1
        return reason


class Apart:
    """Does what calls the user's code, in a thread that is left behind when the crawl is to end at once.

    Nothing can end a thread that hangs. A daemon can at least be left: Python does not wait for it at exit. It is
    always the same one: what a hook keeps for its thread, a connection or a parser, is made once.
    """

    def __init__(self) -> None:
        self._jobs: Jobs | None = None

    def do(self, work: Callable[[], _T], at_once: Callable[[], bool]) -> _T:
        """The result, or what the work raised."""
        if self._jobs is None:
            self._jobs = queue.SimpleQueue()
            threading.Thread(target=_work, args=(self._jobs,), name="helios hook", daemon=True).start()
            weakref.finalize(self, self._jobs.put, None)
        result: Future[_T] = Future()
        context = copy_context()
        self._jobs.put((result, lambda: context.run(work)))
        while not wait([result], LOOK_S).done:
            if at_once():
                self._jobs = None
                raise LeftBehindError("the crawl had to end before the user's code returned")
        return result.result()


Jobs: TypeAlias = "queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]"


def _work(jobs: Jobs) -> None:
    while (job := jobs.get()) is not None:
        result, work = job
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001  # raised again where the result is waited for
            result.set_exception(error)
        del job, result, work  # or they would be held until the next
