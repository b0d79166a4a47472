"""`Crawl.pages`: which rows, in which shape."""

import datetime
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import helios
from helios.folder import create, existing
from helios.reading import latest
from helios.reading.table import require_table
from helios.settings import load
from reading.rows import START, page, store

HOUR = datetime.timedelta(hours=1)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> helios.Crawl:
    """Two sites, three languages; one page was fetched three times, in two publishes."""
    first = [
        page("a", title="first"),
        page("b", language="de", status=404),
        page("c", site="two.test", language="de-AT", words=500),
        page("it's", language="fr"),
    ]
    second = [
        page("a", title="third", fetched_at=START + 2 * HOUR, language="fr"),
        page("a", title="second", fetched_at=START + HOUR),
        page("d", fetched_at=START + 2 * HOUR),
    ]
    return helios.open(store(tmp_path_factory.mktemp("query") / "crawl", first, second))


def paths(query: helios.PageQuery) -> list[str]:
    return sorted(row["url"].rpartition("/")[2] for row in query)


CHOICES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["a", "a", "a", "b", "c", "d", "it's"]),
    ({"site": "two.test"}, ["c"]),
    ({"site": ["one.test", "two.test"], "status": 404}, ["b"]),
    ({"status": [404, 500]}, ["b"]),
    ({"status": "404"}, ["b"]),
    ({"status": ["404", 500]}, ["b"]),
    ({"language": "de"}, ["b", "c"]),
    ({"language": ("fr", "DE")}, ["a", "b", "c", "it's"]),
    ({"since": "2026-11-15T01:00"}, ["a", "a", "d"]),
    ({"until": START + HOUR}, ["a", "b", "c", "it's"]),
    ({"since": datetime.date(2026, 11, 16)}, []),
    ({"since": "2026-11-15T02:00+01:00", "until": "2026-11-15T03:00+01:00"}, ["a"]),
    ({"where": "words > 100 OR title = 'second'"}, ["a", "c"]),
    ({"where": "words > 100 OR title = 'second'", "site": "two.test"}, ["c"]),
    ({"where": "url LIKE '%it''s'"}, ["it's"]),
    ({"latest": True}, ["a", "b", "c", "d", "it's"]),
    ({"latest": True, "language": "fr"}, ["a", "it's"]),
    ({"latest": True, "where": "title = 'first'"}, []),  # the newest is not called that
    ({"latest": True, "until": START + HOUR, "where": "title = 'first'"}, ["a"]),  # it was, then
]


@pytest.mark.parametrize(("words", "expected"), CHOICES, ids=[str(words) for words, _ in CHOICES])
def test_filters_choose_rows(crawl: helios.Crawl, words: dict[str, Any], expected: list[str]) -> None:
    assert paths(crawl.pages(["url"], **words)) == expected
    assert crawl.pages(["url"], **words).count() == len(expected)


def test_the_newest_row_of_a_url_is_the_last_fetched_one(crawl: helios.Crawl) -> None:
    (row,) = crawl.pages(["title"], latest=True, where="url = 'http://one.test/a'")
    assert row == {"title": "third"}


def test_rows_come_as_arrow_and_as_anything_that_takes_a_stream(crawl: helios.Crawl) -> None:
    query = crawl.pages(["url", "words"], latest=True)
    assert query.arrow().schema.names == ["url", "words"]
    assert query.read_all().num_rows == 5
    assert pa.table(query).num_rows == 5


def test_rows_come_as_polars_or_say_how(crawl: helios.Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(helios.QueryError, match="pip install polars"):
        crawl.pages().polars()
    monkeypatch.undo()
    pytest.importorskip("polars", reason="polars is not installed")
    assert crawl.pages(["url"], site="two.test").polars().to_dicts() == [{"url": "http://two.test/c"}]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"columns": ["ulr"]}, "no column 'ulr'; did you mean 'url'?"),
    ({"columns": ["zzzz"]}, "there are id, url, site"),
    ({"where": "wordz > 1"}, "No field named wordz"),
    ({"where": "words >"}, "the condition 'words >' is no SQL"),
    ({"since": "yesterday"}, "give one like 2026-11-15"),
    ({"until": 2026}, "2026 is no time; give one like 2026-11-15"),
    ({"lang": "en"}, "there is no filter lang (did you mean language?); filters: site, language, status, since,"),
    ({"limit": 2}, "there is no filter limit; filters: site, language, status, since, until, where"),
    ({"column": "url"}, "there is no filter column (did you mean columns?)"),
    ({"columns": "url"}, "columns='url' does not do: give a list, ['url']"),
    ({"columns": [1]}, "columns=[1] does not do: give a list of names"),
    ({"site": 5}, "site=5 does not do: give a text or a list of texts"),
    ({"language": [b"en"]}, "language=[b'en'] does not do: give a text or a list of texts"),
    ({"status": "4xx"}, "status='4xx' does not do: give a number like 404, or a list of them"),
    ({"status": [True]}, "status=True does not do: give a number like 404, or a list of them"),
    ({"where": 5}, "where=5 does not do: give a text"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[says for _, says in WRONG])
