"""`Crawl.pages`: chosen rows of the page table, as whatever is wanted: Arrow, Polars, dicts."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from helios.errors import QueryError
from helios.folder import Folder
from helios.reading.filters import Filters, names
from helios.reading.table import ADDRESS, PageTable, open_table

if TYPE_CHECKING:
    from helios.stores.base import Reader


class PageQuery:
    """Rows that were asked for; nothing is read before one of the methods is called, and each call reads anew.

    Iterating gives a dict for each page. Anything that takes an Arrow stream takes this: `pyarrow.table(query)`,
    `polars.DataFrame(query)`, `duckdb.from_arrow(query.arrow())`.
    """

    def __init__(self, folder: Folder, columns: Sequence[str] | None, filters: Filters, *, latest: bool) -> None:
        self._folder = folder
        self._columns = names(columns)
        self._filters = filters
        self._latest = latest

    def __repr__(self) -> str:
        """As it was asked for."""
        asked = {"latest": True} if self._latest else {}
        words = [f"{name}={value!r}" for name, value in {**asked, **self._filters.asked()}.items()]
        columns = [] if self._columns is None else [repr(list(self._columns))]
        return f"helios.open({str(self._folder.path)!r}).pages({', '.join([*columns, *words])})"

    def arrow(self) -> "Reader":
        """The rows as a pyarrow.RecordBatchReader: batches of at most about 8 MB, one after another."""
        import pyarrow as pa  # noqa: PLC0415  # a tenth of a second that `helios --help` need not wait for

        table = open_table(self._folder)
        if table is None:  # which columns there will be is not known yet
            return pa.schema([]).empty_table().to_reader()
        return self.read(table)

    def read(self, table: PageTable) -> "Reader":
        """The rows of this version."""
        import pyarrow as pa  # noqa: PLC0415  # as above

        chosen = table.chosen(self._columns)
        condition = self._filters.condition()
        if not self._latest:
            return table.scan(chosen, condition)
        schema = pa.schema([table.dataset.schema.field(name) for name in chosen], table.dataset.schema.metadata)
        return pa.RecordBatchReader.from_batches(schema, self._newest(table, chosen, condition))

    def read_all(self) -> Any:  # noqa: ANN401  # a pyarrow.Table
        """All rows at once, as a pyarrow.Table: takes as much memory as they do."""
        return self.arrow().read_all()

    def polars(self) -> Any:  # noqa: ANN401  # a polars.DataFrame
        """All rows at once, as a polars.DataFrame."""
        try:
            polars = import_module("polars")
        except ModuleNotFoundError:
            raise QueryError("polars is not installed: pip install polars") from None
        return polars.DataFrame(self.arrow())

    def count(self) -> int:
        """How many rows there are."""
        table = open_table(self._folder)
        if table is None:
            return 0
        if not self._latest:
            return table.count(self._filters.condition())
        return sum(batch.num_rows for batch in self._newest(table, ["id"], self._filters.condition()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Row by row."""
        for batch in self.arrow():
            yield from batch.to_pylist()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow C stream."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def _newest(self, table: PageTable, chosen: list[str], condition: str | None) -> Iterator[Any]:
        """Batches without the rows that have a newer one. The time decides first, the other filters then."""
        import pyarrow as pa  # noqa: PLC0415  # as above

        from helios.reading.latest import superseded  # noqa: PLC0415  # same

        old = superseded(table, self._filters.within())
        for batch in table.scan(chosen, condition, with_row_address=True):
            addresses = batch[ADDRESS].to_numpy(zero_copy_only=False)
            kept = batch.select(chosen).filter(pa.array(old.kept(addresses)))
            if kept.num_rows:
                yield kept
