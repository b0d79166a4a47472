"""What stores of files can do wrong: a process that dies while it adds, a disk that is full, files of others."""

import errno
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helios.errors import StoreError
from helios.settings import load
from helios.stores import files
from helios.stores.files import FileStore
from helios.stores.jsonl import JsonlStore
from helios.stores.parquet import ParquetStore
from helios.stores.warc import WarcStore

KINDS: dict[str, Callable[..., FileStore]] = {"warc": WarcStore, "parquet": ParquetStore, "jsonl": JsonlStore}
kinds = pytest.mark.parametrize("kind", KINDS)


def opened(kind: str, folder: Path) -> FileStore:
    settings = load(compact_files=3, warc_bytes=3_000).store
    return KINDS[kind](folder / kind, folder / "staged", settings)


def rows(*names: str) -> pa.Table:
    return pa.table({"url": pa.array([f"https://example.org/{name}" for name in names]), "text": [*names]})


def urls(store: FileStore) -> list[str]:
    read: list[str] = store.scan(["url"]).read_all()["url"].to_pylist()  # type: ignore[attr-defined]
    return sorted(url.removeprefix("https://example.org/") for url in read)


@kinds
def test_bytes_after_what_was_published_are_cut_off(tmp_path: Path, kind: str) -> None:
    store = opened(kind, tmp_path)
    store.stage("00000001", rows("a"))
    store.publish(["00000001"])
    before = {path: path.read_bytes() for path in (tmp_path / kind).iterdir()}
    for path, content in before.items():
        if path.name.startswith("helios-") and path.suffix not in {".cdxj", ".parquet"}:
            path.write_bytes(content + b"cut off in the mid")
    (tmp_path / kind / "helios-99999.warc.gz").write_bytes(b"begun")
    (tmp_path / kind / "manifest.json.new").write_bytes(b"{")
    store = opened(kind, tmp_path)
    assert urls(store) == ["a"], "what is after the length is not read"
    store.collect([])
    after = {path: path.read_bytes() for path in (tmp_path / kind).iterdir() if path.suffix != ".new"}
    assert after == before
    assert urls(store) == ["a"]


