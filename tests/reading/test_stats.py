"""`helios stats` and `helios show`: the whole table counted, one page shown."""

import datetime
import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from rich.console import Console

import helios
from helios.cli import main
from helios.cli.plots import bar, sparkline
from helios.cli.stats import show
from helios.reading.counts import Bins, Counts
from reading.rows import START, page, store

LATER = START + datetime.timedelta(minutes=10)
HOSTILE = "\x1b[2J\x07red \u202eevil"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    facts = json.dumps({"headings": [[1, "Top"], *([2, f"Part {n}"] for n in range(20))], "open_graph": {"og:a": "b"}})
    rows = [
        page("hostile", title=HOSTILE, text=HOSTILE, content_type="Text/HTML; charset=x", duplicate_of="1"),
        *(
            page(f"{n}", site=f"site{n % 3}.test", bytes=1 << n, words=n, language="de" if n % 2 else "en")
            for n in range(12)
        ),
        page("twice", facts=facts, authors=["Ann", "Bo"]),
    ]
    again = page("twice", facts=facts, authors=["Ann", "Bo"], fetched_at=LATER, title="Newer", language="")
    return store(tmp_path_factory.mktemp("stats") / "crawl", rows, [again])


def run(*words: object) -> Any:  # noqa: ANN401  # click's result
    result = CliRunner().invoke(main, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result


def test_everything_is_counted(folder: Path) -> None:
    stats = helios.open(folder).stats()
    assert (stats.pages, stats.bytes, stats.sites, stats.duplicates) == (15, 4_095 + 3_000, 4, 1)
    assert stats.by_site[0] == ("site0.test", 4)
    assert stats.by_type == [("text/html", 15)]
    assert stats.by_language == [("en", 8), ("de", 6), ("", 1)]
    assert dict(stats.by_size)[1_024] == 1 + 3  # 512, and the three of 1,000
    assert (stats.first, len(stats.over_time), sum(count for _, count in stats.over_time)) == (START, 55, 15)


def test_the_summary_fits_a_terminal(folder: Path) -> None:
    shown = run("stats", folder).output
    for word in ("15 pages of 4 sites", "pages over time", "site0.test", "█", "under 1 KiB", "1 near-duplicate"):
        assert word in shown
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert json.loads(run("stats", folder, "--json").output)["pages"] == 15


@pytest.mark.parametrize("width", [36, 60, 80, 120])
def test_no_number_is_cut_off_however_narrow_the_terminal(folder: Path, width: int) -> None:
    text = io.StringIO()
    show(helios.open(folder).stats(), Console(file=text, width=width, color_system=None))
    lines = text.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width
    assert len([line for line in lines if line.rstrip().endswith("%")]) >= 15
    assert any(re.search(r"^200 .*█ +15 100 %", line) for line in lines)


def test_a_terminal_of_no_columns_is_one_whose_width_is_not_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = run("stats", folder).output
    monkeypatch.setenv("COLUMNS", "0")
    monkeypatch.setenv("LINES", "0")
    assert run("stats", folder).output == usual
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(cell_len, run("stats", folder).output.splitlines()[:-2])) <= 40


def test_a_page_is_shown_with_its_newest_facts(folder: Path) -> None:
    shown = run("show", folder, "http://one.test/twice").output
    for word in (
        "Newer",
        "Ann, Bo",
        "2 times: 2026-11-15 00:00, 2026-11-15 00:10",
        "  Top",
        "and 9 more",
        "open_graph",
    ):
        assert word in shown
    assert shown.endswith("The text of twice.\n")
    row = json.loads(run("show", folder, "http://one.test/twice", "--json").output)
    assert row["facts"]["headings"][0] == [1, "Top"]
    assert run("show", folder, "http://one.test/twice", "--markdown").output == "# Page twice\n\nThe text of twice.\n\n"


@pytest.mark.parametrize("words", [["show", "http://one.test/hostile"], ["stats"], ["search", "red"]])
def test_a_page_gives_the_terminal_no_orders(folder: Path, words: list[str]) -> None:
    shown = run(words[0], folder, *words[1:]).output
    assert "red evil" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_a_command_in_a_hint_can_be_typed_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["helios"])
    odd = store(tmp_path / "my crawl's [x]", [page("a", text="green tea")])
    show_url = ["helios", "show", str(odd), "URL"]
    assert shlex.split(run("stats", odd).output.splitlines()[-1].removeprefix("one page: ")) == show_url
    assert shlex.split(run("search", odd, "tea").output.splitlines()[-1].partition("one of them: ")[2]) == show_url
    missed = CliRunner().invoke(main, ["show", str(odd), "http://one.test/b?c=d&e"]).stderr
    why, _, stats = missed.partition("; ")[2].partition(" tells why, ")
    assert shlex.split(why) == ["helios", "why", str(odd), "http://one.test/b?c=d&e"]
    assert shlex.split(stats.strip().removesuffix(" what is")) == ["helios", "stats", str(odd)]


LONG = "http://one.test/" + "way/" * 40


def test_a_url_is_one_word_however_long_where_no_terminal_shows_it(tmp_path: Path) -> None:
    other = LONG.replace("one", "two")
    row = page("", url=LONG, text=f"tea {'word ' * 30}{other}", authors=[other], site="one.test")
    folder = store(tmp_path / "crawl", [row])
    assert LONG in run("search", folder, "tea").output.split()
    shown = run("show", folder, LONG).output
    assert LONG in shown.split()
    assert re.search(rf"^authors +{re.escape(other)}$", shown, re.MULTILINE)
    assert shown.endswith(f"{row['text']}\n")
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_counts_keep_the_frequent_values_when_there_are_too_many() -> None:
    counts = Counts(values=100)
    for number in range(1_000):
        counts.add({f"rare{number}": 1, "often": 2})
    assert counts.most(1) == [("often", 2_000)]
    assert len(counts) >= 1_000
    assert len(counts._counts) <= 100


def test_intervals_widen_when_there_are_too_many() -> None:
    bins = Bins(1)
    for value in range(0, 1_000_000, 100):
        bins.add({value: 1})
    columns = bins.columns(10)
    assert len(columns) == 10
    assert sum(count for _, count in columns) == 10_000
    assert bins.columns(1_000_000)[0][0] == 0
    assert Bins(1).columns(10) == []


def test_plots_show_what_is_there() -> None:
    assert sparkline([0, 1, 100, 50]) == " ▁█▄"
    assert sparkline([]) == ""
    assert [bar(share, 4) for share in (0, 0.001, 0.5, 1)] == ["", "▏", "██", "████"]
