"""One search, from beginning to end."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from helios.clock import SystemClock
from helios.errors import QueryError, StoreError
from helios.folder import Folder
from helios.reading.filters import Filters
from helios.reading.table import PageTable, require_table
from helios.search.embedding import embedder
from helios.search.find import Row, by_vector, by_words, chosen
from helios.search.fuse import fused
from helios.search.index import State, alone, ensure, refresh, state
from helios.search.snippet import Snippet, snippet
from helios.search.words import parse
from helios.settings import Settings

Kind: TypeAlias = Literal["keyword", "vector", "hybrid"]
KINDS: tuple[Kind, ...] = get_args(Kind)
DEPTH = 50  # of each ranking that is fused

Watch: TypeAlias = Callable[[str], None]  # what is being done, if it may take a while


class Hit(Struct, frozen=True):
    """A page that was found."""

    url: str
    title: str
    score: float  # BM25; distance of vectors; of both: reciprocal ranks. Comparable within one search only
    snippet: Snippet
    site: str
    language: str
    fetched_at: datetime.datetime
    id: str


class Found(Struct, frozen=True):
    """What was found, best first. Iterating gives the hits."""

    words: str
    kind: Kind
    hits: list[Hit]
    pages: int  # rows that were searched
    seconds: float

    def __iter__(self) -> Iterator[Hit]:
        """The hits."""
        return iter(self.hits)

    def __len__(self) -> int:
        """How many."""
        return len(self.hits)


class Question(Struct, frozen=True):
    """What to look for, and how."""

    words: str
    kind: Kind | None = None
    limit: int = 10
    filters: Filters = Filters()
    vector: Sequence[float] | None = None  # of the words, if the caller has it
    update: bool = True  # bring the index up to date first, if it is worth it


def silent(doing: str) -> None:
    """Says nothing."""


def search(folder: Folder, settings: Settings, question: Question, watch: Watch = silent) -> Found:
    """The best pages."""
    clock = SystemClock()
    words = parse(question.words)
    table = require_table(folder)
    kind = question.kind or ("keyword" if question.vector is None else "hybrid")
    if kind != "keyword" and "vector" not in table.columns:
        raise QueryError(f"the crawl in {folder.path} has no vectors; search it with --kind keyword")
    if kind != "vector":
        table = updated(folder, table, watch, wanted=question.update)
    started = clock.now()
    rows = _ranked(table, settings, question, kind)
    terms = words.wanted()
    hits = [_hit(row, terms) for row in rows]
    return Found(question.words, kind, hits, table.count(), (clock.now() - started) / 1000)


def updated(
    folder: Folder, table: PageTable, watch: Watch = silent, *, wanted: bool = True, always: bool = False
) -> PageTable:
    """The table with an index that is new enough. What hinders that hinders no search: it only takes longer."""
    now = state(table)
    worth = wanted and (now.stale or (always and now.waiting))
    if now.exists and not worth:
        return table
    with alone(folder) as mine:
        if not mine:
            return table
        try:
            if worth:
                watch(f"indexing {now.waiting:,} pages")
                refresh(table)
            else:
                ensure(table)
        except StoreError as error:
            watch(f"the index could not be brought up to date ({error}); searching without")
    return require_table(folder)


def index_state(folder: Folder) -> State:
    """How much of a crawl is indexed."""
    return state(require_table(folder))


def _ranked(table: PageTable, settings: Settings, question: Question, kind: Kind) -> list[Row]:
    words, filters = parse(question.words), question.filters
    depth = question.limit if kind != "hybrid" else max(question.limit, DEPTH)
    lists = []
    if kind != "vector":
        lists.append(chosen(table, by_words(table, words, filters), depth, filters))
    if kind != "keyword":
        vector = question.vector if question.vector is not None else embedder(settings)(question.words)
        lists.append(chosen(table, by_vector(table, vector, filters), depth, filters))
    if len(lists) == 1:
        return lists[0]
    rows = {row["id"]: row for ranking in lists for row in ranking}
    order = fused(*([row["id"] for row in ranking] for ranking in lists))
    return [{**rows[key], "score": score} for key, score in order][: question.limit]


def _hit(row: Row, terms: list[str]) -> Hit:
    return Hit(
        url=row["url"],
        title=row["title"] or "",
        score=row["score"],
        snippet=snippet(row["text"] or "", terms),
        site=row["site"] or "",
        language=row["language"] or "",
        fetched_at=row["fetched_at"],
        id=row["id"],
    )
