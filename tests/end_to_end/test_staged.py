"""`helios stats` of a crawl that was killed: rows that are stored and not visible, and what becomes of them."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import helios
from end_to_end.kills import helios_process
from helios.cli import main
from helios.cli.words import helios as command
from helios.clock import SystemClock
from helios.folder import existing
from helios.settings import load, to_toml
from helios.stages import open_frontier
from sites import Site, served

PAGES = 40
LATER_MS = 10_000_000  # nothing is published before the end


@pytest.fixture
def site() -> Iterator[Site]:
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(1, PAGES))
    pages = {f"/{number}": f"<p>There is a page {number}.</p>" for number in range(1, PAGES)}
    with served({"/": links, **pages}) as site:
        yield site


def killed(site: Site, out: Path, fault: str, publish_ms: int = LATER_MS) -> None:
    """A crawl that dies there."""
    config = out.with_suffix(".toml")
    settings = site.settings(publish_ms=publish_ms, batch_pages=4, visit_urls=4)
    config.write_text(to_toml(load(None, **settings)))
    process = helios_process("crawl", site.at("/"), "--config", str(config), "--out", str(out), fault=fault)
    said, wrong = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, (said + wrong).decode()


def settled(out: Path) -> list[str]:
    """Names that the frontier will have published."""
    folder = existing(out)
    frontier = open_frontier(folder.settings(), folder, SystemClock())
    try:
        return list(frontier.staged())
    finally:
        frontier.close()


def published(out: Path) -> int:
    """Rows, after a run that only publishes: the crawl has the pages that it may have."""
    helios.resume(out, max_pages=1)
    return helios.open(out).stats().pages


@pytest.mark.parametrize(
    ("fault", "is_settled"), [("stage.listed:3", False), ("settle.settled:3", True), ("publish.read:1", True)]
)
def test_rows_that_a_killed_crawl_stored_are_told_and_become_visible(
    site: Site, tmp_path: Path, fault: str, is_settled: bool
) -> None:
    out = tmp_path / "out"
    killed(site, out, fault, 0 if fault.startswith("publish") else LATER_MS)
    before = helios.open(out).stats()
    assert before.pages == 0
    assert before.staged >= before.unsettled > 0
    lists = sorted(path.stem for path in (out / "staged").glob("*.json"))
    assert settled(out) == (lists if is_settled else lists[:-1]), "all but the last are settled for certain"
    lost = 0 if is_settled else before.unsettled
    assert published(out) == before.staged - lost
    assert (helios.open(out).stats().staged, helios.open(out).stats().unsettled) == (0, 0)


@pytest.mark.parametrize("fault", ["publish.committed:2", "publish.marked:2", "publish.forgotten:2"])
def test_rows_that_are_visible_already_are_not_told_again(site: Site, tmp_path: Path, fault: str) -> None:
    killed(site, tmp_path / "out", fault, publish_ms=0)
    stats = helios.open(tmp_path / "out").stats()
    assert stats.pages > 0
    assert stats.staged == 0
    assert published(tmp_path / "out") == stats.pages


def test_the_command_says_so_and_leaves_the_folder_as_it_is(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    killed(site, out, "settle.settled:3")
    before = {path: path.stat() for path in out.rglob("*")}
    told = json.loads(CliRunner().invoke(main, ["stats", str(out), "--json"]).stdout)
    shown = CliRunner().invoke(main, ["stats", str(out)]).stdout
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == {
        path: stat.st_mtime_ns for path, stat in before.items()
    }
    certain = f"{told['staged']} more rows are stored and become visible when the crawl goes on"
    assert f"{certain}, or of the last {told['unsettled']} be fetched again: {command('resume', out)}\n" in shown


def test_the_only_batch_of_a_killed_crawl_is_not_promised(site: Site, tmp_path: Path) -> None:
    killed(site, tmp_path / "out", "stage.listed:1")
    shown = CliRunner().invoke(main, ["stats", str(tmp_path / "out")]).stdout
    assert "1 more row may become visible when the crawl goes on, or be fetched again: " in shown
