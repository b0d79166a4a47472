"""Crawls of a synthetic web as processes, steered by commands as from another terminal; the web itself judges."""

import json
import signal
import subprocess
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

import helios
from end_to_end.kills import helios_process, judged_after
from end_to_end.webs import settings_for
from helios.cli import main
from helios.settings import load, to_toml
from helios.simweb import Served, get, started

pytestmark = pytest.mark.timeout(90)
DELAY: dict[str, object] = {"delay_ms": 100}


def crawl(web: Served, folder: Path) -> subprocess.Popen[bytes]:
    """The same command, first and again."""
    config = folder.with_suffix(".toml")
    config.write_text(to_toml(load(None, **settings_for(web, **DELAY))))
    return helios_process("crawl", *web.seeds, "--config", str(config), "--out", str(folder))


def told(*words: str, code: int = 0) -> str:
    """What a command says."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == code, result.output
    return result.output


def state(folder: Path) -> str:
    return str(json.loads(told("status", str(folder), "--json"))["state"])


def until_pages(folder: Path, count: int) -> None:
    while not (folder / "helios.toml").exists() or not helios.open(folder).running:
        Event().wait(0.05)
    while helios.open(folder).status().pages < count:
        Event().wait(0.05)


def asked(web: Served) -> int:
    """Requests, by the web's own log."""
    return int(json.loads(get(web.http, "/__stats"))["requests"])


def test_a_crawl_that_is_paused_killed_and_run_again_loses_and_repeats_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(["--preset=calm", "--hosts=6", "--seed=5"]) as web:
        first = crawl(web, folder)
        until_pages(folder, 5)
        told("pause", str(folder))
        while state(folder) != "paused":
            Event().wait(0.05)
        before = asked(web)
        assert "is running" in told("crawl", *web.seeds, "--out", str(folder), code=1)
        assert asked(web) == before, "a pause is a pause"
        told("resume", str(folder))
        until_pages(folder, helios.open(folder).status().pages + 3)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        assert (folder / "running.json").exists()
        assert state(folder) == "stopped"
        assert "is not running" in told("stop", str(folder), code=1)
        second = crawl(web, folder)
        until_pages(folder, 1)
        told("stop", str(folder), "--wait")
        second.communicate(timeout=20)
        assert second.returncode == 130
        third = crawl(web, folder)
        third.communicate(timeout=60)
        assert third.returncode == 0
        assert state(folder) == "finished"
        judged_after(web, folder, 1, **DELAY)


def test_ctrl_c_ends_a_paused_crawl(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(["--preset=calm", "--hosts=3"]) as web:
        process = crawl(web, folder)
        until_pages(folder, 1)
        helios.open(folder).pause()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert process.returncode == 130
        assert not helios.open(folder).running
