"""How long requests took: a histogram since the start, and quantiles of the last minute."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

# Twenty steps a decade, from 0.1 ms to 1000 s: a quantile is at most 13 % too high.
_STEPS = (1, 1.12, 1.25, 1.4, 1.6, 1.8, 2, 2.24, 2.5, 2.8, 3.15, 3.55, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9)
EDGES_US = np.array([round(step * 10**decade) for decade in range(2, 9) for step in _STEPS], dtype=np.int64)
# Those that are told to Prometheus, in seconds; each is one of the edges.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0)
SLOTS, SLOT_MS = 6, 10_000  # of what counts as recent

Counts = npt.NDArray[np.int64]


class Latency:
    """Filled once a batch, by whoever settles."""

    def __init__(self) -> None:
        self.counts: Counts = _none()
        self.seconds = 0.0  # in all
        self._recent: dict[int, Counts] = {}  # by slot of time, at most SLOTS

    def add(self, now: int, phases: Mapping[str, Sequence[int]]) -> None:
        """The microseconds of each phase of the same requests, in the same order."""
        if not phases:
            return
        took = np.array(list(phases.values()), dtype=np.int64).sum(axis=0)
        counts = np.bincount(np.searchsorted(EDGES_US, took), minlength=len(EDGES_US) + 1)
        self.counts += counts
        self.seconds += float(took.sum()) / 1e6
        slot = now // SLOT_MS
        self._recent = {at: those for at, those in self._recent.items() if at > slot - SLOTS}
        self._recent[slot] = self._recent.get(slot, _none()) + counts

    def quantile(self, now: int, part: float) -> float | None:
        """Seconds within which this part of the requests of the last minute were answered; None: there were none."""
        recent = [those for at, those in self._recent.items() if at > now // SLOT_MS - SLOTS]
        counts: Counts = np.sum(recent, axis=0, dtype=np.int64) if recent else _none()
        if not (total := int(counts.sum())):
            return None
        place = int(np.searchsorted(np.cumsum(counts), part * total))
        return float(EDGES_US[min(place, len(EDGES_US) - 1)]) / 1e6

    def up_to(self) -> list[tuple[float, int]]:
        """How many requests took at most so many seconds, for each of BOUNDS."""
        below = np.cumsum(self.counts)
        places = np.searchsorted(EDGES_US, np.array(BOUNDS) * 1e6)
        return [(bound, int(below[place])) for bound, place in zip(BOUNDS, places, strict=True)]

    def count(self) -> int:
        """All requests."""
        return int(self.counts.sum())


def _none() -> Counts:
    return np.zeros(len(EDGES_US) + 1, dtype=np.int64)
