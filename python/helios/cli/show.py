"""`helios show`."""

import datetime
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from helios.cli.words import helios, out, print_json, safe, whole
from helios.crawl.opened import Crawl
from helios.crawl.summary import size
from helios.errors import UrlError

LONG = ("title", "url", "text", "markdown", "facts", "fields")  # shown apart
HEADINGS = 12
SIZES = ("bytes",)


@click.command("show")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("url")
@click.option("--text", "part", flag_value="text", help="Print the text alone.")
@click.option("--markdown", "part", flag_value="markdown", help="Print the markdown alone.")
@click.option("--json", "as_json", is_flag=True, help="Print the row as JSON.")
def command(folder: Path, url: str, part: str | None, as_json: bool) -> None:
    """Show the stored page of URL in the crawl in FOLDER: its facts, its headings, its text.

    \b
    helios show example https://example.org/
    helios show example https://example.org/ --markdown > page.md
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    crawl = Crawl(folder)
    row = crawl.page(url)
    if row is None:
        why, stats = helios("why", folder, url), helios("stats", folder)
        raise UrlError(f"{url} is not in {folder}; {why} tells why, {stats} what is")
    if as_json:
        print_json(_nested(row))
    elif part is not None:
        text = row.get(part) or ""
        click.echo(safe(text) if sys.stdout.isatty() else text)
    else:
        _show(row, crawl.fetches(url), out())


def _show(row: dict[str, Any], fetches: list[datetime.datetime], console: Console) -> None:
    console.print(Text(safe(" ".join((row.get("title") or "(no title)").split())), style="bold"))
    console.print(Text(row["url"], style="cyan"), soft_wrap=True)
    console.print()
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column(overflow="fold")
    for name, value in row.items():
        if name not in LONG and value not in (None, "", []):
            facts.add_row(name, Text(safe(_word(name, value))))
    if len(fetches) > 1:
        facts.add_row("fetched", Text(f"{len(fetches)} times: " + ", ".join(f"{at:%Y-%m-%d %H:%M}" for at in fetches)))
    whole(console, facts)
    _show_facts(_decoded(row.get("facts")), _decoded(row.get("fields")), console)
    console.print()
    console.rule("text", align="left", style="dim")
    console.print(Text(safe(row.get("text") or "(no text)")), soft_wrap=not console.is_terminal)


def _show_facts(facts: dict[str, Any], fields: dict[str, Any], console: Console) -> None:
    if fields:
        console.print(Text("\nfields", style="bold"))
        shown = safe(msgspec.json.format(msgspec.json.encode(fields), indent=2).decode())
        console.print(Text(shown), soft_wrap=not console.is_terminal)
    if headings := facts.get("headings"):
        console.print(Text("\nheadings", style="bold"))
        for level, title in headings[:HEADINGS]:
            console.print(Text("  " * int(level) + safe(str(title)), no_wrap=True, overflow="ellipsis"))
        if (more := len(headings) - HEADINGS) > 0:
            console.print(Text(f"  … and {more} more", style="dim"))
    if others := sorted(name for name, value in facts.items() if name not in ("headings", "kind") and value):
        console.print(Text(f"\nalso in facts: {', '.join(others)} (--json shows them)", style="dim"))


def _decoded(value: str | None) -> dict[str, Any]:
    return dict(msgspec.json.decode(value)) if value else {}


def _nested(row: dict[str, Any]) -> dict[str, Any]:
    """What is JSON already stays what it is."""
    return {
        name: msgspec.Raw(value) if name in ("facts", "fields") and value is not None else value
        for name, value in row.items()
    }


def _word(name: str, value: object) -> str:
    most = 300
    match value:
        case datetime.datetime():
            return f"{value:%Y-%m-%d %H:%M:%S} UTC"
        case bytes():
            return f"{len(value):,} bytes"
        case int() if name in SIZES:
            return f"{value:,} ({size(value)})"
        case float():
            return f"{value:.3g}"
        case list():
            return ", ".join(map(str, value))
        case _:
            text = str(value)
            return text if len(text) <= most else text[:most] + "…"
