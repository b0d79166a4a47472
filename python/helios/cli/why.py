"""`helios why`."""

from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from helios.cli.words import out, print_json, safe, whole
from helios.clock import moment
from helios.crawl.opened import Crawl


@click.command("why")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(folder: Path, url: str, as_json: bool) -> None:
    """Tell why URL was fetched, or not, by the crawl in FOLDER: its state, where it was found, what robots.txt says.

    \b
    helios why example https://example.org/a
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    why = Crawl(folder).why(url)
    if as_json:
        print_json(why)
        return
    console = out()
    console.print(Text(safe(f"{why['url']}\n{why['state']}: {why['because']}\n")), soft_wrap=True)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    for name, value in _facts(why):
        table.add_row(name, Text(safe(value), overflow="fold"))
    whole(console, table)


def _facts(why: dict[str, Any]) -> list[tuple[str, str]]:
    site = why["site"] or {}
    facts = [
        ("robots.txt", why["robots"]),
        ("found on", why["via"] or ("(a seed)" if why["depth"] == 0 else "")),
        ("depth", "" if why["depth"] is None else str(why["depth"])),
        ("tier", str(why["tier"] or "")),
        ("not before", moment(why["next"]) if why["next"] else ""),
        ("fetches", str(why["fetches"] or "")),
        *((moment(at), f"{kind}: {said}") for at, kind, said in why["failures"]),
        *((moment(at), f"{kind}: {said}") for at, kind, said in why["history"]),
    ]
    if site:
        said = f"{site['fetched']:,} pages fetched, {site['waiting']:,} wait, a request every {site['delay_ms']:,} ms"
        facts.append(("site", f"{site['name']}: {said}"))
    return [(name, value) for name, value in facts if value]
