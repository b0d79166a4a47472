"""What is measured of a crawl beside what the loop counts: seconds of each stage, latency, what waits to be visible."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from helios._core import Done
from helios.clock import Clock
from helios.measure.latency import Latency


class Listener(Protocol):
    """Who wants to know more than numbers; the log is one."""

    def batch(self, done: Done) -> None:
        """A batch is settled."""

    def took(self, stage: str, milliseconds: int) -> None:
        """A step of a stage is done."""

    def failed(self, stage: str, error: BaseException) -> None:
        """A step of a stage has failed; the crawl ends of it."""

    def published(self, batches: int, rows: int) -> None:
        """Rows are visible."""


class Nobody:
    """Wants to know nothing."""

    def batch(self, done: Done) -> None:
        """Says nothing."""

    def took(self, stage: str, milliseconds: int) -> None:
        """Says nothing."""

    def failed(self, stage: str, error: BaseException) -> None:
        """Says nothing."""

    def published(self, batches: int, rows: int) -> None:
        """Says nothing."""


@dataclass(slots=True)
class Measures:
    """Written by the threads that do the work, one lock for all; read by anyone."""

    clock: Clock
    listener: Listener = field(default_factory=Nobody)
    stage_ms: Counter[str] = field(default_factory=Counter)
    stage_calls: Counter[str] = field(default_factory=Counter)
    latency: Latency = field(default_factory=Latency)
    published_rows: int = 0
    waiting_since: int | None = None  # when the oldest batch was settled that is not published
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """While inside, a stage works."""
        began = self.clock.now()
        try:
            yield
        except BaseException as error:
            self.listener.failed(stage, error)
            raise
        took = self.clock.now() - began
        with self._lock:
            self.stage_ms[stage] += took
            self.stage_calls[stage] += 1
        self.listener.took(stage, took)

    def settled(self, done: Done, staged: str | None) -> None:
        """A batch is done for good."""
        now = self.clock.now()
        with self._lock:
            self.latency.add(now, done.timings())
            if staged is not None and self.waiting_since is None:
                self.waiting_since = now
        self.listener.batch(done)

    def published(self, batches: int, rows: int) -> None:
        """Everything that waited is visible; what was settled meanwhile waits since now, at most."""
        with self._lock:
            self.published_rows += rows
            self.waiting_since = None
        self.listener.published(batches, rows)
