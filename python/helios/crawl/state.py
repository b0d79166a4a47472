"""The status of a crawl: of one that runs, by a snapshot of it; of one that does not, by what its frontier counts."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helios.control.status import Limit, State, Status
from helios.crawl.pace import Pace
from helios.crawl.progress import all_outcomes
from helios.crawl.seeding import left_over
from helios.crawl.stop import Stop
from helios.crawl.unfollowed import unfollowed
from helios.observe.snapshot import Snapshot
from helios.settings import Settings

OF_ALL_RUNS = ("fetched", "known", "pending", "parked", "sites", "sites_ready", "sites_waiting", "retried")
USED = {"max_pages": "fetched", "max_bytes": "bytes"}  # by which of the frontier's counts


def state_of(stop: Stop, in_flight: int) -> State:
    """Of a crawl that runs."""
    if stop.reason is not None:
        return "stopping"
    if stop.paused:
        return "pausing" if in_flight else "paused"
    return "running"


def status_now(out: Path, now: Snapshot, pace: Pace, stop: Stop) -> Status:
    """How it goes."""
    pages, received = pace.rates()
    limits = {
        name: Limit(int(part.done), int(part.limit), part.left_s)
        for name, part in zip(now.limits, pace.limits(now), strict=True)
    }
    return Status(
        out=str(out),
        state=state_of(stop, now.in_flight),
        pid=os.getpid(),
        started=now.started,
        seconds=(now.at - now.started) / 1000,
        pages=now.pages,
        bytes=now.bytes,
        pages_per_second=pages,
        bytes_per_second=received,
        in_flight=now.in_flight,
        outcomes=all_outcomes(now),
        memory_bytes=now.memory,
        dead_letters=now.frontier.get("dead", 0),
        limits=limits,
        **_of_all_runs(now.frontier),
    )


def status_left(out: Path, settings: Settings, counts: Mapping[str, int]) -> Status:
    """How the last run left it."""
    limits = {
        name: Limit(counts.get(count, 0), of)
        for name, count in USED.items()
        if (of := getattr(settings.crawl, name)) is not None
    }
    used_up = any(limit.used >= limit.of for limit in limits.values())
    # Nothing is known before the seeds are taken in.
    unfinished = counts.get("pending") or not counts.get("known") or left_over(out)
    state: State = "stopped" if unfinished and not used_up else "finished"
    return Status(out=str(out), state=state, dead_letters=counts.get("dead", 0), limits=limits, **_of_all_runs(counts))


def _of_all_runs(counts: Mapping[str, int]) -> dict[str, Any]:
    return {**{name: counts.get(name, 0) for name in OF_ALL_RUNS}, "unfollowed": unfollowed(counts)}
