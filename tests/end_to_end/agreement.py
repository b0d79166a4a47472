"""What several stores of one crawl hold must be the same."""

import json
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds

import helios
from helios._core import WarcReader

ALL = ["lance", "warc", "parquet", "jsonl"]
Row = tuple[str, int]  # URL, fetch number


def archived(folder: Path) -> Counter[Row]:
    """Pages in the archive, by what their metadata records say; every record is read, every block is whole."""
    found: Counter[Row] = Counter()
    ids: Counter[str] = Counter()
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        for record in WarcReader(str(path)):
            fields = dict(record["fields"])
            ids[fields["WARC-Record-ID"]] += 1
            notes = (
                dict(line.split(": ", 1) for line in record["payload"].decode().splitlines()) if _notes(record) else {}
            )
            if notes.get("outcome") == "fetched" and not fields["WARC-Target-URI"].endswith("/robots.txt"):
                found[fields["WARC-Target-URI"], int(notes["fetchNumber"])] += 1
    assert set(ids.values()) == {1}, "no record twice"
    return found


def _notes(record: dict[str, object]) -> bool:
    return record["kind"] == "metadata"


def agree(folder: Path) -> Counter[Row]:
    """What is stored, the same in all stores."""
    table = helios.open(folder).pages(["url", "fetch_number"]).read_all()
    rows: Counter[Row] = Counter(zip(table["url"].to_pylist(), table["fetch_number"].to_pylist(), strict=True))
    files = [str(path) for path in (folder / "parquet").glob("*.parquet")]
    parquet = ds.dataset(files).to_table(["url", "fetch_number"])
    assert Counter(zip(parquet["url"].to_pylist(), parquet["fetch_number"].to_pylist(), strict=True)) == rows
    lines = [line for path in (folder / "jsonl").glob("*.jsonl") for line in path.read_text().splitlines()]
    assert Counter((row["url"], row["fetch_number"]) for row in map(json.loads, lines)) == rows
    archive = archived(folder)
    assert set(archive.values()) == {1}
    assert set(rows) <= set(archive), "every page that is stored is archived"
    return rows
