"""The parts of a crawl with every batch measured on its way through. The loop does not know."""

from collections.abc import Sequence
from typing import Any, cast

from helios import _core
from helios.embed import Embeds, unchanged
from helios.extract import Extractor
from helios.measure.measures import Measures
from helios.stores.base import ArrowStream
from helios.stores.several import Stores

STAGES = ("lease", "extract", "embed", "stage", "settle", "publish")  # in journey order; fetching is all the rest


class _Around:
    """A part; what is not said otherwise is its own."""

    def __init__(self, part: object, measures: Measures) -> None:
        self._part: Any = part
        self._measures = measures

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the part has
        return getattr(self._part, name)


class _Frontier(_Around):
    def lease(self, now: int, max_visits: int, *, behind: bool = False) -> _core.Visits:
        with self._measures.timing("lease"):
            return cast("_core.Visits", self._part.lease(now, max_visits, behind=behind))

    def settle(self, now: int, done: _core.Done, pages: _core.Pages, staged: str | None) -> None:
        with self._measures.timing("settle"):
            self._part.settle(now, done, pages, staged)
        self._measures.settled(done, staged)


class _Extractor(_Around):
    def extract(self, done: _core.Done, *, keep_bodies: bool = True) -> object:
        with self._measures.timing("extract"):
            return self._part.extract(done, keep_bodies=keep_bodies)


class _Store(_Around):
    def stage(self, pages: ArrowStream) -> str | None:
        with self._measures.timing("stage"):
            return cast("str | None", self._part.stage(pages))

    def publish(self, names: Sequence[str]) -> int:
        with self._measures.timing("publish"):
            rows = int(self._part.publish(names))
        self._measures.published(len(names), rows)
        return rows


def timed_frontier(part: _core.Frontier, measures: Measures) -> _core.Frontier:
    """The frontier, measured."""
    return cast("_core.Frontier", _Frontier(part, measures))


def timed_extractor(part: Extractor, measures: Measures) -> Extractor:
    """The extractor, measured."""
    return cast("Extractor", _Extractor(part, measures))


def timed_store(part: Stores, measures: Measures) -> Stores:
    """The stores, measured."""
    return cast("Stores", _Store(part, measures))


def timed_embed(embed: Embeds, measures: Measures) -> Embeds:
    """The embedding stage, measured, if there is one."""
    if embed is unchanged:
        return embed

    def embedded(pages: ArrowStream) -> ArrowStream:
        with measures.timing("embed"):
            return embed(pages)

    return embedded
