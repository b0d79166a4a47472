"""Reading beside a crawl that runs: search with its index, export and SQL-free reads, from another process."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import helios
from end_to_end.webs import crawled, must_be_stored, stored
from helios.simweb import Served, started

pytestmark = pytest.mark.timeout(120)

# Says when it is ready, and reads until it is told to stop; each line is a round: rows found, exported, counted.
READER = """
import json, sys
from pathlib import Path
import helios
from helios.errors import FolderError, StoreError
folder, number = Path(sys.argv[1]), 0
from helios import export, search, stores  # slow where the machine is busy, and not what is tested
print("ready", flush=True)
while not (folder.parent / "stop").exists():
    try:
        crawl = helios.open(folder)
        crawl.index()
        found = len(crawl.search("the river", limit=1_000))
        out = folder.parent / f"out-{number}.jsonl"
        exported = crawl.export(out, latest=True).pages
        assert exported == len(out.read_text("utf-8").splitlines())
        out.unlink()
        print(json.dumps([found, exported, crawl.pages(latest=True).count()]), flush=True)
        number += 1
    except (FolderError, StoreError) as error:
        if "no pages yet" not in str(error) and "no folder" not in str(error) and "no crawl" not in str(error):
            raise
"""


@pytest.fixture
def calm() -> Iterator[Served]:
    with started(["--preset=calm", "--seed=3"]) as web:
        yield web


def test_a_crawl_is_searched_indexed_and_exported_while_it_runs(calm: Served, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with subprocess.Popen([sys.executable, "-c", READER, str(out)], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        try:
            assert reader.stdout.readline() == "ready\n"
            summary = crawled(calm, out, delay_ms=150, publish_ms=100, compact_files=4)
        finally:
            (tmp_path / "stop").touch()
        rounds = [json.loads(line) for line in reader.stdout]
    assert reader.returncode == 0
    assert summary.ended == "finished"
    rows = Counter(stored(out))
    assert set(rows) == must_be_stored(calm)
    assert set(rows.values()) == {1}
    exported = [pages for _, pages, _ in rounds]
    assert len(set(exported)) > 2, "it was read while it grew"
    assert exported == sorted(exported)
    assert helios.open(out).index().waiting == 0
