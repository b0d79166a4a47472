"""docs/commands.md names every command, its examples run, and its table of exit codes is the one that programs see."""

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import helios
from crawl.steering import crawling, until
from helios import errors
from helios.cli import main
from helios.cli.group import COMMANDS, EXIT_CODES, FAILED, USAGE, Plain
from sites import Site, served

COMMAND = re.compile(r"^    (helios [a-z].*)$", re.MULTILINE)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
CODE = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
RUNNING = "## While it runs"


@pytest.fixture
def site() -> Iterator[Site]:
    words = "The river runs under the silver bridge and through the forest. " * 5
    pages = {f"/{number}": f'<p>{words}<a href="/{number + 1}">next</a>' for number in range(1_000)}
    with served({"/": f'<p>{words}<a href="/0">first</a>', "/more": "more", "/new": "new", **pages}) as site:
        yield site


@pytest.fixture
def sections(root: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The document, cut at its headings, with the addresses of a site that is there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds.txt").write_text(site.at("/more") + "\n")
    text = (root / "docs" / "commands.md").read_text(encoding="utf-8").replace("https://example.org", site.url)
    return re.split(r"^(?=## )", text, flags=re.MULTILINE)


def run(command: str) -> Result:
    words = shlex.split(command)[1:]
    quick = ["--allow-loopback", "--delay", "0s", "--max-pages", "20"] if words[0] == "crawl" else []
    limit = ["--max-pages", "30"] if words[0] == "resume" and not helios.open(words[1]).running else []
    result = CliRunner().invoke(main, [*words, *quick, *limit])
    assert result.exit_code == 0, f"{command}\n{result.output}"
    return result


@pytest.mark.timeout(60)
def test_every_command_of_the_docs_runs(sections: list[str]) -> None:
    commands = [command for part in sections if not part.startswith(RUNNING) for command in COMMAND.findall(part)]
    assert len(commands) >= 15
    for command in commands:
        if not command.startswith("helios sql") or find_spec("duckdb"):
            run(command)


def test_every_command_for_a_running_crawl_runs_beside_one(sections: list[str], site: Site) -> None:
    (part,) = [part for part in sections if part.startswith(RUNNING)]
    commands = COMMAND.findall(part)
    assert len(commands) >= 6
    with crawling(site, Path("example"), delay_ms=30, visit_urls=1) as crawl:
        until(lambda: helios.open("example").status().pages > 0)
        for command in commands:
            assert run(command).output, command
        assert crawl.ended().ended == "interrupted"
    (example,) = PYTHON.findall(part)
    exec(example, {})  # noqa: S102  # our own docs


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
