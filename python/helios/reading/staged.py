"""Rows that are staged: written durably, and in no version of the table yet. Looked at without touching anything.

Which of them are settled, only the frontier knows, and its database has one user at a time. What the folder says:
batches are staged and settled one after the other, and what was staged and never settled is cleared away before a later
run stages anything. So all but the batch of the highest name are settled: the next run publishes them.

The lists are read after the table was opened. Files of a list are merged only once the list is gone, so a list that is
still there and whose files the table has not is of rows that the table has not.
"""

import json
from typing import NamedTuple

from helios.reading.table import PageTable, plainly

LIST = ".json"  # as the Lance store names them


class Staged(NamedTuple):
    """How many rows."""

    rows: int = 0
    unsettled: int = 0  # of these, those of the last batch: a process may have died before it committed them


def staged(table: PageTable) -> Staged:
    """What is not in this version of the table; of a crawl that runs, what it is about to publish."""
    with plainly(table.name):
        names = [name for name in table.place.names() if _number(name).isdecimal()]
        if not (lists := [name for name in names if name.endswith(LIST)]):
            return Staged()
        present = {file.path for fragment in table.dataset.get_fragments() for file in fragment.metadata.files}
        rows = {_number(name): _rows(table.place.get(name), present) for name in lists}
    return Staged(sum(rows.values()), rows.get(max(map(_number, names)), 0))


def _number(name: str) -> str:
    """What the names of a batch begin with, in whichever store."""
    return name.partition(".")[0]


def _rows(listed: bytes | None, present: set[str]) -> int:
    """Of one list, those that are not present; none if it was published meanwhile."""
    fragments = json.loads(listed or b"[]")
    return sum(
        one["physical_rows"] for one in fragments if not present.issuperset(file["path"] for file in one["files"])
    )
