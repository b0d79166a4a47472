"""How a crawl goes: what `helios status` shows, for a crawl that runs and for one that does not."""

from typing import Literal, TypeAlias

from msgspec import Struct

# pausing: what is in flight comes home; stopped: there is more to do; finished: there is not, or a limit is reached
State: TypeAlias = Literal["running", "pausing", "paused", "stopping", "stopped", "finished"]


class Limit(Struct, frozen=True):
    """How far a limit is used up."""

    used: int
    of: int
    left_s: float | None = None  # seconds until it is reached, at the present pace, if it comes nearer


class Status(Struct, frozen=True):
    """How a crawl goes. Counts of a run are 0 when none is going on."""

    out: str
    state: State
    # of this run
    pid: int | None = None
    started: int | None = None  # milliseconds since 1970
    seconds: float = 0.0
    pages: int = 0  # rows stored
    bytes: int = 0  # of bodies, on the wire
    pages_per_second: float = 0.0  # of late
    bytes_per_second: float = 0.0  # of late
    in_flight: int = 0  # visits
    outcomes: dict[str, int] = {}  # pages by what became of them
    memory_bytes: int | None = None  # of the process, as the system counts it
    # of the crawl, all runs
    fetched: int = 0  # pages
    known: int = 0  # URLs
    pending: int = 0  # URLs that wait
    parked: int = 0  # URLs of sites whose budget is used up
    sites: int = 0
    sites_ready: int = 0  # could be asked now
    sites_waiting: int = 0  # for their delay
    retried: int = 0
    dead_letters: int = 0
    unfollowed: dict[str, int] = {}  # links that were not taken in, by why, each time that one was met
    seeds_left: bool = False  # are there seeds that it was given and has not taken in yet?
    limits: dict[str, Limit] = {}  # by the name of the setting

    @property
    def running(self) -> bool:
        """Is there a process that crawls?"""
        return self.pid is not None

    @property
    def paused(self) -> bool:
        """Was it told to pause?"""
        return self.state in {"pausing", "paused"}
