"""An index that takes long, beside a crawl that merges files and forgets versions meanwhile."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import lance
import pyarrow as pa
import pytest

from helios.settings import load
from helios.stores import indexes, upkeep
from helios.stores.lance import LanceStore
from helios.stores.pin import INDEXING, STALE_MS, being_indexed, forget_stale, pinned
from helios.stores.place import Disk

EARLY = 1_000  # a time long ago


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LanceStore:
    """Merges four files at once and keeps nothing for readers: as if every publish took minutes."""
    for name, value in {"KEEP_VERSIONS": 2, "CLEAN_EVERY": 3, "KEEP_MS": 0, "KEEP_MERGES": 0}.items():
        monkeypatch.setattr(upkeep, name, value)
    return LanceStore(Disk(tmp_path / "pages.lance", tmp_path / "staged"), load(compact_files=4).store)


def publish(store: LanceStore, rows: int) -> None:
    for _ in range(rows):
        name = f"{int(store.last() or 0) + 1:08}"
        words = pa.array([f"words of page {name}"], pa.large_string())
        store.stage(name, pa.table({"id": [name], "title": ["a title"], "text": words}))
        store.publish([name])


def slowed(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], None]) -> None:
    """Each index takes as long as `meanwhile` does."""
    make = lance.LanceDataset.create_scalar_index

    def slow(self: lance.LanceDataset, *args: object, **options: object) -> None:
        if options.get("name") == "text_words":
            meanwhile()
        make(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(lance.LanceDataset, "create_scalar_index", slow)


def test_an_index_holds_its_files_however_much_is_published_and_merged_meanwhile(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(store, 7)
    slowed(monkeypatch, lambda: publish(store, 30))
    indexes.refresh(lance.dataset(tmp_path / "pages.lance"))
    table = lance.dataset(tmp_path / "pages.lance")
    held = {index.name: index.num_rows_indexed for index in table.describe_indices()}
    assert held["text_words"] == 7, "made once, of what was there, and committed"
    assert table.to_table(full_text_query="words").num_rows == 37
    assert len(table.get_fragments()) < 15, "files that came later were merged all the same"
    assert table.tags.list() == {}


def test_files_are_merged_again_when_the_index_is_made(tmp_path: Path, store: LanceStore) -> None:
    publish(store, 3)
    with pinned(lance.dataset(tmp_path / "pages.lance"), INDEXING):
        publish(store, 2)
        assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) == 5
    publish(store, 8)
    assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) < 5


def test_tags_that_come_and_go_while_they_are_listed_stop_nobody(tmp_path: Path, store: LanceStore) -> None:
    publish(store, 3)
    enough, path = Event(), tmp_path / "pages.lance"

    def come_and_go() -> None:
        table = lance.dataset(path)
        while not enough.is_set():
            with pinned(table, INDEXING):
                pass

    others = [Thread(target=come_and_go) for _ in range(2)]
    for other in others:
        other.start()
    try:
        table = lance.dataset(path)
        newest = max(table.checkout_version(table.version).fragment_ids())
        seen = set()
        for _ in range(300):
            forget_stale(table, EARLY)
            seen.add(being_indexed(table, EARLY))
    finally:
        enough.set()
        for other in others:
            other.join()
    assert seen <= {-1, newest}


def test_a_merge_under_way_is_given_up_when_an_index_is_begun(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(store, 3)
    begun = pinned(lance.dataset(tmp_path / "pages.lance"), INDEXING)
    monkeypatch.setattr(upkeep, "passed", lambda point: begun.__enter__() if point == "compact.written" else None)
    publish(store, 1)
    assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) == 4
    begun.__exit__(None, None, None)
    assert store.scan().read_all().num_rows == 4


def test_an_index_that_a_merge_came_before_is_begun_again(
    tmp_path: Path, store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(store, 3)
    versions: list[int] = []

    def merged_once() -> None:
        table = lance.dataset(tmp_path / "pages.lance")
        versions.append(table.version)
        if len(versions) == 1:
            table.optimize.compact_files()

    slowed(monkeypatch, merged_once)
    indexes.refresh(lance.dataset(tmp_path / "pages.lance"))
    assert indexes.indexed(lance.dataset(tmp_path / "pages.lance")) == 3
    assert len(versions) == 2


def test_whoever_died_while_making_an_index_holds_files_for_a_day_only(tmp_path: Path, store: LanceStore) -> None:
    publish(store, 3)
    table = lance.dataset(tmp_path / "pages.lance")
    table.tags.create(f"{INDEXING}{EARLY}-77", table.version)
    assert STALE_MS == 24 * 60 * 60 * 1000
    publish(store, 5)
    assert len(lance.dataset(tmp_path / "pages.lance").get_fragments()) < 5
    assert table.tags.list() == {}
