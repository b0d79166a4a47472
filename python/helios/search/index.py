"""The search index: words of titles and texts, and ids. Made on demand or by the crawl, then only added to.

Adding makes a new segment of the rows that are new; when there are many segments they are merged into one. Rows that
are in no segment yet are looked through when searching, about 10,000 pages a second.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from helios.folder import Folder
from helios.reading.table import PageTable, plainly

WORDS = {"title": "title_words", "text": "text_words"}  # column -> index
IDS = "id_lookup"
SEGMENTS = 8  # at which they are merged
WAITING = 5_000  # rows that may wait for the next refresh
# Any language: words are cut by the rules of Unicode and by dictionaries where there are no spaces; no stemming, no
# stop words. Positions (twice the size) make phrases possible.
WORD_OPTIONS: dict[str, Any] = {
    "base_tokenizer": "icu/split",
    "stem": False,
    "remove_stop_words": False,
    "ascii_folding": True,
    "with_position": True,
    "memory_limit": 256,  # MB, of all workers
    "num_workers": 1,
}


# Lance reads these when it first indexes; adding to an index takes no limits otherwise.
LIMITS = {
    "LANCE_FTS_PARTITION_SIZE": "128",  # MB
    "LANCE_FTS_NUM_SHARDS": "1",
    "LANCE_MEM_POOL_SIZE": str(100 << 20),
    "LANCE_DEFAULT_IO_BUFFER_SIZE": str(64 << 20),
}


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
    rows = table.count()
    known = {index.name: int(index.num_rows_indexed) for index in table.dataset.describe_indices()}
    exists = all(name in known for name in WORDS.values())
    return State(exists, rows, rows - min(known[name] for name in WORDS.values()) if exists else rows)


def ensure(table: PageTable) -> None:
    """An index without rows where there is none: it tells Lance how to read the rows that no index holds."""
    with plainly(table.name):
        known = {index.name for index in table.dataset.describe_indices()}
        for column, name in WORDS.items():
            if name not in known:
                table.dataset.create_scalar_index(column, "INVERTED", name=name, train=False, **WORD_OPTIONS)


def refresh(table: PageTable) -> None:
    """Makes what is missing and adds what is new. The table is to be opened again afterwards."""
    for name, value in LIMITS.items():
        os.environ.setdefault(name, value)
    with plainly(table.name):
        known = {index.name: index for index in table.dataset.describe_indices()}
        for column, name in WORDS.items():
            if name not in known or not known[name].num_rows_indexed:
                table.dataset.create_scalar_index(column, "INVERTED", name=name, replace=True, **WORD_OPTIONS)
            else:
                _add(table, known[name])
        if IDS in known:
            _add(table, known[IDS])
        else:
            table.dataset.create_scalar_index("id", "BTREE", name=IDS)


def _add(table: PageTable, index: Any) -> None:  # noqa: ANN401  # a lance.indices.IndexDescription
    """The rows that it does not hold, as a segment more, or as one with all the others."""
    if index.num_rows_indexed < table.count():
        many = len(index.segments)
        merged = many if many >= SEGMENTS else 0
        table.dataset.optimize.optimize_indices(index_names=[index.name], num_indices_to_merge=merged)


@contextmanager
def alone(folder: Folder) -> Iterator[bool]:
    """Is nobody else indexing this crawl? Then nobody else does until the end of the block."""
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
