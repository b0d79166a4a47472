"""What the frontier costs on disk and in memory, and whether ten million sites fit; each in a process of its own.

`python benches/frontier.py`, or with `<millions of URLs> <millions of sites>`; 10 and 10 take ten minutes. The goals
stand beside the numbers. "per core": divided by the CPU time of the whole process, the database's threads included.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = str(TARGET / "release/examples/frontier_cost")
VISITS = "100000"


def measure(*words: str) -> list[dict[str, float]]:
    """Runs one measurement; one object for each line that it prints. One that dies on purpose exits with a signal."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        sys.exit(f"frontier_cost {' '.join(words)} failed: {done.stderr}")
    return lines


def show(what: str, value: str, goal: str) -> None:
    """One line of the table."""
    print(f"{what:58}{value:>16}   {goal}", flush=True)


def disk(folder: Path, millions: int) -> None:
    """Ingest, lease and settle, memory and reopening, over the local backend."""
    few, crawled = (
        measure("crawl", str(folder / "one"), "1", "1000")[0],
        measure("crawl", str(folder / "all"), str(millions), VISITS),
    )
    many, work = crawled
    show(f"ingest, {millions} M new URLs, durable each second, per second", f"{many['per_second']:,.0f}", ">= 150,000")
    show("    per core", f"{many['per_core']:,.0f}", "")
    show("    longest write, ms", f"{many['longest_ms']:,.0f}", "")
    show("lease + settle, URLs per core", f"{work['per_core']:,.0f}", ">= 200,000")
    show("    per second, each batch of 64 visits durable", f"{work['per_second']:,.0f}", "")
    show("    longest settle, ms", f"{work['longest_ms']:,.0f}", "")
    growth = (many["rss_mb"] - few["rss_mb"]) / max(millions - 1, 1)
    show("memory per extra million pending URLs, MB", f"{growth:.1f}", "<= 32")
    measure("ingest-and-die", str(folder / "killed"), str(millions))
    opened = measure("reopen", str(folder / "killed"))[0]
    show(f"reopening after a kill, {opened['pending']:,.0f} pending, s", f"{opened['seconds']:.2f}", "<= 10")
    show(
        "    disk per pending URL, bytes (seen-set included)", f"{opened['disk_mb'] * 1e6 / opened['pending']:.0f}", ""
    )


def main(millions: int, sites: int) -> None:
    """All measurements."""
    build = ["cargo", "build", "--release", "--quiet", "-p", "helios-core", "--example", "frontier_cost"]
    subprocess.run([*build, "--target-dir", str(TARGET)], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        disk(Path(folder), millions)
    scale = measure("scale", str(sites), "10")[0]
    show(f"virtual time, {sites} M sites: pages per second", f"{scale['pages_per_virtual_second']:,.0f}", ">= 100,000")
    show("    peak memory, MB", f"{scale['peak_rss_mb']:,.0f}", "<= 16,000")
    show("    CPU per page, its share of robots visits included, us", f"{scale['cpu_us_per_page']:.1f}", "")


if __name__ == "__main__":
    wanted = [int(word) for word in sys.argv[1:]] or [10, 10]
    main(*wanted)
