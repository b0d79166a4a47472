"""The page table as DuckDB wants it: a pyarrow Dataset, of which it uses `schema` and `scanner`.

DuckDB hands down which columns it needs and a part of the condition. Lance takes that condition where it can (texts);
where it cannot (unsigned numbers and times, pylance 14) it is applied to the batches as they come.
"""

import re
from typing import Any

import pyarrow as pa
from pyarrow.dataset import Dataset

from helios.reading.table import PageTable, scan_options


class Scanned(Dataset):  # type: ignore[misc]  # pyarrow ships no types
    """One version of the table."""

    def __init__(self, table: PageTable) -> None:
        self._table = table

    @property
    def schema(self) -> pa.Schema:
        """Of the table."""
        return self._table.dataset.schema

    def scanner(self, columns: list[str] | None = None, filter: Any = None) -> "Scan":  # noqa: A002, ANN401  # pyarrow's
        """One scan."""
        return Scan(self._table, columns, filter)


class Scan:
    """Rows of one scan."""

    def __init__(self, table: PageTable, columns: list[str] | None, condition: Any) -> None:  # noqa: ANN401  # pyarrow's
        self._table = table
        self._columns = table.columns if columns is None else columns
        self._condition = condition

    def to_reader(self) -> pa.RecordBatchReader:
        """The rows; the condition is applied by Lance, or here."""
        lance = self._table.dataset
        try:
            return lance.scanner(
                columns=self._columns, filter=self._condition, **scan_options(self._columns)
            ).to_reader()
        except (ValueError, RuntimeError, OSError, pa.ArrowNotImplementedError):
            if self._condition is None:
                raise
        said = str(self._condition)
        needed = [name for name in self._table.columns if re.search(rf"\b{re.escape(name)}\b", said)]
        columns = [*dict.fromkeys([*self._columns, *needed])]
        reader = lance.scanner(columns=columns, **scan_options(columns)).to_reader()
        chosen = (batch.filter(self._condition).select(self._columns) for batch in reader)
        schema = pa.schema([reader.schema.field(name) for name in self._columns])
        return pa.RecordBatchReader.from_batches(schema, chosen)
