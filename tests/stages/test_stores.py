"""What only the Lance store can do wrong: crashes, a second writer, a full disk."""

import errno
from pathlib import Path

import lance
import pyarrow as pa
import pytest
from lance.file import LanceFileReader

from helios.errors import StoreError
from helios.settings import load
from helios.stores import lance as lance_store
from helios.stores import upkeep
from helios.stores.lance import LanceStore
from helios.stores.place import Disk
from helios.stores.upkeep import Piece, worth_merging


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return opened(tmp_path)


def opened(folder: Path) -> LanceStore:
    return LanceStore(Disk(folder / "pages.lance", folder / "staged"), load(compact_files=5).store)


@pytest.fixture(params=["encoded anew", "copied"])
def merged_either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "copied":
        monkeypatch.setattr(upkeep, "REWRITE_BYTES", 0)


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


@pytest.mark.usefixtures("merged_either_way")
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


@pytest.mark.parametrize("before", [[], ["first"]], ids=["in an empty table", "in a table with rows"])
def test_a_second_writer_is_refused_not_mixed_in(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch, before: list[str]
) -> None:
    store.publish([staged(store, name) for name in before])
    mine, theirs = staged(store, "mine"), staged(store, "theirs")
    read = LanceStore._list

    def interrupted(self: LanceStore, name: str) -> object:
        monkeypatch.setattr(LanceStore, "_list", read)
        opened(tmp_path).publish([theirs])  # between our read and our commit
        return read(self, name)

    monkeypatch.setattr(LanceStore, "_list", interrupted)
    with pytest.raises(StoreError, match="someone else"):
        store.publish([mine])
    assert urls(store) == [*before, "theirs"]
    assert store.publish([mine]) == 1
    assert urls(store) == [*before, "mine", "theirs"]


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


@pytest.mark.usefixtures("merged_either_way")
def test_an_index_outlives_publishing_and_merging(tmp_path: Path, store: LanceStore) -> None:
    store.publish([staged(store, f"word{number} shared") for number in range(4)])
    lance.dataset(tmp_path / "pages.lance").create_scalar_index("url", "INVERTED")
    for number in range(4, 24):
        store.publish([staged(store, f"word{number} shared")])
    table = lance.dataset(tmp_path / "pages.lance")
    assert [index.name for index in table.describe_indices()] == ["url_idx"]
    assert len(table.get_fragments()) < 12
    assert table.to_table(full_text_query="shared").num_rows == 24
    table.optimize.optimize_indices()
    assert opened(tmp_path).publish([staged(store, f"word{number} shared") for number in range(24, 32)]) == 8
    table = lance.dataset(tmp_path / "pages.lance")
    assert table.to_table(full_text_query="shared").num_rows == 32
    assert table.to_table(full_text_query="word3")["url"].to_pylist() == ["word3 shared"]


