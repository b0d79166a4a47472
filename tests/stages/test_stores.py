"""What only the Lance store can do wrong: crashes, a second writer, a full disk."""

import errno
from pathlib import Path

import lance
import pyarrow as pa
import pytest

from helios.errors import StoreError
from helios.settings import load
from helios.stores import lance as lance_store
from helios.stores.lance import LanceStore


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return opened(tmp_path)


def opened(folder: Path) -> LanceStore:
    return LanceStore(folder / "pages.lance", folder / "staged", load(compact_files=5).store)


def staged(store: LanceStore, *names: str) -> str:
    name = f"{int(store.last() or 0) + 1:08}"
    assert store.stage(name, pa.table({"url": names}))
    return name


def urls(store: LanceStore) -> list[str]:
    return sorted(store.scan().read_all()["url"].to_pylist())


def test_a_crash_between_commit_and_clean_up_publishes_once(tmp_path: Path, store: LanceStore) -> None:
    name = staged(store, "a", "b")
    kept = (tmp_path / "staged" / f"{name}.json").read_text()
    store.publish([name])
    (tmp_path / "staged" / f"{name}.json").write_text(kept)  # as if killed before it was removed
    assert opened(tmp_path).publish([name]) == 0
    assert urls(store) == ["a", "b"]


def test_a_replay_after_the_lists_are_gone_adds_nothing(tmp_path: Path, store: LanceStore) -> None:
    name = staged(store, "a")
    store.publish([name])
    assert opened(tmp_path).publish([name]) == 0


def test_a_replay_after_compaction_adds_nothing(tmp_path: Path, store: LanceStore) -> None:
    names = [staged(store, str(number)) for number in range(8)]
    store.publish(names)
    assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) == 1
    assert opened(tmp_path).publish(names) == 0
    assert urls(store) == [str(number) for number in range(8)]


def test_compaction_leaves_staged_files_alone(tmp_path: Path, store: LanceStore) -> None:
    waiting = staged(store, "later")
    store.publish([staged(store, str(number)) for number in range(8)])
    assert opened(tmp_path).publish([waiting]) == 1
    assert "later" in urls(store)


def test_a_process_that_starts_anew_reuses_no_name(tmp_path: Path, store: LanceStore) -> None:
    first, second = staged(store, "a"), staged(store, "b")
    store.publish([first])
    third = staged(opened(tmp_path), "c")
    assert first < second < third


def test_a_second_writer_is_refused_not_mixed_in(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = staged(store, "mine"), staged(store, "theirs")
    read = LanceStore._read_list

    def interrupted(self: LanceStore, name: str, mark: str) -> object:
        monkeypatch.setattr(LanceStore, "_read_list", read)
        opened(tmp_path).publish([theirs])  # between our read and our commit
        return read(self, name, mark)

    monkeypatch.setattr(LanceStore, "_read_list", interrupted)
    with pytest.raises(StoreError, match="someone else"):
        store.publish([mine])
    assert urls(store) == ["theirs"]
    assert store.publish([mine]) == 1
    assert urls(store) == ["mine", "theirs"]


def test_a_first_commit_that_failed_half_way_is_made_again(tmp_path: Path, store: LanceStore) -> None:
    for part in ("_versions", "_transactions"):  # what a full disk leaves
        (tmp_path / "pages.lance" / part).mkdir(parents=True)
    assert store.scan().read_all().num_columns == 0
    with pytest.raises(StoreError, match="never staged"):
        store.publish(["00000001"])
    store.publish([staged(store, "a")])
    assert urls(store) == ["a"]


def test_a_folder_that_is_no_table_is_said_and_left_alone(tmp_path: Path, store: LanceStore) -> None:
    (tmp_path / "pages.lance").mkdir()
    (tmp_path / "pages.lance" / "diary.txt").touch()
    calls = (lambda: store.stage("00000001", pa.table({"url": ["a"]})), lambda: store.publish(["00000001"]), store.scan)
    for call in calls:
        with pytest.raises(StoreError, match=r"is no page table: .* holds diary.txt"):
            call()
    assert [path.name for path in (tmp_path / "pages.lance").iterdir()] == ["diary.txt"]


def test_a_data_file_that_is_gone_is_said_in_one_sentence(tmp_path: Path, store: LanceStore) -> None:
    store.publish([staged(store, "a")])
    for file in (tmp_path / "pages.lance" / "data").iterdir():
        file.unlink()
    with pytest.raises(StoreError, match=r"reading pages in .* failed: .*Not found") as raised:
        opened(tmp_path).scan().read_all()
    assert "\n" not in str(raised.value)
    assert ".rs:" not in str(raised.value)


def test_a_damaged_manifest_is_said_in_one_sentence(tmp_path: Path, store: LanceStore) -> None:
    name = staged(store, "a")
    for manifest in (tmp_path / "pages.lance" / "_versions").glob("*.manifest"):
        manifest.write_bytes(b"cut")
    for call in (lambda: opened(tmp_path).publish([name]), lambda: opened(tmp_path).scan()):
        with pytest.raises(StoreError, match=r"^[a-z ]+ in .*pages.lance failed: .*") as raised:
            call()
        assert "\n" not in str(raised.value)
        assert ".rs:" not in str(raised.value)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError("LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)"),
    ],
    ids=["from the system", "from lance"],
)
def test_a_full_disk_is_said_in_one_sentence(
    store: LanceStore, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def full(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(lance_store, "write_fragments", full)
    with pytest.raises(StoreError, match=r"the disk is full .*free some space") as raised:
        store.stage("00000001", pa.table({"url": ["a"]}))
    assert "\n" not in str(raised.value)
