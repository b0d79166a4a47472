"""What SQL answers, made plain for whoever reads it: numbers stay numbers, an interval is said in words.

Only for what is shown and written: `Crawl.sql` hands out the types as DuckDB has them.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

from helios.errors import QueryError

if TYPE_CHECKING:
    from helios.stores.base import Reader

JSON = ("facts", "fields")  # columns that are JSON already
UNITS = (("year", 12), ("month", 1))  # in months

_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


def rows(reader: "Reader") -> Iterator[tuple[Any, ...]]:
    """Row by row, the values in the order of the columns: several may have one name."""
    for batch in reader:
        columns = [_values(name, column) for name, column in zip(batch.schema.names, batch.columns, strict=True)]
        yield from zip(*columns, strict=True)


def lines(reader: "Reader") -> Iterator[bytes]:
    """Row by row, as a line of JSON. A decimal that a double cannot hold is a text, a whole number never is."""
    names = unique(reader.schema.names)
    nested = [at for at, name in enumerate(reader.schema.names) if name in JSON]
    for row in rows(reader):
        values = dict(zip(names, row, strict=True))
        for at in nested:
            values[names[at]] = _opened(row[at])
        yield encoded(values) + b"\n"


def written(reader: "Reader") -> "Reader":
    """The same rows, in columns that CSV has a form for."""
    schema = pa.schema([(field.name, _form(field.type)) for field in reader.schema])
    batches = (pa.RecordBatch.from_arrays([*_written(batch, schema)], schema=schema) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)


def unique(names: Iterable[str]) -> list[str]:
    """The second `a` is `a_2`, the third `a_3`; a name that another column has by itself is passed over."""
    given = list(names)
    taken, made = set(given), list[str]()
    for name in given:
        found, number = name, 2
        while found in made or (found != name and found in taken):
            found, number = f"{name}_{number}", number + 1
        made.append(found)
    return made


def encoded(value: object) -> bytes:
    """As JSON."""
    return _encoder.encode(value)


def interval(months: int, days: int, nanoseconds: int) -> str:
    """As DuckDB writes it: 1 year 2 months 3 days 04:05:06.7."""
    words = []
    for name, size in UNITS:
        count = int(months / size)  # towards zero, as a person counts
        months -= count * size
        words.append((count, name))
    said = [f"{count} {name}{'' if abs(count) == 1 else 's'}" for count, name in [*words, (days, "day")] if count]
    if nanoseconds or not said:
        seconds, rest = divmod(abs(nanoseconds), 1_000_000_000)
        fraction = f".{rest:09}".rstrip("0") if rest else ""
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
        said.append(f"-{clock}" if nanoseconds < 0 else clock)
    return " ".join(said)


def _values(name: str, column: Any) -> list[Any]:  # noqa: ANN401  # a pyarrow.Array
    try:
        values = column.to_pylist()
    except (ValueError, OverflowError):  # a time that Python cannot hold: of the year 20000, or in nanoseconds
        if not pa.types.is_temporal(column.type):
            raise QueryError(f"{name} holds a time that cannot be shown; ask for {name}::varchar") from None
        between = "T" if pa.types.is_timestamp(column.type) else " "
        return [one and one.replace(" ", between) for one in column.cast(pa.string()).to_pylist()]
    special = pa.types.is_nested(column.type) or pa.types.is_decimal(column.type) or pa.types.is_interval(column.type)
    return [_value(one) for one in values] if special else list(values)


def _value(value: Any) -> Any:  # noqa: ANN401  # whatever Arrow has
    match value:
        case pa.MonthDayNano():
            return interval(*value)
        case Decimal():
            return _number(value)
        case list() | tuple():
            return [_value(one) for one in value]
        case dict():
            return {name: _value(one) for name, one in value.items()}
        case _:
            return value


def _number(value: Decimal) -> int | Decimal | str:
    """A number, unless whoever reads it as a double would have another one."""
    if value.as_tuple().exponent == 0:
        return int(value)
    return value if Decimal(repr(float(value))) == value else f"{value:f}"


def _opened(value: object) -> object:
    """What is JSON already stays what it is; a question may have called anything else by that name."""
    if not isinstance(value, str):
        return value
    try:
        msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
    return msgspec.Raw(value.encode())


def _form(kind: Any) -> Any:  # noqa: ANN401  # a pyarrow.DataType
    if isinstance(kind, pa.BaseExtensionType):
        return kind.storage_type
    return pa.large_string() if pa.types.is_interval(kind) or (pa.types.is_nested(kind) and not _texts(kind)) else kind


def _written(batch: Any, schema: Any) -> Iterator[Any]:  # noqa: ANN401  # a pyarrow.RecordBatch, its form
    for field, column in zip(schema, batch.columns, strict=True):
        if field.type == column.type:
            yield column
        elif isinstance(column, pa.ExtensionArray):
            yield column.storage
        else:
            values = _values(field.name, column)
            texts = [one if one is None or isinstance(one, str) else encoded(one).decode() for one in values]
            yield pa.array(texts, field.type)


def _texts(kind: Any) -> bool:  # noqa: ANN401  # a pyarrow.DataType
    return bool(pa.types.is_list(kind) and pa.types.is_string(kind.value_type))