def test_a_wrong_question_is_said(crawl: helios.Crawl, words: dict[str, Any], says: str) -> None:
    with pytest.raises(helios.QueryError, match=re.escape(says)):
        crawl.pages(**words).read_all()


SHOWN: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"columns": ("url",), "latest": True}, "['url'], latest=True"),
    ({"status": np.array([200, 404])}, "status=[200, 404]"),
    ({"site": "two.test", "status": [200, "404"]}, "site='two.test', status=[200, 404]"),
    ({"since": START, "where": "words > 1"}, "since='2026-11-15T00:00:00+00:00', where='words > 1'"),
]


@pytest.mark.parametrize(("words", "shown"), SHOWN, ids=[shown for _, shown in SHOWN])
def test_a_query_shows_how_it_was_asked(crawl: helios.Crawl, words: dict[str, Any], shown: str) -> None:
    query = crawl.pages(**words)
    assert repr(query) == f"{crawl!r}.pages({shown})"


def test_columns_may_come_from_a_generator_and_are_read_every_time(crawl: helios.Crawl) -> None:
    query = crawl.pages(name for name in ("url", "title"))  # type: ignore[arg-type]  # a list is meant
    assert [query.read_all().schema.names, query.read_all().schema.names] == [["url", "title"]] * 2


def test_a_crawl_without_pages_has_none(tmp_path: Path) -> None:
    crawl = helios.open(store(tmp_path / "crawl"))
    assert list(crawl.pages(latest=True)) == []
    assert crawl.pages().count() == 0


def test_a_crawl_that_keeps_no_table_says_so(tmp_path: Path) -> None:
    create(tmp_path / "crawl", load(None, store={"kinds": ["jsonl"]}))
    with pytest.raises(
        helios.QueryError, match=r'keeps jsonl \(in .*/jsonl\) and no page table, .*; crawl with "lance" in \[store\]'
    ):
        helios.open(tmp_path / "crawl").pages().count()


def test_a_table_of_earlier_runs_is_read_wherever_later_ones_keep_their_pages(tmp_path: Path) -> None:
    folder = existing(store(tmp_path / "crawl", [page("a"), page("b")]))
    folder.write(load(folder.settings_file, store={"kinds": ["warc"]}))
    assert helios.open(folder.path).pages().count() == 2
    assert helios.open(folder.path).stats().pages == 2


def test_heavy_columns_come_only_when_asked_for(crawl: helios.Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helios.reading.table.HEAVY", ("text",))
    assert "text" not in crawl.pages().arrow().schema.names
    assert crawl.pages(["text"]).arrow().schema.names == ["text"]


def test_the_newest_rows_are_the_same_however_small_the_budget(tmp_path: Path) -> None:
    """Seven fetches of each URL in several files, found in one share and in many."""
    batches = [
        [page(str(n), fetched_at=START + datetime.timedelta(minutes=(n * 7 + fetch * 3) % 11)) for n in range(200)]
        for fetch in range(7)
    ]
    folder = store(tmp_path / "crawl", *batches)
    newest: dict[str, Any] = {}
    for row in (row for batch in batches for row in batch):
        newest[row["url"]] = max(newest.get(row["url"], START), row["fetched_at"])
    assert {row["url"]: row["fetched_at"] for row in helios.open(folder).pages(latest=True)} == newest
    table = require_table(existing(folder))
    addresses = table.scan(["id"], with_row_address=True).read_all()["_rowaddr"].to_numpy()
    whole = latest.superseded(table, None).kept(addresses)
    parts = latest.superseded(table, None, budget=10_000).kept(addresses)
    assert whole.sum() == 200
    assert (whole == parts).all()
