"""A crawl steered from outside: through its socket while it runs, through its frontier while it does not."""

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Event
from typing import Any, TypeVar

import msgspec

from helios._core import Frontier
from helios.clock import SystemClock
from helios.control.client import Channel, GoneError, channel
from helios.control.running import read
from helios.control.status import Status
from helios.control.verbs import Add, Added, End, GoOn, ListDead, Pause, Request, RetryDead, TellStatus, TellWhy
from helios.crawl.seeding import chunks, left_over
from helios.crawl.state import status_left
from helios.errors import ControlError, FolderError
from helios.folder import Folder, require_writable
from helios.seeds import seeds_from
from helios.settings import Settings, load, require_contact
from helios.stages import open_frontier

AT_ONCE = 1_000  # seeds in one request
AT_ONCE_BYTES = 500_000  # and their length: a request has its limit
AT_ONCE_DEAD = 10_000  # letters in one answer
AT_ONCE_READ = 200_000  # letters in memory; not fewer than go into one answer
LOOK_S = 0.1  # between two looks whether it has ended
LOOKS = 100  # at a crawl that should have ended

_T = TypeVar("_T")


class Steered:
    """The crawl in one folder."""

    def __init__(self, folder: Folder, settings: Settings) -> None:
        self._folder = folder
        self._settings = settings
        self._clock = SystemClock()

    @property
    def running(self) -> bool:
        """Does a process answer for the folder?"""
        return channel(self._folder.path) is not None

    def status(self) -> Status:
        """How it goes, or how it was left."""

        def left(frontier: Frontier, _now: int) -> Status:
            return status_left(self._folder.path, self._settings, frontier.stats())

        status = self._either(TellStatus(), Status, left)
        if not left_over(self._folder.path):
            return status
        state = "stopped" if status.state == "finished" else status.state
        return msgspec.structs.replace(status, seeds_left=True, state=state)

    def pause(self) -> bool:
        """Was it paused before?"""
        return self._running("pause").ask(Pause(), bool)

    def go_on(self) -> bool:
        """Was it paused before?"""
        return self._running("go on with").ask(GoOn(), bool)

    def stop(self, *, now: bool, wait: bool) -> None:
        """Has it end; with `wait`, until it has."""
        running = self._running("stop")
        try:
            running.ask(End(now=now), type(None))
        except GoneError:
            return
        # The file goes last, when the frontier is closed; the socket of a process that died answers nobody.
        while wait and read(self._folder.path) is not None and channel(self._folder.path) is not None:
            Event().wait(LOOK_S)

    def add(self, seeds: Iterable[str]) -> Added:
        """Checked here, all of them, before the first is handed over."""
        checked = seeds_from(seeds, self._settings.urls)
        if (way := channel(self._folder.path)) is not None:
            require_contact(
                self._folder.settings(), checked, f"end the crawl (helios stop {self._called}), then {self._how}"
            )
            try:
                return _all_of(way.ask(Add(some), Added) for some in chunks(checked, AT_ONCE, AT_ONCE_BYTES))
            except GoneError:  # those that it took are known now, and cost nothing
                self._wait_for_end()
        with self._frontier() as (frontier, now):
            self._require_contact(checked)
            return _all_of(_seeded(frontier, now, some) for some in chunks(checked, AT_ONCE))

    @property
    def _called(self) -> str:
        """The folder, as a shell reads it."""
        return shlex.quote(str(self._folder.path))

    @property
    def _how(self) -> str:
        """To give a crawl that is there seeds and a contact."""
        return f"helios resume {self._called} SEED --set fetch.contact=you@example.org"

    def _require_contact(self, seeds: Iterable[str]) -> None:
        """One from the environment is kept, or whoever goes on with the crawl would ask without it."""
        settings = self._folder.settings()
        given = None if settings.fetch.contact is not None else load(None, os.environ).fetch.contact
        if given is not None:
            settings = msgspec.structs.replace(settings, fetch=msgspec.structs.replace(settings.fetch, contact=given))
        require_contact(settings, seeds, f"set HELIOS_CONTACT=you@example.org, or {self._how}")
        if given is not None:
            self._folder.write(settings)

    def why(self, url: str) -> dict[str, Any]:
        """What is known of one URL."""
        return self._either(
            TellWhy(url), dict[str, Any], lambda frontier, now: dict(msgspec.json.decode(frontier.why(now, url)))
        )

    def dead_letters(self, limit: int) -> list[tuple[str, str, int]]:
        """URL, reason, attempts."""
        return list(islice(self.each_dead_letter(limit), limit))

    def each_dead_letter(self, limit: int | None = None) -> Iterator[tuple[str, str, int]]:
        """All of them, or at least the first so many, some at a time: there may be millions."""
        last = None
        while letters := self._dead_after(last, min(limit or AT_ONCE_READ, AT_ONCE_READ)):
            yield from letters
            if len(letters) < AT_ONCE_DEAD:
                return
            last, _, _ = letters[-1]

    def _dead_after(self, last: str | None, many: int) -> list[tuple[str, str, int]]:
        """The next ones: few where a running crawl has to answer, more where its frontier has to be opened."""
        return self._either(
            ListDead(AT_ONCE_DEAD, last),
            list[tuple[str, str, int]],
            lambda frontier, _: frontier.dead_letters(many, last),
        )

    def replay(self, site: str | None, reason: str | None) -> int:
        """How many."""
        return self._either(RetryDead(site, reason), int, lambda frontier, now: frontier.replay(now, site, reason))

    def _running(self, what: str) -> Channel:
        """The way to a crawl that must be running."""
        if (way := channel(self._folder.path)) is None:
            raise ControlError(f"the crawl in {self._folder.path} is not running: there is nothing to {what}")
        return way

    def _either(self, request: Request, kind: type[_T], own: Callable[[Frontier, int], _T]) -> _T:
        """From the crawl if it runs, from the frontier if not."""
        if (way := channel(self._folder.path)) is not None:
            try:
                return way.ask(request, kind)
            except GoneError:  # its last moments: the frontier is free soon
                self._wait_for_end()
        with self._frontier() as (frontier, now):
            return own(frontier, now)

    def _wait_for_end(self) -> None:
        """A crawl that does not answer any more has let go of its folder in a moment."""
        for _ in range(LOOKS):
            if read(self._folder.path) is None or channel(self._folder.path) is None:
                return
            Event().wait(LOOK_S)

    @contextmanager
    def _frontier(self) -> Iterator[tuple[Frontier, int]]:
        """The frontier, while no crawl has it."""
        if not self._folder.frontier.is_dir():
            raise FolderError(
                f"the crawl in {self._folder.path} ended before it began: there is no frontier; give its seeds again, "
                f"helios resume {self._called} SEED"
            )
        require_writable(self._folder)
        frontier = open_frontier(self._settings, self._folder, self._clock)
        try:
            yield frontier, self._clock.now()
        finally:
            frontier.close()


def _seeded(frontier: Frontier, now: int, seeds: list[str]) -> Added:
    refused = frontier.seed(now, seeds)
    return Added(len(seeds) - len(refused), refused, waits=True)


def _all_of(parts: Iterable[Added]) -> Added:
    count, refused, waits = 0, list[tuple[str, str]](), False
    for part in parts:
        count += part.seeds
        refused += part.refused
        waits = waits or part.waits
    return Added(count, refused, waits)
