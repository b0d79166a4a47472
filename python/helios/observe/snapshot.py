"""Everything that is known of a running crawl at one moment; progress, metrics and status show the same."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from helios.measure.machine import memory_used
from helios.outcome import Outcome
from helios.settings.words import bytes_of
from helios.stages import Stages

LIMITS = ("max_pages", "max_seconds", "max_bytes")
QUANTILES = (0.5, 0.95, 0.99)
# Not a failure: it was had, it is elsewhere, it is the same, or it is asked again.
WELL = {Outcome.FETCHED, Outcome.REDIRECTED, Outcome.NOT_MODIFIED, Outcome.ABANDONED}


class Counted(Protocol):
    """What the loop counts; see `crawl/tally.py`."""

    started: int
    pages: int
    bytes: int
    links: int
    robots: int
    paused: bool
    stopping: bool
    before: Mapping[str, int]  # the frontier's counts of earlier runs

    @property
    def outcomes(self) -> Mapping[str, int]:
        """Of pages, by name."""


class Snapshot(Struct, frozen=True):
    """Counts are of this run, except those of the frontier, which are of the whole crawl."""

    at: int  # milliseconds since 1970
    started: int
    pages: int  # rows settled
    bytes: int  # of bodies, on the wire
    links: int
    robots: int  # requests for a robots.txt
    robots_read: int  # of those, that told us the rules
    denied: int  # pages that were not asked for
    paused: bool  # nothing more is leased until somebody says so
    stopping: bool  # nothing more is leased; it ends when what is in flight is home
    outcomes: dict[str, int]
    frontier: dict[str, int]  # see `Frontier.stats`
    dns: dict[str, int]
    due: int | None  # when the next visit may begin; None: nothing waits
    limits: dict[str, int]  # of [crawl]: max_pages, max_seconds, max_bytes, as far as there are any
    in_flight: int  # visits
    free: int  # visits that could be, too
    bodies: int  # bytes of pages held
    memory: int  # bytes of the process
    ceiling: int | None  # bytes that it stays under; None: none is set
    latency: dict[str, float]  # seconds by quantile, over the last minute
    latency_up_to: list[tuple[float, int]]  # requests of this run that took at most so many seconds
    latency_seconds: float
    requests: int
    stage_seconds: dict[str, float]
    stage_calls: dict[str, int]
    published: int  # rows
    publish_lag: float  # seconds that the oldest settled batch waits to be visible

    @property
    def failed(self) -> dict[str, int]:
        """Pages that could not be had, by outcome; those denied are of the whole crawl."""
        kinds = (kind for kind in Outcome if kind not in WELL)
        counts = {kind.value: self.outcomes.get(kind, 0) for kind in kinds}
        return {**counts, Outcome.DENIED.value: self.frontier.get(Outcome.DENIED, 0)}

    @property
    def robots_hit_rate(self) -> float:
        """Part of the questions to robots.txt that were answered from what is known: one for each page."""
        asked = sum(self.outcomes.values()) + self.denied
        return asked / (asked + self.robots) if asked else 0.0


def snapshot(stages: Stages, counted: Counted) -> Snapshot:
    """The present moment. Takes some microseconds, and waits for whoever is settling."""
    now, measures = stages.clock.now(), stages.measures
    latency = measures.latency
    quantiles = {str(part): latency.quantile(now, part) for part in QUANTILES}
    waiting = measures.waiting_since
    frontier = stages.frontier.stats()
    robots_read, denied = (
        frontier.get(name, 0) - counted.before.get(name, 0) for name in ("robots_answers", Outcome.DENIED)
    )
    return Snapshot(
        at=now,
        started=counted.started,
        pages=counted.pages,
        bytes=counted.bytes,
        links=counted.links,
        robots=counted.robots,
        robots_read=robots_read,
        denied=denied,
        paused=counted.paused,
        stopping=counted.stopping,
        outcomes=dict(counted.outcomes),
        frontier=frontier,
        dns=stages.fetcher.dns_stats(),
        due=stages.frontier.next_due(now),
        limits={name: limit for name in LIMITS if (limit := getattr(stages.settings.crawl, name)) is not None},
        in_flight=stages.fetcher.in_flight,
        free=stages.fetcher.free,
        bodies=stages.fetcher.memory_held,
        memory=memory_used(),
        ceiling=None if stages.settings.crawl.memory is None else bytes_of(stages.settings.crawl.memory),
        latency={part: took for part, took in quantiles.items() if took is not None},
        latency_up_to=latency.up_to(),
        latency_seconds=latency.seconds,
        requests=latency.count(),
        stage_seconds={stage: spent / 1000 for stage, spent in dict(measures.stage_ms).items()},
        stage_calls=dict(measures.stage_calls),
        published=measures.published_rows,
        publish_lag=0.0 if waiting is None else max(now - waiting, 0) / 1000,
    )
