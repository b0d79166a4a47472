"""How much of a table is indexed, and by whom: one process at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from helios.folder import Folder
from helios.reading.table import PageTable, plainly
from helios.stores import indexes

WAITING = 5_000  # rows that may wait for the next refresh; they are looked through


class State(Struct, frozen=True):
    """How much of a table is indexed."""

    exists: bool
    rows: int
    waiting: int  # rows that are in no segment

    @property
    def stale(self) -> bool:
        """Is it worth a refresh?"""
        return self.waiting > WAITING or (self.waiting == self.rows > 0)


def state(table: PageTable) -> State:
    """As of the table's version."""
    rows, held = table.count(), indexes.indexed(table.dataset)
    return State(held is not None, rows, rows - (held or 0))


def ensure(table: PageTable) -> None:
    """An index without rows where there is none."""
    with plainly(table.name):
        indexes.ensure(table.dataset)


def refresh(table: PageTable) -> None:
    """An index of all rows; the table is to be opened again afterwards."""
    with plainly(table.name):
        indexes.refresh(table.dataset)


@contextmanager
def alone(folder: Folder) -> Iterator[bool]:
    """Is nobody else indexing this crawl from outside? Then nobody else does until the end of the block."""
    try:
        import fcntl  # noqa: PLC0415  # not everywhere
    except ModuleNotFoundError:
        yield True
        return
    handle = os.open(folder.path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield os.access(folder.path, os.W_OK)
    finally:
        os.close(handle)
