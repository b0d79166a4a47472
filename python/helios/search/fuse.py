"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): what several rankings place high comes first."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

SOFTNESS = 60  # of the first places, as in the paper

_Key = TypeVar("_Key", bound=Hashable)


def fused(*rankings: Sequence[_Key]) -> list[tuple[_Key, float]]:
    """Keys with their score, best first; of equal scores the first ranking decides."""
    scores: dict[_Key, float] = {}
    for ranking in rankings:
        for place, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (SOFTNESS + place)
    return sorted(scores.items(), key=lambda pair: -pair[1])
