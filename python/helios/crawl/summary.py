"""The last word of a crawl: what was stored, what became of the rest, and where it is."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from helios.crawl.stop import Reason
from helios.crawl.tally import Tally
from helios.crawl.unfollowed import unfollowed_words
from helios.outcome import MEANING, Outcome
from helios.terminal import safe

REASONS = 8  # shown in a terminal

ENDED: dict[Reason, str] = {
    "finished": "nothing is left to crawl",
    "pages": "the limit on pages is reached",
    "bytes": "the limit on bytes is reached",
    "time": "the time limit is reached",
    "hook": "a hook asked to stop",
    "interrupted": "interrupted",
}


class DeadLetters(Struct, frozen=True):
    """URLs that used up their attempts for one reason."""

    reason: str
    count: int
    example: str  # URL


class Summary(Struct, frozen=True):
    """What a crawl did."""

    out: str
    pages: int  # rows stored
    bytes: int  # of bodies, on the wire
    seconds: float
    ended: Reason
    robots: int  # requests for a robots.txt
    robots_read: int  # of those, that told us the rules ("there is none" does, too)
    outcomes: dict[str, int]  # pages by what became of them; `denied` were not asked for
    dead_letters: int
    dead_reasons: list[DeadLetters]  # the most frequent first
    refused_seeds: list[tuple[str, str]]  # seed, reason
    recrawled: int = 0  # pages that were looked at again
    changed: int = 0  # of those, that were not as before
    pending: int = 0  # URLs that wait
    parked: int = 0  # URLs of sites whose budget is used up
    hook_failures: int = 0  # pages that hooks failed on; they are stored
    hook_failure: tuple[str, str] | None = None  # the first of them: URL, reason
    unfollowed: dict[str, int] = {}  # links of all runs that were not taken in, by why, each time that one was met
    held_up: str | None = None  # of a run that stored nothing: why its first seed still waits, if that is known

    @property
    def pages_per_second(self) -> float:
        """Pages stored per second of the whole crawl."""
        return self.pages / self.seconds if self.seconds else 0.0


def render(summary: Summary) -> RenderableType:
    """The summary for a terminal."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_row("pages stored", f"{summary.pages:,}")
    facts.add_row("robots.txt read", f"{summary.robots_read:,} of {summary.robots:,} asked for")
    facts.add_row("received", size(summary.bytes))
    facts.add_row("time", f"{summary.seconds:.1f} s ({summary.pages_per_second:.1f} pages/s)")
    facts.add_row("ended", ENDED[summary.ended])
    if summary.recrawled:
        rate = summary.changed / summary.recrawled
        facts.add_row("looked at again", f"{summary.recrawled:,}, {summary.changed:,} had changed ({rate:.0%})")
    if summary.pending or summary.parked:
        over = f", {summary.parked:,} are over their site's budget" if summary.parked else ""
        facts.add_row("left", f"{summary.pending:,} {'URL waits' if summary.pending == 1 else 'URLs wait'}{over}")
    if summary.unfollowed:
        facts.add_row("links left out", unfollowed_words(summary.unfollowed))
    parts: list[RenderableType] = [facts]
    if summary.outcomes:
        parts += [Text(), outcomes_table(summary.outcomes)]
    if summary.dead_letters:
        parts += [Text(), _dead_letters(summary)]
    if summary.hook_failure is not None:
        url, reason = summary.hook_failure
        said = safe(f"{url}: {reason}")
        parts.append(Text(f"hooks failed on {summary.hook_failures:,} pages, first on {said}", style="yellow"))
    for url, reason in summary.refused_seeds:
        parts.append(Text(safe(f"seed not crawled: {url}: {reason}"), style="yellow"))
    return Group(*parts)


def outcomes_of(tally: Tally, frontier: Mapping[str, int]) -> dict[str, int]:
    """Pages by outcome: those asked for, which the loop counts, and those denied, which the frontier counts."""
    denied = frontier.get(Outcome.DENIED, 0)
    return {**tally.outcomes, **({Outcome.DENIED.value: denied} if denied else {})}


def outcomes_table(outcomes: Mapping[str, int]) -> Table:
    """Counts by outcome, in journey order, with what each means."""
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    for outcome in Outcome:
        if count := outcomes.get(outcome, 0):
            table.add_row(outcome.value, f"{count:,}", MEANING[outcome])
    return table


def size(count: float) -> str:
    """Bytes for people: 12.3 MB."""
    step = 1000
    for unit in ("B", "kB", "MB", "GB"):
        if count < step:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= step
    return f"{count:.1f} TB"


def gather(letters: Iterable[tuple[str, str, int]]) -> list[DeadLetters]:
    """Dead letters (URL, reason, attempts) by reason, the most frequent first."""
    urls: dict[str, list[str]] = {}
    for url, reason, _ in letters:
        urls.setdefault(reason, []).append(url)
    found = [DeadLetters(reason=reason, count=len(those), example=those[0]) for reason, those in urls.items()]
    return sorted(found, key=lambda letters: (-letters.count, letters.reason))


def _dead_letters(summary: Summary) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    shown = summary.dead_reasons[:REASONS]
    for letters in shown:
        table.add_row(f"  {letters.count:,}", Text(safe(letters.reason)))
        table.add_row("", Text(safe(f"such as {letters.example}"), style="dim"))
    if (more := summary.dead_letters - sum(letters.count for letters in shown)) > 0:
        table.add_row("", Text(f"… and {more:,} more"))
    return Group(Text(f"dead letters: {summary.dead_letters:,}", style="bold"), table)
