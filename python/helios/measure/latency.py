"""How long requests took: a histogram since the start, and quantiles of the last minute."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

# Twenty steps a decade, from 0.1 ms to 1000 s: a quantile is at most 13 % too high.
_STEPS = (1, 1.12, 1.25, 1.4, 1.6, 1.8, 2, 2.24, 2.5, 2.8, 3.15, 3.55, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9)
EDGES_US: list[int] = [round(step * 10**decade) for decade in range(2, 9) for step in _STEPS]
# Those that are told to Prometheus, in seconds; each is one of the edges.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0)
SLOTS, SLOT_MS = 6, 10_000  # of what counts as recent


class Latency:
    """Filled once a batch, by whoever settles. Counts are by the place among the edges."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.seconds = 0.0  # in all
        self._recent: dict[int, Counter[int]] = {}  # by slot of time, at most SLOTS

    def add(self, now: int, phases: Mapping[str, Sequence[int]]) -> None:
        """The microseconds of each phase of the same requests, in the same order."""
        if not phases:
            return
        took = [sum(parts) for parts in zip(*phases.values(), strict=True)]
        counts = Counter(bisect_left(EDGES_US, one) for one in took)
        self.counts.update(counts)
        self.seconds += sum(took) / 1e6
        slot = now // SLOT_MS
        self._recent = {at: those for at, those in self._recent.items() if at > slot - SLOTS}
        self._recent.setdefault(slot, Counter()).update(counts)

    def quantile(self, now: int, part: float) -> float | None:
        """Seconds within which this part of the requests of the last minute were answered; None: there were none."""
        counts: Counter[int] = Counter()
        for at, those in self._recent.items():
            if at > now // SLOT_MS - SLOTS:
                counts.update(those)
        if not (total := counts.total()):
            return None
        place = bisect_left(_sums(counts), part * total)
        return EDGES_US[min(place, len(EDGES_US) - 1)] / 1e6

    def up_to(self) -> list[tuple[float, int]]:
        """How many requests took at most so many seconds, for each of BOUNDS."""
        below = _sums(self.counts)
        return [(bound, below[bisect_left(EDGES_US, bound * 1e6)]) for bound in BOUNDS]

    def count(self) -> int:
        """All requests."""
        return self.counts.total()


def _sums(counts: Counter[int]) -> list[int]:
    """How many there are up to each place, the one after the last edge included."""
    return list(accumulate(counts[place] for place in range(len(EDGES_US) + 1)))
