"""JSON lines: one page a line; `facts` and `fields` are objects, times are RFC 3339, bytes are base64."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from helios.export.output import Sink

if TYPE_CHECKING:
    from helios.stores.base import Reader

NESTED = ("facts", "fields")  # JSON already


def write(reader: "Reader", sink: Sink) -> Iterator[int]:
    """Writes all rows; yields how many, now and then."""
    encoder = msgspec.json.Encoder()
    nested = [name for name in NESTED if name in reader.schema.names]
    for batch in reader:
        rows = batch.to_pylist()
        for row in rows:
            for name in nested:
                if row[name] is not None:
                    row[name] = msgspec.Raw(row[name])
        sink.write(encoder.encode_lines(rows))
        yield len(rows)
