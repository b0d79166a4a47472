"""Programs of users, as processes: how they end, whatever their hooks do and however they leave their streams."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import helios
from sites import Site, served

PAGES = 60
BEGIN = """
import asyncio, os, signal, sys, threading, time
import helios
seed, out = sys.argv[1:]
settings = dict(allow=["loopback"], delay_ms=0, fetch_time_factor=0, batch_pages=1, batch_ms=1)
"""
pytestmark = pytest.mark.timeout(90)


@pytest.fixture
def site() -> Iterator[Site]:
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(1, PAGES))
    with served({"/": links, **{f"/{number}": f"page {number}" for number in range(1, PAGES)}}) as site:
        yield site


def ran(program: str, site: Site, out: Path) -> str:
    """What a program says until it has ended, which it must do soon and well."""
    command = [sys.executable, "-c", BEGIN + program, site.at("/"), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def rest_is_crawled(out: Path) -> None:
    """The next run finds the folder free, and all that is left: nothing is lost, nothing is stored twice."""
    assert helios.resume(out, delay_ms=0).ended == "finished"
    rows = Counter(row["url"] for row in helios.open(out).pages(["url"]))
    assert len(rows) == rows.total() == PAGES


LEFT_STREAMS = {
    "next": """
pages = iter(helios.stream(seed, out, **settings))
print(next(pages).url)
""",
    "cancelled": """
async def read():
    async for page in helios.stream(seed, out, **settings):
        print(page.url)
        await asyncio.sleep(3600)
async def main():
    try:
        await asyncio.wait_for(read(), 1)
    except TimeoutError:
        pass
asyncio.run(main())
""",
}


@pytest.mark.parametrize("program", LEFT_STREAMS.values(), ids=LEFT_STREAMS)
def test_a_program_that_does_not_read_its_stream_to_the_end_ends_all_the_same(
    site: Site, tmp_path: Path, program: str
) -> None:
    assert ran(program, site, tmp_path / "out") == site.at("/") + "\n"
    rest_is_crawled(tmp_path / "out")


def test_a_stream_whose_task_was_cancelled_ends_its_crawl(site: Site, tmp_path: Path) -> None:
    program = LEFT_STREAMS["cancelled"] + "while helios.open(out).running: time.sleep(0.01)\nprint('free')"
    assert ran(program, site, tmp_path / "out").endswith("free\n")
    rest_is_crawled(tmp_path / "out")


def test_the_end_of_a_program_ends_the_crawls_of_its_threads(site: Site, tmp_path: Path) -> None:
    program = """
begun = threading.Event()
words = settings | {"delay_ms": 1_000, "on_page": lambda page: begun.set()}
threading.Thread(target=helios.crawl, args=(seed, out), kwargs=words).start()
begun.wait()
"""
    assert ran(program, site, tmp_path / "out") == ""
    assert helios.open(tmp_path / "out").status().state == "stopped"
    rest_is_crawled(tmp_path / "out")
