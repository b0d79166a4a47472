"""A crawl that is killed again and again, as a process: nothing is lost, nothing is stored twice, nobody is hurried."""

import os
import signal
import subprocess
from pathlib import Path
from threading import Event

import pytest

import helios
from end_to_end.agreement import ALL, agree
from end_to_end.kills import Death, asked_again, crawl_through, deaths, helios_process, judged_after
from end_to_end.webs import Asked, settings_for, stored
from helios.errors import StorageError
from helios.faults import POINTS
from helios.settings import load, to_toml
from helios.simweb import Served, started

KILLS = int(os.environ.get("HELIOS_KILLS", "200"))


def begun(web: Served, folder: Path, **more: object) -> subprocess.Popen[bytes]:
    """A crawl that has stored something and goes on."""
    config = folder.with_suffix(".toml")
    config.write_text(to_toml(load(None, **settings_for(web, **more))))
    process = helios_process("crawl", *web.seeds, "--config", str(config), "--out", str(folder))
    while not (folder / "pages.lance" / "data").exists():
        Event().wait(0.05)
    return process


def test_a_crash_excuses_what_the_next_process_asks_again_and_not_what_the_same_one_does() -> None:
    answers = [("http://a/", 200), ("http://b/", 503), ("http://b/", 200), ("http://a/", 200)]
    log = [Asked(url, status, "complete") for url, status in answers]
    assert asked_again(log, [0, 3]) == []
    assert asked_again(log, [0, 4]) == ["http://a/"]


@pytest.mark.timeout(120)
def test_a_crawl_survives_kills_at_any_moment(tmp_path: Path) -> None:
    with started(["--preset=calm", "--hosts=12", "--seed=5"]) as web:
        kills = crawl_through(web, tmp_path / "out", [Death(0.7), Death(1.3), Death(0.9)], delay_ms=100)
        assert kills.total() == 3
        judged_after(web, tmp_path / "out", kills.total(), delay_ms=100)


@pytest.mark.timeout(120)
def test_a_crawl_survives_a_death_at_each_step_of_a_commit(tmp_path: Path) -> None:
    more: dict[str, object] = {"delay_ms": 200, "publish_ms": 100, "batch_ms": 50, "compact_files": 2}
    commit = [point for point in POINTS if not point.startswith("collect")]
    # To clear something away, there must be something that was never settled.
    ends = [Death(20, point) for point in (*commit, "stage.listed", "collect.lists", "collect.files")]
    with started(["--preset=calm", "--hosts=12", "--seed=5"]) as web:
        died = crawl_through(web, tmp_path / "out", ends, **more)
        assert set(died) == set(POINTS)
        judged_after(web, tmp_path / "out", died.total(), **more)


@pytest.mark.sim
@pytest.mark.timeout(1_800)
def test_a_crawl_of_every_kind_of_trouble_survives_200_deaths(tmp_path: Path) -> None:
    more: dict[str, object] = {"delay_ms": 2_000, "publish_ms": 300, "batch_ms": 100, "compact_files": 4, "kinds": ALL}
    long = ["--hosts=60", "--set=mean_pages=120", "--set=max_pages=150", "--set=tiny_hosts=0"]
    with started(["--preset=demo", "--seed=8", "--set=https=0.5", "--set=traps=0", *long]) as web:
        died = crawl_through(web, tmp_path / "out", deaths(KILLS, seed=2), **more)
        assert died.total() == KILLS
        assert {"", *POINTS} - set(died) == set() or KILLS < 200, "each point was hit"
        judged_after(web, tmp_path / "out", KILLS, **more)
        agree(tmp_path / "out")


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
        kept = (folder / "helios.toml").read_text()
        with pytest.raises(StorageError, match=f"in use by process {process.pid}"):
            helios.resume(folder, delay_ms=5)
        second = helios_process("resume", str(folder))
        _, said = second.communicate(timeout=30)
        assert second.returncode == 1
        assert f"in use by process {process.pid}".encode() in said
        assert len(said.splitlines()) == 1, said.decode()
        assert (folder / "helios.toml").read_text() == kept
        assert process.poll() is None, "the first goes on"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        helios.resume(folder, delay_ms=5)
        again = helios.resume(folder)
        assert (again.pages, again.ended) == (0, "finished")
        why = helios.open(folder).why(web.seeds[0])
        assert (why["state"], why["robots"]) == ("fetched", "allowed")
