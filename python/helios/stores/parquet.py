"""Pages as Parquet files, zstd inside, for everything that reads Parquet.

Each batch is staged as a file of its own and published under a second name for the same bytes; the manifest makes it
count. Small files are merged when there are `compact_files` of one size, so that a row is rewritten a few times at
most, however small the batches are. See `files.py` for what happens when the process dies in between.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from helios.settings.keeping import Store as StoreSettings
from helios.stores.base import ArrowStream, Expression, Reader
from helios.stores.columns import fixed, known
from helios.stores.files import OURS, File, FileStore, Manifest
from helios.stores.place import sync

SUFFIX = ".parquet"
ROWS = 8_192  # of one row group: what a reader needs in memory


class ParquetStore(FileStore):
    """A folder of Parquet files."""

    def __init__(self, folder: Path, staged: Path, settings: StoreSettings | None = None) -> None:
        super().__init__(folder, staged, SUFFIX)
        settings = settings or StoreSettings()
        self._most, self._merged = settings.rows_per_file, settings.compact_files

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows."""
        with self._plainly("reading pages"):
            if (schema := known(self._folder)) is None:
                return pa.schema([]).empty_table().to_reader()
            paths = [str(self._folder / file.name) for file in self._read().files]
            if not paths:
                empty = schema.empty_table()
                return (empty if columns is None else empty.select(list(columns))).to_reader()
            data = ds.dataset(paths, schema=schema, format="parquet")
            reader = data.scanner(columns=None if columns is None else list(columns), filter=where).to_reader()
        return pa.RecordBatchReader.from_batches(reader.schema, self._batches(reader))

    def _batches(self, reader: Reader) -> Iterator[pa.RecordBatch]:
        with self._plainly("reading pages"):
            yield from reader

    def _write(self, path: Path, pages: ArrowStream) -> int:
        reader = pa.RecordBatchReader.from_stream(pages)
        fixed(self._folder, reader.schema)
        return _written(path, reader.schema, reader)

    def _add(self, manifest: Manifest, staged: Sequence[Path]) -> tuple[list[File], int, int]:
        files, following, rows = list(manifest.files), manifest.next, 0
        for path in staged:
            name = f"{OURS}{following:05}{SUFFIX}"
            _linked(path, self._folder / name)
            count = pq.read_metadata(path).num_rows
            files.append(File(name, path.stat().st_size, count))
            following, rows = following + 1, rows + count
            while tail := self._tail(files):
                files = [*files[: -len(tail)], self._merge(tail, following)]
                following += 1
        sync(self._folder)
        return files, following, rows

    def _tail(self, files: Sequence[File]) -> list[File]:
        """The last files, if they are many, of one size and small."""
        tail = list(files[-self._merged :])
        is_ripe = len(tail) == self._merged and len({file.level for file in tail}) == 1
        return tail if is_ripe and tail[0].rows < self._most else []

    def _merge(self, tail: Sequence[File], number: int) -> File:
        path = self._folder / f"{OURS}{number:05}{SUFFIX}"
        parts = [self._folder / file.name for file in tail]
        schema = pa.unify_schemas([pq.read_schema(part) for part in parts])
        data = ds.dataset([str(part) for part in parts], schema=schema, format="parquet")
        count = _written(path, schema, data.scanner(batch_size=ROWS, use_threads=False).to_reader())
        return File(path.name, path.stat().st_size, count, level=tail[0].level + 1)

    def _after(self, manifest: Manifest) -> None:
        self._sweep(manifest)


def _written(path: Path, schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> int:
    """A new file, durable; how many rows."""
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for batch in batches:
            rows += batch.num_rows
            if batch.num_rows:
                file.write_batch(batch, row_group_size=ROWS)
    sync(path)
    return rows


def _linked(path: Path, other: Path) -> None:
    """A second name for a file; a copy where the disk has no such thing."""
    other.unlink(missing_ok=True)  # left by a process that died before its commit
    try:
        os.link(path, other)
    except OSError:
        shutil.copyfile(path, other)
        sync(other)
