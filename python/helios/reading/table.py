"""The page table, opened for reading at one version, with small buffers and caches.

Lance reads up to 2 GB ahead and caches up to 7 GB unless told otherwise (pylance 14); a reader here stays below
half a gigabyte whatever the table's size.
"""

import difflib
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from helios.errors import QueryError, StoreError
from helios.folder import Folder
from helios.reading.lean import lean
from helios.stores import place_of
from helios.stores.place import said as plain

if TYPE_CHECKING:
    from helios.stores.base import Reader
    from helios.stores.place import Place

HEAVY = ("raw", "vector", "chunks")  # columns that nobody wants unless they say so
ADDRESS = "_rowaddr"
METADATA_CACHE, INDEX_CACHE = 32 << 20, 128 << 20  # bytes
# A batch ends at 8 MB or 2,048 rows; one is decoded ahead; 32 MB are read ahead.
SCAN: dict[str, Any] = {
    "batch_size": 2_048,
    "batch_size_bytes": 8 << 20,
    "batch_readahead": 1,
    "fragment_readahead": 1,
    "io_buffer_size": 32 << 20,
}
BODY_ROWS = 128  # of a batch with bodies: rows that a filter chose are read by number, however large they are
USERS = "Invalid user input: "  # how Lance begins when the question is wrong, not the data


def scan_options(columns: Sequence[str]) -> dict[str, Any]:
    """How Lance is to read these columns."""
    return {**SCAN, "batch_size": BODY_ROWS} if "raw" in columns else SCAN


class PageTable:
    """One version of the table."""

    def __init__(self, place: "Place") -> None:
        import lance  # noqa: PLC0415  # half a second that `helios --help` need not wait for

        lean()
        self.place = place
        self.name = place.name
        with plainly(self.name):
            self.dataset = lance.dataset(place.uri, storage_options=place.options, session=_session())
        self.columns: list[str] = list(self.dataset.schema.names)

    @property
    def order(self) -> str:
        """The column that tells which of two rows of one URL is newer."""
        return "fetch_number" if "fetch_number" in self.columns else "fetched_at"

    def chosen(self, columns: Sequence[str] | None) -> list[str]:
        """The columns to read: those asked for, or all but the heavy ones."""
        if columns is None:
            return [name for name in self.columns if name not in HEAVY]
        for name in columns:
            if name not in self.columns:
                near = difflib.get_close_matches(name, self.columns, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.columns)}"
                raise QueryError(f"the page table has no column {name!r}; {hint}")
        return list(columns)

    def scan(self, columns: Sequence[str], where: str | None = None, **options: Any) -> "Reader":  # noqa: ANN401  # Lance's
        """Rows as a pyarrow RecordBatchReader; what is wrong with the data is said while they are read."""
        import pyarrow as pa  # noqa: PLC0415  # as above

        with plainly(self.name):
            scanner = self.dataset.scanner(columns=list(columns), filter=where, **{**scan_options(columns), **options})
            reader = scanner.to_reader()
        return pa.RecordBatchReader.from_batches(reader.schema, self._batches(reader))

    def count(self, where: str | None = None) -> int:
        """How many rows; without a condition this reads no data."""
        with plainly(self.name):
            return int(self.dataset.count_rows(filter=where))

    def _batches(self, reader: "Reader") -> Iterator[Any]:
        with plainly(self.name):
            yield from reader


@lru_cache(maxsize=1)
def _session() -> Any:  # noqa: ANN401  # a lance.lance._Session
    """The caches of all tables that this process reads: a second search finds the index of the first in memory."""
    from lance.lance import _Session  # noqa: PLC0415  # as above

    return _Session(index_cache_size_bytes=INDEX_CACHE, metadata_cache_size_bytes=METADATA_CACHE)


def open_table(folder: Folder) -> PageTable | None:
    """The table as it is now, wherever the next run keeps its pages; None while nothing was ever stored."""
    settings = folder.settings().store
    place = place_of(folder, settings)
    if place.exists():
        return PageTable(place)
    if "lance" not in settings.kinds:
        kept = ", ".join(f"{kind} (in {folder.store(kind)})" for kind in settings.kinds)
        raise QueryError(
            f"the crawl in {folder.path} keeps {kept} and no page table, which is what is read here; crawl with "
            '"lance" in [store] kinds for one'
        )
    return None


def require_table(folder: Folder) -> PageTable:
    """The table, or a sentence."""
    table = open_table(folder)
    if table is None:
        raise StoreError(no_pages(folder))
    return table


def no_pages(folder: Folder) -> str:
    """Of a crawl that has stored nothing, as a sentence."""
    status = f"helios status {shlex.quote(str(folder.path))}"
    return f"the crawl in {folder.path} has no pages yet; {status} tells how it goes"


@contextmanager
def plainly(name: str) -> Iterator[None]:
    """Lance's errors as a sentence, without the places in its source."""
    try:
        yield
    except (ValueError, RuntimeError, OSError) as error:
        said = plain(error)
        if "Not found" in said and ".lance" in said:
            raise StoreError(
                f"reading {name} failed: the crawl that writes it has merged and removed files meanwhile; read again"
            ) from error
        if said.startswith(USERS):
            raise QueryError(_condition(said)) from error
        raise StoreError(f"reading {name} failed: {said}") from error


def _condition(said: str) -> str:
    """What is wrong with a condition, without what Lance made of it."""
    if found := re.search(r"Error parsing statement: SELECT 1 FROM t WHERE (.*) \(sql parser error: (.*)\)", said):
        return f"the condition {found[1]!r} is no SQL: {found[2]}"
    return f"the condition does not do: {said.removeprefix(USERS).removeprefix('Schema error: ')}"
