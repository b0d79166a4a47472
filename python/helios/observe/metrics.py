"""A snapshot in the text format of Prometheus. docs/metrics.md lists what is here; a test compares."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from helios._core import __version__
from helios.observe.snapshot import Snapshot
from helios.outcome import Outcome

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Kind: TypeAlias = Literal["counter", "gauge", "histogram", "summary"]
Sample: TypeAlias = tuple[str, dict[str, str], float]  # what follows the name, labels, value


class Metric(NamedTuple):
    """One family: a name, what it is, and its values."""

    name: str
    kind: Kind
    says: str
    samples: list[Sample]


def text(now: Snapshot) -> str:
    """Every metric, each with what it means."""
    return "".join(line for metric in metrics(now) for line in _lines(metric))


def metrics(now: Snapshot) -> Iterator[Metric]:
    """Every metric, those that the design names first."""
    frontier = now.frontier
    yield _one("urls_queued", "gauge", "URLs that wait to be fetched", frontier.get("pending", 0))
    crawled = sum(count for kind, count in now.outcomes.items() if kind != Outcome.ABANDONED)
    yield _one("urls_crawled_total", "counter", "URLs that were asked for, whatever came of it", crawled)
    yield _by("urls_failed_total", "counter", "URLs that could not be had", "outcome", now.failed.items())
    yield _one("bytes_downloaded_total", "counter", "bytes of bodies received, as on the wire", now.bytes)
    yield Metric("latency_seconds", "summary", "from asking to the whole answer, over the last minute", _summary(now))
    yield Metric("fetch_seconds", "histogram", "from asking to the whole answer, in this run", _histogram(now))
    yield _one(
        "robots_cache_hit_rate", "gauge", "part of robots.txt questions that needed no request", now.robots_hit_rate
    )
    yield _one(
        "bloom_false_positives",
        "gauge",
        "new URLs that the filter took for perhaps known, so that the disk was asked",
        frontier.get("bloom_false_positives", 0),
    )
    yield _one("workers_active", "gauge", "visits under way", now.in_flight)
    yield _one("workers_idle", "gauge", "visits that could be under way, too", now.free)
    yield from _pages(now)
    yield from _frontier(frontier)
    yield from _machine(now)


def _pages(now: Snapshot) -> Iterator[Metric]:
    yield _one("pages_stored_total", "counter", "rows stored for good", now.pages)
    yield _one("pages_published_total", "counter", "rows made visible", now.published)
    yield _one("links_found_total", "counter", "links found on pages, known ones included", now.links)
    yield _one("robots_requests_total", "counter", "requests for a robots.txt", now.robots)
    yield _by("outcomes_total", "counter", "URLs by what became of them", "outcome", now.outcomes.items())
    yield _one("publish_lag_seconds", "gauge", "that the oldest stored batch waits to be visible", now.publish_lag)
    yield _one("staged_batches", "gauge", "batches stored and not yet visible", now.frontier.get("staged", 0))
    spent, calls = now.stage_seconds, now.stage_calls
    samples: list[Sample] = [("_sum", {"stage": stage}, seconds) for stage, seconds in spent.items()]
    samples += [("_count", {"stage": stage}, count) for stage, count in calls.items()]
    yield Metric("stage_seconds", "summary", "seconds that each stage worked, and how often", samples)


def _frontier(frontier: dict[str, int]) -> Iterator[Metric]:
    """Of the whole crawl, earlier runs included."""
    gauges = {
        "urls_known": ("known", "URLs that were seen"),
        "urls_parked": ("parked", "URLs of sites whose budget is used up"),
        "sites": ("sites", "sites known"),
        "sites_ready": ("sites_ready", "sites that may be asked now"),
        "sites_waiting": ("sites_waiting", "sites whose pause is not over"),
        "visits_out": ("visits_out", "visits leased and not yet settled"),
        "dead_letters": ("dead", "URLs that used up their attempts"),
    }
    for name, (key, says) in gauges.items():
        yield _one(name, "gauge", says, frontier.get(key, 0))
    counters = {
        "retries_total": ("retried", "failures after which a URL is asked again"),
        "pages_fetched_total": ("fetched", "pages fetched, in all runs"),
        "urls_out_of_scope_total": ("out_of_scope", "links that lead out of scope"),
        "urls_trapped_total": ("trapped", "links that look endless"),
        "near_duplicates_total": ("duplicates", "pages like another one of their site"),
    }
    for name, (key, says) in counters.items():
        yield _one(name, "counter", says, frontier.get(key, 0))


def _machine(now: Snapshot) -> Iterator[Metric]:
    yield _one("memory_bytes", "gauge", "memory that the process holds", now.memory)
    ceiling: list[Sample] = [] if now.ceiling is None else [("", {}, now.ceiling)]
    yield Metric(
        "memory_ceiling_bytes", "gauge", "memory that the process stays under, if [crawl] memory is set", ceiling
    )
    yield _one("bodies_bytes", "gauge", "bytes of pages that are read or not yet stored", now.bodies)
    looked_up = [("", {"answer": kind}, float(now.dns.get(kind, 0))) for kind in ("hits", "negative_hits", "misses")]
    yield Metric("dns_lookups_total", "counter", "names asked for, by whether the answer was known", looked_up)
    yield _one("start_time_seconds", "gauge", "when this run began, in seconds since 1970", now.started / 1000)
    yield _by("build_info", "gauge", "always 1; the version is a label", "version", [(__version__, 1)])


def _summary(now: Snapshot) -> list[Sample]:
    told: list[Sample] = [("", {"quantile": part}, took) for part, took in now.latency.items()]
    return [*told, ("_sum", {}, now.latency_seconds), ("_count", {}, now.requests)]


def _histogram(now: Snapshot) -> list[Sample]:
    told: list[Sample] = [("_bucket", {"le": str(bound)}, count) for bound, count in now.latency_up_to]
    told.append(("_bucket", {"le": "+Inf"}, now.requests))
    return [*told, ("_sum", {}, now.latency_seconds), ("_count", {}, now.requests)]


def _one(name: str, kind: Kind, says: str, value: float) -> Metric:
    return Metric(name, kind, says, [("", {}, value)])


def _by(name: str, kind: Kind, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    return Metric(name, kind, says, [("", {label: key}, value) for key, value in values])


def _lines(metric: Metric) -> Iterator[str]:
    """Labels need no escapes: they are names of ours."""
    name = f"helios_{metric.name}"
    yield f"# HELP {name} {metric.says}\n# TYPE {name} {metric.kind}\n"
    for suffix, labels, value in metric.samples:
        inside = ",".join(f'{label}="{is_}"' for label, is_ in labels.items())
        yield f"{name}{suffix}{'{' + inside + '}' if inside else ''} {value}\n"
