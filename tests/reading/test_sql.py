"""`helios sql`: DuckDB over the page table, and nothing but that."""

import datetime
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from reading.rows import START, page, store

pytest.importorskip("duckdb", reason="duckdb is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        page("a", words=10, language="de", authors=["Ann"]),
        page("b", words=20, status=404),
        page("c", words=30, site="two.test", fetched_at=START + datetime.timedelta(hours=1)),
    ]
    return store(tmp_path_factory.mktemp("sql") / "crawl", rows)


def run(folder: Path, *words: str) -> Any:  # noqa: ANN401  # click's result
    return CliRunner().invoke(main, ["sql", str(folder), *words])


ANSWERS: list[tuple[str, list[dict[str, object]]]] = [
    (
        "select site, count(*) n from pages group by site order by n desc",
        [{"site": "one.test", "n": 2}, {"site": "two.test", "n": 1}],
    ),
    ("select words from pages where status = 404", [{"words": 20}]),
    ("select words from pages where status <> 404 and language = 'de'", [{"words": 10}]),
    ("select words from pages where fetched_at > timestamptz '2026-11-15 00:30+00'", [{"words": 30}]),
    (
        "select words from pages where words between 15 and 25 or title = 'Page a' order by 1",
        [{"words": 10}, {"words": 20}],
    ),
    ("select authors[1] as author from pages where len(authors) > 0", [{"author": "Ann"}]),
    ("select title from pages where url like '%/c'", [{"title": "Page c"}]),
    (
        "select a.title from pages a join pages b on a.site = b.site where b.status = 404 and a.words = 10",
        [{"title": "Page a"}],
    ),
]


@pytest.mark.parametrize(("question", "rows"), ANSWERS, ids=[question for question, _ in ANSWERS])
def test_questions_are_answered(folder: Path, question: str, rows: list[dict[str, object]]) -> None:
    with helios.open(folder).sql(question) as reader:
        assert reader.read_all().to_pylist() == rows
    result = run(folder, question, "--json")
    assert [json.loads(line) for line in result.stdout.splitlines()] == rows


def test_an_answer_is_a_table_or_csv(folder: Path) -> None:
    question = "select url, words from pages order by words"
    shown = run(folder, question, "-n", "2")
    assert [line.split() for line in shown.stdout.splitlines()] == [
        ["url", "words"],
        ["http://one.test/a", "10"],
        ["http://one.test/b", "20"],
    ]
    assert "the first 2 rows" in shown.stderr
    assert run(folder, question, "--csv").stdout.splitlines()[1] == '"http://one.test/a",10'


WRONG: list[tuple[list[str], str]] = [
    (["selec 1"], 'DuckDB: Parser Error: syntax error at or near "selec"'),
    (["select nothing from pages"], 'DuckDB: Binder Error: Referenced column "nothing" not found'),
    (["set threads = 1; reset threads"], "configuration has been locked"),
    ([""], "that gives no rows; ask with select"),
    (["select 1", "--json", "--csv"], "give --json or --csv, not both"),
    (["copy pages to 'out.csv'"], "file system operations are disabled"),
    (["select * from read_text('/etc/hostname')"], "file system operations are disabled"),
    (["attach 'other.db'"], "file system operations are disabled"),
    (["set memory_limit = '10GB'"], "the configuration has been locked"),
    (["delete from pages"], "DuckDB:"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[words[0] for words, _ in WRONG])
def test_what_cannot_be_asked_is_said(folder: Path, words: list[str], says: str) -> None:
    result = run(folder, *words)
    assert says in result.stderr
    assert result.exit_code == 2
    assert helios.open(folder).pages().count() == 3


def test_without_duckdb_the_way_to_get_it_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "pip install 'helios-crawler[sql]'" in run(folder, "select 1").stderr
