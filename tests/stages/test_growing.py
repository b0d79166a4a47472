"""An archive that grows where it stays: holes, tails, rollovers, full disks, what earlier versions left."""

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helios.errors import StoreError
from helios.stores import files, warc
from helios.stores.files import published
from helios.stores.warc import WarcStore
from stages.grown import as_before, checked, files_of, opened, rows, staged


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that were copied from, as they are."""
    found: list[str] = []

    def join(path: Path, at: int, other: Path, start: int = 0, end: int | None = None) -> int:
        found.append(other.name)
        return copy(path, at, other, start, end)

    copy: Callable[..., int] = files.join
    monkeypatch.setattr(warc, "join", join)
    return found


def test_publishing_copies_nothing(tmp_path: Path, copies: list[str]) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2", "3")
    before = (tmp_path / "warc/helios-00000.warc.gz").read_bytes()
    store.publish(["2", "1"])  # at once, they are taken in the order in which they were staged
    staged(store, "4")
    store.publish(["3", "4"])
    assert (tmp_path / "warc/helios-00000.warc.gz").read_bytes().startswith(before)
    assert checked(store, tmp_path) == ["1", "2", "3", "4"]
    assert copies == []


def test_what_is_published_before_its_turn_is_copied_and_nothing_after_it(tmp_path: Path, copies: list[str]) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2", "3")
    store.publish(["3"])
    staged(store, "4")
    store.publish(["1"])
    store.publish(["2", "4"])
    assert copies == ["helios-00000.warc.gz"]
    assert checked(store, tmp_path) == ["1", "2", "3", "4"]
    assert files_of(tmp_path) == {"helios-00001.warc.gz": 2, "helios-00000.warc.gz": 2}


def test_a_hole_is_left_behind(tmp_path: Path, copies: list[str]) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2", "3", "4")
    store.publish(["1"])
    assert store.collect(["3", "4"]) == 1
    staged(store, "5")
    store = opened(tmp_path)
    staged(store, "6")
    store.publish(["3", "4", "5", "6"])
    assert copies == ["helios-00000.warc.gz"] * 2, "only what was behind the hole already"
    assert checked(store, tmp_path) == ["1", "3", "4", "5", "6"]
    assert files_of(tmp_path) == {"helios-00000.warc.gz": 1, "helios-00002.warc.gz": 2, "helios-00001.warc.gz": 2}
    staged(store, "7")
    store.publish(["7"])
    assert len(copies) == 2
    assert checked(store, tmp_path) == ["1", "3", "4", "5", "6", "7"]


def test_a_file_whose_index_is_done_grows_no_more(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2", "3")
    store.publish(["1"])
    store.collect(["3"])
    staged(store, "4")
    store.collect(["4"])  # the first file has no more to come
    store.collect([])  # and nor has the second
    staged(store, "5")
    store.publish(["5"])
    assert checked(store, tmp_path) == ["1", "5"]
    assert files_of(tmp_path) == {"helios-00000.warc.gz": 1, "helios-00001.warc.gz": 1}


def test_a_crash_after_the_commit_leaves_no_hole(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1")
    kept = (tmp_path / "staged/1.warc.note").read_bytes()
    store.publish(["1"])
    (tmp_path / "staged/1.warc.note").write_bytes(kept)  # it died before that was forgotten
    store = opened(tmp_path)
    store.collect(["1"])
    staged(store, "2")
    assert store.publish(["1", "2"]) == 2
    assert checked(store, tmp_path) == ["1", "2"]
    assert len(files_of(tmp_path)) == 1


def test_a_file_of_nothing_but_a_hole_goes(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2")
    store.collect(["2"])
    store.publish(["2"])
    assert checked(store, tmp_path) == ["2"]
    assert list(files_of(tmp_path)) == ["helios-00001.warc.gz"]


def test_what_is_thrown_away_at_the_end_is_cut_off_at_once(tmp_path: Path, copies: list[str]) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2")
    store.publish(["1"])
    store.collect([])
    assert checked(store, tmp_path) == ["1"]
    staged(store, "3")
    store.publish(["3"])
    assert checked(store, tmp_path) == ["1", "3"]
    assert copies == []
    assert len(files_of(tmp_path)) == 1


def test_a_torn_tail_is_cut_off_and_what_is_staged_before_it_is_not(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1", "2")
    store.publish(["1"])
    path = tmp_path / "warc/helios-00000.warc.gz"
    kept = path.read_bytes()
    path.write_bytes(kept + kept[-100:])  # a record that was being written when the process died
    store = opened(tmp_path)
    store.collect(["2"])
    assert path.read_bytes() == kept
    path.write_bytes(kept + kept[-100:])
    store = opened(tmp_path)
    staged(store, "3")  # without a word from anybody
    store.publish(["2", "3"])
    assert checked(store, tmp_path) == ["1", "2", "3"]


def test_full_files_are_followed_by_others_before_anything_is_published(tmp_path: Path, copies: list[str]) -> None:
    store = opened(tmp_path, 1_500)
    staged(store, "1", "2", "3", "4", "5", "6")
    assert len(list((tmp_path / "warc").glob("*.warc.gz"))) > 2
    assert checked_empty(store)
    store = opened(tmp_path, 1_500)
    store.collect(["1", "2", "3", "4", "5", "6"])
    store.publish(["1", "2", "3", "4"])
    store = opened(tmp_path, 1_500)
    store.publish(["5", "6"])
    assert checked(store, tmp_path) == ["1", "2", "3", "4", "5", "6"]
    assert copies == []
    assert len(list((tmp_path / "warc").glob("*.log"))) == 1, "of those that are full the index is done"


def checked_empty(store: WarcStore) -> bool:
    return bool(store.scan().read_all().num_rows == 0)


def test_a_batch_without_rows_touches_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert not store.stage("1", rows())
    assert list((tmp_path / "warc").iterdir()) == []
    staged(store, "2")
    before = (tmp_path / "warc/helios-00000.warc.gz").read_bytes()
    assert not store.stage("3", rows())
    assert (tmp_path / "warc/helios-00000.warc.gz").read_bytes() == before
    assert [path.name for path in (tmp_path / "staged").iterdir()] == ["2.warc.note"]


def test_readers_do_not_see_what_is_staged(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1")
    store.publish(["1"])
    store.close()
    path = tmp_path / "warc/helios-00000.warc.gz"
    length, index = path.stat().st_size, path.with_name("helios-00000.cdxj").read_bytes()
    staged(store, "2")
    store.close()
    assert path.stat().st_size > length
    for reader in (store, opened(tmp_path)):
        assert set(reader.scan(["url"]).read_all()["url"].to_pylist()) == {
            "https://example.org/1/a",
            "https://example.org/1/b",
        }
    assert published(tmp_path / "warc") == [(path, length, 2)]
    assert path.with_name("helios-00000.cdxj").read_bytes() == index


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can be larger."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("begun", [True, False])
def test_a_disk_that_is_full_in_the_middle_of_a_batch_leaves_nothing_wrong(tmp_path: Path, begun: bool) -> None:
    store = opened(tmp_path)
    staged(store, *(["1", "2"] if begun else []))
    store.publish(["1"] if begun else [])
    path = tmp_path / "warc/helios-00000.warc.gz"
    size = path.stat().st_size if begun else 0
    with room_for(size + 500), pytest.raises(StoreError, match=r"storing pages in .* failed: .*File too large"):
        staged(store, "3")
    assert path.stat().st_size == size + 500, "it was in the middle"
    staged(store, "4")
    store.publish([*(["2"] if begun else []), "4"])
    assert checked(store, tmp_path) == [*(["1", "2"] if begun else []), "4"]


def test_a_note_that_cannot_be_written_leaves_nothing_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path)
    staged(store, "1")

    def full(path: Path, *_: object) -> int:
        path.write_bytes(b'{"file"')
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(warc, "append", full)
        with pytest.raises(StoreError, match="the disk is full"):
            staged(store, "2")
    staged(store, "3")
    store.publish(["1", "3"])
    store.collect([])
    assert checked(store, tmp_path) == ["1", "3"]
    assert list((tmp_path / "staged").iterdir()) == []


def test_a_note_that_cannot_be_named_leaves_no_hole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path)

    def refuses(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuses)
        with pytest.raises(StoreError, match=r"storing pages in .* failed: Input/output error"):
            staged(store, "1")
    staged(store, "2")
    store.publish(["2"])
    assert checked(store, tmp_path) == ["2"]
    assert list(files_of(tmp_path)) == ["helios-00000.warc.gz"]


def test_after_an_error_the_manifest_that_is_there_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path)
    staged(store, "1")
    store.publish(["1"])
    staged(store, "2", "3")

    def refuses(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(files, "sync", refuses)  # it is renamed by then
        with pytest.raises(StoreError, match=r"making pages visible in .* failed: Input/output error"):
            store.publish(["3"])
    copy = tmp_path / "warc/helios-00001.warc.gz"
    before = copy.stat().st_ino
    assert store.publish(["3"]) == 0, "as a crawl does that failed"
    assert copy.stat().st_ino == before, "a process that dies meanwhile must not have removed what is listed"
    store.publish(["2"])
    assert checked(store, tmp_path) == ["1", "2", "3"]


def test_a_file_that_lost_what_was_staged_is_said(tmp_path: Path) -> None:
    store = opened(tmp_path)
    staged(store, "1")
    store.publish(["1"])
    staged(store, "2")
    path = tmp_path / "warc/helios-00000.warc.gz"
    whole = path.stat().st_size
    os.truncate(path, whole - 1)
    with pytest.raises(StoreError, match=rf"{path} has {whole - 1} bytes of the {whole} that were stored"):
        staged(opened(tmp_path), "3")
    path.unlink()
    with pytest.raises(StoreError, match=rf"{path} has 0 bytes of the {whole} that were stored"):
        opened(tmp_path).collect(["2"])


def test_a_damaged_note_is_said(tmp_path: Path) -> None:
    staged(opened(tmp_path), "1")
    (tmp_path / "staged/1.warc.note").write_bytes(b"{")
    with pytest.raises(StoreError, match=r"1.warc.note is damaged"):
        opened(tmp_path).publish(["1"])


@pytest.mark.parametrize("is_published", [True, False])
def test_an_archive_cannot_go_on_in_another_packing(tmp_path: Path, is_published: bool) -> None:
    store = opened(tmp_path)
    staged(store, "1")
    store.publish(["1"] if is_published else [])
    with pytest.raises(StoreError, match=r"packed as helios-00000.warc.gz is: set \[store\] warc_packing back"):
        opened(tmp_path, warc_packing="zstd").collect([])
    store = opened(tmp_path)
    store.publish(["1"])
    assert checked(store, tmp_path) == ["1"]


def test_what_an_earlier_version_staged_is_published(tmp_path: Path) -> None:
    as_before(tmp_path, "1")
    store = opened(tmp_path)
    assert store.last() == "1"
    store.collect(["1"])
    store.publish(["1"])
    for name in ("2", "3", "4"):
        as_before(tmp_path, name)
    (tmp_path / "staged/5.warc.gz.new").touch()
    (tmp_path / "staged/5.cdxj").touch()
    store = opened(tmp_path)
    assert store.collect(["2", "4"]) == 1
    staged(store, "6")
    store.publish(["2", "4", "6"])
    assert checked(store, tmp_path) == ["1", "2", "4", "6"]
    assert list((tmp_path / "staged").iterdir()) == []


def test_what_an_earlier_version_published_and_had_not_forgotten_is_not_published_again(tmp_path: Path) -> None:
    as_before(tmp_path, "1")
    kept = {path: path.read_bytes() for path in (tmp_path / "staged").iterdir()}
    opened(tmp_path).publish(["1"])
    for path, content in kept.items():
        path.write_bytes(content)
    store = opened(tmp_path)
    assert store.publish(["1"]) == 0
    store.collect([])
    assert checked(store, tmp_path) == ["1"]
    assert list((tmp_path / "staged").iterdir()) == []
