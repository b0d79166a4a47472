"""A crawl on a disk that fills up: a small file system in memory, which only root may mount."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import helios
from end_to_end.agreement import archived
from end_to_end.kills import helios_process, judged_after
from end_to_end.webs import crawled, settings_for, stored
from helios.folder import existing
from helios.settings import load
from helios.simweb import started


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "disk"
    path.mkdir()
    try:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", path], capture_output=True)  # noqa: PLW1510, S607
    except OSError as error:
        pytest.skip(f"no file system can be mounted: {error}")
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)  # noqa: S607


def filled(disk: Path, left: int) -> Path:
    """A file that takes all room but so many bytes."""
    ballast = disk / "ballast"
    ballast.write_bytes(b"\0" * (shutil.disk_usage(disk).free - left))
    return ballast


def failed(folder: Path) -> str:
    """What a crawl says that goes on, and cannot."""
    process = helios_process("resume", str(folder))
    _, said = process.communicate(timeout=60)
    assert process.returncode in {1, 2}, said.decode()
    return " ".join(said.decode().split())


@pytest.mark.timeout(90)
@pytest.mark.parametrize(("left", "kinds"), [(200_000, ["lance"]), (400_000, ["lance"]), (300_000, ["lance", "warc"])])
def test_a_crawl_stops_with_a_sentence_and_goes_on_when_there_is_room(disk: Path, left: int, kinds: list[str]) -> None:
    folder = disk / "out"
    with started(["--preset=calm", "--hosts=12", "--seed=5"]) as web:
        crawled(web, folder, max_pages=20, publish_ms=100, kinds=kinds)
        existing(folder).write(load(None, **settings_for(web, publish_ms=100, kinds=kinds)))  # without the limit
        ballast = filled(disk, left)
        for _ in range(2):
            said = failed(folder)
            assert "disk is full" in said, said
            assert "Traceback" not in said
        assert len(stored(folder)) >= 20, "what was published can still be read"
        ballast.unlink()
        assert helios.resume(folder).ended == "finished"
        judged_after(web, folder, 2)
    if "warc" in kinds:
        table = helios.open(folder).pages(["url", "fetch_number"]).read_all()
        rows = set(zip(table["url"].to_pylist(), table["fetch_number"].to_pylist(), strict=True))
        archive = archived(folder)
        assert rows <= set(archive)
        assert set(archive.values()) == {1}
