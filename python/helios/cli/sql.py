"""`helios sql`."""

import datetime
import itertools
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table
from rich.text import Text

from helios.cli.words import err, out, safe
from helios.crawl.opened import Crawl
from helios.export.output import standard
from helios.export.run import writer

SHOWN = 100  # rows in a terminal
CELL = 200  # characters of one


@click.command("sql")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("question", metavar="SQL")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each row.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@click.option(
    "-n", "--limit", type=click.IntRange(1), default=SHOWN, show_default=True, help="Rows shown in the table."
)
def command(folder: Path, question: str, as_json: bool, as_csv: bool, limit: int) -> None:
    """Ask the crawl in FOLDER a question in SQL; the table is called pages.

    \b
    helios sql example "select site, count(*) n from pages group by site order by n desc"
    helios sql example "select url, words from pages where language = 'en' order by words desc limit 10"
    helios sql example "select * from pages where title ilike '%tea%'" --json > tea.jsonl
    helios sql example "describe pages"

    Needs DuckDB: pip install 'helios-crawler[sql]'. It only reads, and it may run beside the crawl.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    if as_json and as_csv:
        raise click.UsageError("give --json or --csv, not both")
    with Crawl(folder).sql(question) as reader:
        if as_json or as_csv:
            with standard() as sink:
                for _ in writer("jsonl" if as_json else "csv")(reader, sink):
                    pass
            return
        rows = (row for batch in reader for row in batch.to_pylist())
        shown = list(itertools.islice(rows, limit))
        _show(reader.schema.names, shown, more=next(rows, None) is not None)


def _show(names: list[str], rows: list[dict[str, Any]], *, more: bool) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in names:
        number = all(isinstance(row[name], int | float | None) for row in rows)
        table.add_column(name, justify="right" if rows and number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in names))
    out().print(table)
    if more:
        err().print(f"the first {len(rows):,} rows; all of them: --json, --csv or -n", markup=False)


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime.datetime():
            return f"{value:%Y-%m-%d %H:%M:%S}"
        case int():
            return str(value)
        case float():
            return f"{value:.6g}"
        case str():
            text = value
        case bytes():
            text = f"{len(value):,} bytes"
        case _:
            text = msgspec.json.encode(value, enc_hook=str).decode()
    text = safe(" ".join(text.split()))
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
