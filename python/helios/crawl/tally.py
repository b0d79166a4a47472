"""What a crawl has done so far, counted. Written by the loop only, read by progress and summary."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Counts since the start of the crawl."""

    started: int  # milliseconds since 1970
    pages: int = 0  # rows settled: stored for good
    bytes: int = 0  # of bodies, on the wire
    links: int = 0  # found, before the frontier's judgement
    robots: int = 0  # requests for a robots.txt, answered or not
    paused: bool = False  # is it, at this moment?
    stopping: bool = False  # nothing more is asked: Ctrl-C, a limit or a hook ended it
    before: Mapping[str, int] = field(default_factory=dict)  # what the frontier had counted when the run began
    outcomes: Counter[str] = field(default_factory=Counter)  # of pages; those denied are not asked for
