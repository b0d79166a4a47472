"""WARC files as other tools see them. The tools are for this test alone; without one its part is skipped."""

import importlib
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from helios._core import WarcReader
from helios.settings import load
from helios.stores.warc import WarcStore

BODIES = {"a": b"<p>one", "b": b"", "c": bytes(range(256)) * 40, "d?b=2&a=1": "<p>Grüße".encode()}


def tool(name: str) -> Any:  # noqa: ANN401  # whatever it is
    return pytest.importorskip(name, reason=f"{name} is not installed: pip install {name.split('.', maxsplit=1)[0]}")


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
    tool("warcio")
    checker = importlib.import_module("warcio.checker")
    for path in gzip_or_plain(tmp_path):
        said = io.StringIO()
        with redirect_stdout(said):
            command = type("Command", (), {"inputs": [str(path)], "verbose": True})
            code = checker.Checker(command()).process_all()
        assert code in {0, None}, said.getvalue()
        assert "digest pass" in said.getvalue()
        assert "fail" not in said.getvalue().lower()


@pytest.mark.usefixtures("store")
def test_fastwarc_reads_and_verifies_every_record(tmp_path: Path) -> None:
    warc = tool("fastwarc.warc")
    found = {}
    for path in gzip_or_plain(tmp_path):
        with path.open("rb") as file:
            for record in warc.ArchiveIterator(file, parse_http=False):
                assert record.verify_block_digest()
                if record.record_type == warc.WarcRecordType.response:
                    record.parse_http()
                    found[record.headers["WARC-Target-URI"]] = record.reader.read()
    assert found == {f"https://www.example.org/{name}": body for name, body in BODIES.items()}


def test_the_index_is_the_one_that_another_indexer_makes(tmp_path: Path, store: WarcStore) -> None:
    indexer = tool("cdxj_indexer.main")
    for path in gzip_or_plain(tmp_path):
        out = io.StringIO()
        indexer.CDXJIndexer(out, [str(path)], sort=True).process_all()
        theirs = out.getvalue().splitlines()
        ours = path.with_name(path.name.split(".")[0] + ".cdxj").read_text().splitlines()
        assert ours == sorted(ours)
        assert [_without_order(line) for line in ours] == [_without_order(line) for line in theirs]
    assert store.scan(["url"]).read_all().num_rows == len(BODIES)


def _without_order(line: str) -> tuple[str, str, dict[str, str]]:
    key, time, rest = line.split(" ", 2)
    fields = json.loads(rest)
    if fields["filename"].endswith(".warc"):  # plain: some count the empty lines after a record, some do not
        del fields["length"]
    return key, time, fields


@pytest.mark.usefixtures("store")
def test_the_same_batches_give_the_same_files(tmp_path: Path, packing: str) -> None:
    filled(tmp_path / "again", packing, one_by_one=True)
    assert [path.read_bytes() for path in archives(tmp_path / "again")] == [
        path.read_bytes() for path in archives(tmp_path)
    ]
