"""WARC files of rows: to the byte, the same each time, and as other tools want them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from archives import as_pywb, cdxj_indexes, fastwarc_reads, lines_of, pywb_indexes, warcio_checks
from helios._core import WarcReader
from helios.settings import load
from helios.stores.base import Batch
from helios.stores.told import answers, in_groups
from helios.stores.warc import WarcStore
from stages.grown import checked, files_of, opened, staged

BODIES = {"a": b"<p>one", "b": b"", "c": bytes(range(256)) * 40, "d?b=2&a=1": "<p>Grüße".encode()}


def filled(folder: Path, packing: str, *, one_by_one: bool = False) -> WarcStore:
    store = WarcStore(folder / "warc", folder / "staged", load(warc_packing=packing, warc_bytes=4_000).store)
    names = [f"{number:08}" for number in range(1, len(BODIES) + 1)]
    for number, (name, (path, body)) in enumerate(zip(names, BODIES.items(), strict=True), 1):
        row = {
            "url": f"https://www.example.org/{path}",
            "fetch_number": number,
            "fetched_at": pa.scalar(1_700_000_000_000 + number * 1_000, pa.timestamp("ms", "UTC")),
            "status": 200,
            "content_type": "text/html",
            "raw": pa.compress(body, codec="zstd", asbytes=True),
        }
        store.stage(name, pa.table({key: [value] for key, value in row.items()}))
        if one_by_one:
            store.publish([name])
    store.publish(names)
    store.close()
    return store


@pytest.fixture(params=["gzip", "zstd", "plain"])
def packing(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(packing: str, tmp_path: Path) -> WarcStore:
    return filled(tmp_path, packing)


def archives(tmp_path: Path) -> list[Path]:
    return sorted(path for path in (tmp_path / "warc").glob("helios-*") if ".cdxj" not in path.name)


def gzip_or_plain(tmp_path: Path) -> list[Path]:
    if any(path.suffix == ".zst" for path in archives(tmp_path)):
        pytest.skip("not all tools read zstd")
    return archives(tmp_path)


@pytest.mark.usefixtures("store")
def test_bodies_come_back_to_the_byte_and_files_are_of_the_size_asked_for(tmp_path: Path) -> None:
    read: dict[str, bytes] = {}
    for path in archives(tmp_path):
        records = list(WarcReader(str(path)))
        assert records[0]["kind"] == "warcinfo"
        assert dict(records[0]["fields"])["WARC-Filename"] == path.name
        for record in records[1:]:
            read[dict(record["fields"])["WARC-Target-URI"]] = record["payload"]
    assert read == {f"https://www.example.org/{name}": body for name, body in BODIES.items()}
    assert len(archives(tmp_path)) > 1 or archives(tmp_path)[0].stat().st_size < 5_000


@pytest.mark.usefixtures("store")
def test_warcio_finds_every_digest_right(tmp_path: Path) -> None:
    for path in gzip_or_plain(tmp_path):
        warcio_checks(path)


@pytest.mark.usefixtures("store")
def test_fastwarc_reads_and_verifies_every_record(tmp_path: Path) -> None:
    found: dict[str, bytes] = {}
    for path in gzip_or_plain(tmp_path):
        found |= fastwarc_reads(path)
    assert found == {f"https://www.example.org/{name}": body for name, body in BODIES.items()}


def test_the_index_is_the_one_that_another_indexer_makes(tmp_path: Path, store: WarcStore) -> None:
    for path in gzip_or_plain(tmp_path):
        ours = path.with_name(path.name.split(".")[0] + ".cdxj").read_text().splitlines()
        assert ours == sorted(ours)
        assert lines_of(ours) == cdxj_indexes(path)
    assert store.scan(["url"]).read_all().num_rows == len(BODIES)


@pytest.mark.usefixtures("store")
def test_the_index_is_the_one_that_pywb_makes(tmp_path: Path) -> None:
    for path in gzip_or_plain(tmp_path):
        ours = path.with_name(path.name.split(".")[0] + ".cdxj").read_text().splitlines()
        assert as_pywb(lines_of(ours)) == pywb_indexes(path)


@pytest.mark.usefixtures("store")
def test_the_same_batches_give_the_same_files(tmp_path: Path, packing: str) -> None:
    filled(tmp_path / "again", packing, one_by_one=True)
    assert [path.read_bytes() for path in archives(tmp_path / "again")] == [
        path.read_bytes() for path in archives(tmp_path)
    ]


def test_bodies_that_are_small_in_the_table_are_unpacked_a_few_at_a_time() -> None:
    packed = pa.compress(bytes(1_000_000), codec="zstd", asbytes=True)
    rows = pa.table({"url": [f"https://example.org/{number}" for number in range(10)], "raw": [packed] * 10})
    groups = [len(group) for group in in_groups(answers(rows), 3_000_000)]
    assert groups == [3, 3, 3, 1]


def test_an_archive_is_made_of_what_was_fetched_not_of_rows_that_were_made_of_it(tmp_path: Path) -> None:
    store = WarcStore(tmp_path / "warc", tmp_path / "staged")
    fetched = pa.table({"url": ["https://example.org/"], "text": ["as fetched"]})
    assert store.stage("00000001", Batch(fetched.slice(0, 0), fetched))
    assert store.publish(["00000001"]) == 1
    [path] = archives(tmp_path)
    assert [record["payload"] for record in WarcReader(str(path))][1:] == [b"as fetched"]


def test_publishing_asks_the_disk_as_often_with_many_files_as_with_few(tmp_path: Path) -> None:
    store = opened(tmp_path, warc_bytes=1)  # a file for each batch
    asked: list[int] = []
    for number in range(40):
        name = f"{number:08}"
        staged(store, name)
        asked.append(stats_during(lambda: store.publish([name])))  # noqa: B023  # called at once
    assert len(files_of(tmp_path)) == 40
    assert len(set(asked[5:])) == 1, "however many there are"
    assert len(checked(store, tmp_path)) == 40


def stats_during(work: Callable[[], object]) -> int:
    """How often it asks after a file."""
    calls = 0

    def look(_: object, event: str, what: object) -> None:
        nonlocal calls
        calls += event == "c_call" and what is os.stat

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
