"""Counters that stay small: the most frequent values, pages over time, sizes."""

from collections import Counter
from collections.abc import Mapping

VALUES = 200_000  # different ones that are told apart; about 30 MB
BINS = 4_096


class Counts:
    """How often each value occurs. With very many values the rare ones are forgotten, and the frequent ones remain."""

    def __init__(self, values: int = VALUES) -> None:
        self._counts: Counter[str] = Counter()
        self._values = values
        self.forgotten = 0  # values, at least

    def add(self, more: Mapping[str, int]) -> None:
        """Counts a batch."""
        self._counts.update(more)
        if len(self._counts) > self._values:
            kept = self._counts.most_common(self._values // 2)
            self.forgotten += len(self._counts) - len(kept)
            self._counts = Counter(dict(kept))

    def __len__(self) -> int:
        """How many different values; at least so many when some were forgotten."""
        return len(self._counts) + self.forgotten

    def most(self, many: int) -> list[tuple[str, int]]:
        """The most frequent, those of one count by name."""
        return sorted(self._counts.items(), key=lambda pair: (-pair[1], pair[0]))[:many]


class Bins:
    """How many values fall into each interval of one width, which doubles when there are too many intervals."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._counts: Counter[int] = Counter()

    def add(self, more: Mapping[int, int]) -> None:
        """Counts a batch of values."""
        for value, count in more.items():
            self._counts[value // self.width] += count
        while len(self._counts) > BINS:
            self.width *= 2
            wider: Counter[int] = Counter()
            for place, count in self._counts.items():
                wider[place // 2] += count
            self._counts = wider

    def columns(self, many: int) -> list[tuple[int, int]]:
        """At most so many equal intervals from the first value to the last: where each begins, and its count."""
        if not self._counts:
            return []
        first, last = min(self._counts), max(self._counts)
        step = -(-(last - first + 1) // many)
        columns = [0] * -(-(last - first + 1) // step)
        for place, count in self._counts.items():
            columns[(place - first) // step] += count
        return [((first + at * step) * self.width, count) for at, count in enumerate(columns)]
