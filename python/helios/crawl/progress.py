"""How the crawl goes, live: a small table in a terminal, a line every few seconds in a pipe, with the same facts."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from helios.clock import Clock, SystemClock
from helios.crawl.pace import Pace, Part
from helios.crawl.summary import size
from helios.crawl.tally import Tally
from helios.observe.snapshot import WELL, Snapshot, snapshot
from helios.outcome import MEANING, Outcome
from helios.stages import Stages

Watch: TypeAlias = Callable[[Stages, Tally], None]

LOOK_MS = 250  # between two looks, however fast the loop turns: drawing takes 4.5 ms of a core
LINE_MS = 5_000  # between two lines in a pipe
SEEDS = 10_000  # between two looks at the clock while seeds are checked
KINDS = 8  # of outcomes in a terminal, the most frequent ones
HINT = "Ctrl-C ends the crawl and keeps what is stored; twice: at once"
ENDING = "ends when the visits under way are home, or in 10 s; Ctrl-C again: at once"
SIDE_BY_SIDE = 76  # columns that two facts need beside each other
ECHO = 3  # columns that the last line leaves free


def silent(stages: Stages, tally: Tally) -> None:
    """Shows nothing."""


def seldom(show: Callable[[Snapshot], None]) -> Watch:
    """A watcher that looks at the crawl now and then, and not at every turn."""
    looked = 0

    def watch(stages: Stages, tally: Tally) -> None:
        nonlocal looked
        if (now := stages.clock.now()) - looked >= LOOK_MS:
            looked = now
            show(snapshot(stages, tally))

    return watch


@contextmanager
def shown(console: Console, *, quiet: bool = False) -> Iterator[Watch]:
    """A watcher for this console."""
    if quiet:
        yield silent
    elif console.is_terminal:
        screen = Screen(console)
        try:
            yield seldom(screen.show)
        finally:
            screen.close()
    else:
        yield seldom(Lines(console).show)


def counted(seeds: Iterable[str], console: Console | None, clock: Clock | None = None) -> Iterator[str]:
    """The same seeds; says now and then how many went by: nothing else is seen while millions of them are checked."""
    clock = clock or SystemClock()
    last = clock.now()
    for number, seed in enumerate(seeds):
        if number % SEEDS == 0 and console is not None and (now := clock.now()) - last >= LINE_MS:
            last = now
            console.print(f"checking seeds, {number:,} so far", markup=False, highlight=False, soft_wrap=True)
        yield seed


class Lines:
    """One line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pace = Pace()
        self._last: int | None = None

    def show(self, now: Snapshot) -> None:
        """Writes a line when the last one is old enough."""
        self._pace.add(now)
        if now.at - (self._last or now.started) >= LINE_MS:
            self._last = now.at
            line = plain(now, self._pace)
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class Screen:
    """The live view on a terminal, while that is ours: a crawl in the background (`&`) draws over nobody's words."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._view = LiveView()
        self._live: Live | None = None

    def show(self, now: Snapshot) -> None:
        """Draws the present state."""
        drawn = self._view.drawn(now)
        if not in_front(self._console):
            return
        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(drawn, refresh=True)

    def close(self) -> None:
        """Leaves nothing behind."""
        if self._live is not None:
            self._live.stop()


def in_front(console: Console) -> bool:
    """Does the terminal listen to this process? Where nobody can tell, it does."""
    try:
        return os.tcgetpgrp(console.file.fileno()) == os.getpgrp()
    except (AttributeError, OSError):  # not on this system, or no terminal
        return True


class LiveView:
    """A table that is drawn again in place; fits 80 columns, and less."""

    def __init__(self) -> None:
        self._pace = Pace()

    def drawn(self, now: Snapshot) -> RenderableType:
        """The present state."""
        self._pace.add(now)
        pages, received = self._pace.rates()
        counts = now.frontier
        ready, waiting = counts.get("sites_ready", 0), counts.get("sites_waiting", 0)
        left = {
            "pages": f"{now.pages:,}  {pages:,.1f}/s",
            "received": f"{size(now.bytes)}  {size(received)}/s",
            "visits": f"{now.in_flight:,} of {now.in_flight + now.free:,}",
            "sites": f"{ready:,} ready, {waiting:,} wait",
            "queue": f"{counts.get('pending', 0):,} URLs",
            "robots.txt": f"{now.robots_read:,} of {now.robots:,} read",
        }
        right = {
            "time": elapsed(now.at - now.started),
            "memory": _memory(now),
            "waiting": waits_for(now) or "-",
            "answers": _answers(now),
            "known": f"{counts.get('known', 0):,} URLs",
            "dead letters": f"{counts.get('dead', 0):,}",
        }
        parts: list[RenderableType] = [Facts(left, right), Text()]
        if limits := self._pace.limits(now):
            parts += [_bars(limits), Text()]
        return Group(*parts, _outcomes(now), Text(), LastLine(ENDING if now.stopping else HINT))


@dataclass(frozen=True, slots=True)
class Facts:
    """Two lists of facts, side by side where the terminal is wide enough, else one below the other."""

    left: dict[str, str]
    right: dict[str, str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As rich asks for it."""
        grid = Table.grid(padding=(0, 2))
        beside = options.max_width >= SIDE_BY_SIDE
        for style, width in (("bold", None), ("", 24)) * (2 if beside else 1):
            grid.add_column(style=style, min_width=width if beside else None, no_wrap=True, overflow="ellipsis")
        pairs = [*self.left.items()], [*self.right.items()]
        rows = [(*one, *other) for one, other in zip(*pairs, strict=True)] if beside else [*pairs[0], *pairs[1]]
        for row in rows:
            grid.add_row(*row)
        yield grid


