"""`helios.crawl`: seeds and settings in, a folder and a summary out; blocks until the crawl has ended."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from os import PathLike
from pathlib import Path

from helios.clock import SystemClock
from helios.crawl.loop import Loop
from helios.crawl.progress import Watch, silent
from helios.crawl.stop import Reason, Stop, on_signals
from helios.crawl.summary import Summary, gather, outcomes_of
from helios.crawl.tally import Tally
from helios.errors import SeedError
from helios.folder import Folder, create
from helios.seeds import seeds_from
from helios.settings import Settings, load, require_contact
from helios.stages import Stages, build

LETTERS = 10_000  # dead letters that a summary looks at


def crawl(
    seeds: str | Iterable[str],
    out: str | PathLike[str],
    *,
    config: str | PathLike[str] | None = None,
    **settings: object,
) -> Summary:
    """Crawls from `seeds` into the new folder `out`; returns when nothing is left or a limit is reached.

    Settings go by name: `max_pages=100`, `contact="you@example.org"`, or by table: `frontier={"attempts": 2}`; `config`
    is a TOML file with the same tables. Raises a HeliosError for anything that a person can put right.
    """
    chosen = load(None if config is None else Path(config), **settings)
    return crawl_with(chosen, [seeds] if isinstance(seeds, str) else seeds, Path(out))


def crawl_with(settings: Settings, seeds: Iterable[str], out: Path, watch: Watch = silent) -> Summary:
    """The same from checked settings, watched."""
    start = seeds_from(seeds)
    require_contact(settings, start)
    stages = build(settings, Folder(out), SystemClock())
    create(out, settings)  # last: a crawl that cannot start leaves no folder
    return _blocking(stages, start, out, watch)


def _blocking(stages: Stages, seeds: list[str], out: Path, watch: Watch) -> Summary:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(crawl_stages(stages, seeds, out, watch))
    # In a notebook an event loop is running already: take another thread. Leaving `with` waits for it, so whatever
    # makes us leave must stop the crawl first.
    stop = Stop()
    with ThreadPoolExecutor(1) as thread:
        try:
            return _awaited(thread.submit(asyncio.run, crawl_stages(stages, seeds, out, watch, stop)), stop)
        except BaseException:
            stop.press()
            raise


def _awaited(crawling: Future[Summary], stop: Stop) -> Summary:
    """The summary of a crawl in another thread. Signals come to this one: Ctrl-C means here what it means there."""
    while True:
        try:
            return crawling.result()
        except KeyboardInterrupt:
            if crawling.done():
                raise
            stop.press()


async def crawl_stages(
    stages: Stages, seeds: list[str], out: Path, watch: Watch = silent, stop: Stop | None = None
) -> Summary:
    """The crawl itself, over parts that may be doubles."""
    stop = stop or Stop()
    loop = Loop(
        stages, stop, lambda tally: watch(stages, tally)
    )  # before seeding: its time is not after the frontier's
    refused = stages.frontier.seed(stages.clock.now(), seeds)
    if len(refused) == len(seeds):
        url, reason = refused[0]
        raise SeedError(f"no seed can be crawled; {url}: {reason}")
    try:
        with on_signals(stop):
            tally = await loop.run()
    finally:
        stages.store.close()
    counts = stages.frontier.stats()
    return Summary(
        out=str(out),
        pages=tally.pages,
        bytes=tally.bytes,
        seconds=(stages.clock.now() - tally.started) / 1000,
        ended=stop.reason or _end_of(stages, tally),
        robots=tally.robots,
        robots_read=counts.get("robots_answers", 0),
        outcomes=outcomes_of(tally, counts),
        dead_letters=counts.get("dead", 0),
        dead_reasons=gather(stages.frontier.dead_letters(LETTERS)),
        refused_seeds=refused,
    )


def _end_of(stages: Stages, tally: Tally) -> Reason:
    """Why a crawl ended that nobody stopped."""
    limit = stages.settings.crawl.max_pages
    fetched = stages.frontier.stats().get("fetched", tally.pages)
    return "finished" if limit is None or fetched < limit else "pages"
