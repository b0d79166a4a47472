"""What is known of this machine, and of ones that are made otherwise."""

import os
import resource
import sys
from pathlib import Path

import pytest

from helios.measure import machine

GB = 1 << 30


def test_this_process_holds_some_memory_and_may_open_files() -> None:
    assert 10_000_000 < machine.memory_used() < 100 * GB
    soft, hard = machine.open_files()
    assert 0 < soft <= hard
    assert 1 <= machine.processors() <= (os.cpu_count() or 1)


def test_a_system_without_proc_tells_what_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PROC", tmp_path)
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    assert machine.memory_used() > 10_000_000
    assert machine.memory_of_machine() is None
    assert machine.memory_limit() is None


LIMITS: list[tuple[dict[str, str], int | None]] = [
    ({"memory.max": "max"}, None),
    ({"memory.max": f"{2 * GB}\n"}, 2 * GB),
    ({"a/b/memory.max": f"{GB}", "memory.max": f"{2 * GB}"}, GB),
    ({"memory/memory.limit_in_bytes": f"{3 * GB}"}, 3 * GB),
    ({"memory/memory.limit_in_bytes": "9223372036854771712"}, None),
    ({"memory.max": "nonsense"}, None),
]


@pytest.mark.parametrize(("files", "limit"), LIMITS)
def test_the_limit_of_a_container_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], limit: int | None
) -> None:
    proc, group = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "self" / "cgroup").write_text("0::/a/b\n")
    for name, text in files.items():
        (group / name).parent.mkdir(parents=True, exist_ok=True)
        (group / name).write_text(text)
    monkeypatch.setattr(machine, "PROC", proc)
    monkeypatch.setattr(machine, "CGROUP", group)
    assert machine.memory_limit() == limit


def test_memory_of_the_machine_is_read_as_linux_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meminfo").write_text(
        "MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable:    600 kB\nHugePages: 0\n"
    )
    monkeypatch.setattr(machine, "PROC", tmp_path)
    assert machine.memory_of_machine() == (1_024_000, 614_400)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_more_files_may_be_open_if_the_machine_lets_us() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, before[1]))
        assert machine.allow_open_files(200) == 300, "never fewer"
        assert machine.allow_open_files(400) == 400
        assert machine.open_files()[0] == 400
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_no_limit_on_open_files_is_a_large_number() -> None:
    assert machine._finite(-1) == machine.UNLIMITED
    assert machine._finite(1_024) == 1_024
