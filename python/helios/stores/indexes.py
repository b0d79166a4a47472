"""The search index of a page table: words of titles and texts, and ids. Made once, then only added to.

Adding makes a new segment of the rows that are new; when there are many segments they are merged into one. Rows that
are in no segment yet are looked through when somebody searches.
"""

import os
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Any

from helios.stores.pin import INDEXING, pinned

if TYPE_CHECKING:
    import lance

WORDS = {"title": "title_words", "text": "text_words"}  # column -> index
IDS = "id_lookup"
SEGMENTS = 8  # at which they are merged
TRIES = 3  # of an index whose files were being merged just when it began
PATIENCE_S = 10  # that a crawl waits at its end; an index that is not finished then is made another time
# Any language: words are cut by the rules of Unicode and by dictionaries where there are no spaces; no stemming, no
# stop words. Positions (twice the size) make phrases possible.
WORD_OPTIONS: dict[str, Any] = {
    "base_tokenizer": "icu/split",
    "stem": False,
    "remove_stop_words": False,
    "ascii_folding": True,
    "with_position": True,
    "memory_limit": 64,  # MB, of all workers; with 96 and two of them a million rows took 554 MB, with this 407
    "num_workers": 1,
}
# Lance reads these when it first indexes; adding to an index takes no limits otherwise.
LIMITS = {
    "LANCE_FTS_PARTITION_SIZE": "48",  # MB
    "LANCE_FTS_NUM_SHARDS": "2",
    "LANCE_MEM_POOL_SIZE": str(100 << 20),
    "LANCE_DEFAULT_IO_BUFFER_SIZE": str(64 << 20),
}


def indexed(table: "lance.LanceDataset") -> int | None:
    """How many rows the index holds; None: there is no index."""
    known = {index.name: int(index.num_rows_indexed) for index in table.describe_indices()}
    return min(known[name] for name in WORDS.values()) if known.keys() >= set(WORDS.values()) else None


def ensure(table: "lance.LanceDataset") -> None:
    """An index without rows where there is none: it tells Lance how to read the rows that no index holds."""
    known = {index.name for index in table.describe_indices()}
    for column, name in WORDS.items():
        if name not in known:
            table.create_scalar_index(column, "INVERTED", name=name, train=False, **WORD_OPTIONS)


def refresh(table: "lance.LanceDataset") -> None:
    """Makes what is missing and adds what is new. The table is to be opened again afterwards."""
    for name, value in LIMITS.items():
        os.environ.setdefault(name, value)
    for column, name in WORDS.items():
        _made(table, _words, column, name)
    _made(table, _ids)


def _made(table: "lance.LanceDataset", make: Callable[..., None], *words: str) -> None:
    """One index, of the newest version, whose files stay as they are until it is made."""
    from helios.stores.upkeep import preempted  # noqa: PLC0415  # brings lance, which is there by now

    for attempt in range(TRIES):
        table.checkout_latest()  # type: ignore[no-untyped-call]
        with pinned(table, INDEXING):
            try:
                make(table, *words)
            except (OSError, RuntimeError, ValueError) as error:
                if not preempted(error) or attempt == TRIES - 1:
                    raise
            else:
                return


def _words(table: "lance.LanceDataset", column: str, name: str) -> None:
    known = _known(table, name)
    if known is None or not known.num_rows_indexed:
        table.create_scalar_index(column, "INVERTED", name=name, replace=True, **WORD_OPTIONS)
    else:
        _add(table, known)


def _ids(table: "lance.LanceDataset") -> None:
    if (known := _known(table, IDS)) is None:
        table.create_scalar_index("id", "BTREE", name=IDS)
    else:
        _add(table, known)


def _known(table: "lance.LanceDataset", name: str) -> Any:  # noqa: ANN401  # a lance.indices.IndexDescription
    return next((index for index in table.describe_indices() if index.name == name), None)


def _add(table: "lance.LanceDataset", index: Any) -> None:  # noqa: ANN401  # as above
    """The rows that it does not hold, as a segment more, or as one with all the others."""
    if index.num_rows_indexed < table.count_rows():
        many = len(index.segments)
        merged = many if many >= SEGMENTS else 0
        table.optimize.optimize_indices(index_names=[index.name], num_indices_to_merge=merged)


class Indexing:
    """Brings the index up to date while a crawl runs: after so many published rows, in a thread of its own."""

    def __init__(self, rows: int) -> None:
        self._rows = rows  # 0: never
        self._since = 0  # rows since the last time
        self._thread: Thread | None = None  # at most one
        self.failed: Exception | None = None  # then it is not tried again: whoever searches is told

    def published(self, uri: str, options: dict[str, str] | None, rows: int) -> None:
        """So many rows more can be seen."""
        self._since += rows
        if not self._rows or self._since < self._rows or self.failed:
            return
        if self._thread is None or not self._thread.is_alive():
            self._since = 0
            self._thread = Thread(target=self._run, args=(uri, options), name="helios-index", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Waits a little for what is under way."""
        if self._thread is not None:
            self._thread.join(PATIENCE_S)

    def _run(self, uri: str, options: dict[str, str] | None) -> None:
        import lance  # noqa: PLC0415  # there already, where this runs

        try:
            refresh(lance.dataset(uri, storage_options=options))
        except (ValueError, RuntimeError, OSError) as error:
            self.failed = error
