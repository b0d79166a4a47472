"""The stores of one crawl under one set of names: what is staged, settled and published is the same in all of them."""

from collections.abc import Sequence

from helios.stores.base import ArrowStream, Expression, Reader, Store


class Stores:
    """Gives names and hands every call on. The first store is the table that is read."""

    def __init__(self, *stores: Store) -> None:
        self._stores = stores
        self._last: int | None = None  # number of the last name given out

    def stage(self, pages: ArrowStream) -> str | None:
        """Stages pages in every store; returns their name, or None when there are no rows.

        Names sort in the order of staging; one that was settled is never used again.
        """
        self._last = self._highest() + 1  # used up even when a store fails: another may have staged it
        name = f"{self._last:08}"
        rows = [store.stage(name, pages) for store in self._stores]
        return name if all(rows) else None

    def publish(self, names: Sequence[str]) -> int:
        """Publishes in every store; returns how many rows that added to the table."""
        added = [store.publish(names) for store in self._stores]
        return added[0]

    def collect(self, keep: Sequence[str]) -> int:
        """Removes from every store what was staged and never settled; returns how many names that were in one."""
        self._highest()  # before they are gone
        return max(store.collect(keep) for store in self._stores)

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows of the table."""
        return self._stores[0].scan(columns, where)

    def close(self) -> None:
        """Ends the use of every store."""
        for store in self._stores:
            store.close()

    def _highest(self) -> int:
        if self._last is None:
            self._last = max(int(store.last() or "0") for store in self._stores)
        return self._last
