"""`helios sql`."""

import datetime
import itertools
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from helios.cli.words import err, out, safe, whole
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
    from helios.reading import plain  # noqa: PLC0415  # --help is quick without pyarrow

    if as_json and as_csv:
        raise click.UsageError("give --json or --csv, not both")
    with Crawl(folder).sql(question) as reader:
        if as_json:
            with standard() as sink:
                for line in plain.lines(reader):
                    sink.write(line)
            return
        if as_csv:
            with standard() as sink:
                for _ in writer("csv")(plain.written(reader), sink):
                    pass
            return
        rows = plain.rows(reader)
        shown = list(itertools.islice(rows, limit))
        _show(reader.schema.names, shown, more=next(rows, None) is not None)


def _show(names: Sequence[str], rows: Sequence[tuple[Any, ...]], *, more: bool) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, name in enumerate(names):
        number = all(isinstance(row[at], int | float | Decimal | None) for row in rows)
        table.add_column(Text(safe(name)), justify="right" if rows and number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    whole(out(), table)
    if more:
        err().print(f"the first {len(rows):,} rows; all of them: --json, --csv or -n", markup=False)


def _cell(value: object) -> str:
    from helios.reading.plain import encoded  # noqa: PLC0415  # as above

    match value:
        case None:
            text = ""
        case datetime.datetime():
            text = f"{value:%Y-%m-%d %H:%M:%S}"
        case datetime.date() | datetime.time():
            text = value.isoformat()
        case Decimal():
            text = f"{value:f}"
        case int() | str():
            text = str(value)
        case float():
            text = f"{value:.6g}"
        case bytes():
            text = f"{len(value):,} bytes"
        case _:
            text = encoded(value).decode()
    text = safe(" ".join(text.split()))
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
