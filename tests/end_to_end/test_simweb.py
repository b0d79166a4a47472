"""The synthetic web as a command: what can be asked of it, and that it never stays behind."""

import json
import signal
import socket
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from threading import Event

import msgspec
import pytest
from click.testing import CliRunner

from helios.cli import demo, main, simweb
from helios.cli.web import SEEDS
from helios.errors import SettingsError, SimWebError
from helios.simweb import Served, get, started

PARENT = """
from threading import Event
from helios.simweb import started
with started(["--preset=calm", "--hosts=3", "--set=seeds=1"]) as web:
    print(web.http, flush=True)
    Event().wait()
"""


def answers(at: str) -> bool:
    host, port = at.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGHUP])
def test_a_web_ends_when_whoever_started_it_is_killed(by: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        try:
            at = parent.stdout.readline().strip() if parent.stdout else ""
            assert answers(at)
            parent.send_signal(by)
            parent.wait(timeout=10)
        finally:
            parent.kill()
    for _ in range(100):
        if not answers(at):
            return
        Event().wait(0.1)
    pytest.fail(f"the web at {at} is still there ten seconds later")


def test_any_setting_of_a_web_can_be_set() -> None:
    words = ["--preset=calm", "--hosts=5", "--set", "seeds=2", "--set", "names=ip", "--set", "stall_ms=[1, 2]"]
    with started(words) as web:
        assert len(web.seeds) == 2
        assert all("://127." in seed for seed in web.seeds)


@pytest.mark.parametrize("preset", SEEDS)
def test_a_web_of_few_hosts_has_as_few_seeds(preset: str) -> None:
    with started([f"--preset={preset}", "--hosts=2"]) as web:
        assert len(web.seeds) == 2


@pytest.mark.parametrize("preset", SEEDS)
def test_a_web_with_hosts_enough_has_the_seeds_of_its_preset(preset: str) -> None:
    with started([f"--preset={preset}", f"--hosts={SEEDS[preset]}"]) as web:
        assert len(web.seeds) == SEEDS[preset]


def test_a_web_can_serve_real_pages(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text("<title>a real page</title><p>Helios was here.</p>")
    words = ["--preset=calm", "--hosts=3", "--set=https=0", "--set=seeds=1", "--set=names=ip", f"--corpus={tmp_path}"]
    with started(words) as web:
        at = web.seeds[0].removeprefix("http://").rstrip("/")
        assert b"Helios was here." in get(at, "/")


WRONG: list[tuple[list[str], str]] = [
    (["--set", "nope=1"], "unknown field `nope`, expected one of `seed`"),
    (["--set", "hosts=many"], 'invalid type: string "many"'),
    (["--set", "https=7"], "https: 7 is out of range; allowed: 0 to 1"),
    (["--set", "https"], "'https' is not NAME=VALUE; give one like mean_pages=200"),
    (["--corpus", "/nowhere/at/all"], "corpus: /nowhere/at/all: No such file or directory"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
@pytest.mark.parametrize("command", ["simweb", "demo"])
def test_a_setting_that_cannot_be_ends_with_a_sentence_and_code_2(command: str, words: list[str], says: str) -> None:
    result = CliRunner().invoke(main, [command, *words])
    assert says in result.stderr
    assert result.exit_code == 2
    assert len([line for line in result.stderr.splitlines() if "elios: " in line or "Error: " in line]) == 1
    assert result.stdout == ""


def test_a_web_that_does_not_start_says_why_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SimWebError, match=f"did not start: .*{port}"), started([f"--http-port={port}"]):
            pass
    with pytest.raises(SettingsError, match="unknown field `nope`"), started(["--set=nope=1"]):
        pass


def test_the_help_shows_an_example() -> None:
    assert "helios simweb --set mean_pages=200" in CliRunner().invoke(main, ["simweb", "--help"]).output


@pytest.mark.timeout(60)
def test_the_demo_passes_settings_on(tmp_path: Path) -> None:
    words = ["--preset=calm", "--hosts=2", "--set", "seeds=1", "--set", "robots_deny_all=1", "--delay=5ms", "--json"]
    zero = [f"--set=robots_{kind}=0" for kind in ("missing", "forbidden", "empty", "rules", "deny_others", "own_group")]
    zero += [f"--set=robots_{kind}=0" for kind in ("unavailable", "healing", "silent", "redirect", "html", "huge")]
    result = CliRunner().invoke(main, ["demo", "--out", str(tmp_path / "out"), *words, *zero])
    assert result.exit_code == 1, result.output  # nothing was stored
    found = json.loads(result.stdout)
    assert found["summary"]["outcomes"] == {"denied": 1}
    assert (found["summary"]["robots"], found["summary"]["robots_read"]) == (1, 1)
    assert found["audit"]["innocent"]


ONE = Served(http="h:1", https="h:2", dns="h:3", pid=1, seeds=["http://a.test/"], ca=None, all_addresses=False)


def test_a_demo_on_a_system_with_one_loopback_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "started", lambda _words: nullcontext(ONE))
    result = CliRunner().invoke(main, ["demo"])
    assert result.stderr == f"helios: the demo needs all of 127.0.0.0/8, but {simweb.ONE_ADDRESS}\n"
    assert result.exit_code == 1


@pytest.mark.parametrize("all_addresses", [True, False])
def test_a_web_on_one_loopback_address_says_so(all_addresses: bool, capsys: pytest.CaptureFixture[str]) -> None:
    simweb._announce(msgspec.structs.replace(ONE, all_addresses=all_addresses), as_json=False)
    assert (simweb.ONE_ADDRESS in capsys.readouterr().out) is not all_addresses


def test_both_commands_say_it_in_the_same_words(root: Path) -> None:
    assert simweb.ONE_ADDRESS in (root / "crates/helios-sim/src/command.rs").read_text(encoding="utf-8")


def test_what_a_web_complains_of_while_it_runs_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    python = tmp_path / "python"
    line = msgspec.json.encode(ONE).decode()
    python.write_text(f"#!/bin/sh\necho '{line}'\necho 'a thread panicked' >&2\nexec sleep 100\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with started([]):
        Event().wait(0.3)  # until it has complained
    assert capsys.readouterr().err == "a thread panicked\n"
