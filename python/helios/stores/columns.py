"""The columns of a store of files: fixed by the first batch, also when that has no rows."""

from pathlib import Path

import pyarrow as pa

from helios.stores.files import replace

COLUMNS = "columns.arrow"


def known(folder: Path) -> pa.Schema | None:
    """The columns; None before the first batch."""
    try:
        return pa.ipc.read_schema(pa.py_buffer((folder / COLUMNS).read_bytes()))
    except FileNotFoundError:
        return None


def fixed(folder: Path, schema: pa.Schema) -> None:
    """Keeps the columns. A later version of Helios, or another setting, may bring more of them."""
    before = known(folder)
    if before is not None:
        schema = pa.unify_schemas([before, schema])
        if schema.equals(before):
            return
    folder.mkdir(parents=True, exist_ok=True)
    replace(folder / COLUMNS, schema.serialize().to_pybytes())
