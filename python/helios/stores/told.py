"""Rows of a page table as answers of HTTP, for archives of what was not fetched just now: an export, a test.

A row with its `raw` body is that answer without its codings; one without is the answer that its text would be. Its
headers are those that the table has.
"""

import calendar
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from helios.stores.base import ArrowStream

Answer = tuple[str, int, int, int, bytes, bytes, list[tuple[str, str]]]
HEADERS = {"content_type": "Content-Type", "etag": "ETag", "last_modified": "Last-Modified", "server": "Server"}


def answers(pages: ArrowStream) -> Iterator[Answer]:
    """URL, fetch number, milliseconds since 1970, status, head, body and notes of each row; unpacked one by one."""
    reader = pa.RecordBatchReader.from_stream(pages)
    wanted = [name for name in reader.schema.names if name not in {"markdown", "facts", "fields", "vector"}]
    return (_answer(row) for batch in reader for row in _rows(batch.select(wanted)))


def in_groups(every: Iterator[Answer], most: int) -> Iterator[list[Answer]]:
    """So many that their bodies have about `most` bytes: rows that are small in the table may be large unpacked."""
    group: list[Answer] = []
    size = 0
    for answer in every:
        group.append(answer)
        size += len(answer[5])
        if size >= most:
            yield group
            group, size = [], 0
    if group:
        yield group


def millis(digits: str) -> int:
    """The fourteen digits of an index as milliseconds since 1970."""
    return calendar.timegm(time.strptime(digits, "%Y%m%d%H%M%S")) * 1000


def _rows(batch: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  # a pyarrow.RecordBatch
    if "fetched_at" in batch.schema.names:
        at = batch.schema.get_field_index("fetched_at")
        batch = batch.set_column(at, "fetched_at", batch["fetched_at"].cast(pa.int64()))
    yield from batch.to_pylist()


def _answer(row: dict[str, Any]) -> Answer:
    status = row.get("status") or 200
    headers = {title: row[name] for name, title in HEADERS.items() if row.get(name)}
    if (raw := row.get("raw")) is not None:
        body = pa.decompress(raw, codec="zstd", asbytes=True, decompressed_size=_size(raw))
    else:
        body = (row.get("text") or "").encode()
        headers["Content-Type"] = "text/plain; charset=utf-8"
    lines = [f"HTTP/1.1 {status} Stored", *(f"{name}: {_one_line(value)}" for name, value in headers.items())]
    head = "".join(f"{line}\r\n" for line in [*lines, f"Content-Length: {len(body)}", ""]).encode()
    return row["url"], row.get("fetch_number") or 0, row.get("fetched_at") or 0, status, head, body, []


def _one_line(value: object) -> str:
    return " ".join(str(value).split())


def _size(raw: bytes) -> int:
    """What a zstd frame says that it unpacks to (RFC 8878 3.1.1); ours always do."""
    descriptor = raw[4]
    single, code = descriptor >> 5 & 1, descriptor >> 6
    start = 5 + (0 if single else 1) + (0, 1, 2, 4)[descriptor & 3]
    width = (1 if single else 0, 2, 4, 8)[code]
    size = int.from_bytes(raw[start : start + width], "little")
    return size + 256 if code == 1 else size
