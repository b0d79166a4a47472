"""docs/commands.md names every command, its examples run, and its table of exit codes is the one that programs see."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import helios
from crawl.steering import crawling, until
from docs.example import everything
from docs.reader import Reader
from docs.steps import Step, helios_commands, steps
from helios import errors
from helios.cli.group import COMMANDS, EXIT_CODES, FAILED, USAGE, Plain
from sites import Site, served

CODE = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
RUNNING = "## While it runs"


@pytest.fixture
def site() -> Iterator[Site]:
    with served(everything()) as site:
        yield site


@pytest.fixture
def reader(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    (tmp_path / "seeds.txt").write_text(site.at("/more") + "\n")
    reader = Reader(site, tmp_path, monkeypatch)
    yield reader
    reader.close()


@pytest.fixture
def parts(root: Path) -> tuple[list[Step], list[Step]]:
    """What to do while no crawl runs, and while one does."""
    sections = re.split(r"^(?=## )", (root / "docs" / "commands.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    (running,) = [part for part in sections if part.startswith(RUNNING)]
    return list(helios_commands("".join(part for part in sections if part != running))), list(steps(running))


@pytest.mark.timeout(60)
def test_every_command_of_the_docs_runs(parts: tuple[list[Step], list[Step]], reader: Reader) -> None:
    assert len(parts[0]) >= 15
    for step in parts[0]:
        reader.do(step)


def test_every_step_for_a_running_crawl_can_be_done_beside_one(
    parts: tuple[list[Step], list[Step]], reader: Reader, site: Site
) -> None:
    *commands, program = parts[1]
    assert len(commands) >= 6
    site.pages.update({f"/{number}": f'<a href="/{number + 1}">next</a>' for number in range(1_000)})
    site.pages["/"] = site.pages["/0"]
    with crawling(site, Path("example"), delay_ms=30, visit_urls=1) as crawl:
        until(lambda: helios.open("example").status().pages > 0)
        for command in commands:
            reader.do(command)
        assert crawl.ended().ended == "interrupted"
    assert all(reader.said)
    reader.do(program)


def test_every_command_is_named(root: Path) -> None:
    text = (root / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"helios {name}" not in text and f"`{name}`" not in text] == []


def test_the_table_of_exit_codes_has_all_of_them(root: Path) -> None:
    text = (root / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [int(code) for code, _ in CODE.findall(text)] == list(EXIT_CODES)


def test_every_error_has_the_code_that_the_table_gives_its_kind() -> None:
    not_begun = {"SettingsError", "SeedError", "FolderError", "UrlError", "QueryError"}
    for name in errors.__all__:
        expected = USAGE if name in not_begun else FAILED
        assert Plain(getattr(errors, name)("why")).exit_code == expected, name
