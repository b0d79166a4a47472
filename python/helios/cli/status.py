"""`helios status`."""

from pathlib import Path
from threading import Event

import click
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from helios.cli.words import helios, out, print_json, whole
from helios.clock import moment
from helios.control.status import Limit, State, Status
from helios.crawl.opened import Crawl
from helios.crawl.progress import elapsed
from helios.crawl.summary import outcomes_table, size
from helios.crawl.unfollowed import unfollowed_words

EVERY_S = 1.0  # between two looks of --watch

SAYS: dict[State, str] = {
    "running": "running",
    "pausing": "pausing: what is in flight comes home",
    "paused": "paused; helios resume ends the pause",
    "stopping": "stopping: what is in flight comes home",
    "stopped": "not running; helios resume goes on with it",
    "finished": "not running; nothing is left to crawl",
}


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--watch", is_flag=True, help="Show it again every second, until the crawl ends.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON; with --watch a line each time.")
def command(folder: Path, watch: bool, as_json: bool) -> None:
    """Show how the crawl in FOLDER goes, or how its last run left it.

    \b
    helios status example
    helios status example --watch
    helios status example --json | jq .pages_per_second
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    crawl = Crawl(folder)
    status = crawl.status()
    if as_json:
        print_json(status)
        while watch and status.running:
            Event().wait(EVERY_S)
            status = crawl.status()
            print_json(status)
        return
    console = out()
    if watch and status.running and console.is_terminal:
        with Live(shown(status), console=console, auto_refresh=False, transient=True) as live:
            while status.running:
                Event().wait(EVERY_S)
                status = crawl.status()
                live.update(shown(status), refresh=True)
    while watch and status.running:
        console.print(line(status), markup=False, soft_wrap=True)
        Event().wait(EVERY_S)
        status = crawl.status()
    whole(console, shown(status))


def shown(status: Status) -> RenderableType:
    """The status for a terminal."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_column(overflow="fold")
    facts.add_row("crawl", Text(status.out))
    facts.add_row("state", Text(_state(status)))
    for name, value in [*_of_run(status), *_of_crawl(status)]:
        facts.add_row(name, Text(value))
    return Group(facts, Text(), outcomes_table(status.outcomes)) if status.outcomes else facts


def _state(status: Status) -> str:
    """In words; a limit that is used up is why a crawl ended, though more may wait."""
    reached = [name for name, limit in status.limits.items() if limit.used >= limit.of]
    if status.state != "finished" or not reached:
        return SAYS[status.state]
    more = f"; {helios('resume', status.out, '--max-pages', 'N')} goes on" if "max_pages" in reached else ""
    return f"not running; {reached[0]} is reached{more}"


def line(status: Status) -> str:
    """The status in one line, for pipes."""
    left = f"{status.in_flight} visits now, {status.pending} URLs wait, {status.dead_letters} dead letters"
    return f"{status.seconds:.0f} s: {status.state}, {status.pages} pages, {status.pages_per_second:.1f}/s; {left}"


def _of_run(status: Status) -> list[tuple[str, str]]:
    if not status.running or status.started is None:
        return []
    rows = [
        ("process", f"{status.pid}, since {moment(status.started)} UTC ({elapsed(round(status.seconds * 1000))})"),
        ("pages", f"{status.pages:,} in this run, {status.pages_per_second:.1f}/s of late"),
        ("received", f"{size(status.bytes)}, {size(status.bytes_per_second)}/s of late"),
        ("visits now", f"{status.in_flight:,}"),
    ]
    return rows if status.memory_bytes is None else [*rows, ("memory", size(status.memory_bytes))]


def _of_crawl(status: Status) -> list[tuple[str, str]]:
    rows = [
        ("pages in all", f"{status.fetched:,}, noindex included"),
        ("URLs", f"{status.pending:,} wait{_over(status)}, {status.known:,} known"),
        (
            "sites",
            f"{status.sites_ready:,} ready, {status.sites_waiting:,} wait for their time, {status.sites:,} known",
        ),
        ("dead letters", f"{status.dead_letters:,}"),
    ]
    rows += [("links left out", unfollowed_words(status.unfollowed))] if status.unfollowed else []
    rows += [("seeds", "not all are taken in yet")] if status.seeds_left else []
    return [*rows, *((name, _used(limit)) for name, limit in status.limits.items())]


def _over(status: Status) -> str:
    return f", {status.parked:,} are over their site's budget" if status.parked else ""


def _used(limit: Limit) -> str:
    left = "" if limit.left_s is None else f", reached in {elapsed(round(limit.left_s * 1000))}"
    return f"{limit.used:,} of {limit.of:,}{left}"
