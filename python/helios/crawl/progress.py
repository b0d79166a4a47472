"""How the crawl goes, live: a small table in a terminal, a line every few seconds in a pipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from helios.crawl.summary import outcomes_of, outcomes_table, plain, size
from helios.crawl.tally import Tally
from helios.stages import Stages

Watch: TypeAlias = Callable[[Stages, Tally], None]

LINE_MS = 5_000  # between two lines in a pipe


def silent(stages: Stages, tally: Tally) -> None:
    """Shows nothing."""


@contextmanager
def shown(console: Console) -> Iterator[Watch]:
    """A watcher for this console."""
    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            view = LiveView(live)
            yield view.show
    else:
        yield Lines(console).show


class Lines:
    """One line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: int | None = None

    def show(self, stages: Stages, tally: Tally) -> None:
        """Writes a line when the last one is old enough."""
        now = stages.clock.now()
        if now - (self._last or tally.started) >= LINE_MS:
            self._last = now
            line = plain(tally, now, stages.frontier.stats(), waiting(stages, tally, now))
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class LiveView:
    """A table that is drawn again in place, with rates over the last few seconds."""

    WINDOW_MS = 5_000

    def __init__(self, live: Live) -> None:
        self._live = live
        self._past: list[tuple[int, int, int]] = []  # time, pages, bytes; at most one per turn of the last WINDOW_MS

    def show(self, stages: Stages, tally: Tally) -> None:
        """Draws the present state."""
        self._live.update(self._drawn(stages, tally), refresh=True)

    def _drawn(self, stages: Stages, tally: Tally) -> Group:
        now = stages.clock.now()
        pages, received = self._rates(now, tally)
        frontier = stages.frontier.stats()
        facts = Table.grid(padding=(0, 2))
        facts.add_column(style="bold")
        facts.add_column(justify="right", min_width=12)
        facts.add_column(style="bold")
        facts.add_column(justify="right", min_width=12)
        facts.add_row("pages", f"{tally.pages:,}", "time", _elapsed(now - tally.started))
        facts.add_row("pages/s", f"{pages:.1f}", "received/s", size(received))
        facts.add_row("visits now", f"{stages.fetcher.in_flight:,}", "received", size(tally.bytes))
        facts.add_row("sites", _count(frontier, "sites"), "sites waiting", _count(frontier, "sites_waiting"))
        facts.add_row("URLs queued", _count(frontier, "pending"), "URLs known", _count(frontier, "known"))
        robots = f"{_count(frontier, 'robots_answers')} of {tally.robots:,}"
        facts.add_row("robots.txt read", robots, "waiting", waiting(stages, tally, now) or "-")
        hint = Text("Ctrl-C ends the crawl and keeps what is stored; twice: at once", style="dim")
        return Group(facts, Text(), outcomes_table(outcomes_of(tally, frontier)), Text(), hint)

    def _rates(self, now: int, tally: Tally) -> tuple[float, float]:
        self._past.append((now, tally.pages, tally.bytes))
        while len(self._past) > 1 and now - self._past[0][0] > self.WINDOW_MS:
            self._past.pop(0)
        then, pages, received = self._past[0]
        seconds = max((now - then) / 1000, 0.001)
        return (tally.pages - pages) / seconds, (tally.bytes - received) / seconds


def waiting(stages: Stages, tally: Tally, now: int) -> str | None:
    """What is waited for, if that is all that goes on: the end of a pause, or a site's time."""
    if tally.paused:
        return f"pausing, {stages.fetcher.in_flight} visits come home" if stages.fetcher.in_flight else "paused"
    return next_visit(stages, now)


def next_visit(stages: Stages, now: int) -> str | None:
    """When the crawl goes on, if nothing is in flight and nothing is due: a pause between visits or before a retry."""
    if stages.fetcher.in_flight or (due := stages.frontier.next_due(now)) is None or due <= now:
        return None
    return f"next visit in {-(-(due - now) // 1000)} s"


def _count(stats: dict[str, int], key: str) -> str:
    return f"{stats[key]:,}" if key in stats else "-"


def _elapsed(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
