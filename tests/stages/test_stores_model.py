"""Stores beside the reference, step by step; and Lance under kill -9."""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helios.settings import load
from helios.stores.base import Store
from helios.stores.lance import LanceStore
from helios.stores.memory import MemoryStore
from helios.stores.place import Disk
from helios.stores.warc import WarcStore

# A step: stage so many rows, publish these of the names given out so far, keep only these of them, open the store anew.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("stage"), st.integers(0, 3)),
        st.tuples(st.just("publish"), st.lists(st.integers(0, 9), max_size=4)),
        st.tuples(st.just("collect"), st.lists(st.integers(0, 9), max_size=4)),
        st.tuples(st.just("reopen"), st.none()),
    ),
    min_size=1,
    max_size=12,
)


def urls(store: Store) -> list[str]:
    table = store.scan().read_all()
    return sorted(table["url"].to_pylist()) if table.num_columns else []


def archive(folder: Path) -> WarcStore:
    return WarcStore(folder / "warc", folder / "staged", load(warc_bytes=1_500).store)


def opened(folder: Path) -> LanceStore:
    return LanceStore(Disk(folder / "pages.lance", folder / "staged"), load(compact_files=3).store)


@pytest.mark.parametrize("opens", [opened, archive])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_a_store_does_what_memory_does(
    opens: Callable[[Path], Store], steps: list[tuple[str, int | list[int] | None]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        memory, names, published = MemoryStore(), list[str](), set[str]()
        store = opens(Path(folder))
        for number, (step, what) in enumerate(steps):
            if step == "stage" and isinstance(what, int):
                rows = pa.table({"url": pa.array([f"{number}/{row}" for row in range(what)], pa.string())})
                name = f"{number:08}"
                assert store.stage(name, rows) == memory.stage(name, rows) == (what > 0)
                names += [name] if what else []
            elif step == "publish" and isinstance(what, list):
                chosen = [names[index] for index in what if index < len(names)]
                assert store.publish(chosen) == memory.publish(chosen)
                published.update(chosen)
            elif step == "collect" and isinstance(what, list):
                kept = [names[index] for index in what if index < len(names)]
                assert store.collect(kept) == memory.collect(kept)
                names = [name for name in names if name in kept or name in published]
            else:
                store = opens(Path(folder))
            assert urls(store) == urls(memory)
        store.publish(names)
        memory.publish(names)
        assert urls(store) == urls(memory)


WRITER = """
import sys
from pathlib import Path
import pyarrow as pa
from helios.settings import load
from helios.stores.lance import LanceStore
from helios.stores.place import Disk
folder, turn = Path(sys.argv[1]), sys.argv[2]
store = LanceStore(Disk(folder / "pages.lance", folder / "staged"), load(compact_files=5).store)
for number in range(1_000_000):
    name = f"{int(store.last() or 0) + 1:08}"
    store.stage(name, pa.table({"url": [f"{turn}/{number}/{row}" for row in range(3)]}))
    print("staged", name, f"{turn}/{number}", flush=True)
    store.publish([name])
"""


@pytest.mark.timeout(60)
def test_kill_9_loses_nothing_that_was_staged_and_doubles_nothing(tmp_path: Path) -> None:
    staged: dict[str, str] = {}
    for turn, seconds in enumerate((0.1, 0.23, 0.37)):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(turn)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        first = process.stdout.readline()
        Event().wait(seconds)
        process.kill()
        for line in [first, *process.communicate()[0].splitlines(keepends=True)]:
            if line.endswith("\n"):  # death may cut the last line short
                _, name, page = line.split()
                staged[name] = page
        opened(tmp_path).publish(sorted(staged))  # as a crawl does that starts again: it repeats what it knows
    rows = Counter(urls(opened(tmp_path)))
    assert rows == Counter(f"{page}/{row}" for page in staged.values() for row in range(3))
    assert len(staged) > 3
