"""The status of a crawl, put together from what its frontier counts and what its run, if there is one, counts."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helios.control.status import Limit, State, Status
from helios.crawl.stop import Stop
from helios.crawl.summary import outcomes_of
from helios.crawl.tally import Tally
from helios.outcome import Outcome
from helios.settings import Settings


@dataclass(frozen=True, slots=True)
class Run:
    """What a crawl that runs knows of itself."""

    tally: Tally
    state: State
    now: int
    in_flight: int
    pages_per_second: float
    bytes_per_second: float
    before: Mapping[str, int] = field(default_factory=dict)  # what the frontier counted when the run began


def state_of(stop: Stop, in_flight: int) -> State:
    """Of a crawl that runs."""
    if stop.reason is not None:
        return "stopping"
    if stop.paused:
        return "pausing" if in_flight else "paused"
    return "running"


def status_of(out: Path, settings: Settings, counts: Mapping[str, int], run: Run | None) -> Status:
    """How it goes; without a run, how it was left."""
    seconds = (run.now - run.tally.started) / 1000 if run else 0.0
    limits = _limits(settings, counts, seconds)
    common: dict[str, Any] = {
        name: counts.get(name, 0)
        for name in ("fetched", "known", "pending", "parked", "sites", "sites_ready", "sites_waiting", "retried")
    }
    if run is None:
        used_up = any(limits[name].used >= limits[name].of for name in ("max_pages", "max_bytes") if name in limits)
        state: State = "stopped" if common["pending"] and not used_up else "finished"
        return Status(out=str(out), state=state, dead_letters=counts.get("dead", 0), limits=limits, **common)
    denied = counts.get(Outcome.DENIED, 0) - run.before.get(Outcome.DENIED, 0)
    return Status(
        out=str(out),
        state=run.state,
        pid=os.getpid(),
        started=run.tally.started,
        seconds=seconds,
        pages=run.tally.pages,
        bytes=run.tally.bytes,
        pages_per_second=run.pages_per_second,
        bytes_per_second=run.bytes_per_second,
        in_flight=run.in_flight,
        outcomes=outcomes_of(run.tally, {Outcome.DENIED: denied}),
        memory_bytes=memory(),
        dead_letters=counts.get("dead", 0),
        limits=limits,
        **common,
    )


def _limits(settings: Settings, counts: Mapping[str, int], seconds: float) -> dict[str, Limit]:
    """Those that are set; pages and bytes are of all runs, seconds of this one."""
    used = {"max_pages": counts.get("fetched", 0), "max_bytes": counts.get("bytes", 0), "max_seconds": int(seconds)}
    limits = {name: getattr(settings.crawl, name) for name in used}
    return {name: Limit(used[name], of) for name, of in limits.items() if of is not None}


def memory() -> int | None:
    """Bytes of memory that this process has, as the system counts them; None where it does not say."""
    try:
        resident = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(resident) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
