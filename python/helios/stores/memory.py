"""The reference store: a list of tables. Defines what every other store must mean."""

from collections.abc import Sequence

import pyarrow as pa

from helios.errors import StoreError
from helios.stores.base import ArrowStream, Expression, Reader


class MemoryStore:
    """Keeps pages while the process lives. For tests and for looking at a small crawl."""

    def __init__(self) -> None:
        self._staged: dict[str, pa.Table] = {}  # filled by stage, kept after publish, so that a repeat is recognised
        self._published: list[str] = []
        self._schema: pa.Schema | None = None
        self._last = ""

    def last(self) -> str:
        """The highest name staged."""
        return self._last

    def stage(self, name: str, pages: ArrowStream) -> bool:
        """Keeps pages where no reader sees them."""
        table = pa.RecordBatchReader.from_stream(pages).read_all()
        self._schema = self._schema or table.schema
        self._last = max(self._last, name)
        if table.num_rows:
            self._staged[name] = table
        return bool(table.num_rows)

    def publish(self, names: Sequence[str]) -> int:
        """Makes them visible, once."""
        for name in names:
            if name not in self._staged:
                raise StoreError(f"{name} was never staged")
        new = [name for name in dict.fromkeys(names) if name not in self._published]
        self._published += new
        return sum(self._staged[name].num_rows for name in new)

    def collect(self, keep: Sequence[str]) -> int:
        """Forgets what nobody will publish."""
        orphans = [name for name in self._staged if name not in keep and name not in self._published]
        for name in orphans:
            del self._staged[name]
        return len(orphans)

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows."""
        tables = [self._staged[name] for name in self._published]
        empty = (self._schema or pa.schema([])).empty_table()
        table = pa.concat_tables([empty, *tables]) if tables else empty
        if where is not None:
            table = table.filter(where)
        return (table if columns is None or not table.schema.names else table.select(list(columns))).to_reader()

    def close(self) -> None:
        """Nothing to end."""
