"""A crawl from checked settings: opened anew or again, run to its end, summed up."""

import asyncio
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from helios.clock import SystemClock
from helios.crawl.again import require_idle, require_unchanged
from helios.crawl.audience import Audience, Listeners
from helios.crawl.loop import Loop
from helios.crawl.progress import Watch, silent
from helios.crawl.revive import revive
from helios.crawl.seeding import AT_ONCE, chunks, left_over, take_in
from helios.crawl.steer import steered
from helios.crawl.stop import Reason, Stop, ended_at_exit, on_ctrl_c, on_signals
from helios.crawl.summary import Summary, gather, outcomes_of
from helios.crawl.tally import Tally
from helios.crawl.unfollowed import unfollowed
from helios.errors import FolderError, HeliosError, SeedError
from helios.folder import Folder, beginning, create, existing, holds_crawl, require_writable
from helios.hooks import HookFailures, Hooks
from helios.observe.observed import observed
from helios.observe.server import require_address
from helios.outcome import Outcome
from helios.seeds import Seeds, seeds_from
from helios.settings import Settings, load, require_contact
from helios.stages import Stages, build

LETTERS = 10_000  # dead letters that a summary looks at
LISTEN_S = 0.2  # a signal that comes just before a thread begins to wait is heard only when it wakes


@dataclass(frozen=True, slots=True)
class Start:
    """A crawl that can begin: its parts hold their files."""

    stages: Stages
    seeds: Seeds | list[str]
    out: Path
    hooks: Hooks = field(default_factory=Hooks)
    new: bool = False


def begun(settings: Settings, seeds: Iterable[str], out: Path, hooks: Hooks | None = None) -> Start:
    """A new crawl in the new folder `out`."""
    hooks = hooks or Hooks()
    start = seeds_from(seeds, settings.urls)
    require_contact(settings, start)
    require_address(settings.metrics)
    with beginning(out):
        folder = create(out, settings)
        try:
            stages = build(settings, folder, SystemClock(), hooks)
        except HeliosError:
            folder.discard()  # a crawl that cannot start leaves no folder
            raise
    return Start(stages, start, out, hooks, new=True)


def resumed(
    out: Path,
    seeds: Iterable[str],
    changes: dict[str, object],
    hooks: Hooks | None = None,
    config: Path | None = None,
) -> Start:
    """The crawl in the folder `out`, as its last run left it; a `config` file may change settings, too."""
    folder = existing(out)
    start = seeds_from(seeds, folder.settings().urls, may_be_none=True)  # before others have to wait for us
    with beginning(out):
        require_idle(out)
        require_writable(folder)
        before, settings = folder.settings(), load(folder.settings_file, config, os.environ, **changes)
        require_unchanged(before, settings)
        require_contact(settings, start)
        require_address(settings.metrics)
        return _opened(folder, before, settings, start, hooks or Hooks())


def _opened(folder: Folder, before: Settings, settings: Settings, seeds: Seeds, hooks: Hooks) -> Start:
    stages = build(settings, folder, SystemClock(), hooks)
    try:
        _require_seeds(stages, seeds, folder.path)
        if settings.recrawl.enabled and not before.recrawl.enabled:
            revive(stages.frontier, folder)
        stages.store.collect(stages.frontier.staged())
        if settings != before:
            folder.write(settings)  # only now: whoever holds the folder keeps its settings
    except BaseException:
        stages.close()  # or the folder stays in use by whoever reads the error
        raise
    return Start(stages, seeds, folder.path, hooks)


def started(
    out: Path,
    seeds: Iterable[str],
    changes: dict[str, object],
    hooks: Hooks | None = None,
    config: Path | None = None,
) -> Start:
    """A new crawl, or the one that is there."""
    if holds_crawl(out):
        return resumed(out, seeds, changes, hooks, config)
    settings = load(config, os.environ, **changes)
    try:
        return begun(settings, seeds, out, hooks)
    except FolderError:
        require_idle(out)  # another process may have begun one meanwhile
        raise


def _require_seeds(stages: Stages, seeds: Seeds, out: Path) -> None:
    if not seeds and not left_over(out) and not stages.frontier.stats()["known"]:
        raise FolderError(f"the crawl in {out} ended before its seeds were taken in; give them again")


def blocking(start: Start, watch: Watch = silent) -> Summary:
    """Runs it to its end, wherever it is called from."""
    if not _is_in_event_loop():
        return run(start, watch)
    # In a notebook an event loop is running already: take another thread. Leaving `with` waits for it, so whatever
    # makes us leave must stop the crawl first.
    stop = Stop()
    with on_ctrl_c(stop), ThreadPoolExecutor(1) as thread:
        try:
            crawling = thread.submit(run, start, watch, stop)
            while not crawling.done():
                wait([crawling], LISTEN_S)
            return crawling.result()
        except BaseException:
            stop.press()
            raise


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def run(start: Start, watch: Watch = silent, stop: Stop | None = None, audience: Audience | None = None) -> Summary:
    """Runs it to its end in this thread."""
    stop = stop or Stop()
    with ended_at_exit(stop):
        return asyncio.run(crawled(start, watch, stop, audience))


