"""The stub of the Rust core says what the compiled module is."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.timeout(120)
def test_the_stub_matches_the_compiled_module(root: Path) -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "helios._core", "--mypy-config-file", "pyproject.toml"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
