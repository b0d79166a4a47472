"""Parquet, zstd, in row groups of some megabytes; the columns and types of the page table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from helios.export.output import Sink

if TYPE_CHECKING:
    from helios.stores.base import Reader

GROUP = 32 << 20  # bytes in memory that become one row group; its pages take as much again while they are written


def write(reader: "Reader", sink: Sink) -> Iterator[int]:
    """Writes all rows; yields how many, now and then."""
    schema = reader.schema
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        gathered: list[pa.RecordBatch] = []
        for batch in reader:
            gathered.append(batch)
            if sum(one.nbytes for one in gathered) >= GROUP:
                yield _group(writer, gathered, schema)
        if gathered:
            yield _group(writer, gathered, schema)


def _group(writer: pq.ParquetWriter, gathered: list[pa.RecordBatch], schema: pa.Schema) -> int:
    """One row group of what was gathered, which is then forgotten."""
    table = pa.Table.from_batches(gathered, schema)
    gathered.clear()
    writer.write_table(table, row_group_size=table.num_rows)
    return int(table.num_rows)
