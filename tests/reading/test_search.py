"""`Crawl.search`: the right pages, every page, only the newest, with the words marked."""

import datetime
import json
import re
from pathlib import Path
from typing import Any

import lance
import pyarrow as pa
import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.folder import existing
from helios.search.fuse import fused
from helios.search.index import alone
from helios.search.snippet import snippet
from helios.search.words import Words, parse
from helios.stores import open_store
from reading.rows import SCHEMA, START, more, page, store

LATER = START + datetime.timedelta(days=1)

PAGES = [
    page("tea", title="Green tea", text="How to brew green tea. Use soft water and a small pot."),
    page("coffee", title="Coffee", text="Coffee is not tea, and green coffee is not roasted.", language="de"),
    page("garden", title="A garden", text="The tea garden is green in spring."),
    page("bread", title="Bread", text="Flour, water, salt.", site="two.test"),
    page("cafe", title="Straße", text="Ein Café in Zürich. 東京都に住んでいます。"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return store(tmp_path / "crawl", PAGES)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> helios.Crawl:
    crawl = helios.open(store(tmp_path_factory.mktemp("indexed") / "crawl", PAGES))
    crawl.index()
    return crawl


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> helios.Crawl:
    """No row of it is in an index."""
    return helios.open(store(tmp_path_factory.mktemp("waiting") / "crawl", PAGES))


def paths(found: helios.Found) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in found]


QUESTIONS: list[tuple[str, set[str]]] = [
    ("tea", {"tea", "garden", "coffee"}),
    ("TEA bread", {"tea", "garden", "coffee", "bread"}),
    ('"green tea"', {"tea"}),
    ('"tea garden"', {"garden"}),
    ("tea -coffee", {"tea", "garden"}),
    ("+green +water", {"tea"}),
    ("water +bread", {"bread"}),
    ("zurich", {"cafe"}),
    ("strasse", {"cafe"}),
    ("東京", {"cafe"}),
    ("nothing like this: xyzzy", set()),
]


@pytest.mark.parametrize(("words", "expected"), QUESTIONS, ids=[words for words, _ in QUESTIONS])
def test_pages_are_found_by_their_words(
    indexed: helios.Crawl, waiting: helios.Crawl, words: str, expected: set[str]
) -> None:
    assert set(paths(indexed.search(words))) == expected
    assert set(paths(waiting.search(words, update=False))) == expected


def test_the_best_page_comes_first(indexed: helios.Crawl) -> None:
    found = indexed.search("green tea")
    assert paths(found)[0] == "tea"
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert (found.kind, found.pages, len(found)) == ("keyword", 5, 3)


def test_a_hit_tells_what_and_where(indexed: helios.Crawl) -> None:
    (hit,) = indexed.search('"green tea"').hits
    assert (hit.url, hit.title, hit.site, hit.language) == ("http://one.test/tea", "Green tea", "one.test", "en")
    assert hit.fetched_at == START
    assert hit.snippet.marked("<", ">") == "How to brew <green tea>. Use soft water and a small pot."


CHOICES: list[tuple[dict[str, Any], set[str]]] = [
    ({"language": "de"}, {"coffee"}),
    ({"site": "two.test"}, set()),
    ({"since": LATER}, set()),
    ({"where": "title LIKE 'A%'"}, {"garden"}),
    ({"limit": 1}, {"tea"}),
]


@pytest.mark.parametrize(("choice", "expected"), CHOICES, ids=[str(choice) for choice, _ in CHOICES])
def test_filters_choose_before_the_best_are_taken(
    indexed: helios.Crawl, choice: dict[str, Any], expected: set[str]
) -> None:
    assert set(paths(indexed.search("green tea", **choice))) == expected


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"languages": "de"}, "there is no filter languages (did you mean language?)"),
    ({"limits": 3}, "there is no filter limits (did you mean limit?)"),
    ({"limit": -1}, "limit=-1 does not do: give a whole number, 0 or more"),
    ({"limit": "3"}, "limit='3' does not do: give a whole number, 0 or more"),
    ({"kind": "words"}, "kind='words' does not do: give one of keyword, vector, hybrid"),
]


