"""A version keeps its files while somebody reads it or makes an index of it, however long that takes.

A crawl that merges files removes the old ones after ten minutes, unless a tag names a version that has them. An index
holds the files that it began with: were one of them merged meanwhile, Lance would refuse the index when it is done. So
a tag of that kind also keeps files from being merged.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from helios.clock import SystemClock

if TYPE_CHECKING:
    import lance

READING = "reading-"
INDEXING = "indexing-"
STALE_MS = 86_400_000  # a tag of somebody who was killed
LANCE = (OSError, ValueError, RuntimeError)


@contextmanager
def pinned(table: "lance.LanceDataset", purpose: str = READING) -> Iterator[None]:
    """Keeps the files of this version until the end of the block. Where nothing can be written, nothing is kept."""
    now = SystemClock().now()
    name = f"{purpose}{now}-{os.getpid()}"
    try:
        table.tags.create(name, table.version)
    except LANCE:
        yield
        return
    try:
        with suppress(*LANCE):
            forget_stale(table, now)
        yield
    finally:
        with suppress(*LANCE):
            table.tags.delete(name)


def forget_stale(table: "lance.LanceDataset", now: int) -> None:
    """Removes the tags of processes that died long ago."""
    for name in [name for name in table.tags.list() if _age(name, now) > STALE_MS]:
        table.tags.delete(name)


def being_indexed(table: "lance.LanceDataset", now: int) -> int:
    """The id of the newest file that an index is being made of; -1: of none."""
    tags = {name: tag for name, tag in table.tags.list().items() if name.startswith(INDEXING)}
    versions = {int(tag["version"]) for name, tag in tags.items() if _age(name, now) <= STALE_MS}
    return max((max(table.checkout_version(one).fragment_ids(), default=-1) for one in versions), default=-1)


def _age(tag: str, now: int) -> int:
    """Of one of our tags; 0 of others, which are nobody's but theirs."""
    purpose = next((one for one in (READING, INDEXING) if tag.startswith(one)), None)
    made = tag.removeprefix(purpose or "").partition("-")[0]
    return now - int(made) if purpose and made.isdecimal() else 0
