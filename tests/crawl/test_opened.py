"""A crawl's folder, read."""

import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.folder import create
from helios.settings import load
from helios.stores import open_store

WHEN = datetime.datetime(2026, 11, 15, tzinfo=datetime.UTC)


def rows(count: int) -> pa.Table:
    return pa.table(
        {
            "url": [f"http://one.test/{number}" for number in range(count)],
            "site": ["one.test" if number % 3 else "two.test" for number in range(count)],
            "status": pa.array([200] * count, pa.uint16()),
            "content_type": ["text/html"] * count,
            "title": [f"Page {number} [/bold]" for number in range(count)],
            "text": pa.array(["word " * 10] * count, pa.large_string()),
            "fetched_at": pa.array([WHEN] * count, pa.timestamp("ms", "UTC")),
            "depth": pa.array([1] * count, pa.uint32()),
            "bytes": pa.array([1000] * count, pa.uint64()),
        }
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    settings = load()
    store = open_store(create(tmp_path / "crawl", settings), settings.store)
    name = store.stage(rows(30))
    assert name is not None
    store.publish([name])
    return tmp_path / "crawl"


def test_an_open_crawl_shows_how_it_was_opened(folder: Path) -> None:
    assert repr(helios.open(folder)) == f"helios.open({str(folder)!r})"


def test_pages_come_as_a_table(folder: Path) -> None:
    table = helios.open(folder).pages().read_all()
    assert table.num_rows == 30
    assert helios.open(str(folder)).pages(["url"]).read_all().schema.names == ["url"]


def test_stats_count_by_site_status_and_type(folder: Path) -> None:
    stats = helios.open(folder).stats()
    assert (stats.pages, stats.bytes, stats.words, stats.sites) == (30, 30_000, 0, 2)
    assert stats.by_site == [("one.test", 20), ("two.test", 10)]
    assert stats.by_status == [("200", 30)]
    assert stats.titles[0] == ("Page 0 [/bold]", "http://one.test/0")
    assert len(stats.titles) == 10


def test_the_stats_command_shows_them(folder: Path) -> None:
    result = CliRunner().invoke(main, ["stats", str(folder)])
    assert result.exit_code == 0, result.output
    for word in ("30 pages of 2 sites", "one.test", "text/html", "Page 0 [/bold]", "30.0 kB received"):
        assert word in result.output


def test_the_show_command_shows_a_page(folder: Path) -> None:
    result = CliRunner().invoke(main, ["show", str(folder), "HTTP://one.test/7"])
    assert result.exit_code == 0, result.output
    for word in ("http://one.test/7", "Page 7", "2026-11-15 00:00:00", "word word"):
        assert word in result.output


def test_a_page_that_is_not_there_is_said(folder: Path) -> None:
    result = CliRunner().invoke(main, ["show", str(folder), "http://one.test/none"])
    assert result.exit_code == 2
    assert "http://one.test/none is not in" in result.stderr


def test_a_crawl_without_pages_is_said(tmp_path: Path) -> None:
    create(tmp_path, load())
    result = CliRunner().invoke(main, ["stats", str(tmp_path)])
    assert result.exit_code == 1
    assert "has no pages yet" in result.stderr
    assert helios.open(tmp_path).page("http://one.test/") is None
    assert helios.open(tmp_path).pages().read_all().num_rows == 0


def test_both_commands_speak_json(folder: Path) -> None:
    for words in (["stats", str(folder), "--json"], ["show", str(folder), "http://one.test/1", "--json"]):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0
        assert result.output.startswith("{")


def test_dead_letters_that_cannot_be_counted_or_chosen_so_are_said(folder: Path) -> None:
    crawl = helios.open(folder)
    for limit in (-1, "5"):
        with pytest.raises(helios.QueryError, match=f"limit={limit!r} does not do: give a whole number, 0 or more"):
            crawl.dead_letters(limit)  # type: ignore[arg-type]  # that is what is said
    with pytest.raises(helios.QueryError, match="site=5 does not do: give a text"):
        crawl.replay(site=5)  # type: ignore[arg-type]  # same
