"""Several stores as one: one name for all of them."""

import pyarrow as pa
import pytest

from helios.errors import StoreError
from helios.stores.base import ArrowStream
from helios.stores.memory import MemoryStore
from helios.stores.several import Stores


def pages(*names: str) -> pa.Table:
    return pa.table({"url": pa.array(names, pa.string())})


def test_names_sort_in_the_order_of_staging_and_are_never_reused() -> None:
    stores, names = Stores(memory=MemoryStore()), []
    for number in range(12):
        name = stores.stage(pages(str(number)))
        assert name is not None
        names.append(name)
        stores.publish([name])
    assert names == sorted(set(names))


def test_a_batch_without_rows_has_no_name() -> None:
    stores = Stores(memory=MemoryStore())
    assert stores.stage(pages()) is None
    assert stores.stage(pages("a")) is not None


def test_names_go_on_after_the_highest_that_any_store_has_seen() -> None:
    one, other = MemoryStore(), MemoryStore()
    one.stage("00000004", pages("a"))
    other.stage("00000007", pages("b"))
    assert Stores(one=one, other=other).stage(pages("c")) == "00000008.one.other"
    assert (one.last(), other.last()) == ("00000008", "00000008")


def test_every_store_gets_every_page_and_the_first_is_read() -> None:
    one, other = MemoryStore(), MemoryStore()
    stores = Stores(one=one, other=other)
    name = stores.stage(pages("a", "b"))
    assert name is not None
    assert stores.publish([name]) == 2
    assert stores.publish([name]) == 0
    for store in (one, other, stores):
        assert store.scan().read_all()["url"].to_pylist() == ["a", "b"]


def test_what_any_store_has_and_nobody_settled_is_collected_from_all() -> None:
    one, other = MemoryStore(), MemoryStore()
    kept = Stores(one=one, other=other).stage(pages("a"))
    one.stage("00000002", pages("b"))  # killed before the other had it
    assert kept is not None
    stores = Stores(one=one, other=other)
    assert stores.collect([kept]) == 1
    assert stores.stage(pages("c")) == "00000003.one.other"


class Picky(MemoryStore):
    """Takes nothing that has a row "no"."""

    def stage(self, name: str, pages: ArrowStream) -> bool:
        table = pa.RecordBatchReader.from_stream(pages).read_all()
        return super().stage(name, table.slice(0, 0) if "no" in table["url"].to_pylist() else table)


def test_a_batch_that_one_store_has_no_use_for_is_published_by_the_others() -> None:
    picky, other = Picky(), MemoryStore()
    stores = Stores(picky=picky, other=other)
    names = [stores.stage(pages("a")), stores.stage(pages("no"))]
    assert names == ["00000001.picky.other", "00000002.other"]
    assert stores.publish([name for name in names if name]) == 1
    assert picky.scan().read_all()["url"].to_pylist() == ["a"]
    assert other.scan().read_all()["url"].to_pylist() == ["a", "no"]


def test_what_waits_for_a_store_that_is_not_there_is_not_forgotten() -> None:
    one, other = MemoryStore(), MemoryStore()
    name = Stores(one=one, other=other).stage(pages("a"))
    assert name is not None
    for call in (Stores(one=one).publish, Stores(one=one).collect):
        with pytest.raises(StoreError, match=r'resume with kinds = \["one", "other"\]'):
            call([name])
    assert Stores(one=one, other=other).publish([name]) == 1


def test_a_store_that_comes_later_is_not_asked_for_what_was_staged_before() -> None:
    one, later = MemoryStore(), MemoryStore()
    name = Stores(one=one).stage(pages("a"))
    assert name == "00000001"
    assert Stores(one=one, later=later).publish([name]) == 1
    assert later.scan().read_all().num_rows == 0
