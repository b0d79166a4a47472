"""Pages as lines of JSON: in files, or written to standard output for another program.

Times are ISO 8601, bytes are base 64. Files are appended to; see `files.py` for what happens when the process dies in
between. A pipe cannot be cut off: what was written when the process died is written again after `resume`, so whoever
reads a pipe may see a row twice (its `id` and `fetch_number` tell), but none is missing.
"""

import base64
import datetime
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from helios.errors import StoreError
from helios.settings.keeping import Store as StoreSettings
from helios.stores.base import ArrowStream, Expression, Reader
from helios.stores.columns import fixed, known
from helios.stores.files import OURS, File, FileStore, Manifest, append, join, pieces

SUFFIX = ".jsonl"
ROWS = 1_024  # of one batch of a scan


class JsonlStore(FileStore):
    """A folder of JSONL files, or a pipe."""

    def __init__(
        self, folder: Path, staged: Path, settings: StoreSettings | None = None, pipe: BinaryIO | None = None
    ) -> None:
        super().__init__(folder, staged, SUFFIX)
        settings = settings or StoreSettings()
        self._most = settings.warc_bytes
        self._pipe = pipe or (_standard_output() if settings.jsonl == "-" else None)

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows; none of what went into a pipe."""
        with self._plainly("reading pages"):
            if (schema := known(self._folder)) is None:
                return pa.schema([]).empty_table().to_reader()
        chosen = schema if columns is None else pa.schema([schema.field(name) for name in columns])
        batches = self._batches(schema, columns, where)
        return pa.RecordBatchReader.from_batches(chosen, batches)

    def _batches(
        self, schema: pa.Schema, columns: Sequence[str] | None, where: Expression | None
    ) -> Iterator[pa.RecordBatch]:
        with self._plainly("reading pages"):
            for file in self._read().files:
                for rows in _rows(self._folder / file.name, file.bytes, schema):
                    table = pa.Table.from_pylist(rows, schema)
                    table = table if where is None else table.filter(where)
                    yield from (table if columns is None else table.select(list(columns))).to_batches()

    def _write(self, path: Path, pages: ArrowStream) -> int:
        reader = pa.RecordBatchReader.from_stream(pages)
        fixed(self._folder, reader.schema)
        rows = 0

        def lines() -> Iterator[bytes]:
            nonlocal rows
            for batch in reader:
                rows += batch.num_rows
                yield "".join(
                    f"{json.dumps(row, ensure_ascii=False, default=_plain)}\n" for row in batch.to_pylist()
                ).encode()

        append(path, 0, lines())
        return rows

    def _add(self, manifest: Manifest, staged: Sequence[Path]) -> tuple[list[File], int, int]:
        files, following, rows = list(manifest.files), manifest.next, 0
        for path in staged:
            count = sum(piece.count(b"\n") for piece in pieces(path))
            if self._pipe is not None:
                self._pipe.writelines(pieces(path))
                self._pipe.flush()
            else:
                if not files or files[-1].bytes >= self._most:
                    files.append(File(f"{OURS}{following:05}{SUFFIX}", 0))
                    following += 1
                file = files[-1]
                end = join(self._folder / file.name, file.bytes, path)
                files[-1] = File(file.name, end, file.rows + count)
            rows += count
        return files, following, rows


def _standard_output() -> BinaryIO:
    """Said before the first page is asked for, not when there is one to write."""
    out: BinaryIO | None = getattr(sys.stdout, "buffer", None)  # None, too, where a shell closed it
    if out is None:
        raise StoreError("pages cannot be written to standard output: it is closed, or takes no bytes")
    return out


def _plain(value: object) -> str:
    """What JSON has no form for."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _rows(path: Path, most: int, schema: pa.Schema) -> Iterator[list[dict[str, Any]]]:
    times = [field.name for field in schema if pa.types.is_timestamp(field.type)]
    binary = [field.name for field in schema if pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type)]
    rows: list[dict[str, Any]] = []
    read = 0
    with path.open("rb") as file:
        for line in file:
            read += len(line)
            if read > most:
                break
            row = json.loads(line)
            row |= {name: datetime.datetime.fromisoformat(row[name]) for name in times if row.get(name)}
            row |= {name: base64.b64decode(row[name]) for name in binary if row.get(name)}
            rows.append(row)
            if len(rows) == ROWS:
                yield rows
                rows = []
    if rows:
        yield rows
