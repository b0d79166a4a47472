"""The command line: every wrong word gets one sentence with a way out, and an exit code that means something."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from rich.console import Console

from helios.cli import main
from helios.cli.crawl import exit_code, show
from helios.cli.group import COMMANDS
from helios.cli.words import helios as named
from helios.crawl import begin
from helios.crawl.stop import Reason
from helios.crawl.summary import Summary, gather, render
from helios.errors import StoreError
from helios.folder import create
from helios.settings import load

WRONG: list[tuple[list[str], str]] = [
    ([], "no seed: name at least one URL"),
    (["example.org"], "did you mean https://example.org?"),
    (["ftp://example.org"], "only http:// and https:// can"),
    (["https://example.org/"], "needs a contact that the site can complain to: add --contact you@example.org"),
    (["http://127.0.0.1/", "--scope", "any"], 'scope "any" needs a contact'),
    (["http://127.0.0.1/", "--time", "soon"], "give one like 500ms, 2s, 10m or 1h"),
    (["http://127.0.0.1/", "--time", f"{'9' * 400}h"], "give one like 500ms, 2s, 10m or 1h"),
    (["http://127.0.0.1/", "--max-pages", "0"], "[crawl] max_pages = 0 does not do: give a whole number, 1 or more"),
    (["http://127.0.0.1/", "--max-pages", "9" * 20], "a whole number, 1 or more, at most 1,000,000,000,000,000"),
    (["http://127.0.0.1/", "--delay", "99999999999h"], "[frontier] delay_ms = 359999999996400000 does not do"),
    (["http://127.0.0.1/", "--max-pages", "many"], "'many' is not a valid integer"),
    (["http://127.0.0.1/", "--contact", "me"], "e-mail or web address"),
    (["http://127.0.0.1/", "--dns", "9.9.9.9"], "address:port"),
    (["http://127.0.0.1/", "--config", "none.toml"], "none.toml cannot be read: No such file"),
    (["--seeds", "none.txt"], "none.txt cannot be read: No such file"),
    (["--seeds", "binary"], "binary is not a text file"),
    (["--seeds", "file"], "file holds no seed; give one URL per line"),
    (["--seeds", "full"], "full cannot be read: Is a directory"),
    (["--seeds", "third"], "third, line 3: news is not a whole URL: did you mean https://news?"),
    (["--seeds", "schemes"], "schemes, line 1: ftp://old.example/ cannot be crawled: only http:// and https:// can"),
    (["http://127.0.0.1/", "--out", "/proc/crawl"], "the folder /proc/crawl cannot be written"),
    (["http://127.0.0.1/", "--out", "file/crawl"], "cannot be written: Not a directory"),
    (["http://127.0.0.1/", "--out", "full"], "full is not empty"),
    (["http://127.0.0.1/", "--out", ""], "'--out': is empty; give the name of a folder"),
    (["http://127.0.0.1/", "--colour"], "No such option"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELIOS_CONTACT", raising=False)
    (tmp_path / "file").touch()
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    (tmp_path / "third").write_text("# mine\nhttp://127.0.0.1/\nnews\n")
    (tmp_path / "schemes").write_text("ftp://old.example/\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing").touch()
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("words", "says"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_words_end_with_a_sentence_and_code_2(words: list[str], says: str) -> None:
    result = CliRunner().invoke(main, ["crawl", *words])
    assert says in result.stderr
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_nothing_is_made_for_a_crawl_that_does_not_start(here: Path) -> None:
    CliRunner().invoke(main, ["crawl", "https://example.org/", "--out", "new"])
    assert not (here / "new").exists()


def test_seeds_come_from_standard_input_too(here: Path) -> None:
    result = CliRunner().invoke(
        main, ["crawl", "--seeds", "-", "--out", str(here / "new")], input="gopher://old.example/\n"
    )
    assert "gopher://old.example/ cannot be crawled" in result.stderr


def test_a_full_disk_ends_with_a_sentence_and_code_1(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise StoreError("the disk is full (storing pages in new): free some space")

    monkeypatch.setattr(begin, "build", full)
    result = CliRunner().invoke(main, ["crawl", "http://127.0.0.1/", "--out", str(here / "new")])
    assert result.stderr == "helios: the disk is full (storing pages in new): free some space\n"
    assert result.exit_code == 1


def test_ctrl_c_before_the_crawl_has_begun_is_130(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(begin, "build", interrupted)
    result = CliRunner().invoke(main, ["crawl", "http://127.0.0.1/", "--out", str(here / "new")])
    assert result.exit_code == 130


ORDERS = "\x1bred\x9b]52;\u202eround\x07\x7f"  # to a terminal


def summary(
    pages: int = 0, ended: Reason = "finished", outcomes: dict[str, int] | None = None, dead_reason: str | None = None
) -> Summary:
    return Summary(
        out="x",
        pages=pages,
        bytes=0,
        seconds=1.0,
        ended=ended,
        robots=0,
        robots_read=0,
        outcomes=outcomes or {},
        dead_letters=int(dead_reason is not None),
        dead_reasons=[] if dead_reason is None else gather([("http://one.test/", dead_reason, 1)]),
        refused_seeds=[],
    )


def left(those: Summary, pending: int) -> Summary:
    return msgspec.structs.replace(those, pending=pending)


CODES: list[tuple[int, Reason, int]] = [(5, "finished", 0), (5, "time", 0), (0, "finished", 1), (5, "interrupted", 130)]


@pytest.mark.parametrize(("pages", "ended", "code"), CODES)
def test_the_exit_code_says_how_it_went(pages: int, ended: Reason, code: int) -> None:
    assert exit_code(summary(pages=pages, ended=ended)) == code


def test_a_later_run_that_stored_nothing_did_not_fail(capsys: pytest.CaptureFixture[str]) -> None:
    ended: tuple[Reason, ...] = ("finished", "pages", "time")
    assert [exit_code(summary(ended=reason), again=True) for reason in ended] == [0, 0, 0]
    show(left(summary(ended="time"), 33), as_json=False, again=True)
    assert "this run: nothing was due, or no site has answered yet\n" in capsys.readouterr().out


HINTS: list[tuple[Summary, str]] = [
    (summary(), "\n\nno page was stored in this run\n"),
    (summary(outcomes={"denied": 3}), "no page was stored in this run: robots.txt does not allow it\n"),
    (summary(outcomes={"redirected": 1}), "begin there, or widen --scope\n"),
    (summary(outcomes={"missing": 1}), "nothing is there (4xx); is the URL spelled right?\n"),
    (summary(outcomes={"unwanted_type": 1}), "[fetch] accept says which types are read\n"),
    (left(summary(ended="interrupted"), 1), "no page was stored in this run: no site has answered yet\n"),
    (left(summary(ended="pages"), 1), "no page was stored in this run: earlier runs had reached the limit already\n"),
    (left(summary(ended="bytes"), 1), "this run: what is there is longer than max_bytes allows\n"),
    (summary(outcomes={"not_modified": 3, "missing": 1}), "this run: what was looked at again is as it was\n"),
    (summary(outcomes={"forbidden_address": 1}), "--allow-loopback"),
    (summary(dead_reason="its robots.txt could not be read: address not allowed: x is at ::1"), "--allow-loopback"),
    (summary(dead_reason="its robots.txt could not be read: no address for its name: y"), "--dns ADDRESS:PORT"),
    (summary(dead_reason="its robots.txt could not be read: no connection: refused"), "nobody answers there"),
]


@pytest.mark.parametrize(("stored_nothing", "says"), HINTS)
def test_a_crawl_that_stored_nothing_says_what_may_help(
    stored_nothing: Summary, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show(stored_nothing, as_json=False)
    assert says in capsys.readouterr().out


def test_a_later_run_whose_seed_could_not_be_had_does_not_say_that_nothing_was_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    died = summary(dead_reason="its robots.txt could not be read: no address for its name: y")
    show(died, as_json=False, again=True)
    assert "nothing was left to crawl; more comes from" in capsys.readouterr().out
    show(msgspec.structs.replace(died, robots=4), as_json=False, again=True)
    assert "no page was stored in this run: is the name spelled right" in capsys.readouterr().out


NEXT: list[tuple[Summary, str]] = [
    (left(summary(pages=6, ended="pages"), 17), "go on beyond the limit with\n    helios resume x --max-pages 12\n"),
    (left(summary(ended="pages"), 17), "go on beyond the limit with\n    helios resume x --max-pages 12\n"),
    (left(summary(pages=6, ended="bytes"), 17), "a higher --set crawl.max_bytes=BYTES\n"),
    (left(summary(pages=6, ended="time"), 17), "go on with\n    helios resume x\n"),
    (left(summary(ended="interrupted"), 1), "go on with\n    helios resume x\n"),
    (summary(dead_reason="timed out"), "tried again with\n    helios dead retry x\nand the same command\n"),
]


@pytest.mark.parametrize(("ended", "says"), NEXT)
def test_the_last_word_of_a_crawl_is_how_to_have_more(
    ended: Summary, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["helios"])
    show(ended, as_json=False, settings=load(max_pages=6))
    assert capsys.readouterr().out.endswith(says)


ODD = "my crawl's [x] é"
TYPED: list[tuple[Summary, list[str]]] = [
    (summary(pages=6), ["stats", ODD]),
    (left(summary(pages=6, ended="pages"), 17), ["resume", ODD, "--max-pages", "12"]),
    (left(summary(pages=6, ended="time"), 17), ["resume", ODD]),
    (summary(dead_reason="timed out"), ["dead", "retry", ODD]),
    (summary(), ["add", ODD, "URL"]),
]


@pytest.mark.parametrize(("ended", "words"), TYPED)
def test_a_command_in_a_hint_can_be_typed_as_it_stands(
    ended: Summary, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["helios"])
    again = not (ended.pages or ended.dead_letters)
    show(msgspec.structs.replace(ended, out=ODD), as_json=False, again=again, settings=load(max_pages=6))
    commands = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    helios ")]
    assert ["helios", *words] in map(shlex.split, commands)


def test_the_way_to_the_program_can_be_typed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/my tools/helios"])
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert shlex.split(named("stats", ODD)) == ["/my tools/helios", "stats", ODD]


def test_a_crawl_that_is_finished_offers_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    show(summary(pages=6), as_json=False, settings=load(max_pages=6))
    assert capsys.readouterr().out.endswith(".read_all()\n")


@pytest.mark.parametrize(("pending", "says"), [(1, "left 1 URL waits"), (2, "left 2 URLs wait")])
def test_one_url_waits_and_two_wait(pending: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(left(summary(ended="time"), pending), as_json=False)
    assert says in " ".join(capsys.readouterr().out.split())


def test_a_crawl_without_the_table_is_not_sent_to_commands_that_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    show(summary(pages=6), as_json=False, settings=load(kinds=["warc", "parquet"]))
    assert capsys.readouterr().out.endswith("\nthe pages are in x, as warc and parquet\n")


def test_what_does_not_fit_in_a_line_of_the_summary_goes_on_under_itself() -> None:
    text = io.StringIO()
    Console(file=text, width=40).print(render(summary(dead_reason="its robots.txt could not be read: no connection")))
    reason = [line for line in text.getvalue().splitlines() if "robots.txt could" in line or "connection" in line]
    assert [len(line) - len(line.lstrip()) for line in reason] == [2, 5]


def test_urls_in_the_summary_are_whole_however_long_where_no_terminal_shows_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = f"http://one.test/{'x' * 200}"
    ended = msgspec.structs.replace(
        summary(dead_reason="timed out"),
        dead_reasons=gather([(long, "timed out", 3)]),
        hook_failure=(long, "ValueError: no"),
        refused_seeds=[(long, "not in scope")],
    )
    show(ended, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    for said in (f"such as {long}", f"first on {long}: ValueError: no", f"seed not crawled: {long}: not in scope"):
        assert any(line.endswith(said) for line in lines), said


def test_a_hook_s_error_gives_no_orders_to_the_terminal() -> None:
    failed = msgspec.structs.replace(
        summary(pages=1, dead_reason=f"it said {ORDERS}"), hook_failure=("http://one.test/", f"ValueError: {ORDERS}")
    )
    text = io.StringIO()
    Console(file=text, width=200).print(render(failed))
    assert "first on http://one.test/: ValueError: red]52;round" in text.getvalue()
    assert "it said red]52;round" in text.getvalue()
    assert not set(ORDERS) & set(text.getvalue()) - set("red]52;round")


def test_lines_of_json_go_to_standard_output_or_nowhere(here: Path) -> None:
    result = CliRunner().invoke(
        main, ["crawl", "http://127.0.0.1:1/", "--out", str(here / "x"), "--jsonl", "pages.jsonl"]
    )
    assert result.exit_code == 2
    assert "--jsonl" in result.stderr
    assert not (here / "x").exists()


NOT_UTF_8: list[tuple[list[bytes], str]] = [
    ([b"crawl", b"http://127.0.0.1:9/", b"--out", b"bad\xff"], "bad\\xff is not UTF-8"),
    ([b"crawl", b"http://127.0.0.1:9/", b"--contact=\xff"], "--contact=\\xff is not UTF-8"),
    ([b"crawl", b"http://127.0.0.1:9/", b"--set", b"fetch.auth=hush\xff"], "fetch.auth=… is not UTF-8"),
    ([b"crawl", b"http://me:hush@127.0.0.1:9/\xff"], "http://***@127.0.0.1:9/\\xff is not UTF-8"),
    ([b"why", b"x", b"http://a.example/\xff"], "http://a.example/\\xff is not UTF-8"),
    ([b"dead", b"retry", b"x", b"--site", b"\xff"], "\\xff is not UTF-8"),
    ([b"demo", b"--set", b"mean_pages=\xff"], "mean_pages=\\xff is not UTF-8"),
]


def typed(
    words: list[bytes], here: Path, environ: dict[bytes, bytes] | None = None
) -> subprocess.CompletedProcess[str]:
    """As from a shell: what CliRunner hands over was never bytes."""
    command = [sys.executable.encode(), b"-m", b"helios", *words]
    return subprocess.run(
        command, cwd=here, env={**os.environb, **(environ or {})}, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize(("words", "says"), NOT_UTF_8, ids=[says for _, says in NOT_UTF_8])
def test_words_that_are_not_utf_8_are_refused_before_anything_begins(here: Path, words: list[bytes], says: str) -> None:
    before = set(here.iterdir())
    result = typed(words, here)
    assert result.stderr == f"helios: {says}: Helios takes arguments in UTF-8 only\n"
    assert result.returncode == 2
    assert set(here.iterdir()) == before


def test_a_variable_that_is_not_utf_8_is_refused_by_its_name(here: Path) -> None:
    result = typed([b"config", b"show"], here, {b"HELIOS_FETCH_CONTACT": b"\xff"})
    assert result.stderr == (
        "helios: the variable HELIOS_FETCH_CONTACT is not UTF-8: Helios takes variables in UTF-8 only\n"
    )
    assert result.returncode == 2
    assert typed([b"config", b"show"], here, {b"OTHER": b"\xff"}).returncode == 0


def test_a_command_that_is_not_there_is_told_beside_the_one_that_is_like_it() -> None:
    result = CliRunner().invoke(main, ["crwal", "http://127.0.0.1/"])
    assert "there is no command 'crwal'; did you mean 'crawl'?" in result.stderr
    assert result.exit_code == 2
    assert "No such command 'xyz'" in CliRunner().invoke(main, ["xyz"]).stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_a_folder_that_is_no_crawl_is_said(here: Path) -> None:
    result = CliRunner().invoke(main, ["stats", str(here)])
    assert "holds no crawl (there is no helios.toml in it)" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize("command", ["simweb", "demo"])
@pytest.mark.parametrize(("option", "least"), [("--hosts", 1), ("--seed", 0)])
def test_a_web_of_too_few_hosts_is_refused_with_the_least_that_would_do(command: str, option: str, least: int) -> None:
    result = CliRunner().invoke(main, [command, option, "-1"])
    assert f"-1 is not in the range {least}<=x<=" in result.stderr
    assert result.exit_code == 2


def test_an_auditor_that_is_not_there_is_said() -> None:
    result = CliRunner().invoke(main, ["simweb", "audit", "--at", "127.0.0.1:1"])
    assert "no synthetic web answers at 127.0.0.1:1" in result.stderr
    assert "start one with: helios simweb" in result.stderr
    assert result.exit_code == 1


FORMATS = [
    ("format = 9", "has format = 9; this version of Helios reads formats up to 2"),
    ("format = 1", "in format 1, and this version reads format 2"),
]


@pytest.mark.parametrize("words", ["crawl http://127.0.0.1/ --out", "resume", "status", "add", "dead list", "stats"])
@pytest.mark.parametrize(("found", "says"), FORMATS)
def test_a_folder_of_another_format_is_said_by_every_command(here: Path, words: str, found: str, says: str) -> None:
    folder = create(here / "crawl", load())
    folder.settings_file.write_text(folder.settings_file.read_text().replace("format = 2", found))
    result = CliRunner().invoke(main, [*words.split(), "crawl"])
    assert says in result.stderr
    assert result.exit_code == 2


UNREACHABLE: list[tuple[list[str], str]] = [
    (["http://127.0.0.1:9/", "--allow-loopback"], "nobody answers there"),
    (["http://nowhere.example/", "--contact", "a@example.org", "--dns", "127.0.0.1:9"], "is the name spelled right"),
]


@pytest.mark.parametrize(("words", "says"), UNREACHABLE)
def test_a_network_that_cannot_be_reached_is_said_with_code_1(here: Path, words: list[str], says: str) -> None:
    (here / "quick.toml").write_text("[frontier]\nbackoff_ms = 10\nattempts = 1\n[robots]\nattempts = 1\n")
    result = CliRunner().invoke(main, ["crawl", *words, "--config", "quick.toml", "--out", "new"])
    assert says in result.stdout
    assert result.exit_code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("words", ["resume crawl", "status crawl", "dead list crawl", "why crawl http://127.0.0.1/"])
def test_a_crawl_in_a_folder_that_is_read_only_is_said(here: Path, words: str) -> None:
    create(here / "crawl", load()).frontier.mkdir(mode=0o500)
    result = CliRunner().invoke(main, words.split())
    assert "cannot be written, so the crawl cannot go on" in result.stderr
    assert result.exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said(here: Path) -> None:
    (here / "locked").mkdir(mode=0o500)
    result = CliRunner().invoke(main, ["crawl", "http://127.0.0.1/", "--out", "locked/crawl"])
    assert "cannot be written: Permission denied" in result.stderr
    assert result.exit_code == 2
