"""A crawl that is killed again and again, as a process: nothing is lost, nothing is stored twice, nobody is hurried."""

import os
import signal
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path
from threading import Event

import pytest

import helios
from end_to_end.webs import must_be_stored, settings_for, stored
from helios.errors import StorageError
from helios.settings import load, to_toml
from helios.simweb import Served, audit, promises, started

KILLS = int(os.environ.get("HELIOS_KILLS", "50"))


def helios_process(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "helios", *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE)


def begun(web: Served, folder: Path, **more: object) -> subprocess.Popen[bytes]:
    """A crawl that has stored something and goes on."""
    config = folder.with_suffix(".toml")
    config.write_text(to_toml(load(None, **settings_for(web, **more))))
    process = helios_process("crawl", *web.seeds, "--config", str(config), "--out", str(folder))
    while not (folder / "pages.lance" / "data").exists():
        Event().wait(0.05)
    return process


def moment(seed: int, number: int) -> float:
    """Seconds after which the process is killed: spread over start, crawl and commit, the same for the same seed."""
    return 0.4 + zlib.crc32(f"{seed} {number}".encode()) % 1_600 / 1_000


def killed_after(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kills the process then, unless it has ended by itself; True: it was killed."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    return False


def crawl_through_kills(web: Served, folder: Path, kills: int, seed: int, **more: object) -> int:
    """Crawls a web, killed at random moments, then to its end; returns how often it was killed."""
    config = folder.with_suffix(".toml")
    config.write_text(to_toml(load(None, **settings_for(web, **more))))
    begin = ("crawl", *web.seeds, "--config", str(config), "--out", str(folder))
    process = helios_process(*begin)
    count = 0
    while count < kills and killed_after(process, moment(seed, count)):
        count += 1
        begun = (folder / "helios.toml").exists()
        # Killed before the seeds were durable, it must be told them again; otherwise they are known.
        process = helios_process("resume", str(folder), *web.seeds) if begun else helios_process(*begin)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said.decode()
    return count


def judged_after(web: Served, folder: Path, kills: int, **more: object) -> None:
    promised = promises(load(None, **settings_for(web, **more)), complete=True)
    verdict = audit(web.http, {**promised, "crashes": kills})
    assert verdict.innocent, verdict.text
    rows = Counter(stored(folder))
    assert set(rows.values()) == {1}, "stored once"
    assert must_be_stored(web, **more) <= set(rows), "nothing is lost"


@pytest.mark.timeout(120)
def test_a_crawl_survives_kills(tmp_path: Path) -> None:
    with started(["--preset=calm", "--hosts=12", "--seed=5"]) as web:
        kills = crawl_through_kills(web, tmp_path / "out", 4, seed=1, delay_ms=300)
        assert kills == 4
        judged_after(web, tmp_path / "out", kills, delay_ms=300)


@pytest.mark.sim
@pytest.mark.timeout(900)
def test_a_crawl_of_every_kind_of_trouble_survives_fifty_kills(tmp_path: Path) -> None:
    web_settings = ["--preset=demo", "--seed=8", "--set=https=0.5", "--set=traps=0", "--set=mean_pages=60"]
    with started(web_settings) as web:
        kills = crawl_through_kills(web, tmp_path / "out", KILLS, seed=2, delay_ms=200)
        assert kills == KILLS
        judged_after(web, tmp_path / "out", kills, delay_ms=200)


@pytest.mark.timeout(60)
def test_ctrl_c_and_resume_bring_every_page_once(tmp_path: Path) -> None:
    with started(["--preset=calm", "--seed=6"]) as web:
        folder = tmp_path / "out"
        process = begun(web, folder, delay_ms=20)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        assert process.returncode == 130
        assert f"resume {folder}".encode() in said
        before = len(stored(folder))
        summary = helios.resume(folder)
        assert summary.ended == "finished"
        assert 0 < before < len(stored(folder)) == before + summary.pages
        judged_after(web, folder, 0, delay_ms=20)


@pytest.mark.timeout(60)
def test_a_folder_in_use_is_refused_and_a_finished_crawl_has_nothing_left(tmp_path: Path) -> None:
    with started(["--preset=calm", "--hosts=3"]) as web:
        folder = tmp_path / "out"
        process = begun(web, folder, delay_ms=300)
        with pytest.raises(StorageError, match=f"in use by process {process.pid}"):
            helios.resume(folder)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        helios.resume(folder, delay_ms=5)
        again = helios.resume(folder)
        assert (again.pages, again.ended) == (0, "finished")
        why = helios.open(folder).why(web.seeds[0])
        assert (why["state"], why["robots"]) == ("fetched", "allowed")
