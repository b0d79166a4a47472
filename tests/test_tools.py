"""A machine that lacks something is told what, and how to get it."""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

NEEDED = ("bash", "dirname", "sed", "sort", "head", "uname", "id")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A PATH with the shell's own tools and nothing else."""
    for tool in NEEDED:
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    return tmp_path


def checked(root: Path, path: Path, tool: str = "check") -> subprocess.CompletedProcess[str]:
    command = [str(path / "bash"), f"tools/{tool}.sh"]
    return subprocess.run(command, cwd=root, env={"PATH": str(path)}, capture_output=True, text=True, check=False)


def script(path: Path, output: str) -> None:
    path.write_text(f"#!{path.parent}/bash\nprintf '{output}'\n")
    path.chmod(0o755)


def test_a_bare_machine_is_told_everything_that_is_missing(root: Path, bare: Path) -> None:
    result = checked(root, bare)
    assert result.returncode == 1
    for word in ("Python 3.11 or newer", "cargo (Rust", "sh.rustup.rs", "a C compiler", "run make again"):
        assert word in result.stderr


def test_a_machine_with_everything_is_told_which_python_is_used(root: Path, bare: Path) -> None:
    for tool, output in (("python3", ""), ("cargo", "cargo 9.9.0\\n"), ("cc", "")):
        script(bare / tool, output)
    result = checked(root, bare)
    assert (result.returncode, result.stdout, result.stderr) == (0, "python3\n", "")


def test_an_old_rust_is_told_to_update(root: Path, bare: Path) -> None:
    for tool, output in (("python3", ""), ("cargo", "cargo 1.63.0\\n"), ("cc", "")):
        script(bare / tool, output)
    result = checked(root, bare)
    assert result.returncode == 1
    assert "rustup update stable" in result.stderr


def test_a_wheel_is_not_begun_without_what_reads_its_profile(root: Path, bare: Path) -> None:
    script(bare / "rustc", "/nowhere\\n")
    result = checked(root, bare, "wheel")
    assert result.returncode == 1
    assert "rustup component add llvm-tools" in result.stderr


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_every_planted_bug_fits_into_the_sources(root: Path) -> None:
    patches = sorted((root / "crates" / "helios-trial" / "planted").glob("*.patch"))
    words = ["patch", "--dry-run", "--quiet", "--fuzz", "0", "--strip", "1", "--input"]
    fits = {
        patch.name: subprocess.run([*words, str(patch)], cwd=root, check=False).returncode == 0 for patch in patches
    }
    assert fits
    assert [name for name, fit in fits.items() if not fit] == []


def test_the_crawls_that_the_compiler_learns_from_run_to_their_end(root: Path) -> None:
    ran = subprocess.run([sys.executable, "tools/train.py", "--hosts=4"], cwd=root, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    summaries = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    assert [one["ended"] for one in summaries] == ["finished"] * 3
    assert len({one["pages"] for one in summaries}) == 1
    assert summaries[0]["pages"] > 4
