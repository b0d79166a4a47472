"""`helios stats`."""

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from helios.cli.plots import bars, fitting, sparkline
from helios.cli.words import helios, out, print_json, safe, several
from helios.crawl.opened import Crawl
from helios.crawl.summary import size
from helios.reading.stats import Stats

KIB = 1024
SITES, VALUES, TITLES = 10, 8, 5  # rows shown
SIDE_BY_SIDE = 79  # columns that two lists need beside each other


@click.command("stats")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(folder: Path, as_json: bool) -> None:
    """Show what is in the crawl in FOLDER: pages over time, by site, status, type, language and size, some titles.

    \b
    helios stats example
    helios stats example --json | jq .pages
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    crawl = Crawl(folder)
    stats = crawl.stats()
    if as_json:
        print_json(stats)
        return
    console = out()
    show(stats, console)
    if stats.staged:
        console.print(_to_come(stats, None if crawl.running else helios("resume", folder)), soft_wrap=True)
    one, why = helios("show", folder, "URL"), helios("status", folder)
    next_step = f"one page: {one}" if stats.pages else f"why: {why}"
    console.print(next_step, markup=False, soft_wrap=True)


def show(stats: Stats, console: Console) -> None:
    """The summary for a terminal; in a narrow one bars and names are shorter, and lists stand below each other."""
    console.print(_head(stats))
    console.print()
    if not stats.pages:
        return
    if stats.over_time and stats.first and stats.last:
        console.print(Text("pages over time (UTC)", style="bold"))
        console.print(Text(sparkline([count for _, count in stats.over_time]), style="cyan"))
        width = len(stats.over_time)
        first, last = _time(stats, 0), _time(stats, -1)
        console.print(Text(f"{first}{last:>{max(width - len(first), len(last) + 1)}}", style="dim"))
        console.print()
    total = stats.pages
    console.print(bars("site", stats.by_site[:SITES], **fitting(console.width, label=34, width=24), total=total))
    if stats.sites > SITES:
        console.print(Text(f"… and {stats.sites - SITES:,} more", style="dim"))
    console.print()
    lists = (
        ("status", stats.by_status),
        ("type", stats.by_type),
        ("language", stats.by_language),
        ("kind of page", stats.by_page_type),
    )
    beside = 2 if console.width >= SIDE_BY_SIDE else 1
    room = fitting(console.width, label=16, width=7 if beside > 1 else 24)
    plots = [bars(name, rows[:VALUES], **room, total=total) for name, rows in lists]
    grid = Table.grid(padding=(0, 3))
    for at in range(0, len(plots), beside):
        grid.add_row(*plots[at : at + beside])
        grid.add_row()
    console.print(grid)
    sizes = [(f"under {_power(limit)}", count) for limit, count in stats.by_size]
    console.print(bars("size of the answer", sizes, **fitting(console.width, label=18, width=40), total=total))
    console.print()
    _show_titles(stats, console)


def _head(stats: Stats) -> Text:
    facts = [f" {several(stats.sites, 'site')}", f"{size(stats.bytes)} received", f"{stats.words:,} words"]
    if stats.duplicates:
        facts.append(f"{stats.duplicates:,} {several(stats.duplicates, 'near-duplicate')}")
    pages, sites = ((f"{count:,}", "bold") for count in (stats.pages, stats.sites))
    return Text.assemble(pages, f" {several(stats.pages, 'page')} of ", sites, ", ".join(facts))


def _to_come(stats: Stats, resume: str | None) -> str:
    """What is stored and not visible; how to see it where no crawl is running that publishes it."""
    count, last = stats.staged, stats.unsettled
    rows = f"{count:,} more {several(count, 'row')}"
    if resume is None:
        return f"{rows} will be visible in a moment"
    if last == count:
        return f"{rows} may become visible when the crawl goes on, or be fetched again: {resume}"
    less = f", or of the last {last:,} be fetched again" if last else ""
    is_, become = ("is", "becomes") if count == 1 else ("are", "become")
    return f"{rows} {is_} stored and {become} visible when the crawl goes on{less}: {resume}"


def _power(limit: int) -> str:
    """A power of two for people: 64 KiB."""
    for unit in ("B", "KiB", "MiB"):
        if limit < KIB:
            return f"{limit} {unit}"
        limit //= KIB
    return f"{limit} GiB"


def _time(stats: Stats, at: int) -> str:
    """The beginning of the first or last step; without the day while it is all one day."""
    moment = stats.over_time[at][0]
    one_day = stats.over_time[0][0].date() == stats.over_time[-1][0].date()
    return f"{moment:%H:%M:%S}" if one_day and at else f"{moment:%Y-%m-%d %H:%M:%S}"


def _show_titles(stats: Stats, console: Console) -> None:
    if not stats.titles:
        return
    console.print(Text("some titles", style="bold"))
    for title, url in stats.titles[:TITLES]:
        console.print(Text(safe(" ".join(title.split())), no_wrap=True, overflow="ellipsis"))
        console.print(Text(f"  {url}", style="dim", no_wrap=True, overflow="ellipsis"))
    console.print()
