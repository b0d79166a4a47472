"""A table in an object store is read as one on a disk is."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import helios
from object_store.servers import KEYS, Weed, weed
from reading.rows import START, more, page, store


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Weed]:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with weed(tmp_path / "weed") as running:
        yield running


@pytest.mark.timeout(120)
def test_a_table_in_an_object_store_is_searched_indexed_and_exported(tmp_path: Path, server: Weed) -> None:
    where = {"url": "s3://crawls/read", "endpoint": f"http://127.0.0.1:{server.port}", "allow_http": True}
    pages = [page("a", text="green tea"), page("b", text="black tea"), page("c", text="bread")]
    folder = store(tmp_path / "crawl", pages, store=where)
    crawl = helios.open(folder)
    assert crawl.index().waiting == 0
    more(folder, [page("a", text="no more", fetched_at=START.replace(hour=1)), page("d", text="white tea")])
    assert {hit.url[-1] for hit in crawl.search("tea")} == {"b", "d"}
    assert crawl.export(tmp_path / "out.parquet", latest=True).pages == 4
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 4
    assert crawl.stats().pages == 5
    assert not (folder / "pages.lance").exists()
