"""How fast pages are stored: rows and megabytes a second of CPU into each kind of store, staged, published and durable.

`python benches/store.py [rows]`. Rows are made of real texts (`table.py`), with bodies that do not compress and without; all kinds store the same
batches of 256, each staged and published by itself, as a crawl does it. Beside them: the same batches written by pyarrow as one Parquet
file, which is what storing costs without any promise.
"""
# ruff: noqa: INP001, T201 - a program of its own

import itertools
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from table import batches

from helios.folder import create
from helios.settings import load
from helios.stores import open_store

ROOT = Path(__file__).resolve().parent.parent
BATCH = 256
RAW = 30_000  # bytes of a body as it came over the wire


def cpu() -> float:
    """Seconds of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def into(kind: str, rows: list[pa.RecordBatch], place: Path) -> None:
    """Each batch staged and published."""
    settings = load(None, kinds=[kind])
    store = open_store(create(place, settings), settings.store, writing=True)
    for batch in rows:
        name = store.stage(pa.table(batch))
        store.publish([name] if name else [])
    store.close()


def plainly(rows: list[pa.RecordBatch], place: Path) -> None:
    """One Parquet file, no promise."""
    place.mkdir()
    with pq.ParquetWriter(place / "pages.parquet", rows[0].schema, compression="zstd") as file:
        for batch in rows:
            file.write_batch(batch)


def measured(what: str, rows: list[pa.RecordBatch], write: Callable[[list[pa.RecordBatch], Path], None]) -> None:
    """One line of the table."""
    count, size = sum(batch.num_rows for batch in rows), sum(batch.nbytes for batch in rows)
    with tempfile.TemporaryDirectory() as folder:
        place, before, began = Path(folder, "crawl"), cpu(), time.perf_counter()
        write(rows, place)
        used, took = cpu() - before, time.perf_counter() - began
        stored = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    print(
        f"    {what:24}{count / used:10,.0f}{size / used / 1e6:10,.0f}{1e6 * used / count:12,.0f}"
        f"{count / took:12,.0f}{stored / count / 1e3:10,.1f}"
    )


def main(rows: int) -> None:
    """Both tables."""
    for title, raw in (("text, markdown and facts", 0), (f"and {RAW // 1000} KB of body", RAW)):
        made = list(itertools.chain(batches(rows, ROOT, raw, BATCH)))
        print(f"{rows:,} rows of {sum(batch.nbytes for batch in made) / rows / 1e3:.1f} KB: {title}")
        print(f"    {'':24}{'rows/s':>10}{'MB/s':>10}{'us a row':>12}{'rows/s wall':>12}{'KB stored':>10}")
        for kind in ("lance", "parquet", "jsonl"):
            measured(kind, made, lambda batches, place, kind=kind: into(kind, batches, place))
        measured("pyarrow, one file", made, plainly)
    print("WARC is measured by benches/warc.py: it stores answers, not rows")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
