"""How fast a crawl goes, and when it will reach its limits."""

from collections import deque
from typing import NamedTuple

from helios.observe.snapshot import Snapshot

SHORT_MS, LONG_MS = 5_000, 30_000  # rates are over the last few seconds, guesses over half a minute


class Part(NamedTuple):
    """How much of a limit is used up."""

    name: str
    done: float
    limit: float
    left_s: float | None  # seconds until it is reached, at the present pace; None: it does not come nearer

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(self.done / self.limit, 1.0)


class Pace:
    """Fed with snapshots, a few a second; remembers half a minute of them."""

    def __init__(self) -> None:
        self._past: deque[tuple[int, int, int]] = deque()  # time, pages, bytes

    def add(self, now: Snapshot) -> None:
        """One more."""
        self.note(now.at, now.pages, now.bytes)

    def note(self, at: int, pages: int, received: int) -> None:
        """As `add`, of someone who has no whole snapshot."""
        if len(self._past) > 1 and at - self._past[-2][0] < SHORT_MS // 50:
            self._past.pop()
        self._past.append((at, pages, received))
        while at - self._past[0][0] > LONG_MS:
            self._past.popleft()

    def rates(self, window: int = SHORT_MS) -> tuple[float, float]:
        """Pages and bytes a second, lately."""
        now, pages, received = self._past[-1]
        then, pages_then, received_then = next(one for one in self._past if now - one[0] <= window)
        seconds = max((now - then) / 1000, 0.001)
        return (pages - pages_then) / seconds, (received - received_then) / seconds

    def limits(self, now: Snapshot) -> list[Part]:
        """Each limit that is set, with how much of it is used up; limits on pages and bytes count earlier runs."""
        pages, received = self.rates(LONG_MS)
        done = {
            "max_pages": ("pages", now.frontier.get("fetched", now.pages), pages),
            "max_seconds": ("time", (now.at - now.started) / 1000, 1.0),
            "max_bytes": ("bytes", now.frontier.get("bytes", now.bytes), received),
        }
        parts = []
        for key, limit in now.limits.items():
            name, used, rate = done[key]
            parts.append(Part(name, used, limit, max(limit - used, 0) / rate if rate > 0 else None))
        return parts
