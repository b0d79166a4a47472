"""What the docs say of the code is what the code does."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import helios
from helios import _core
from helios.clock import SystemClock
from helios.embed.stage import Embed
from helios.folder import Folder
from helios.settings import load
from helios.stages import build
from sites import served

COLUMN = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
TYPES = {
    "large string": "large_string",
    "large binary": "large_binary",
    "float32": "float",
    "timestamp[ms, UTC]": "timestamp[ms, tz=UTC]",
    "list of strings": "list<item: string>",
}


def test_the_page_table_is_described_column_by_column(root: Path, tmp_path: Path) -> None:
    described = COLUMN.findall((root / "docs" / "page-table.md").read_text(encoding="utf-8"))
    stages = build(load(None, contact="test@localhost"), Folder(tmp_path), SystemClock())
    try:
        nothing = stages.fetcher.completed(0, 0, 1)
        schema = pa.RecordBatchReader.from_stream(stages.extractor.extract(nothing)).schema
    finally:
        stages.fetcher.close()
    kinds = [(name, kind.removesuffix(" or null"), kind.endswith(" or null")) for name, kind in described]
    expected = [(name, TYPES.get(kind, kind), nullable) for name, kind, nullable in kinds]
    assert expected == [(f.name, str(f.type), f.nullable) for f in schema]


def test_the_python_example_of_the_readme_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = PYTHON.findall((root / "README.md").read_text(encoding="utf-8"))
    assert len([line for line in example.splitlines() if line]) <= 12
    web = _core.SimWeb("calm", "{}", 0, 0, 0)
    try:
        dns = [f"127.0.0.1:{web.dns_port}"]
        monkeypatch.setattr(helios, "crawl", partial(helios.crawl, allow=["loopback"], servers=dns, delay_ms=1))
        monkeypatch.chdir(tmp_path)
        exec(example.replace("https://example.org/", web.seeds()[0]), {})  # noqa: S102  # our own README
    finally:
        web.stop()
    assert helios.open("example").stats().pages > 0


def test_the_hook_of_the_docs_finds_prices(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = PYTHON.findall((root / "docs" / "extract.md").read_text(encoding="utf-8"))
    page = '<p class="item"><b>Tea</b> <i class="price">3</i></p><p class="item"><b>Mug</b> <i class="price">5</i></p>'
    with served({"/": page}) as site:
        monkeypatch.setattr(helios, "crawl", partial(helios.crawl, **site.settings()))
        monkeypatch.chdir(tmp_path)
        exec(example.replace("https://example.org/", site.at("/")), {"__name__": "example"})  # noqa: S102  # our own docs
    (row,) = helios.open("shop").pages(["fields"]).read_all().to_pylist()
    assert json.loads(row["fields"]) == {"Tea": "3", "Mug": "5"}


def test_the_embedder_of_the_docs_is_one(root: Path) -> None:
    (example,) = PYTHON.findall((root / "docs" / "embed.md").read_text(encoding="utf-8"))
    made: dict[str, Any] = {}
    exec(example, made)  # noqa: S102  # our own docs
    pages = pa.table({"text": pa.array(["abba", ""], pa.large_string())})
    one, none = Embed(made["Letters"](), load().embed).add(pages)["vector"].to_pylist()
    assert one[:3] == pytest.approx([0.5**0.5, 0.5**0.5, 0])
    assert none is None
