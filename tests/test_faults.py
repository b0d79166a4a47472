"""Named moments at which a process can be made to die."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helios import faults
from helios.errors import SettingsError

PASSING = "import helios.faults as f\nfor number in range(4): f.passed('stage.listed'); print(number, flush=True)"


def passing(fault: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "HELIOS_FAULT": fault}
    return subprocess.run([sys.executable, "-c", PASSING], env=environment, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("fault", "printed"), [("stage.listed", b""), ("stage.listed:3", b"0\n1\n"), ("", b"0\n1\n2\n3\n")]
)
def test_a_process_dies_at_its_point_when_it_was_passed_so_often(fault: str, printed: bytes) -> None:
    done = passing(fault)
    assert done.stdout == printed
    assert done.returncode == (-signal.SIGKILL if fault else 0)


def test_another_point_is_passed() -> None:
    assert passing("publish.told").returncode == 0


@pytest.mark.parametrize("fault", ["stage", "stage.listed:x", ":2"])
def test_a_point_that_is_none_is_explained(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "_fault", fault)
    with pytest.raises(SettingsError, match=r"give POINT or POINT:COUNT; points: stage.written, "):
        faults.passed("stage.listed")


def test_every_point_is_in_the_code_and_in_the_docs(root: Path) -> None:
    code = "".join(path.read_text() for path in (root / "python").rglob("*.py"))
    assert set(re.findall(r'passed\("([\w.]+)"\)', code)) == set(faults.POINTS)
    docs = (root / "docs" / "store.md").read_text()
    assert re.findall(r"^\| `(\w+\.\w+)` \|", docs, re.MULTILINE) == list(faults.POINTS)