def test_an_index_that_is_built_meanwhile_does_not_stop_a_publish(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.publish([staged(store, "a")])
    name, read = staged(store, "b"), LanceStore._list

    def interrupted(self: LanceStore, name: str) -> object:
        lance.dataset(tmp_path / "pages.lance").create_scalar_index("url", "BTREE")
        return read(self, name)

    monkeypatch.setattr(LanceStore, "_list", interrupted)
    assert store.publish([name]) == 1
    assert urls(store) == ["a", "b"]
    assert len(lance.dataset(tmp_path / "pages.lance").describe_indices()) == 1


def test_a_merge_that_somebody_made_meanwhile_does_not_stop_a_publish(tmp_path: Path, store: LanceStore) -> None:
    store.publish([staged(store, "a"), staged(store, "b")])
    name = staged(store, "c")
    lance.dataset(tmp_path / "pages.lance").optimize.compact_files()
    assert store.publish([name]) == 1
    assert urls(store) == ["a", "b", "c"]


def test_files_that_a_crash_left_are_gone_after_collecting_and_others_are_not(
    tmp_path: Path, store: LanceStore
) -> None:
    store.publish([staged(store, str(number)) for number in range(8)])  # merged: old files stay for readers
    kept, lost = staged(store, "kept"), staged(store, "lost")
    data = tmp_path / "pages.lance" / "data"
    before = {path.name for path in data.iterdir()}
    (data / "written-and-never-listed.lance").write_bytes(b"cut")
    (tmp_path / "pages.lance" / "_transactions" / "7-never-committed.txn").write_bytes(b"cut")
    assert opened(tmp_path).collect([kept]) == 1
    assert len(before - {path.name for path in data.iterdir()}) == 1, lost
    assert "written-and-never-listed.lance" not in {path.name for path in data.iterdir()}
    assert not (tmp_path / "pages.lance" / "_transactions" / "7-never-committed.txn").exists()
    assert opened(tmp_path).publish([kept]) == 1
    assert urls(store) == [*"01234567", "kept"]


@pytest.mark.usefixtures("merged_either_way")
def test_a_reader_that_began_before_a_merge_can_finish(tmp_path: Path, store: LanceStore) -> None:
    store.publish([staged(store, "0")])
    reader = lance.dataset(tmp_path / "pages.lance")  # opens its files when it comes to them
    for number in range(1, 40):
        store.publish([staged(store, str(number))])
    opened(tmp_path).collect([])
    assert reader.to_table()["url"].to_pylist() == ["0"]


def test_a_reader_that_began_before_an_earlier_process_merged_can_finish(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "KEEP_VERSIONS", 2)
    monkeypatch.setattr(upkeep, "CLEAN_EVERY", 3)
    store.publish([staged(store, "0")])
    reader = lance.dataset(tmp_path / "pages.lance")  # opens its files when it comes to them
    for number in range(1, 6):
        store.publish([staged(store, str(number))])
    later = opened(tmp_path)
    for number in range(6, 30):
        later.publish([staged(later, str(number))])
    assert reader.to_table()["url"].to_pylist() == ["0"]


def test_versions_are_bounded(tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "KEEP_VERSIONS", 10)
    monkeypatch.setattr(upkeep, "CLEAN_EVERY", 5)
    waiting = staged(store, "waiting")
    for number in range(60):
        store.publish([staged(store, f"{number:02}")])
    versions = list((tmp_path / "pages.lance" / "_versions").glob("*.manifest"))
    assert len(versions) < 10 + 5 * 2 + 60 // 5 * 2  # those kept, those since, those that a merge left for readers
    assert store.publish([waiting]) == 1
    assert len(urls(store)) == 61


@pytest.mark.usefixtures("merged_either_way")
def test_a_manifest_does_not_grow_with_the_number_of_publishes(tmp_path: Path, store: LanceStore) -> None:
    sizes = []
    for number in range(100):
        store.publish([staged(store, f"{number:03}")])
        newest = lance.dataset(tmp_path / "pages.lance")
        if len(newest.get_fragments()) == 4:
            sizes.append((tmp_path / "pages.lance" / upkeep.manifest(newest.version)).stat().st_size)
    assert len(sizes) > 5
    assert max(sizes[-8:]) < 1.1 * max(sizes[:8]), sizes


@pytest.mark.parametrize(("most", "pages"), [(1 << 20, 1), (0, 5)], ids=["small", "large"])
def test_a_small_merge_makes_one_page_of_many_and_a_large_one_copies_them_as_they_are(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch, most: int, pages: int
) -> None:
    monkeypatch.setattr(upkeep, "REWRITE_BYTES", most)
    store.publish([staged(store, f"{number}a", f"{number}b") for number in range(5)])
    [fragment] = lance.dataset(tmp_path / "pages.lance").get_fragments()
    [file] = fragment.metadata.files
    path = tmp_path / "pages.lance" / "data" / file.path
    assert len(LanceFileReader(str(path)).metadata().columns[0].pages) == pages
    assert file.file_size_bytes == path.stat().st_size, "or the next merge would take it for an empty one"
    assert urls(store) == [f"{number}{letter}" for number in range(5) for letter in "ab"]


def test_files_with_deleted_rows_are_merged_without_them(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "REWRITE_BYTES", 0)  # they cannot be copied
    store.publish([staged(store, "kept", "deleted")])
    lance.dataset(tmp_path / "pages.lance").delete("url = 'deleted'")
    opened(tmp_path).publish([staged(store, str(number)) for number in range(5)])
    assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) == 1
    assert urls(store) == ["0", "1", "2", "3", "4", "kept"]


def test_a_row_is_rewritten_once_per_tier_not_once_per_merge() -> None:
    pieces: list[Piece] = []
    rewritten = 0
    for number in range(4_096):
        pieces.append(Piece(number, 1, 100))
        while merged := worth_merging(pieces, rows_per_file=4_096, fan=8):
            rows = sum(piece.rows for piece in pieces if piece.id in merged)
            rewritten += rows
            pieces = [piece for piece in pieces if piece.id not in merged]
            pieces.append(Piece(merged[0], rows, 100 * rows))
        assert len(pieces) <= 8 * 4
    assert 4_096 <= rewritten <= 4_096 * 4


def test_files_that_are_large_by_bytes_are_not_merged() -> None:
    large = [Piece(number, 10, upkeep.FILE_BYTES) for number in range(100)]
    assert worth_merging(large, rows_per_file=65_536, fan=8) == []
    small = [Piece(100 + number, 10, 1_000) for number in range(8)]
    assert worth_merging(large + small, rows_per_file=65_536, fan=8) == [piece.id for piece in small]
