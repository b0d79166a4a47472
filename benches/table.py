"""A page table of any size, made of real texts: pieces of `shared/data/content-*`, put together anew for each row."""
# ruff: noqa: INP001, S311 - a part of a program of its own; chance by seed

import datetime
import itertools
import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

START = datetime.datetime(2026, 11, 15, tzinfo=datetime.UTC)
BATCH_BYTES = 8 << 20
ROW_BYTES = 7_000  # of a row without its body
LANGUAGES = ["en"] * 8 + ["de", "fr"]


def texts(root: Path) -> list[tuple[str, str]]:
    """Titles and main texts."""
    rows = []
    for name, key in (("content-wcxb", "main_content"), ("content-fundus", "body"), ("content-aeb", "articleBody")):
        path = root.parent / "shared" / "data" / name / "truth.jsonl.xz"
        if path.exists():
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                rows += [(str(row.get("title") or ""), str(row[key])) for row in map(json.loads, lines) if row[key]]
    if not rows:
        raise SystemExit("shared/data/content-* is not above the project: there are no texts to make a table of")
    return rows


def batches(rows: int, root: Path, raw: int = 0, batch: int | None = None) -> Iterator[pa.RecordBatch]:
    """So many rows in batches, the same every time; `raw` bytes of body each, which do not compress.

    A batch becomes a page of the file, which is read as a whole: about 8 MB, as a crawl writes them.
    """
    batch = batch or min(4_096, max(64, BATCH_BYTES // (raw + ROW_BYTES)))
    chance, real = random.Random(1), texts(root)
    titles = [title for title, _ in real if title]
    paragraphs = [one for _, text in real for one in text.split("\n") if len(one) > 40]  # noqa: PLR2004
    for first in range(0, rows, batch):
        made = page_rows(range(first, min(first + batch, rows)), titles, paragraphs, chance)
        bodies = [chance.randbytes(raw) for _ in range(made.num_rows)]
        yield made.append_column("raw", pa.array(bodies, pa.large_binary())) if raw else made


def page_rows(numbers: range, titles: list[str], paragraphs: list[str], chance: random.Random) -> pa.RecordBatch:
    """One batch."""
    count = len(numbers)
    chosen = [chance.choices(paragraphs, k=chance.randint(2, 24)) for _ in numbers]
    text = ["\n".join(one) for one in chosen]
    sites = [f"site-{int(chance.paretovariate(0.7)) % 50_000}.test" for _ in numbers]
    urls = [f"http://{site}/page/{number}" for site, number in zip(sites, numbers, strict=True)]
    return pa.record_batch(
        {
            "id": [f"{chance.getrandbits(128):032x}" for _ in numbers],
            "url": urls,
            "site": sites,
            "fetched_at": pa.array(
                [START + datetime.timedelta(milliseconds=20 * number) for number in numbers], pa.timestamp("ms", "UTC")
            ),
            "status": pa.array([200] * count, pa.uint16()),
            "content_type": ["text/html; charset=utf-8"] * count,
            "language": chance.choices(LANGUAGES, k=count),
            "title": chance.choices(titles, k=count),
            "description": [one[0][:150] for one in chosen],
            "page_type": chance.choices(["article", "listing", "product", "forum"], k=count),
            "text": pa.array(text, pa.large_string()),
            "markdown": pa.array(["\n\n".join(one) for one in chosen], pa.large_string()),
            "words": pa.array([len(one.split()) for one in text], pa.uint32()),
            "authors": pa.array([["A. Uthor"]] * count, pa.list_(pa.string())),
            "facts": pa.array(['{"headings":[{"level":1,"text":"A heading"}]}'] * count, pa.large_string()),
            "duplicate_of": pa.nulls(count, pa.string()),
            "bytes": pa.array([len(one) * 6 for one in text], pa.uint64()),
        }
    )


def folder(path: Path, rows: int, root: Path, raw: int = 0) -> Path:
    """A crawl's folder with such a table."""
    import lance  # noqa: PLC0415 - beside its only use

    from helios.folder import create  # noqa: PLC0415 - same
    from helios.settings import load  # noqa: PLC0415 - same

    pages = create(path, load()).pages
    made = batches(rows, root, raw)
    first = next(made)
    reader = pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], made))
    lance.write_dataset(reader, pages, max_rows_per_file=65_536, enable_stable_row_ids=True)
    return path