@kinds
def test_what_a_process_left_that_died_while_it_staged_is_cleared_away(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(kind, tmp_path)
    store.stage("00000001", rows("a"))

    def dies(point: str) -> None:
        raise KeyboardInterrupt(point)

    with monkeypatch.context() as patched:
        patched.setattr(files, "passed", dies)
        with pytest.raises(KeyboardInterrupt, match=r"stage.written"):
            store.stage("00000002", rows("b"))
    assert any(path.name.startswith("00000002") for path in (tmp_path / "staged").iterdir())
    store = opened(kind, tmp_path)
    store.collect(["00000001"])
    assert {path.name.split(".")[0] for path in (tmp_path / "staged").iterdir()} == {"00000001"}
    store.publish(["00000001"])
    assert urls(store) == ["a"]
    assert list((tmp_path / "staged").iterdir()) == []


@kinds
def test_a_crash_between_commit_and_clean_up_publishes_once_also_twice(tmp_path: Path, kind: str) -> None:
    store = opened(kind, tmp_path)
    names = ["00000001", "00000002", "00000003"]
    for name in names:
        store.stage(name, rows(name))
    kept = {path: path.read_bytes() for path in (tmp_path / "staged").iterdir()}
    for count in (1, 2, 3):  # each time it dies before it forgets what it had staged
        opened(kind, tmp_path).publish(names[:count])
        for path, content in kept.items():
            path.write_bytes(content)
    store = opened(kind, tmp_path)
    assert store.publish(names) == 0
    assert urls(store) == names
    assert list((tmp_path / "staged").iterdir()) == []


@kinds
def test_a_file_that_lost_what_was_published_is_said(tmp_path: Path, kind: str) -> None:
    store = opened(kind, tmp_path)
    store.stage("00000001", rows("a"))
    store.publish(["00000001"])
    store.stage("00000002", rows("b"))
    for path in (tmp_path / kind).glob("helios-*"):
        path.write_bytes(path.read_bytes()[:10])
    store = opened(kind, tmp_path)
    with pytest.raises(StoreError, match=r"has 10 bytes of the \d+ that were stored"):
        store.publish(["00000002"])


def test_a_damaged_parquet_file_is_said_in_one_sentence(tmp_path: Path) -> None:
    store = opened("parquet", tmp_path)
    store.stage("00000001", rows("a"))
    store.publish(["00000001"])
    for path in (tmp_path / "parquet").glob("helios-*"):
        path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(StoreError, match=r"^reading pages in .* failed: .*magic bytes") as raised:
        urls(store)
    assert "\n" not in str(raised.value)


@kinds
def test_files_of_others_are_left_alone(tmp_path: Path, kind: str) -> None:
    (tmp_path / kind).mkdir()
    (tmp_path / kind / "diary.txt").touch()
    store = opened(kind, tmp_path)
    store.stage("00000001", rows("a"))
    store.publish(["00000001"])
    store.collect([])
    assert (tmp_path / kind / "diary.txt").exists()


@kinds
def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(kind, tmp_path)
    for name in ("00000001", "00000002"):
        store.stage(name, rows(name))
    store.publish(["00000001"])

    def full(path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", path)

    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        with pytest.raises(StoreError, match=r"the disk is full .*free some space"):
            store.publish(["00000002"])
    assert urls(store) == ["00000001"]
    assert store.publish(["00000002"]) == 1
    assert urls(store) == ["00000001", "00000002"]


def test_small_parquet_files_are_merged_and_large_ones_are_not(tmp_path: Path) -> None:
    store = ParquetStore(tmp_path / "parquet", tmp_path / "staged", load(compact_files=3, rows_per_file=9).store)
    for number in range(1, 41):
        name = f"{number:08}"
        store.stage(name, rows(name))
        store.publish([name])
    counts = [pq.read_metadata(path).num_rows for path in sorted((tmp_path / "parquet").glob("*.parquet"))]
    assert sum(counts) == 40
    assert sorted(counts, reverse=True) == [9, 9, 9, 9, 3, 1]
    assert urls(store) == [f"{number:08}" for number in range(1, 41)]


def test_a_batch_with_more_columns_is_taken(tmp_path: Path) -> None:
    for kind in ("parquet", "jsonl"):
        store = opened(kind, tmp_path)
        for number, table in enumerate([rows("a"), rows("b").append_column("more", pa.array([1.5])), rows("c")], 1):
            store.stage(f"{number:08}", table)
            store.publish([f"{number:08}"])
        assert sorted(store.scan().read_all()["more"].to_pylist(), key=str) == [1.5, None, None]  # type: ignore[attr-defined]


def test_a_pipe_gets_every_row_once_and_at_once(tmp_path: Path) -> None:
    with (tmp_path / "pipe").open("wb") as pipe:
        store = JsonlStore(tmp_path / "jsonl", tmp_path / "staged", pipe=pipe)
        for name in ("00000001", "00000002"):
            store.stage(name, rows(name))
        assert store.publish(["00000001"]) == 1
        lines = (tmp_path / "pipe").read_text().splitlines()
        assert [json.loads(line)["text"] for line in lines] == ["00000001"]
        assert store.publish(["00000001", "00000002"]) == 1
    assert len((tmp_path / "pipe").read_text().splitlines()) == 2


def test_a_standard_output_that_is_closed_is_said_before_a_page_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(StoreError, match="pages cannot be written to standard output: it is closed"):
        JsonlStore(tmp_path / "jsonl", tmp_path / "staged", load(jsonl="-").store)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_store_files import opened, rows
folder, kind, turn = Path(sys.argv[1]), sys.argv[2], sys.argv[4]
store = opened(kind, folder)
for number in range(1_000_000):
    name = f"{int(store.last() or 0) + 1:08}"
    store.stage(name, rows(*(f"{turn}/{number}/{row}" for row in range(3))))
    print("staged", name, f"{turn}/{number}", flush=True)
    store.publish([name])
"""


@kinds
@pytest.mark.timeout(60)
def test_kill_9_loses_nothing_that_was_staged_and_doubles_nothing(tmp_path: Path, kind: str) -> None:
    staged: dict[str, str] = {}
    here = str(Path(__file__).parent)
    for turn, seconds in enumerate((0.05, 0.17, 0.31)):
        command = [sys.executable, "-c", WRITER, str(tmp_path), kind, here, str(turn)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        first = process.stdout.readline()
        Event().wait(seconds)
        process.kill()
        for line in [first, *process.communicate()[0].splitlines(keepends=True)]:
            if line.endswith("\n"):  # death may cut the last line short
                _, name, page = line.split()
                staged[name] = page
        opened(kind, tmp_path).publish(sorted(staged))  # as a crawl does that starts again: it repeats what it knows
    store = opened(kind, tmp_path)
    store.collect(sorted(staged))
    assert Counter(urls(store)) == Counter(f"{page}/{row}" for page in staged.values() for row in range(3))
    assert len(staged) > 3
    assert list((tmp_path / "staged").iterdir()) == []
