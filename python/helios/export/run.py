"""One export, from beginning to end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from helios.clock import SystemClock
from helios.errors import QueryError
from helios.export import markdown, output, warc
from helios.folder import Folder
from helios.reading.filters import Filters
from helios.reading.query import PageQuery
from helios.reading.table import PageTable, require_table
from helios.stores.pin import pinned

Format: TypeAlias = Literal["jsonl", "csv", "parquet", "warc", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)
ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".warc": "warc",
}
STANDARD = "-"

Watch: TypeAlias = Callable[[int, int | None], None]  # pages so far, pages in all if that is known


class Exported(Struct, frozen=True):
    """What an export did."""

    out: str
    format: Format
    pages: int  # of an archive: answers
    bytes: int | None  # of the file; not known of a stream, a pipe or a folder
    seconds: float


class Order(Struct, frozen=True):
    """What to export, and how."""

    out: str
    format: Format
    columns: Sequence[str] | None = None
    filters: Filters = Filters()
    latest: bool = False
    force: bool = False


def silent(pages: int, total: int | None) -> None:
    """Shows nothing."""


def export(folder: Folder, order: Order, watch: Watch = silent) -> Exported:
    """Writes the pages; returns when they are whole and durable."""
    clock = SystemClock()
    started = clock.now()
    pages = 0
    with _parts(folder, order) as (total, parts):
        watch(0, total)
        for rows in parts:
            pages += rows
            watch(pages, total)
    written = Path(order.out)
    size = written.stat().st_size if order.out != STANDARD and written.is_file() else None
    return Exported(order.out, order.format, pages, size, (clock.now() - started) / 1000)


def format_of(out: str) -> Format:
    """The format that a file name ends in, in small letters or large."""
    path = Path(out.lower())
    suffix = Path(path.stem).suffix if path.suffix in output.CODECS else path.suffix
    if suffix not in ENDINGS:
        raise QueryError(f"{out} does not tell a format; give one of {', '.join(FORMATS)}")
    return ENDINGS[suffix]


def writer(kind: Format) -> Callable[[Any, Any], Iterable[int]]:
    """What writes all rows of a reader into one file, and tells how many, now and then."""
    write: Callable[[Any, Any], Iterable[int]] = import_module(f"helios.export.{kind}").write
    return write


@contextmanager
def _parts(folder: Folder, order: Order) -> Iterator[tuple[int | None, Iterator[int]]]:
    """How many pages there are, if that is known, and what writes them, so many at a time."""
    everything = order.filters == Filters() and not order.latest
    if order.format == "warc" and everything and warc.is_archived(folder):
        yield warc.answers_of(folder), _joined(folder, order)  # whether there is a table or not
        return
    table = require_table(folder)
    with pinned(table.dataset):
        yield table.count() if everything else None, _written(folder, order, table)


def _written(folder: Folder, order: Order, table: PageTable) -> Iterator[int]:
    if order.format == "markdown":
        if order.out == STANDARD:
            raise QueryError("markdown is a folder with a file for each page; give its name with -o")
        names = [name for name in markdown.COLUMNS if name in table.columns]
        reader = PageQuery(folder, names, order.filters, latest=True).read(table)  # one file a page: its newest row
        with output.folder(Path(order.out), force=order.force, ours=markdown.is_ours) as root:
            yield from markdown.write(reader, root)
        return
    if order.format == "warc":
        yield from _archive(folder, order, table)
        return
    columns = order.columns or (table.columns if order.format == "parquet" else None)
    reader = PageQuery(folder, columns, order.filters, latest=order.latest).read(table)
    opened = output.standard() if order.out == STANDARD else output.file(Path(order.out), force=order.force)
    with opened as sink:
        yield from writer(order.format)(reader, sink)


def _archive(folder: Folder, order: Order, table: PageTable) -> Iterator[int]:
    """Chosen pages, as the table has them."""
    opened = _archive_file(order)
    warc.require_bodies(folder, table)
    columns = [name for name in warc.COLUMNS if name in table.columns]
    reader = PageQuery(folder, columns, order.filters, latest=order.latest).arrow()
    with opened as sink:
        yield from warc.write(reader, order.out, sink)


def _joined(folder: Folder, order: Order) -> Iterator[int]:
    """The crawl's own archive, whole."""
    with _archive_file(order) as sink:
        yield from warc.archived(folder, order.out, sink)


def _archive_file(order: Order) -> AbstractContextManager[output.Sink]:
    if order.columns:
        raise QueryError("an archive has no columns to choose; leave --columns out")
    if order.out == STANDARD:
        return output.standard()
    return output.file(Path(order.out), force=order.force, packed=True)
