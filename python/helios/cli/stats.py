"""`helios stats`."""

from pathlib import Path

import click
import msgspec
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from helios.cli.words import helios, out
from helios.crawl.opened import Crawl
from helios.crawl.summary import size


@click.command("stats")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(folder: Path, as_json: bool) -> None:
    """Show what is in the crawl in FOLDER: pages by site, status and type, sizes, some titles."""
    stats = Crawl(folder).stats()
    if as_json:
        click.echo(msgspec.json.encode(stats))
        return
    console = out()
    console.print(
        f"[bold]{stats.pages:,}[/] pages of [bold]{stats.sites:,}[/] sites, "
        f"{size(stats.bytes)} received, {size(stats.text_bytes)} of text\n"
    )
    lists = (("site", stats.by_site), ("status", stats.by_status), ("type", stats.by_type))
    console.print(Columns([_table(name, rows) for name, rows in lists], padding=(0, 4)))
    console.print()
    titles = Table("title", "URL", box=None)
    for title, url in stats.titles:
        titles.add_row(Text(title, overflow="ellipsis", no_wrap=True), Text(url, overflow="fold", style="dim"))
    console.print(titles)
    console.print(f"\none page: {helios()} show {folder} URL", markup=False, soft_wrap=True)


def _table(name: str, rows: list[tuple[str, int]]) -> Table:
    table = Table(box=None)
    table.add_column(name, max_width=48)
    table.add_column("pages", justify="right")
    for value, count in rows:
        table.add_row(Text(value or "(none)"), f"{count:,}")
    return table
