"""`helios sql`: DuckDB over the page table, and nothing but that."""

import datetime
import json
import re
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


def told(folder: Path, question: str) -> tuple[list[list[str]], list[dict[str, Any]], str]:
    """One answer in all forms: the cells of the table (two spaces between them), the JSON objects, the CSV."""
    shown, as_json, as_csv = (run(folder, question, *words) for words in ([], ["--json"], ["--csv"]))
    assert [result.exit_code for result in (shown, as_json, as_csv)] == [0, 0, 0]
    cells = [re.split(" {2,}", line.strip()) for line in shown.stdout.splitlines()]
    return cells, [json.loads(line) for line in as_json.stdout.splitlines()], as_csv.stdout


def test_columns_of_one_name_keep_their_own_values(folder: Path) -> None:
    cells, rows, as_csv = told(folder, "select 1 as a, 2 as a, 3 as a_2, 4 as a")
    assert [" ".join(line).split() for line in cells] == [["a", "a", "a_2", "a"], ["1", "2", "3", "4"]]
    assert rows == [{"a": 1, "a_3": 2, "a_2": 3, "a_4": 4}]
    assert as_csv == '"a","a","a_2","a"\n1,2,3,4\n'
    assert told(folder, "select 1 as a, 2 as a")[1] == [{"a": 1, "a_2": 2}]


TOLD: list[tuple[str, str, object, str]] = [  # expression, in the table, as JSON, as CSV
    ("sum(words)", "60", 60, "60"),
    ("170141183460469231731687303715884105727::hugeint", str(2**127 - 1), 2**127 - 1, str(2**127 - 1)),
    ("5::decimal(10, 0)", "5", 5, "5"),
    ("sum(words / 8.0)::decimal(12, 2)", "7.50", 7.5, "7.50"),
    ("0.1::decimal(38, 30)", f"0.1{'0' * 29}", 0.1, f"0.1{'0' * 29}"),
    ("12345678901234567.5::decimal(38, 1)", "12345678901234567.5", "12345678901234567.5", "12345678901234567.5"),
    ("date '2026-11-15'", "2026-11-15", "2026-11-15", "2026-11-15"),
    ("time '08:30:01'", "08:30:01", "08:30:01", "08:30:01.000000"),
    ("max(fetched_at) - min(fetched_at)", "01:00:00", "01:00:00", '"01:00:00"'),
    ("interval '-14 months'", "-1 year -2 months", "-1 year -2 months", '"-1 year -2 months"'),
    ("[1.5, 2::decimal(2, 1)]", "[1.5,2.0]", [1.5, 2], '"[1.5,2.0]"'),
    ("{'took': interval 90 second}", '{"took":"00:01:30"}', {"took": "00:01:30"}, '"{""took"":""00:01:30""}"'),
    ("date '20000-01-01'", "20000-01-01", "20000-01-01", "20000-01-01"),
    (
        "timestamp_ns '2026-11-15 08:30:00.123456789'",
        "2026-11-15T08:30:00.123456789",
        "2026-11-15T08:30:00.123456789",
        "2026-11-15 08:30:00.123456789",
    ),
    ("'no JSON' as facts, 1", "no JSON  1", "no JSON", '"no JSON",1'),
]


@pytest.mark.parametrize(("asked", "shown", "as_json", "as_csv"), TOLD, ids=[asked for asked, *_ in TOLD])
def test_numbers_are_numbers_and_times_can_be_read(
    folder: Path, asked: str, shown: str, as_json: object, as_csv: str
) -> None:
    cells, rows, written = told(folder, f"select {asked} from pages limit 1")  # noqa: S608  # ours
    assert "  ".join(cells[1]) == shown
    (first, *_) = rows[0].values()
    assert (first, type(first)) == (as_json, type(as_json))
    assert written.splitlines()[1] == as_csv


@pytest.mark.parametrize(
    "said", ["1 year 1 month 1 day", "100 hours", "0 days", "-1.5 seconds", "-1 month 3 days 1 microsecond"]
)
def test_an_interval_is_written_as_duckdb_writes_it(folder: Path, said: str) -> None:
    (row,) = told(folder, f"select interval '{said}' as ours, ours::varchar as theirs")[1]
    assert row["ours"] == row["theirs"]


def test_a_time_deep_in_a_value_that_cannot_be_shown_is_said(folder: Path) -> None:
    result = run(folder, "select [date '20000-01-01'] as days", "--json")
    assert "days holds a time that cannot be shown; ask for days::varchar" in result.stderr
    assert result.exit_code == 2


def test_a_url_is_one_word_however_long_where_no_terminal_shows_it(folder: Path) -> None:
    url = "http://one.test/" + "way/" * 40
    shown = run(folder, f"select '{url}' as url, 'x' as y union all select 'b', '{url}'").stdout
    assert [line.split() for line in shown.splitlines()] == [["url", "y"], [url, "x"], ["b", url]]


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
