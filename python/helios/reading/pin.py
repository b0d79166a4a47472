"""A version that is being read keeps its files, however long that takes.

A crawl that merges files removes the old ones after ten minutes, unless a tag names a version that has them.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from helios.clock import SystemClock
from helios.reading.table import PageTable

PREFIX = "reading-"
STALE_MS = 86_400_000  # a tag of a reader that was killed
LANCE = (OSError, ValueError, RuntimeError)


@contextmanager
def pinned(table: PageTable) -> Iterator[None]:
    """Keeps the files of this version until the end of the block. Where nothing can be written, nothing is kept."""
    tags, now = table.dataset.tags, SystemClock().now()
    name = f"{PREFIX}{now}-{os.getpid()}"
    try:
        tags.create(name, table.dataset.version)
    except LANCE:
        yield
        return
    try:
        with suppress(*LANCE):
            for one in [one for one in tags.list() if _stale(one, now)]:
                tags.delete(one)
        yield
    finally:
        with suppress(*LANCE):
            tags.delete(name)


def _stale(tag: str, now: int) -> bool:
    made = tag.removeprefix(PREFIX).partition("-")[0]
    return tag.startswith(PREFIX) and made.isdecimal() and now - int(made) > STALE_MS
