"""A running crawl, steered from outside: real crawls of a small site."""

import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

import helios
from crawl.steering import crawling, until
from helios.control import running, server
from helios.control.server import LONGEST
from helios.errors import ControlError, SeedError
from sites import Site, served

ENDLESS = 5_000


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {f"/{number}": f'<a href="/{number + 1}">next</a>' for number in range(ENDLESS)}
    with served({"/": '<a href="/0">first</a>', "/lonely": "nobody links here", **pages}) as site:
        yield site


SLOW: dict[str, object] = {"delay_ms": 20, "visit_urls": 1}


def test_a_running_crawl_tells_how_it_goes(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", max_pages=4_000, **SLOW) as crawl:
        opened = helios.open(crawl.folder)
        until(lambda: opened.status().pages >= 5)
        status = opened.status()
        assert (status.state, status.running, status.paused) == ("running", True, False)
        assert status.pid == os.getpid()
        assert status.limits["max_pages"].of == 4_000
        assert status.limits["max_pages"].used == status.fetched >= 5
        assert status.outcomes["fetched"] >= 5
        assert status.pages_per_second > 0
        assert (status.memory_bytes or 0) > 1_000_000
    after = opened.status()
    assert (after.state, after.running, after.pid) == ("stopped", False, None)
    assert after.fetched == crawl.ended().pages >= 5


def test_a_pause_lets_nothing_out_until_it_ends(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        opened = helios.open(crawl.folder)
        until(lambda: opened.status().pages >= 2)
        assert opened.pause() is False
        assert opened.pause() is True
        until(lambda: opened.status().state == "paused")
        asked, stored = len(site.asked), opened.status().pages
        until(lambda: opened.status().seconds > 0)
        for _ in range(20):
            opened.status()
        assert len(site.asked) == asked
        assert opened.status().in_flight == 0
        assert opened.go_on() is True
        assert opened.go_on() is False
        until(lambda: opened.status().pages > stored)


def test_a_paused_crawl_can_be_stopped_and_resumed(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        opened = helios.open(crawl.folder)
        until(lambda: opened.status().pages >= 2)
        opened.pause()
        opened.stop(wait=True)
        assert not opened.running
        assert crawl.ended().ended == "interrupted"
    stored = len(opened.pages(["url"]).read_all())
    assert stored == crawl.ended().pages
    assert helios.resume(crawl.folder, max_pages=stored + 3).pages == 3


def test_a_limit_of_time_goes_on_during_a_pause(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", max_seconds=1, **SLOW) as crawl:
        helios.open(crawl.folder).pause()
        assert crawl.ended().ended == "time"


def test_seeds_are_added_while_it_runs_and_when_it_does_not(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        opened = helios.open(crawl.folder)
        added = opened.add(site.at("/lonely"))
        assert (added.seeds, added.refused, added.waits) == (1, [], False)
        until(lambda: "/lonely" in site.asked)
        assert opened.why(site.at("/lonely"))["depth"] == 0
        with pytest.raises(SeedError, match="did you mean https://"):
            opened.add("example.org")
        opened.stop(wait=True)
    site.pages["/late"] = "late"
    added = opened.add([site.at("/late"), site.at("/")])
    assert (added.seeds, added.waits) == (2, True)
    assert "/late" not in site.asked
    helios.resume(crawl.folder, max_pages=len(site.asked) + 5)
    assert "/late" in site.asked


def test_dead_letters_are_listed_and_get_another_life_while_it_runs(site: Site, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/"
    few = {"frontier": {"attempts": 1}, "robots": {"attempts": 1}}
    with crawling(site, tmp_path / "out", **SLOW, **few) as crawl:
        opened = helios.open(crawl.folder)
        opened.add(nobody)
        until(lambda: opened.status().dead_letters == 1)
        ((url, reason, _),) = opened.dead_letters()
        assert url == nobody
        assert opened.replay(reason="no such reason") == 0
        assert opened.replay(reason=reason[:10]) == 1
        until(lambda: opened.status().dead_letters == 1)  # again


def test_the_socket_and_its_file_are_private_and_go_with_the_crawl(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        said = json.loads((crawl.folder / "running.json").read_text())
        assert said["pid"] == os.getpid()
        assert said["version"] == helios.__version__
        for name in ("running.json", said["socket"]):
            assert stat.S_IMODE((crawl.folder / name).stat().st_mode) == 0o600
    assert not list(crawl.folder.glob("running*"))
    assert not list(crawl.folder.glob("*.sock"))


def test_a_folder_with_a_long_name_has_its_socket_elsewhere(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30) / "out"
    with crawling(site, folder, **SLOW):
        place = Path(json.loads((folder / "running.json").read_text())["socket"])
        assert place.is_absolute()
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        assert helios.open(folder).status().running
    assert not place.parent.exists()


def test_a_file_left_by_a_crawl_that_was_killed_is_stale(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/lonely"), tmp_path / "out", **site.settings())
    folder = (tmp_path / "out").resolve()
    running.bound(folder / "control.sock").close()  # a socket that nobody listens on
    running.announce(folder, folder / "control.sock", 1)
    opened = helios.open(folder)
    assert not opened.running
    assert opened.status().state == "finished"
    with pytest.raises(ControlError, match="is not running: there is nothing to pause"):
        opened.pause()
    assert helios.resume(folder).ended == "finished"
    assert not (folder / "running.json").exists()


def raw(folder: Path, line: bytes) -> bytes:
    """What the crawl says to this line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as to:
        to.settimeout(10)
        to.connect(str(folder / "control.sock"))
        with suppress(OSError):  # whoever is refused may be told so before all is sent
            to.sendall(line)
        try:
            with to.makefile("rb") as answer:
                return answer.readline()
        except OSError:
            return b""


WRONG = [
    (b"hello\n", b"not a request that this crawl knows"),
    (b'{"verb": "explode"}\n', b"Invalid value 'explode'"),
    (b'{"verb": "pause", "for": "ever"}\n', b"unknown field"),
    (b'{"verb": "add", "seeds": "x"}\n', b"Expected `array`"),
    (b'{"verb": "add", "seeds": []}\n', b"no seed"),
    (b'{"verb": "why", "url": "nonsense"}\n', b"UrlError"),
]


def test_nonsense_is_answered_and_harms_nobody(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        for line, says in WRONG:
            answer = raw(crawl.folder, line)
            assert says in answer, answer
            assert answer.startswith(b'{"failed":')
        assert b'"done"' not in raw(crawl.folder, b"x" * (LONGEST + 10) + b"\n")
        before = helios.open(crawl.folder).status().pages
        until(lambda: helios.open(crawl.folder).status().pages > before)


def test_clients_that_hang_do_not_hold_the_crawl(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REQUEST_S", 60)
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        with ExitStack() as hanging:

            def one_more_is_too_many() -> bool:
                one = hanging.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                one.connect(str(crawl.folder / "control.sock"))
                return b"others ask this crawl" in raw(crawl.folder, b'{"verb": "status"}\n')

            until(one_more_is_too_many)
            asked = len(site.asked)
            until(lambda: len(site.asked) > asked + 3)
        until(lambda: b'"done"' in raw(crawl.folder, b'{"verb": "status"}\n'))


def test_a_crawl_ends_quietly_while_someone_hangs(site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
            one.connect(str(crawl.folder / "control.sock"))
            helios.open(crawl.folder).stop(wait=True)
        assert crawl.ended().ended == "interrupted"
    assert caplog.records == []