def put_off(start: Start) -> None:
    """Lets go of a crawl that has not begun; its seeds wait for whoever goes on with it."""
    stages = start.stages
    try:
        for some in chunks(start.seeds, AT_ONCE):
            stages.frontier.seed(stages.clock.now(), some)
    finally:
        stages.fetcher.close()
        stages.close()


async def crawled(
    start: Start, watch: Watch = silent, stop: Stop | None = None, audience: Audience | None = None
) -> Summary:
    """The crawl itself, over parts that may be doubles."""
    stop = stop or Stop()
    try:
        async with steered(start.stages, stop, start.out, watch) as seen:
            return await _looped(start, seen, stop, audience)
    except SeedError:
        if start.new:
            _undo(start.out)
        raise


def _undo(out: Path) -> None:
    """A crawl that took no seed leaves no folder: its settings would be those of the next one."""
    with suppress(HeliosError), beginning(out):
        require_idle(out)
        Folder(out).discard()


async def _looped(start: Start, watch: Watch, stop: Stop, audience: Audience | None) -> Summary:
    stages, seeds, hooks, failures = start.stages, start.seeds, start.hooks, start.stages.extractor.failures
    failures.stop, failures.at_once = lambda: stop.ask("hook"), lambda: stop.at_once
    if audience is None and (hooks.on_page or hooks.on_error):
        audience = Listeners(hooks, failures, stop)
    # Before seeding: its time is not after the frontier's.
    loop = Loop(stages, stop, lambda tally: watch(stages, tally), audience)
    loop.tally.before = stages.frontier.stats()
    try:
        async with observed(stages, loop.tally, len(seeds)) as journal:
            with on_signals(stop):
                refused = await take_in(stages, seeds, start.out, stop, loop.glance)
                tally = await loop.run()
                if audience is not None:
                    await audience.leave()
            summary = _summary(stages, tally, stop, start.out, refused)
            if not summary.pages and summary.pending:
                summary = msgspec.structs.replace(summary, held_up=_held_up(stages, seeds))
            journal.ended(summary)
            return summary
    finally:
        stages.close()


def _summary(stages: Stages, tally: Tally, stop: Stop, out: Path, refused: list[tuple[str, str]]) -> Summary:
    counts = stages.frontier.stats()
    names = ("robots_answers", Outcome.DENIED, "recrawled", "not_modified", "changed")
    now = {name: counts.get(name, 0) - tally.before.get(name, 0) for name in names}
    return Summary(
        out=str(out),
        pages=tally.pages,
        bytes=tally.bytes,
        seconds=(stages.clock.now() - tally.started) / 1000,
        ended=stop.reason or _end_of(stages, tally),
        robots=tally.robots,
        robots_read=now["robots_answers"],
        outcomes=outcomes_of(tally, now),
        dead_letters=counts.get("dead", 0),
        dead_reasons=gather(stages.frontier.dead_letters(LETTERS)),
        refused_seeds=refused,
        recrawled=now["recrawled"] + now["not_modified"],
        changed=now["changed"],
        pending=counts.get("pending", 0),
        parked=counts.get("parked", 0),
        unfollowed=unfollowed(counts),
        hook_failures=stages.extractor.failures.count,
        hook_failure=_example(stages.extractor.failures),
    )


def _held_up(stages: Stages, seeds: Seeds | list[str]) -> str | None:
    """A robots.txt that could not be read so far: until it is, the site has neither outcomes nor dead letters."""
    first = next(iter(seeds), None)
    if first is None:
        return None
    robots = msgspec.json.decode(stages.frontier.why(stages.clock.now(), first)).get("robots", "")
    return f"{first} waits: {robots}" if "cannot be read" in robots else None


def _example(failures: HookFailures) -> tuple[str, str] | None:
    return (failures.url, failures.reason) if failures.count else None


def _end_of(stages: Stages, tally: Tally) -> Reason:
    """Why a crawl ended that nobody stopped."""
    limits, counts = stages.settings.crawl, stages.frontier.stats()
    if limits.max_pages is not None and counts.get("fetched", tally.pages) >= limits.max_pages:
        return "pages"
    if not counts.get("pending"):
        return "finished"
    # The frontier counts its seconds from its opening on, which may be a moment before the loop's.
    return "bytes" if limits.max_bytes is not None else "time" if limits.max_seconds is not None else "finished"
