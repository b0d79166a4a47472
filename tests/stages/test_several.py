"""Several stores as one: one name for all of them."""

import pyarrow as pa

from helios.stores.memory import MemoryStore
from helios.stores.several import Stores


def pages(*names: str) -> pa.Table:
    return pa.table({"url": pa.array(names, pa.string())})


def test_names_sort_in_the_order_of_staging_and_are_never_reused() -> None:
    stores, names = Stores(MemoryStore()), []
    for number in range(12):
        name = stores.stage(pages(str(number)))
        assert name is not None
        names.append(name)
        stores.publish([name])
    assert names == sorted(set(names))


def test_a_batch_without_rows_has_no_name() -> None:
    stores = Stores(MemoryStore())
    assert stores.stage(pages()) is None
    assert stores.stage(pages("a")) is not None


def test_names_go_on_after_the_highest_that_any_store_has_seen() -> None:
    one, other = MemoryStore(), MemoryStore()
    one.stage("00000004", pages("a"))
    other.stage("00000007", pages("b"))
    assert Stores(one, other).stage(pages("c")) == "00000008"
    assert (one.last(), other.last()) == ("00000008", "00000008")


def test_every_store_gets_every_page_and_the_first_is_read() -> None:
    one, other = MemoryStore(), MemoryStore()
    stores = Stores(one, other)
    name = stores.stage(pages("a", "b"))
    assert name is not None
    assert stores.publish([name]) == 2
    assert stores.publish([name]) == 0
    for store in (one, other, stores):
        assert store.scan().read_all()["url"].to_pylist() == ["a", "b"]


def test_what_any_store_has_and_nobody_settled_is_collected_from_all() -> None:
    one, other = MemoryStore(), MemoryStore()
    kept = Stores(one, other).stage(pages("a"))
    one.stage("00000002", pages("b"))  # killed before the other had it
    assert kept is not None
    stores = Stores(one, other)
    assert stores.collect([kept]) == 1
    assert stores.stage(pages("c")) == "00000003"
