"""SQL over the page table, through DuckDB. `pages` is the table, read as the question needs it; nothing is written."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from helios.errors import QueryError
from helios.folder import Folder
from helios.reading.table import require_table

if TYPE_CHECKING:
    from helios.stores.base import Reader

MEMORY = "256MB"  # of DuckDB; more goes to temporary files
ROWS = 2_048  # of an answer at once


@contextmanager
def answered(folder: Folder, question: str) -> Iterator["Reader"]:
    """The answer, as a pyarrow RecordBatchReader that is good within the block."""
    duckdb = _duckdb()
    from helios.reading.scanned import Scanned  # noqa: PLC0415  # pyarrow: a tenth of a second

    table = require_table(folder)
    with tempfile.TemporaryDirectory(prefix="helios-sql-") as spill:
        config = {"memory_limit": MEMORY, "temp_directory": spill, "python_enable_replacements": "false"}
        connection = duckdb.connect(":memory:", config=config)
        try:
            connection.register("pages", Scanned(table))
            # From here on no file can be read or written, and nobody can change that.
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            answer = connection.sql(question)
            if answer is None:
                raise QueryError("that gives no rows; ask with select")
            yield answer.to_arrow_reader(ROWS)
        except duckdb.Error as error:
            raise QueryError(f"DuckDB: {_said(error)}") from error
        finally:
            connection.close()


def _duckdb() -> Any:  # noqa: ANN401  # the module
    try:
        return import_module("duckdb")
    except ModuleNotFoundError:
        raise QueryError("SQL needs DuckDB: pip install 'helios-crawler[sql]', or pip install duckdb") from None


def _said(error: Exception) -> str:
    """The first paragraph, on one line."""
    return " ".join(str(error).split("\n\n", 1)[0].split())
