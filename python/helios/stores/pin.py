"""A version keeps its files while somebody reads it or makes an index of it, however long that takes.

A crawl that merges files removes the old ones after ten minutes, unless a tag names a version that has them. An index
holds the files that it began with: were one of them merged meanwhile, Lance would refuse the index when it is done. So
a tag of that kind also keeps files from being merged.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from helios.clock import SystemClock

if TYPE_CHECKING:
    import lance

READING = "reading-"
INDEXING = "indexing-"
STALE_MS = 86_400_000  # a tag of somebody who was killed
LANCE = (OSError, ValueError, RuntimeError)
TRIES = 20  # of a look at all tags

T = TypeVar("T")


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
    for name in [name for name in _tags(table) if _age(name, now) > STALE_MS]:
        with suppress(*LANCE):  # somebody else may have been quicker
            table.tags.delete(name)


def being_indexed(table: "lance.LanceDataset", now: int) -> int:
    """The id of the newest file that an index is being made of; -1: of none."""
    tags = {name: version for name, version in _tags(table).items() if name.startswith(INDEXING)}
    versions = {version for name, version in tags.items() if _age(name, now) <= STALE_MS}
    return max((_newest_file(table, version) for version in versions), default=-1)


def _newest_file(table: "lance.LanceDataset", version: int) -> int:
    try:
        return max(table.checkout_version(version).fragment_ids(), default=-1)
    except LANCE as error:
        if not _is_gone(error):
            raise
        return -1  # its index was done in this moment, and the version went with its tag


def _tags(table: "lance.LanceDataset") -> dict[str, int]:
    """The versions that tags name."""
    return {name: int(tag["version"]) for name, tag in despite_others(table.tags.list).items()}


def despite_others(look: Callable[[], T]) -> T:
    """What it gives. Tags go at any time, and Lance fails where one of them goes while it looks at all."""
    for _ in range(TRIES - 1):
        try:
            return look()
        except LANCE as error:
            if not _is_gone(error):
                raise
    return look()


def _is_gone(error: Exception) -> bool:
    return "not found" in str(error).lower()


def _age(tag: str, now: int) -> int:
    """Of one of our tags; 0 of others, which are nobody's but theirs."""
    purpose = next((one for one in (READING, INDEXING) if tag.startswith(one)), None)
    made = tag.removeprefix(purpose or "").partition("-")[0]
    return now - int(made) if purpose and made.isdecimal() else 0
