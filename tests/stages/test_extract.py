"""The seam from fetch to store, on the compiled core and a synthetic web in this process."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from helios import _core
from helios.clock import SystemClock
from helios.folder import Folder
from helios.settings import load
from helios.stages import Stages, build


@pytest.fixture
def web() -> Iterator[_core.SimWeb]:
    served = _core.SimWeb("calm", "{}", 0, 0, 0)
    yield served
    served.stop()


@pytest.fixture
def stages(web: _core.SimWeb, tmp_path: Path) -> Iterator[Stages]:
    words = {"scope": "any", "delay_ms": 1, "allow": ["loopback"], "servers": [f"127.0.0.1:{web.dns_port}"]}
    parts = build(load(None, contact="test@localhost", **words), Folder(tmp_path), SystemClock())
    parts.frontier.seed(parts.clock.now(), web.seeds())
    yield parts
    parts.fetcher.close()


def first_pages(stages: Stages) -> _core.Pages:
    """Turns the crank until a batch has rows."""
    while True:
        now = stages.clock.now()
        stages.fetcher.submit(stages.frontier.lease(now, stages.fetcher.free))
        done = stages.fetcher.completed(100, 10, 100)
        pages = stages.extractor.extract(done)
        stages.frontier.settle(stages.clock.now(), done, pages, None)
        if len(pages):
            return pages


def addresses(table: pa.Table) -> list[int]:
    return [b.address for column in table.columns for chunk in column.chunks for b in chunk.buffers() if b]


def test_pages_reach_python_without_a_copy(stages: Stages) -> None:
    pages = first_pages(stages)
    once, twice = (pa.RecordBatchReader.from_stream(pages).read_all() for _ in range(2))
    assert once.num_rows == len(pages)
    assert addresses(once) == addresses(twice)


def test_pages_outlive_their_handle(stages: Stages) -> None:
    pages = first_pages(stages)
    table = pa.RecordBatchReader.from_stream(pages).read_all()
    count = len(pages)
    del pages
    assert len(table["text"].to_pylist()) == count


def test_links_are_settled_once(stages: Stages) -> None:
    now = stages.clock.now()
    stages.fetcher.submit(stages.frontier.lease(now, 1))
    done = stages.fetcher.completed(10_000, 0, 1)
    pages = stages.extractor.extract(done)
    stages.frontier.settle(now, done, pages, None)
    with pytest.raises(_core.FrontierError):
        stages.frontier.settle(now, done, pages, None)
