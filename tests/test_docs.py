"""What the docs say of the code is what the code does."""

import re
from pathlib import Path

import pyarrow as pa

from helios.clock import SystemClock
from helios.folder import Folder
from helios.settings import load
from helios.stages import build

COLUMN = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)
TYPES = {"large string": "large_string", "timestamp[ms, UTC]": "timestamp[ms, tz=UTC]"}


def test_the_page_table_is_described_column_by_column(root: Path, tmp_path: Path) -> None:
    described = COLUMN.findall((root / "docs" / "page-table.md").read_text(encoding="utf-8"))
    stages = build(load(None, contact="test@localhost"), Folder(tmp_path), SystemClock())
    try:
        nothing = stages.fetcher.completed(0, 0, 1)
        schema = pa.RecordBatchReader.from_stream(stages.extract(nothing)).schema
    finally:
        stages.fetcher.close()
    assert [(name, TYPES.get(kind, kind)) for name, kind in described] == [(f.name, str(f.type)) for f in schema]
