"""CSV (RFC 4180) with a heading: lists of texts are joined by "; ", other lists are JSON, bytes are base64."""

import base64
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from helios.export.output import Sink

if TYPE_CHECKING:
    from helios.stores.base import Reader


def write(reader: "Reader", sink: Sink) -> Iterator[int]:
    """Writes all rows; yields how many, now and then."""
    schema = pa.schema([(field.name, _plain(field.type)) for field in reader.schema])
    with csv.CSVWriter(sink, schema) as writer:
        for batch in reader:
            columns = [_column(column, schema.field(at).type) for at, column in enumerate(batch.columns)]
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))
            yield batch.num_rows


def _plain(kind: Any) -> Any:  # noqa: ANN401  # a pyarrow.DataType
    return pa.large_string() if pa.types.is_nested(kind) or _is_bytes(kind) else kind


def _column(column: Any, kind: Any) -> Any:  # noqa: ANN401  # a pyarrow.Array and its type
    if column.type == kind:
        return column
    if _is_bytes(column.type):
        return pa.array([None if one is None else base64.b64encode(one).decode() for one in column.to_pylist()], kind)
    if pa.types.is_list(column.type) and pa.types.is_string(column.type.value_type):
        return pc.binary_join(column, "; ").cast(kind)
    return pa.array([None if one is None else msgspec.json.encode(one).decode() for one in column.to_pylist()], kind)


def _is_bytes(kind: Any) -> bool:  # noqa: ANN401  # a pyarrow.DataType
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))
