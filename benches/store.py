"""How fast pages are stored: rows and megabytes a second of CPU into each kind of store, staged, published and durable.

`python benches/store.py [rows]`. Rows are made of real texts (`table.py`), with bodies that do not compress and without; all kinds store the same
batches of 256, each staged and published by itself, as a crawl does it. Beside them: the same batches written by pyarrow as one Parquet
file, which is what storing costs without any promise.

`python benches/store.py share [pages]`: what storing is of the whole. A crawl of real pages (`shared/data/content-wcxb`), served by `helios simweb`
in a process of its own, whose stages take turns, so that the CPU of this process is that of one stage.
"""
# ruff: noqa: INP001, T201 - a program of its own

import itertools
import resource
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from table import batches

from helios._core import Done
from helios.clock import SystemClock
from helios.folder import create
from helios.settings import Settings, load
from helios.simweb import started
from helios.stages import Stages, build
from helios.stores import open_store
from helios.stores.base import Batch

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared/data/content-wcxb"
BATCH = 256
RAW = 30_000  # bytes of a body as it came over the wire
VISITS = 64  # of one turn
KINDS = (("lance",), ("lance", "warc"))


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


class Turns:
    """A crawl, one stage after the other."""

    def __init__(self, settings: Settings, place: Path) -> None:
        self._parts: Stages = build(settings, create(place, settings), SystemClock())
        self.spent: Counter[str] = Counter()
        self.pages = 0

    def _timed(self, stage: str, call: Callable[..., T], *words: object) -> T:
        before = cpu()
        result = call(*words)
        self.spent[stage] += cpu() - before
        return result

    def run(self, seeds: list[str]) -> None:
        """Until nothing is left."""
        parts, now = self._parts, self._parts.clock.now
        self._timed("frontier", parts.frontier.seed, now(), seeds)
        while not parts.frontier.finished(now()):
            visits = self._timed("frontier", parts.frontier.lease, now(), VISITS)
            self._timed("fetch", parts.fetcher.submit, visits)
            while parts.fetcher.in_flight:
                self._stored(self._timed("fetch", parts.fetcher.completed, 1_000, 250, 1_024))
            names = self._timed("frontier", parts.frontier.staged)
            self._timed("publish", parts.store.publish, names)
            self._timed("frontier", parts.frontier.published, names)
        self._timed("publish", parts.close)

    def _stored(self, done: Done) -> None:
        parts = self._parts
        self._timed("frontier", parts.frontier.receive, done)
        pages = self._timed("extract", parts.extractor.extract, done)
        staged = self._timed("stage", parts.store.stage, Batch(pages, pages))
        self._timed("frontier", parts.frontier.settle, parts.clock.now(), done, pages, staged)
        self._timed("extract", parts.extractor.commit)
        self.pages += len(pages)


def share(pages: int) -> None:
    """What stage and publish are of all that a page costs."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(DATA / "pages.tar.xz") as archive:
        archive.extractall(Path(folder, "real"), filter="data")
        for kinds in KINDS:
            with started(["--preset=fast", "--hosts=200", f"--corpus={folder}/real"]) as web:
                chosen = {"scope": "any", "contact": "bench@localhost", "allow": ["loopback"], "servers": [web.dns]}
                more = {"extra_ca": web.ca, "delay_ms": 50, "max_pages": pages, "kinds": kinds}
                turns = Turns(load(None, **chosen, **more), Path(folder, "-".join(kinds)))
                turns.run(web.seeds)
            whole = sum(turns.spent.values())
            told = [f"{stage} {1e6 * spent / turns.pages:,.0f}" for stage, spent in sorted(turns.spent.items())]
            stored = (turns.spent["stage"] + turns.spent["publish"]) / whole
            print(f"{' and '.join(kinds)}: {turns.pages:,} pages, us of CPU a page: {', '.join(told)}; storing is {stored:.1%}")


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
    if sys.argv[1:2] == ["share"]:
        share(int(sys.argv[2]) if len(sys.argv) > 2 else 2_000)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