@pytest.mark.parametrize(("choice", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_cannot_be_meant_is_said(indexed: helios.Crawl, choice: dict[str, Any], says: str) -> None:
    with pytest.raises(helios.QueryError, match=re.escape(says)):
        indexed.search("green tea", **choice)


def test_rows_that_no_index_holds_are_found_too(folder: Path) -> None:
    crawl = helios.open(folder)
    assert crawl.index().waiting == 0
    more(folder, [page("new", text="A new page on green tea.")])
    assert "new" in paths(crawl.search("green tea", update=False))
    assert "new" in paths(crawl.search("green tea"))
    assert crawl.index().waiting == 0
    assert "new" in paths(crawl.search("green tea"))


def test_a_crawl_adds_to_the_index_while_it_runs(tmp_path: Path) -> None:
    folder = store(tmp_path / "crawl", PAGES, index_rows=8)
    assert lance.dataset(folder / "pages.lance").describe_indices() == []
    settings = existing(folder).settings().store
    opened = open_store(existing(folder), settings)
    for number in range(40):  # each adds a row; the index is made beside
        name = opened.stage(pa.Table.from_pylist([page(f"n{number}", text="tea")], schema=SCHEMA))
        assert name is not None
        assert opened.publish([name]) == 1
    opened.close()
    held = {one.name: one.num_rows_indexed for one in lance.dataset(folder / "pages.lance").describe_indices()}
    assert held["text_words"] >= 8
    assert len(helios.open(folder).search("tea", limit=100, update=False)) == 43


def test_many_refreshes_add_segments_and_merge_them(folder: Path) -> None:
    crawl = helios.open(folder)
    for number in range(12):
        more(folder, [page(f"n{number}", text=f"tea number{number}")])
        assert crawl.index().waiting == 0
    assert len(crawl.search("tea", limit=100)) == 15
    assert paths(crawl.search("number7")) == ["n7"]
    segments = [len(index.segments) for index in lance.dataset(folder / "pages.lance").describe_indices()]
    assert max(segments) <= 8


def test_only_the_newest_row_of_a_url_counts(folder: Path) -> None:
    more(folder, [page("tea", title="Moved", text="Nothing is here any more.", fetched_at=LATER)])
    crawl = helios.open(folder)
    assert "tea" not in paths(crawl.search("green tea"))
    assert "tea" in paths(crawl.search("green tea", until=LATER))
    assert paths(crawl.search("moved")) == ["tea"]


def test_of_pages_that_are_alike_one_is_shown(tmp_path: Path) -> None:
    first = page("a", text="green tea")
    rows = [
        first,
        *(page(f"copy{n}", text="green tea", duplicate_of=first["id"]) for n in range(60)),
        page("b", text="tea"),
    ]
    found = helios.open(store(tmp_path / "crawl", rows)).search("tea", limit=2)
    assert len(found) == 2
    assert "b" in paths(found)


def with_vectors(path: Path) -> Path:
    folder = store(path, PAGES)
    vectors = [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
    table = lance.dataset(folder / "pages.lance").to_table()
    table = table.append_column("vector", pa.array(vectors, pa.list_(pa.float32(), 2)))
    lance.write_dataset(table, folder / "pages.lance", mode="overwrite")
    return folder


def test_pages_are_found_by_vector_and_by_both(tmp_path: Path) -> None:
    crawl = helios.open(with_vectors(tmp_path / "crawl"))
    assert paths(crawl.search("x", kind="vector", vector=[0.0, 0.9], limit=2)) == ["garden", "coffee"]
    both = crawl.search("bread", vector=[0.0, 0.9], limit=3)
    assert both.kind == "hybrid"
    assert set(paths(both)[:2]) == {"garden", "bread"}
    assert paths(crawl.search("x", kind="vector", vector=[0.0, 0.9], language="de")) == ["coffee"]


def test_vectors_that_are_not_there_are_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(helios.QueryError, match="has no vectors; search it with --kind keyword"):
        helios.open(folder).search("tea", kind="vector")
    with pytest.raises(helios.QueryError, match="give the vector of your question yourself"):
        helios.open(with_vectors(tmp_path / "other")).search("tea", kind="hybrid")


def test_a_folder_that_cannot_be_indexed_is_searched_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def refuse(_: object) -> None:
        raise helios.StoreError("the disk is full")

    monkeypatch.setattr("helios.search.run.refresh", refuse)
    assert "tea" in paths(helios.open(folder).search("green tea", watch=said.append))
    assert said == [
        "indexing 5 pages",
        "the index could not be brought up to date (the disk is full); searching without",
    ]


def test_one_process_at_a_time_makes_the_index(folder: Path) -> None:
    with alone(existing(folder)) as first, alone(existing(folder)) as second:
        assert (first, second) == (True, False)
        assert "tea" in paths(helios.open(folder).search("green tea"))
        assert lance.dataset(folder / "pages.lance").describe_indices() == []


def test_the_command_shows_hits_and_speaks_json(folder: Path) -> None:
    result = CliRunner().invoke(main, ["search", str(folder), "green", "tea", "--language", "en"])
    assert result.exit_code == 0, result.output
    for word in ("1  Green tea", "http://one.test/tea", "How to brew green tea", "2 of 5 pages, keyword"):
        assert word in result.output
    found = json.loads(CliRunner().invoke(main, ["search", str(folder), '"tea garden"', "--json"]).stdout)
    assert [hit["url"] for hit in found["hits"]] == ["http://one.test/garden"]
    assert "nothing found in 5 pages" in CliRunner().invoke(main, ["search", str(folder), "xyzzy"]).output
    assert "5 of 5 pages are indexed" in CliRunner().invoke(main, ["search", str(folder), "--index"]).output
    index = CliRunner().invoke(main, ["search", str(folder), "--index", "--json"])
    assert json.loads(index.stdout) == {"rows": 5, "indexed": 5}


def test_what_hinders_an_index_is_told_whatever_folders_are_called(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise helios.StoreError("storing pages in [/red]m failed")

    monkeypatch.setattr("helios.search.run.refresh", refuse)
    result = CliRunner().invoke(main, ["search", str(folder), "green", "tea"])
    assert result.exit_code == 0, result.exception
    assert "1  Green tea" in result.stdout


@pytest.mark.parametrize("words", [[], [" "], ["-tea"], ["!!"]])
def test_a_question_without_a_word_is_said(folder: Path, words: list[str]) -> None:
    result = CliRunner().invoke(main, ["search", str(folder), "--", *words])
    assert "has no word to look for" in result.stderr
    assert result.exit_code == 2


TYPED: list[tuple[str, Words]] = [
    ("green tea", Words(any=("green", "tea"))),
    ('"green  tea" pot', Words(phrases=("green tea",), any=("pot",))),
    ('+a -b "c', Words(all=("a",), none=("b",), any=("c",))),
    ("e-mail C++", Words(any=("e-mail", "C++"))),
    ('-"not this" that', Words(none=("not this",), any=("that",))),
]


@pytest.mark.parametrize(("typed", "words"), TYPED, ids=[typed for typed, _ in TYPED])
def test_a_question_is_taken_apart(typed: str, words: Words) -> None:
    assert parse(typed) == words


SNIPPETS: list[tuple[str, list[str], str | None]] = [
    ("a Tea b", ["tea"], "a <Tea> b"),
    ("teapot, tea", ["tea"], "teapot, <tea>"),
    ("one " * 100 + "green tea here", ["tea"], None),
    ("tea " + "word " * 100 + "green pot tea", ["green", "tea"], None),
    ("x" * 500 + " tea", ["tea"], None),
    ("CAFÉ straße", ["cafe", "STRASSE"], "<CAFÉ> <straße>"),
    ("東京都に住む", ["東京"], "<東京>都に住む"),
    ("line\n\none  two", ["none"], "line one two"),
    ("", ["tea"], ""),
    ("green, tea", ["green tea"], "<green, tea>"),
]


@pytest.mark.parametrize(("text", "terms", "marked"), SNIPPETS)
def test_a_snippet_shows_the_words_where_most_of_them_are(text: str, terms: list[str], marked: str | None) -> None:
    made = snippet(text, terms)
    assert len(made.text) <= 230
    if marked is None:
        assert "<tea>" in made.marked("<", ">")
        assert made.text.startswith("… ")
    else:
        assert made.marked("<", ">") == marked


def test_fusing_prefers_what_both_rankings_have() -> None:
    assert [key for key, _ in fused(["a", "b", "c"], ["d", "c"])] == ["c", "a", "d", "b"]
