"""How long a publish takes after 10,000 of them: stage one small batch, publish it, again and again.

    python benches/publish.py [--publishes 10000] [--rows 10] [--index]

CPU milliseconds. Staging is measured beside it: it does the same every time, so that what changes in both is the machine.
"""

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

import lance
import pyarrow as pa

from helios.stores.lance import LanceStore
from helios.stores.place import Disk

TEXT = "a page of the web has some words, and most of them were seen before " * 20


def batch(number: int, rows: int) -> pa.Table:
    """Rows about as wide as those of a crawl."""
    urls = [f"https://site-{number % 97}.example/{number}/{row}" for row in range(rows)]
    columns = {f"column_{index}": [f"{index} {url}" for url in urls] for index in range(20)}
    return pa.table({"url": urls, "text": pa.array([f"{TEXT} {url}" for url in urls], pa.large_string()), **columns})


def measured(folder: Path, publishes: int, rows: int, indexed: bool) -> None:
    store = LanceStore(Disk(folder / "pages.lance", folder / "staged"))
    table = folder / "pages.lance"
    print(f"{'publishes':>10} {'publish ms':>11} {'slowest ms':>11} {'stage ms':>9} {'files':>6} {'versions':>9} {'MB on disk':>11}")
    spent: list[float] = []
    staged: list[float] = []
    for number in range(1, publishes + 1):
        name = f"{number:08}"
        pages = batch(number, rows)
        begun = time.process_time()
        store.stage(name, pages)
        before = time.process_time()
        staged.append(before - begun)
        store.publish([name])
        spent.append(time.process_time() - before)
        if indexed and number in (100, publishes // 2):
            lance.dataset(table).create_scalar_index("text", "INVERTED", replace=True)
        if number in (100, publishes) or number % (publishes // 10) == 0:
            last = spent[-min(number, publishes // 10) :]
            files = len(lance.dataset(table).get_fragments())
            versions = sum(1 for _ in (table / "_versions").glob("*.manifest"))
            size = sum(path.stat().st_size for path in table.rglob("*") if path.is_file()) / 1e6
            mean, worst = 1000 * sum(last) / len(last), 1000 * max(last)
            beside = 1000 * sum(staged[-len(last) :]) / len(last)
            print(f"{number:10} {mean:11.2f} {worst:11.1f} {beside:9.2f} {files:6} {versions:9} {size:11.1f}", flush=True)
    rows_now = lance.dataset(table).count_rows()
    assert rows_now == publishes * rows, rows_now
    hundred, tenth = sum(spent[-100:]) / sum(spent[:100]), publishes // 10
    ratio = sum(spent[-tenth:]) / sum(spent[:tenth])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"last hundred / first hundred: {hundred:.2f}; last tenth / first tenth: {ratio:.2f}")
    print(f"all: {sum(spent):.0f} s CPU, {1000 * sum(spent) / publishes:.1f} ms each; {rows_now} rows; peak {peak:.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--publishes", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--index", action="store_true", help="with a full-text index, built at 100 and half-way")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as made:
        measured(Path(made), chosen.publishes, chosen.rows, chosen.index)
