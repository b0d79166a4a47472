"""The ceiling on memory with millions of URLs waiting: the most that the process held, beside what it was allowed.

`python benches/memory.py [URLS [SECONDS]]`. Real pages (`shared/data/content-wcxb`) from the synthetic web, politeness off;
the seeds name URLs by the million, most of which are not there. Each ceiling goes on with a copy of the same crawl.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from crawl import corpus_of, web

CEILINGS = {"500MB": 500, "1GB": 1_000, "2GB": 2_000}
WORDS = ["--delay=0s", "--scope=any", "--allow-loopback", "--contact=bench@localhost", "--quiet", "--json"]
FREE = [
    "--set=frontier.fetch_time_factor=0",
    "--set=frontier.site_connections=8",
    "--set=frontier.address_connections=0",
]


def crawl(out: Path, memory: str, seconds: int, *words: str) -> tuple[float, int, float]:
    """The most memory in MB, pages stored and seconds of one run."""
    command = [sys.executable, "-m", "helios", "crawl", f"--out={out}", f"--memory={memory}", f"--time={seconds}s"]
    process = subprocess.Popen([*command, *WORDS, *FREE, *words], stdout=subprocess.PIPE)
    said = process.stdout.read() if process.stdout else b""
    _, _, used = os.wait4(process.pid, 0)
    summary = json.loads(said)
    return used.ru_maxrss * 1024 / 1e6, summary["pages"], summary["seconds"]


def main() -> None:
    """Prints a line for each ceiling."""
    urls = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 30  # noqa: PLR2004  # its place
    with tempfile.TemporaryDirectory() as folder, web(corpus_of(Path(folder)), 60) as served:
        hosts = sorted({url.split("/")[2] for url in served.expected})
        seeds, out = Path(folder) / "seeds.txt", Path(folder) / "out"
        with seeds.open("w") as file:
            file.writelines(f"{url}\n" for url in sorted(served.expected))
            file.writelines(f"http://{hosts[one % len(hosts)]}/none/{one}\n" for one in range(urls))
        print(f"{urls + len(served.expected):,} URLs, {len(served.expected):,} of them pages, {seconds} s each")
        most, _, _ = crawl(out, "500MB", 1, f"--seeds={seeds}")
        print(f"seeds taken in with {most:.0f} MB at most")
        for memory, ceiling in CEILINGS.items():
            shutil.copytree(out, copy := Path(folder) / memory)
            most, pages, took = crawl(copy, memory, seconds)
            shutil.rmtree(copy)
            word = "kept" if most <= ceiling else "BROKEN"
            print(f"{memory:>6}: {most:7.0f} MB at most, {pages:,} pages in {took:.0f} s: {word}")


if __name__ == "__main__":
    main()
