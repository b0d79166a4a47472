"""`helios show`."""

import datetime
from pathlib import Path

import click
import msgspec
from rich.table import Table
from rich.text import Text

from helios.cli.words import out
from helios.crawl.opened import Crawl
from helios.errors import UrlError


@click.command("show")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print the row as JSON.")
def command(folder: Path, url: str, as_json: bool) -> None:
    """Show the stored page of URL in the crawl in FOLDER: its facts, then its text."""
    row = Crawl(folder).page(url)
    if row is None:
        raise UrlError(f"{url} is not in {folder}; helios stats {folder} shows what is")
    if as_json:
        click.echo(msgspec.json.encode(row, enc_hook=str))
        return
    console = out()
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    for key, value in row.items():
        if key != "text" and value is not None:
            facts.add_row(key, Text(_word(value)))
    console.print(facts)
    console.print()
    console.print(Text(row.get("text") or "(no text)"))


def _word(value: object) -> str:
    most = 300
    match value:
        case datetime.datetime():
            return value.isoformat(sep=" ", timespec="milliseconds")
        case bytes():
            return f"{len(value):,} bytes"
        case _:
            text = str(value)
            return text if len(text) <= most else text[:most] + "…"
