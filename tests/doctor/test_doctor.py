"""`helios doctor`: each check can say that all is well, and that it is not, with a way out."""

import importlib.metadata
import json
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from doubles import FakeClock
from helios import _core
from helios.cli import main
from helios.clock import SystemClock
from helios.doctor import here, there
from helios.doctor.finding import Finding
from helios.doctor.run import existing_part
from helios.settings import load

GB = 10**9


def is_told(finding: Finding, state: str, *words: str) -> None:
    assert finding.state == state, finding
    for word in words:
        assert word in f"{finding.says} -> {finding.fix}"
    assert (state in ("ok", "skip")) or finding.fix, "a way out"


def test_a_machine_that_is_well_is_fit(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["doctor", str(tmp_path), "--json"])
    told = json.loads(result.stdout)
    checks = ["versions", "clock", "open files", "memory", "disk", "dns", "certificates", "browser"]
    assert [one["check"] for one in told["findings"]] == checks
    assert (result.exit_code == 0) is told["ok"]
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_something_that_fails_is_shown_with_a_way_out_and_code_1(tmp_path: Path) -> None:
    environ = {"HELIOS_FETCH_CONCURRENCY": str(10**9)}
    result = CliRunner().invoke(main, ["doctor", str(tmp_path)], env=environ)
    assert result.exit_code == 1
    assert "fail  open files" in result.stdout
    assert "-> " in result.stdout
    assert "--concurrency" in result.stdout


def test_findings_are_whole_however_long_where_no_terminal_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = f"mkdir {'/very/long' * 20}"
    found = Finding("disk", "fail", f"{'x' * 200} is full", way)
    monkeypatch.setattr("helios.cli.doctor.examined", lambda *_: [found])
    said = CliRunner().invoke(main, ["doctor", str(tmp_path)]).stdout
    assert said.splitlines() == [f"fail  disk          {found.says}", f"{' ' * 20}-> {way}"]


def test_wrong_settings_are_said(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["doctor", str(tmp_path), "--config", "none.toml"])
    assert result.exit_code == 2
    assert "none.toml cannot be read" in result.stderr


def test_a_core_of_another_build_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: _core.__version__)
    is_told(here.versions(), "ok", _core.__version__)
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "0.0.1")
    is_told(here.versions(), "fail", "the package is 0.0.1", "reinstall")


class Backwards(FakeClock):
    def now(self) -> int:
        self.time -= 5
        return self.time


def test_clocks_that_were_never_set_or_go_back_are_noticed(tmp_path: Path) -> None:
    is_told(here.clock(SystemClock(), tmp_path), "ok", "UTC")
    is_told(here.clock(FakeClock(1_000), tmp_path), "fail", "1970-01-01", "set the clock")
    is_told(here.clock(Backwards(1_790_000_000_000), tmp_path), "fail", "went back by 5 ms")
    later = FakeClock(SystemClock().now() + 60_000)
    is_told(here.clock(later, tmp_path), "warn", "files are stamped 60 s away")


def test_open_files_are_compared_with_the_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(soft: int, hard: int) -> Finding:
        monkeypatch.setattr(here, "open_files", lambda: (soft, hard))
        return here.files(load(concurrency=1_000))

    is_told(limited(2_000, 2_000), "ok", "2,000 may be open")
    is_told(limited(900, 5_000), "ok", "5,000 may be open")  # a crawl raises what is in force
    is_told(limited(1_100, 1_100), "warn", "raise the limit (nofile)", "--concurrency 844")
    is_told(limited(900, 900), "fail", "raise the limit (nofile) of this user to 1256")


