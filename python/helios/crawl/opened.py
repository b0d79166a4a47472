"""`helios.open`: the folder of a crawl, read and steered. Safe beside a running crawl: it sees what is published."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import msgspec

from helios.control.status import Status
from helios.control.verbs import Added
from helios.crawl.letters import Letter
from helios.crawl.steered import Steered
from helios.export.run import FORMATS, Exported, Format, Order, Watch, export, format_of, silent
from helios.folder import existing
from helios.reading.filters import Choice, count, filters, names, one_of, quoted, text
from helios.reading.query import PageQuery
from helios.reading.sql import answered
from helios.reading.stats import Stats, stats
from helios.reading.table import open_table, require_table
from helios.search import run as searching
from helios.search.index import State
from helios.search.run import Found, Kind, Question
from helios.seeds import canonical
from helios.settings import Settings
from helios.shown import without_users

if TYPE_CHECKING:
    from helios.stores.base import Reader


class Crawl:
    """A crawl that has been made, or is being made."""

    def __init__(self, path: Path) -> None:
        self._folder = existing(path)
        self.settings: Settings = self._folder.settings()
        self._steering = Steered(self._folder, self.settings)

    def __repr__(self) -> str:
        return f"helios.open({str(self._folder.path)!r})"

    def pages(
        self, columns: Sequence[str] | None = None, *, latest: bool = False, **choice: Unpack[Choice]
    ) -> PageQuery:
        """Pages that match all of the filters; read them with `.arrow()`, `.polars()`, `.read_all()` or a for loop.

        Filters: `site`, `language`, `status` (one or several of each); `since` and `until` (not included), by the time
        of fetching; `where`, a condition in SQL: "words > 200 AND title LIKE '%tea%'". With `latest`, only the newest
        row of each URL counts, as of `until`. Without `columns`: all but `raw` and `vector`. A filter that
        there is not, or one of a wrong type, is a `QueryError`.
        """
        return PageQuery(self._folder, columns, filters(choice, "columns", "latest"), latest=latest)

    def export(
        self,
        out: str | PathLike[str],
        *,
        format: Format | None = None,  # noqa: A002  # its name everywhere
        columns: Sequence[str] | None = None,
        latest: bool = False,
        force: bool = False,
        watch: Watch = silent,
        **choice: Unpack[Choice],
    ) -> Exported:
        """Writes pages to the new file or folder `out` ("-": standard output), whole or not at all.

        The format is told by the ending of `out` where none is given; filters are those of `pages`.
        """
        order = Order(
            out=str(out),
            format=one_of("format", format, FORMATS) or format_of(str(out)),
            columns=names(columns),
            filters=filters(choice, "format", "columns", "latest", "force", "watch"),
            latest=latest,
            force=force,
        )
        return export(self._folder, order, watch)

    def search(
        self,
        words: str,
        *,
        kind: Kind | None = None,
        limit: int = 10,
        vector: Sequence[float] | None = None,
        update: bool = True,
        watch: searching.Watch = searching.silent,
        **choice: Unpack[Choice],
    ) -> Found:
        """The pages that fit the words best; filters are those of `pages`. Only the newest row of a URL counts.

        "Words in quotes" must follow each other, +words must be there, -words must not. `vector` is that of the
        question, for `kind` "vector" and "hybrid". With `update` the index is brought up to date first, if it is old.
        """
        chosen = filters(choice, "kind", "limit", "vector", "update", "watch")
        question = Question(
            words=text("words", words) or "",
            kind=one_of("kind", kind, searching.KINDS),
            limit=count("limit", limit),
            filters=chosen,
            vector=vector,
            update=update,
        )
        return searching.search(self._folder, self.settings, question, watch)

    def index(self, watch: searching.Watch = searching.silent) -> State:
        """Makes the search index or brings it up to date."""
        searching.updated(self._folder, require_table(self._folder), watch, always=True)
        return searching.index_state(self._folder)

    def sql(self, question: str) -> AbstractContextManager["Reader"]:
        """The answer to a question in SQL, by DuckDB; the table is called `pages`.

        with crawl.sql("select site, count(*) from pages group by site") as reader: table = reader.read_all()
        """
        return answered(self._folder, question)

    def page(self, url: str) -> dict[str, Any] | None:
        """The newest row of one URL."""
        if (table := open_table(self._folder)) is None:
            return None
        rows = table.scan(table.chosen(None), self._of(url)).read_all().to_pylist()
        return max(rows, key=lambda row: row[table.order], default=None)

    def fetches(self, url: str) -> list[datetime.datetime]:
        """When one URL was fetched, for each row of it, in order."""
        return sorted(row["fetched_at"] for row in self.pages(["fetched_at"], where=self._of(url)))

    def _of(self, url: str) -> str:
        """The condition for rows of one URL, however it is written."""
        return f"url = {quoted(canonical(url, self.settings.urls))}"

    def stats(self) -> Stats:
        """Counts over the whole table, in one pass and bounded memory."""
        return stats(require_table(self._folder))

    @property
    def running(self) -> bool:
        """Is there a process that crawls into the folder?"""
        return self._steering.running

    def status(self) -> Status:
        """How it goes, or how the last run left it."""
        return self._steering.status()

    def pause(self) -> bool:
        """Has the running crawl ask for nothing more, until `go_on`. Was it paused before?"""
        return self._steering.pause()

    def go_on(self) -> bool:
        """Ends a pause of the running crawl. Was it paused before?"""
        return self._steering.go_on()

    def stop(self, *, now: bool = False, wait: bool = False) -> None:
        """Ends the running crawl as Ctrl-C does: what is in flight comes home; with `now`, at once.

        With `wait`, returns when it has ended.
        """
        self._steering.stop(now=now, wait=wait)

    def add(self, seeds: str | Iterable[str]) -> Added:
        """Gives more seeds to the crawl, whether it runs or not; then `helios.resume` asks for them."""
        return self._steering.add([seeds] if isinstance(seeds, str) else seeds)

    def why(self, url: str) -> dict[str, Any]:
        """Everything that the frontier knows of one URL: state, reason, where it came from, attempts, robots."""
        found = self._steering.why(canonical(url, self.settings.urls))
        return dict(msgspec.json.decode(without_users(msgspec.json.encode(found).decode())))  # one a redirect leads to

    def dead_letters(self, limit: int = 10_000) -> list[tuple[str, str, int]]:
        """URLs that used up their attempts: URL, reason, attempts; the first so many."""
        return self._steering.dead_letters(count("limit", limit))

    def each_dead_letter(self) -> Iterator[Letter]:
        """All of them, one by one."""
        return (Letter(*letter) for letter in self._steering.each_dead_letter())

    def replay(self, *, site: str | None = None, reason: str | None = None) -> int:
        """Puts dead letters back into their queues: of a site, and whose reason contains a text; else all.

        Returns how many. A crawl that does not run asks for them after `helios.resume`.
        """
        return self._steering.replay(text("site", site), text("reason", reason))


def open_crawl(path: str | PathLike[str]) -> Crawl:
    """Opens the folder of a crawl for reading."""
    return Crawl(Path(path))