@dataclass(frozen=True, slots=True)
class LastLine:
    """A remark; behind it stays room for the ^C that a terminal writes, which would begin a line where it is full."""

    remark: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As rich asks for it."""
        line = Text(self.remark, style="dim", no_wrap=True)
        line.truncate(max(options.max_width - ECHO, 1), overflow="ellipsis")
        yield line


def plain(now: Snapshot, pace: Pace) -> str:
    """One line on how it goes, for logs and pipes."""
    outcomes, counts = all_outcomes(now), now.frontier
    seconds = (now.at - now.started) / 1000
    pages, received = pace.rates()
    facts = [f"{seconds:.0f} s: {now.pages} pages, {pages:.1f}/s, {size(now.bytes)}, {size(received)}/s"]
    facts.append(", ".join(f"{count} {kind}" for kind, count in outcomes.items()) or "starting")
    if now.robots:
        facts.append(f"{now.robots_read} of {now.robots} robots.txt read")
    facts.append(
        f"{now.in_flight} visits, {counts.get('sites_ready', 0)} sites ready, "
        f"{counts.get('sites_waiting', 0)} wait, {counts.get('pending', 0)} URLs queued"
    )
    facts += [f"memory {_memory(now)}"]
    facts += [f"{counts['dead']} dead letters"] if counts.get("dead") else []
    facts += [f"{part.share:.0%} of {_limit(part)}{_left(part)}" for part in pace.limits(now)]
    facts += [wait] if (wait := waits_for(now)) else []
    return "; ".join(facts)


def all_outcomes(now: Snapshot) -> dict[str, int]:
    """Pages of this run by what became of them, in journey order, those denied included, which are not asked for."""
    counts = {**now.outcomes, Outcome.DENIED.value: now.denied}
    return {kind.value: count for kind in Outcome if (count := counts.get(kind, 0))}


def waits_for(now: Snapshot) -> str | None:
    """What is waited for, if that is all that goes on: the last visits, the end of a pause, or a site's time."""
    if now.stopping:
        return f"ending, {now.in_flight} visits come home" if now.in_flight else "ending"
    if now.paused:
        return f"pausing, {now.in_flight} visits come home" if now.in_flight else "paused"
    return next_visit(now)


def next_visit(now: Snapshot) -> str | None:
    """When the crawl goes on, if nothing is in flight and nothing is due: a pause between visits or before a retry."""
    if now.in_flight or now.due is None or now.due <= now.at:
        return None
    return f"next visit in {-(-(now.due - now.at) // 1000)} s"


def elapsed(milliseconds: int) -> str:
    """A length of time for people: 1:02:03."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _outcomes(now: Snapshot) -> RenderableType:
    """The most frequent kinds, in journey order."""
    counts = all_outcomes(now)
    most = sorted(counts, key=lambda kind: -counts[kind])[:KINDS]
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", no_wrap=True)
    table.add_column()  # the first to give way where the terminal is narrow
    for kind in (kind for kind in counts if kind in most):
        style = "" if Outcome(kind) in WELL else "yellow"
        table.add_row(Text(kind, style=style), f"{counts[kind]:,}", _remark(MEANING[Outcome(kind)]))
    if len(counts) > len(most):
        table.add_row("others", f"{sum(counts.values()) - sum(counts[kind] for kind in most):,}", "")
    return table


def _remark(text: str) -> Text:
    return Text(text, style="dim", no_wrap=True, overflow="ellipsis")


def _bars(limits: list[Part]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(max_width=24)  # the first to give way where the terminal is narrow
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    for part in limits:
        bar = ProgressBar(part.limit, min(part.done, part.limit), complete_style="cyan", style="dim")
        table.add_row(part.name, bar, f"{part.share:.0%}", f"of {_limit(part)}{_left(part)}")
    return table


def _limit(part: Part) -> str:
    match part.name:
        case "time":
            return elapsed(round(part.limit) * 1000)
        case "bytes":
            return size(part.limit)
        case _:
            return f"{part.limit:,.0f} pages"


def _left(part: Part) -> str:
    return "" if part.left_s is None else f", {elapsed(round(part.left_s) * 1000)} left"


def _memory(now: Snapshot) -> str:
    return size(now.memory) + (f" of {size(now.ceiling)}" if now.ceiling is not None else "")


def _answers(now: Snapshot) -> str:
    """Half of the answers and nearly all of them come within so long."""
    if not now.latency:
        return "-"
    half, most = now.latency["0.5"], now.latency["0.95"]
    return f"{_short(half)}, 95 % in {_short(most)}"


def _short(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