def test_a_full_a_small_a_slow_and_a_locked_disk_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(FakeClock):
        def now(self) -> int:
            self.time += self.step
            return self.time

        step = 10

    def room(free: int, step: int = 10) -> Finding:
        clock = Slow(0)
        clock.step = step
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free))
        return here.disk(clock, tmp_path)

    is_told(room(100 * GB), "ok", "100.0 GB free", "1600 MB/s")
    is_told(room(100 * GB, step=10_000), "warn", "2 MB/s", "faster")
    is_told(room(3 * GB), "warn", "3.0 GB free", "helios crawl --max-pages")
    is_told(room(GB // 10), "fail", "0.1 GB free", "helios crawl --out FOLDER")
    is_told(here.disk(FakeClock(0), Path("/proc")), "fail", "cannot be written", "helios crawl --out FOLDER")


def test_memory_is_that_of_the_machine_or_of_its_container(monkeypatch: pytest.MonkeyPatch) -> None:
    def has(total: int, available: int, limit: int | None, **given: object) -> Finding:
        monkeypatch.setattr(here, "memory_of_machine", lambda: (total, available))
        monkeypatch.setattr(here, "memory_limit", lambda: limit)
        return here.memory(load(**given))  # wants 0.7 GB

    is_told(has(16 * GB, 8 * GB, None), "ok", "8.0 GB can be had of 16.0 GB")
    is_told(has(16 * GB, 8 * GB, GB // 2), "warn", "0.5 GB are allowed", "crawl.memory=")
    is_told(has(16 * GB, GB, None, memory="500MB"), "ok", "at most 0.5 GB")
    is_told(has(16 * GB, GB, None, memory="4GB"), "fail", "4.0 GB are wanted")
    is_told(has(16 * GB, GB // 4, None), "fail", "0.2 GB can be had")
    monkeypatch.setattr(here, "memory_of_machine", lambda: None)
    monkeypatch.setattr(here, "memory_limit", lambda: None)
    is_told(here.memory(load()), "skip", "does not tell")


def test_authorities_are_found_or_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = tmp_path / "good.pem", tmp_path / "bad.pem"
    good.write_text(here.CERTIFICATES)
    bad.write_text("nothing")
    monkeypatch.setenv("SSL_CERT_FILE", str(good))
    is_told(here.certificates(load()), "ok", "good.pem")
    is_told(here.certificates(load(extra_ca=str(bad))), "fail", "bad.pem holds none")
    monkeypatch.setenv("SSL_CERT_FILE", str(bad))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))
    is_told(here.certificates(load()), "fail", "no authorities", "ca-certificates")
    is_told(here.certificates(load(extra_ca=str(good))), "warn", "no authorities")


def test_a_browser_is_not_needed_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == "chromium" else None)
    is_told(here.browser(), "ok", "/bin/chromium; not needed yet")
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    is_told(here.browser(), "skip", "not needed yet")


@pytest.fixture
def web() -> Iterator[_core.SimWeb]:
    web = _core.SimWeb("calm", "{}", 0, 0, 0)
    yield web
    web.stop()


def test_name_servers_are_asked_only_for_a_name_that_is_given(
    web: _core.SimWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = f"127.0.0.1:{web.dns_port}"
    known = web.seeds()[0].split("/")[2].partition(":")[0]
    clock = SystemClock()
    is_told(there.names(load(servers=[server]), None, clock), "skip", server, "--name example.org")
    is_told(there.names(load(servers=[server]), known, clock), "ok", known, server, "answered in")
    for name in ("x" * 70 + ".org", "a..org", ""):
        is_told(there.names(load(servers=[server]), name, clock), "fail", f"{name} is no name of a host")
    two = load(servers=[server, "127.0.0.1:1"])
    is_told(there.names(two, known, clock), "warn", "127.0.0.1:1 does not answer (Connection refused)")
    monkeypatch.setattr(there, "RESOLVERS", Path("/nowhere"))
    is_told(
        there.names(load(), None, clock), "fail", "no name server", "helios crawl --dns ADDRESS:PORT", "[dns] servers"
    )


def test_a_name_that_is_not_there_is_not_the_network_s_fault(web: _core.SimWeb) -> None:
    server = f"127.0.0.1:{web.dns_port}"
    found = there.names(load(servers=[server]), "no-such-name.invalid", SystemClock())
    is_told(found, "warn", "there is no such name", "they answer; is the name spelled right?")
    found = there.names(load(servers=["127.0.0.1:1"]), "no-such-name.invalid", SystemClock())
    is_told(found, "fail", "does not answer", "is the network up?", "helios crawl --dns ADDRESS:PORT")


ADVICE = re.compile(r"helios (\w+)((?: +(?:--?[\w-]+|[A-Z][A-Z:]*))*)")


def test_the_doctor_names_only_options_that_are_there() -> None:
    source = "".join(Path(module.__file__ or "").read_text() for module in (here, there))
    named = {(command, option) for command, rest in ADVICE.findall(source) for option in re.findall(r"--[\w-]+", rest)}
    assert {("crawl", "--out"), ("crawl", "--dns"), ("doctor", "--name")} <= named
    for command, option in named:
        assert option in CliRunner().invoke(main, [command, "--help"]).stdout
    alone = re.sub(r"pip install [-\w]+", "", ADVICE.sub("", source))
    assert re.findall(r"--[a-z][\w-]+", alone) == [], "an option without its command"


def test_the_machine_s_own_name_servers_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "resolv.conf"
    file.write_text("# nameserver 9.9.9.9\nsearch lan\nnameserver 127.0.0.53 # here\nnameserver ::1\n")
    monkeypatch.setattr(there, "RESOLVERS", file)
    is_told(there.names(load(), None, SystemClock()), "skip", "127.0.0.53:53, ::1:53")


@pytest.mark.parametrize(("answer", "says"), [(b"xx", "nonsense"), (None, "does not answer (timed out)")])
def test_a_name_server_that_talks_nonsense_or_not_at_all_is_said(answer: bytes | None, says: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def reply() -> None:
            _, who = server.recvfrom(4_096)
            if answer is not None:
                server.sendto(answer, who)

        thread = threading.Thread(target=reply)
        thread.start()
        settings = load(dns={"servers": [f"127.0.0.1:{server.getsockname()[1]}"], "timeout_ms": 200})
        is_told(there.names(settings, "example.org", SystemClock()), "fail", says)
        thread.join()


def test_an_object_store_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert there.store(load()) is None
    pytest.importorskip("obstore")
    monkeypatch.setattr(there, "PATIENCE_S", 1)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "me")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    settings = load(store={"url": "s3://bucket/x", "endpoint": "http://127.0.0.1:1", "allow_http": True})
    found = there.store(settings)
    assert found is not None
    is_told(found, "fail", "s3://bucket/x", "docs/store.md")
    assert "hush" not in found.says


def test_a_folder_that_is_to_come_is_judged_by_the_one_above(tmp_path: Path) -> None:
    assert existing_part(tmp_path / "a" / "b") == tmp_path
    assert existing_part(tmp_path) == tmp_path
