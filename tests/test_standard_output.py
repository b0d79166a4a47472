"""Standard output: one that cannot be written is said, a terminal is given no orders, programs get every byte."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from helios.cli import main
from helios.control.status import Status
from helios.crawl.letters import Letter
from helios.crawl.opened import Crawl
from reading.rows import page, store
from sites import served

ORDERS = "\x1bred\x9b]52;\u202eround\x07\x7f"  # to a terminal


def helios(*words: object, **options: Any) -> "subprocess.CompletedProcess[bytes]":  # noqa: ANN401  # as `run` takes them
    command = [sys.executable, "-m", "helios", *map(str, words)]
    return subprocess.run(command, stderr=subprocess.PIPE, timeout=60, check=False, **options)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [page("a", title="Tee für alle: 茶"), page("b", title=ORDERS, site="two.test")]
    return store(tmp_path_factory.mktemp("crawled") / "crawl", pages)


OUTPUTS: list[list[str]] = [
    ["--help"],
    ["crawl", "--help"],
    ["--version"],
    ["stats", "CRAWL"],
    ["stats", "CRAWL", "--json"],
    ["search", "CRAWL", "page"],
    ["show", "CRAWL", "http://one.test/a", "--text"],
    ["export", "CRAWL", "-o", "-", "--format", "csv"],
    ["export", "CRAWL", "-o", "-", "--format", "jsonl"],
    ["export", "CRAWL", "-o", "-", "--format", "parquet"],
    ["completion", "bash"],
    ["config", "init", "-"],
]


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_standard_output_that_cannot_be_written_is_said_with_code_1(
    crawled: Path, words: list[str], unbuffered: str
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        result = helios(*(crawled if word == "CRAWL" else word for word in words), stdout=full, env=environment)
    assert result.stderr == b"helios: standard output cannot be written: No space left on device\n"
    assert result.returncode == 1


def closed(*words: object, number: int = 1, here: Path | None = None) -> "subprocess.CompletedProcess[bytes]":
    """As from a shell that closes one of the files that a program starts with."""
    shell = ["sh", "-c", f'exec "$@" {number}>&-', "sh", sys.executable, *map(str, words)]
    return subprocess.run(shell, cwd=here, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_standard_output_that_is_closed_is_said_with_code_1(crawled: Path, words: list[str]) -> None:
    result = closed("-m", "helios", *(crawled if word == "CRAWL" else word for word in words))
    assert result.stderr.startswith(b"helios: standard output cannot be written: it is closed")
    assert result.stderr.count(b"\n") == 1
    assert result.returncode == 1


def test_a_command_with_nothing_to_print_does_not_need_standard_output(crawled: Path) -> None:
    words = ("stop", crawled)
    assert closed("-m", "helios", *words).stderr == helios(*words).stderr != b""


def test_a_crawl_whose_summary_nobody_hears_did_not_fail(tmp_path: Path) -> None:
    with served({"/": "one"}) as site:
        words = ("crawl", site.at("/"), "--allow-loopback", "--out", "new")
        assert closed("-m", "helios", *words, here=tmp_path).returncode == 0


def test_output_that_is_not_to_be_buffered_is_not() -> None:
    program = (
        "import os\n"
        "from helios.cli.standard import standard_output\n"
        "with standard_output():\n"
        "    print('heard')\n"
        "    os._exit(0)\n"  # nothing is flushed
    )
    done = subprocess.run([sys.executable, "-u", "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "heard\n"


def test_pages_for_a_standard_output_that_is_closed_are_not_even_asked_for(tmp_path: Path) -> None:
    words = ("crawl", "http://127.0.0.1:9/", "--allow-loopback", "--jsonl", "-", "--out", "new")
    result = closed("-m", "helios", *words, here=tmp_path)
    assert result.stderr == (b"helios: pages cannot be written to standard output: it is closed, or takes no bytes\n")
    assert result.returncode == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_file_takes_the_number_of_one_that_is_closed(tmp_path: Path, number: int) -> None:
    program = (
        "from helios.cli.standard import standard_output\n"
        "with standard_output(), open('opened', 'w') as file:\n"
        "    file.write(str(file.fileno()))\n"
    )
    assert closed("-c", program, number=number, here=tmp_path).returncode == 0
    assert int((tmp_path / "opened").read_text()) > 2


def test_a_pipe_that_nobody_reads_ends_a_command_quietly(crawled: Path) -> None:
    for words in (["stats", crawled], ["stats", crawled, "--json"], ["export", crawled, "-o", "-", "--format", "csv"]):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            result = helios(*words, stdout=pipe)
        assert (result.returncode, result.stderr) == (1, b""), words


def test_a_terminal_that_lacks_a_letter_is_shown_its_number(crawled: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "COLUMNS": "200"}
    result = helios("stats", crawled, stdout=subprocess.PIPE, env=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"Tee f\xfcr alle: \u8336" in result.stdout


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_forms_for_programs_are_utf_8_whatever_the_terminal_speaks(crawled: Path, kind: str) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = helios("export", crawled, "-o", "-", "--format", kind, stdout=subprocess.PIPE, env=environment)
    assert "Tee für alle: 茶".encode() in result.stdout


FORMS: list[list[object]] = [
    ["export", "-o", "-", "--format", "csv", "--site", "two.test"],
    ["export", "-o", "-", "--format", "jsonl", "--site", "two.test"],
    ["sql", "select title from pages where site = 'two.test'", "--csv"],
    ["sql", "select title from pages where site = 'two.test'", "--json"],
    ["search", "--json", "text"],
    ["show", "--json", "http://two.test/b"],
    ["stats", "--json"],
]


@pytest.mark.parametrize("words", FORMS, ids=lambda words: " ".join(map(str, words)))
def test_a_terminal_is_given_no_orders_and_a_pipe_all_that_the_page_says(crawled: Path, words: list[str]) -> None:
    if words[0] == "sql":
        pytest.importorskip("duckdb", reason="DuckDB is not installed")
    command, *more = words
    reading, writing = pty.openpty()
    with os.fdopen(writing, "wb") as terminal:
        assert helios(command, crawled, *more, stdout=terminal).returncode == 0
        shown = os.read(reading, 100_000).decode()
    os.close(reading)
    piped = helios(command, crawled, *more, stdout=subprocess.PIPE).stdout.decode()
    assert "red]52;round" in shown.replace("\\u001b", "").replace("\\u0007", "")  # as JSON has them
    assert not set("\x1b\x9b\u202e\x07\x7f") & set(shown)
    assert {"\x9b", "\u202e", "\x7f"} <= set(piped)


WHY: dict[str, object] = {
    "url": "http://one.test/",
    "state": "dead",
    "because": f"answered {ORDERS}",
    "robots": "allowed",
    "depth": 0,
    "via": None,
    "tier": None,
    "next": None,
    "fetches": 0,
    "site": None,
    "failures": [(0, "timeout", f"first {ORDERS}")],
    "history": [(0, "seen", f"then {ORDERS}")],
}


@pytest.fixture
def told(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crawl whose frontier has heard what a terminal would obey."""
    monkeypatch.setattr(Crawl, "why", lambda *_: WHY)
    monkeypatch.setattr(Crawl, "status", lambda _: Status(out=ORDERS, state="stopped"))
    monkeypatch.setattr(Crawl, "each_dead_letter", lambda _: iter([Letter("http://one.test/", ORDERS, 3)]))
    return crawled


@pytest.mark.parametrize(
    "words", [["why", "CRAWL", "http://one.test/"], ["status", "CRAWL"], ["dead", "list", "CRAWL"]], ids=" ".join
)
def test_json_from_the_frontier_gives_a_terminal_no_orders_either(
    told: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = [str(told) if word == "CRAWL" else word for word in [*words, "--json"]]
    assert {"\x9b", "\u202e", "\x7f"} <= set(CliRunner().invoke(main, typed).stdout)
    reading, writing = pty.openpty()
    with os.fdopen(writing, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        main(typed, standalone_mode=False)
        shown = os.read(reading, 100_000).decode()
    os.close(reading)
    assert "red]52;round" in shown.replace("\\u001b", "").replace("\\u0007", "")
    assert not set("\x1b\x9b\u202e\x07\x7f") & set(shown)


def test_why_says_what_was_answered_without_what_a_terminal_obeys(told: Path) -> None:
    said = CliRunner().invoke(main, ["why", str(told), "http://one.test/"]).stdout
    for words in ("dead: answered red]52;round", "timeout: first red]52;round", "seen: then red]52;round"):
        assert words in said
    assert not set("\x1b\x9b\u202e\x07\x7f") & set(said)
