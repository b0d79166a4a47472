"""What every store promises. A new store is done when this is green over it."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from helios.errors import StoreError
from helios.settings import load
from helios.stores.base import Store
from helios.stores.jsonl import JsonlStore
from helios.stores.lance import LanceStore
from helios.stores.memory import MemoryStore
from helios.stores.parquet import ParquetStore
from helios.stores.place import Disk
from helios.stores.warc import WarcStore

SCHEMA = pa.schema([pa.field("url", pa.string(), nullable=False), ("status", pa.uint16()), ("text", pa.large_string())])

Maker = Callable[[], Store]


@pytest.fixture(params=["memory", "lance", "parquet", "jsonl", "warc", "warc.zst"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    settings = load(compact_files=5, warc_bytes=2_000, warc_packing="zstd" if "zst" in request.param else "gzip").store
    match request.param:
        case "memory":
            return MemoryStore()
        case "parquet":
            return ParquetStore(tmp_path / "parquet", tmp_path / "staged", settings)
        case "jsonl":
            return JsonlStore(tmp_path / "jsonl", tmp_path / "staged", settings)
        case "warc" | "warc.zst":
            return WarcStore(tmp_path / "warc", tmp_path / "staged", settings)
    return LanceStore(Disk(tmp_path / "pages.lance", tmp_path / "staged"), settings)


def pages(*names: str) -> pa.Table:
    return pa.table({"url": names, "status": [200] * len(names), "text": ["…"] * len(names)}, schema=SCHEMA)


def following(name: str) -> str:
    return f"{int(name or 0) + 1:08}"


def urls(store: Store) -> list[str]:
    table = store.scan().read_all()
    return sorted(table["url"].to_pylist()) if table.num_columns else []


def staged(store: Store, *names: str) -> str:
    name = following(store.last())
    assert store.stage(name, pages(*names))
    return name


def test_a_new_store_is_empty(store: Store) -> None:
    table = store.scan().read_all()
    assert (table.num_rows, table.num_columns) == (0, 0)


def test_staged_pages_are_invisible(store: Store) -> None:
    staged(store, "a")
    assert urls(store) == []


def test_published_pages_are_visible(store: Store) -> None:
    assert store.publish([staged(store, "a", "b")]) == 2
    assert urls(store) == ["a", "b"]


def test_publishing_again_adds_nothing(store: Store) -> None:
    first, second = staged(store, "a"), staged(store, "b")
    assert store.publish([first]) == 1
    assert store.publish([first]) == 0
    assert store.publish([first, second]) == 1
    assert store.publish([second, first, second]) == 0
    assert urls(store) == ["a", "b"]


def test_publishing_in_another_order_loses_nothing(store: Store) -> None:
    first, second, third = staged(store, "a"), staged(store, "b"), staged(store, "c")
    store.publish([third])
    store.publish([first])
    store.publish([second])
    assert urls(store) == ["a", "b", "c"]


def test_the_last_name_is_the_highest_staged_or_published(store: Store) -> None:
    assert store.last() == ""
    store.stage("00000003", pages("a"))
    assert store.last() == "00000003"
    store.publish(["00000003"])
    assert store.last() == "00000003"
    store.stage("00000007", pages("b"))
    store.collect([])
    assert store.last() == "00000007", "not forgotten by whoever still uses the store"


def test_a_batch_without_rows_fixes_the_columns(store: Store) -> None:
    assert not store.stage("00000001", pages())
    if isinstance(store, WarcStore):
        pytest.skip("an archive has its own columns")
    assert store.scan().schema.names == SCHEMA.names
    assert store.publish([]) == 0


def test_publishing_what_was_never_staged_is_an_error_and_publishes_nothing(store: Store) -> None:
    known = staged(store, "a")
    with pytest.raises(StoreError, match="99999999 was never staged"):
        store.publish([known, "99999999"])
    assert urls(store) == []
    assert store.publish([known]) == 1


def test_scan_takes_columns_and_a_condition(store: Store) -> None:
    store.publish([staged(store, "a", "b", "c")])
    table = store.scan(["url"], pc.field("url") == "b").read_all()
    assert table.to_pydict() == {"url": ["b"]}


def test_columns_and_types_come_back_as_they_went_in(store: Store) -> None:
    if isinstance(store, WarcStore):
        pytest.skip("an archive has its own columns")
    store.publish([staged(store, "a")])
    assert store.scan().schema.remove_metadata().equals(SCHEMA)


def test_many_small_batches_are_all_there_once(store: Store) -> None:
    names = []
    for number in range(23):
        names.append(staged(store, f"{number:02}"))
        assert store.publish(names[-1:]) == 1
    assert store.publish(names) == 0
    assert urls(store) == [f"{number:02}" for number in range(23)]
    store.close()


def test_what_was_staged_and_never_committed_is_cleared_away(store: Store) -> None:
    published, orphan, kept = (staged(store, name) for name in "abc")
    store.publish([published])
    assert store.collect([kept]) == 1
    assert store.collect([kept]) == 0
    with pytest.raises(StoreError):
        store.publish([orphan])
    assert store.publish([kept]) == 1
    assert urls(store) == ["a", "c"]
    assert staged(store, "d") not in {published, orphan, kept}
