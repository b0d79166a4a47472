"""Candidates, best first, and what is left of them: the newest row of each URL, one of pages that are alike."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from helios.reading.filters import Filters, quoted
from helios.reading.table import PageTable, plainly
from helios.search.words import Words, asked
from helios.stores.indexes import indexed

SHOWN = ("id", "url", "site", "title", "text", "language", "fetched_at", "fetch_number", "duplicate_of", "page_type")
SPARE = 20  # candidates beyond those wanted: some are old rows or duplicates
MOST = 2_000  # candidates that are looked at, at most
IO_BYTES = 32 << 20

Row: TypeAlias = dict[str, Any]
Ranking: TypeAlias = Callable[[int], list[Row]]  # so many candidates at most, best first


def by_words(table: PageTable, words: Words, filters: Filters) -> Ranking:
    """BM25 over titles and texts."""
    question = asked(words, indexed=indexed(table.dataset) is not None)
    return lambda many: _rows(table, "_score", many, filters, full_text_query=question)


def by_vector(table: PageTable, vector: Sequence[float], filters: Filters) -> Ranking:
    """The nearest vectors."""

    def ranking(many: int) -> list[Row]:
        nearest = {"column": "vector", "q": list(vector), "k": many}
        return _rows(table, "_distance", many, filters, nearest=nearest)

    return ranking


def chosen(table: PageTable, ranking: Ranking, wanted: int, filters: Filters) -> list[Row]:
    """So many of the best that count; asks for more candidates until there are enough."""
    many = wanted + SPARE
    while True:
        candidates = ranking(many)
        rows = _apart(_newest(table, candidates, filters))
        if len(rows) >= wanted or len(candidates) < many or many >= MOST:
            return rows[:wanted]
        many = min(many * 4, MOST)


def _rows(table: PageTable, score: str, many: int, filters: Filters, **search: Any) -> list[Row]:  # noqa: ANN401  # Lance's
    columns = [name for name in SHOWN if name in table.columns]
    with plainly(table.name):
        scanner = table.dataset.scanner(
            columns=[*columns, score],
            filter=filters.condition(),
            prefilter=True,
            limit=many,
            io_buffer_size=IO_BYTES,
            batch_size=1_024,
            disable_scoring_autoprojection=True,
            **search,
        )
        rows = scanner.to_table().to_pylist()
    return [{**row, "score": row[score]} for row in rows]


def _newest(table: PageTable, rows: list[Row], filters: Filters) -> list[Row]:
    """Without rows of which a newer one exists, found or not."""
    if not rows:
        return []
    ids = ", ".join(sorted({quoted(row["id"]) for row in rows}))
    within = filters.within()
    condition = f"id IN ({ids})" + (f" AND {within}" if within else "")
    newest: dict[str, Any] = {}
    for batch in table.scan(["id", table.order], condition):
        for row in batch.to_pylist():
            newest[row["id"]] = max(newest.get(row["id"], row[table.order]), row[table.order])
    return [row for row in rows if row[table.order] == newest[row["id"]]]


def _apart(rows: list[Row]) -> list[Row]:
    """One row of those that are the same page or nearly the same text: the best one."""
    seen: set[str] = set()
    kept = []
    for row in rows:
        alike = row.get("duplicate_of") or row["id"]
        if alike not in seen:
            kept.append(row)
        seen.update((alike, row["id"]))
    return kept
