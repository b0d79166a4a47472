"""The stores of one crawl under one set of names: what is staged, settled and published is the same in all of them.

A name says which stores hold it, for a batch may give one of them nothing: an answer 404 is a record of an archive and
no row of a table. `00000012.lance.warc` is staged in both; `00000012` alone in the first. The frontier keeps names with
what it settles, in one write: so after a crash at any moment it is known which store has to publish what, also when the
settings name other stores since.

Order: all stores stage, then the frontier settles, then all publish, then the frontier forgets the names. A crash
before settling leaves staged files that nobody names, in some of the stores or all: `collect` removes them. A crash
while publishing leaves some stores behind the others: the names are still known, and publishing again adds only what is
missing. So stores may differ while a crawl runs or after it died, but never after `resume` has published.
"""

from collections.abc import Sequence

from helios.errors import StoreError
from helios.stores.base import ArrowStream, Expression, Reader, Store


class Stores:
    """Gives names and hands every call on. The first store is the table that is read."""

    def __init__(self, **stores: Store) -> None:
        self._stores = stores
        self._first = next(iter(stores))
        self._last: int | None = None  # number of the last name given out

    def stage(self, pages: ArrowStream) -> str | None:
        """Stages pages in every store; returns their name, or None when there is nothing to store.

        Names sort in the order of staging; one that was settled is never used again.
        """
        self._last = self._highest() + 1  # used up even when a store fails: another may have staged it
        number = f"{self._last:08}"
        holders = [kind for kind, store in self._stores.items() if store.stage(number, pages)]
        if not holders:
            return None
        return number if holders == [self._first] else ".".join([number, *holders])

    def publish(self, names: Sequence[str]) -> int:
        """Publishes in every store; returns how many rows that added to the table."""
        self._check(names)
        added = {kind: store.publish(self._held(kind, names)) for kind, store in self._stores.items()}
        return added[self._first]

    def collect(self, keep: Sequence[str]) -> int:
        """Removes from every store what was staged and never settled; returns how many names that were in one."""
        self._check(keep)
        self._highest()  # before they are gone
        return max(store.collect(self._held(kind, keep)) for kind, store in self._stores.items())

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows of the table."""
        return self._stores[self._first].scan(columns, where)

    def close(self) -> None:
        """Ends the use of every store."""
        for store in self._stores.values():
            store.close()

    def _held(self, kind: str, names: Sequence[str]) -> list[str]:
        """The numbers of those names that a store holds."""
        parts = [name.split(".") for name in names]
        return [number for number, *holders in parts if kind in (holders or [self._first])]

    def _check(self, names: Sequence[str]) -> None:
        """Nothing is lost because a store is missing from the settings."""
        for name in names:
            if missing := set(name.split(".")[1:]) - set(self._stores):
                kinds = ", ".join(f'"{kind}"' for kind in [*self._stores, *sorted(missing)])
                raise StoreError(
                    f"{name} waits to be published in {min(missing)}, which is not among [store] kinds; "
                    f"resume with kinds = [{kinds}] once"
                )

    def _highest(self) -> int:
        if self._last is None:
            self._last = max(int(store.last() or "0") for store in self._stores.values())
        return self._last
