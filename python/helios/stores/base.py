"""The seam between a crawl and whatever keeps its pages."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

# pyarrow ships no types; these names say which of its classes is meant.
Reader: TypeAlias = Any  # pyarrow.RecordBatchReader
Expression: TypeAlias = Any  # pyarrow.compute.Expression


class ArrowStream(Protocol):
    """Anything that hands out Arrow columns: `Pages`, a pyarrow table, a polars frame."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow C stream."""


class Batch:
    """Rows for tables, and what they were made of for archives, when a stage in between made other rows of them."""

    def __init__(self, rows: ArrowStream, source: ArrowStream) -> None:
        self.rows = rows
        self.source = source

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows."""
        return self.rows.__arrow_c_stream__(requested_schema)


class Store(Protocol):
    """Keeps pages. One writer at a time; `scan` may run beside it. All calls block."""

    def last(self) -> str:
        """The highest name that this store has seen and still knows of; "" when there is none."""

    def stage(self, name: str, pages: ArrowStream) -> bool:
        """Writes pages durably where no reader sees them. False when there are no rows: do not publish that name.

        Names are the caller's, so that several stores share them; each is above `last()`.
        """

    def publish(self, names: Sequence[str]) -> int:
        """Makes staged pages visible, all or none; returns how many rows that added.

        A name that was published before adds nothing, also after a crash at any moment; a name that was never
        staged raises StoreError.
        """

    def collect(self, keep: Sequence[str]) -> int:
        """Removes what was staged and is not in `keep`: a crash came between staging and settling. How many names."""

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows as a pyarrow RecordBatchReader; without columns while nothing was ever staged."""

    def close(self) -> None:
        """Ends the use of the store. Staged and unpublished pages stay staged."""
