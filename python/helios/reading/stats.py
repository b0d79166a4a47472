"""The whole table, counted in one pass over its narrow columns."""

import datetime
from typing import Any

import msgspec

from helios.reading.counts import Bins, Counts
from helios.reading.staged import staged
from helios.reading.table import PageTable

MOST = 20  # rows of each list
COLUMNS = 60  # of the plot over time
TITLES = 10
ROWS = 16_384  # at once; the columns are narrow


class Stats(msgspec.Struct, frozen=True):
    """What is in a crawl's table, counted. Lists are sorted, largest first, and cut at 20."""

    pages: int
    bytes: int
    words: int
    duplicates: int  # rows whose text is nearly that of an earlier one
    sites: int
    by_site: list[tuple[str, int]]
    by_status: list[tuple[str, int]]
    by_type: list[tuple[str, int]]
    by_language: list[tuple[str, int]]
    by_page_type: list[tuple[str, int]]
    by_size: list[tuple[int, int]]  # bytes, twice as many in each step, and how many pages have fewer, but not half
    first: datetime.datetime | None
    last: datetime.datetime | None
    over_time: list[tuple[datetime.datetime, int]]  # equal steps from first to last, and pages in each
    titles: list[tuple[str, str]]  # a sample: title, URL
    staged: int = 0  # rows that are stored and not visible yet: none of the numbers above counts them
    unsettled: int = 0  # of these, those that may be fetched again instead


class Tallies:
    """What one pass gathers."""

    def __init__(self) -> None:
        self.pages = self.bytes = self.words = self.duplicates = 0
        self.sizes: dict[int, int] = {}
        self.times = Bins(1_000)
        self.counts = {name: Counts() for name in ("site", "status", "content_type", "language", "page_type")}

    def add(self, batch: Any) -> None:  # noqa: ANN401  # a pyarrow.RecordBatch
        """One batch; a column that the table has not counts nothing."""
        names = batch.schema.names
        self.pages += batch.num_rows
        self.bytes += _total(batch["bytes"]) if "bytes" in names else 0
        self.words += _total(batch["words"]) if "words" in names else 0
        if "duplicate_of" in names:
            self.duplicates += batch.num_rows - batch["duplicate_of"].null_count
        for name, counts in self.counts.items():
            if name in names:
                counts.add({_name(value): count for value, count in _valued(batch[name])})
        if "bytes" in names:
            for value, count in _valued(batch["bytes"]):
                step = int(value or 0).bit_length()
                self.sizes[step] = self.sizes.get(step, 0) + count
        if "fetched_at" in names:
            self.times.add(dict(_valued(batch["fetched_at"].cast("int64").drop_null())))


def stats(table: PageTable) -> Stats:
    """Counts over the whole table."""
    wanted = ["site", "status", "content_type", "language", "page_type", "bytes", "words", "fetched_at", "duplicate_of"]
    to_come = staged(table)
    seen = Tallies()
    for batch in table.scan([name for name in wanted if name in table.columns], batch_size=ROWS):
        seen.add(batch)
    types = Counts()
    for kind, count in seen.counts["content_type"].most(1_000):
        types.add({kind.partition(";")[0].strip().lower(): count})
    times = seen.times.columns(COLUMNS)
    return Stats(
        pages=seen.pages,
        bytes=seen.bytes,
        words=seen.words,
        duplicates=seen.duplicates,
        sites=len(seen.counts["site"]),
        by_site=seen.counts["site"].most(MOST),
        by_status=seen.counts["status"].most(MOST),
        by_type=types.most(MOST),
        by_language=seen.counts["language"].most(MOST),
        by_page_type=seen.counts["page_type"].most(MOST),
        by_size=[(1 << step, seen.sizes.get(step, 0)) for step in _steps(seen.sizes)],
        first=_moment(times[0][0]) if times else None,
        last=_moment(times[-1][0]) if times else None,
        over_time=[(_moment(at), count) for at, count in times],
        titles=_titles(table),
        staged=to_come.rows,
        unsettled=to_come.unsettled,
    )


def _titles(table: PageTable) -> list[tuple[str, str]]:
    """Titles from all over the first thousands of rows."""
    rows: list[tuple[str, str]] = []
    for batch in table.scan(["title", "url"]):
        rows += [(row["title"], row["url"]) for row in batch.to_pylist() if row["title"]]
        if len(rows) > TITLES * 400:
            break
    return rows[:: max(len(rows) // TITLES, 1)][:TITLES]


def _total(column: Any) -> int:  # noqa: ANN401  # a pyarrow.Array
    import pyarrow.compute as pc  # noqa: PLC0415  # a tenth of a second that `helios --help` need not wait for

    return pc.sum(column).as_py() or 0


def _valued(column: Any) -> list[tuple[Any, int]]:  # noqa: ANN401  # as above
    import pyarrow.compute as pc  # noqa: PLC0415  # as above

    return [(pair["values"], pair["counts"]) for pair in pc.value_counts(column).to_pylist()]


def _name(value: object) -> str:
    return "" if value is None else str(value)


def _steps(sizes: dict[int, int]) -> range:
    return range(min(sizes, default=0), max(sizes, default=-1) + 1)


def _moment(milliseconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, tz=datetime.UTC)
