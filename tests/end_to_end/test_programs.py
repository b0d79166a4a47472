"""Programs of users, as processes: how they end, whatever their hooks do and however they leave their streams."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def rest_is_crawled(out: Path, **hooks: Any) -> None:  # noqa: ANN401  # whatever a crawl takes
    """The next run finds the folder free, and all that is left: nothing is lost, nothing is stored twice."""
    assert helios.resume(out, delay_ms=0, **hooks).ended == "finished"
    rows = Counter(row["url"] for row in helios.open(out).pages(["url"]))
    assert len(rows) == rows.total() == PAGES


LEFT_STREAMS = {
    "next": """
pages = iter(helios.stream(seed, out, **settings))
print(next(pages).url)
""",
    "cancelled": """
async def read(begun):
    async for page in helios.stream(seed, out, **settings):
        print(page.url)
        begun.set()
        await asyncio.Event().wait()
async def main():
    begun = asyncio.Event()
    reading = asyncio.create_task(read(begun))
    await begun.wait()
    try:
        await asyncio.wait_for(reading, 0.01)
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


HANGING = """
hanging = threading.Event()
stored = 0
def press():
    hanging.wait()
    while helios.open(out).status().pages < stored:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
    while helios.open(out).status().state != "stopping":
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()

def hang(page):
    hanging.set()
    threading.Event().wait()
async def hang_async(page):
    hanging.set()
    await asyncio.Event().wait()
"""
CRAWL = HANGING + "print(helios.crawl(seed, out, **settings, {}).ended)"
FULL = ("stored = 0", "stored = 4")  # one is told, two wait, one more finds no room
CRAWLS = {
    "extract": CRAWL.format("extract=hang"),
    "follow": CRAWL.format("follow=hang"),
    "on_page": CRAWL.format("on_page=hang").replace(*FULL),
    "asynchronous on_page": CRAWL.format("on_page=hang_async").replace(*FULL),
    "in a notebook": HANGING + "async def main(): print(helios.crawl(seed, out, **settings, follow=hang).ended)\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\nasyncio.new_event_loop().run_until_complete(main())",
    "stream": HANGING
    + """
try:
    for page in helios.stream(seed, out, **settings, extract=hang): pass
except KeyboardInterrupt:
    print("interrupted")
""",
}


@pytest.mark.parametrize("program", CRAWLS.values(), ids=CRAWLS)
def test_the_second_ctrl_c_waits_for_no_hook_and_loses_nothing(site: Site, tmp_path: Path, program: str) -> None:
    assert ran(program, site, tmp_path / "out") == "interrupted\n"
    rest_is_crawled(tmp_path / "out", **({"extract": lambda _: None} if "extract=" in program else {}))


def test_the_second_ctrl_c_waits_for_no_embedder_of_the_user(site: Site, tmp_path: Path) -> None:
    program = """
import types
class Hanging:
    dimensions = 1
    embed = lambda self, texts: hang(texts)
sys.modules["own"] = types.ModuleType("own")
sys.modules["own"].Hanging = Hanging
print(helios.crawl(seed, out, **settings, embed={"model": "own:Hanging"}).pending)
"""
    assert ran(HANGING + program, site, tmp_path / "out") == "1\n", "not settled: it comes again"


ONCE = """
def press(page):
    if not pressed.is_set():
        pressed.set()
        os.kill(os.getpid(), signal.SIGINT)
pressed = threading.Event()
words = settings | {"delay_ms": 1_000, "on_page": press}  # nobody waits for the natural end
"""
IN_LOOPS = {
    "blocking": """
async def main(): return helios.crawl(seed, out, **words)
print(asyncio.run(main()).ended)
""",
    "in a thread": """
async def main(): await asyncio.to_thread(helios.crawl, seed, out, **words)
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
""",
}


@pytest.mark.parametrize("program", IN_LOOPS.values(), ids=IN_LOOPS)
def test_one_ctrl_c_ends_a_crawl_inside_asyncio_run(site: Site, tmp_path: Path, program: str) -> None:
    assert ran(ONCE + program, site, tmp_path / "out") == "interrupted\n"
    rest_is_crawled(tmp_path / "out")
