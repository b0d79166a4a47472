"""`helios.crawl`: seeds and settings in, a folder and a summary out; blocks until the crawl has ended.

`helios.resume` goes on with a crawl that was stopped or killed, from the last settle on.
"""

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from os import PathLike
from pathlib import Path

from helios.clock import SystemClock
from helios.crawl.loop import Loop
from helios.crawl.progress import Watch, silent
from helios.crawl.stop import Reason, Stop, on_ctrl_c, on_signals
from helios.crawl.summary import Summary, gather, outcomes_of
from helios.crawl.tally import Tally
from helios.errors import FolderError, HeliosError, SeedError, SettingsError
from helios.extract import Hook, HookFailures
from helios.folder import create, existing
from helios.named import name_of
from helios.outcome import Outcome
from helios.seeds import seeds_from
from helios.settings import Settings, load, require_contact
from helios.settings.keeping import Embed
from helios.stages import Stages, build

LETTERS = 10_000  # dead letters that a summary looks at
LISTEN_S = 0.2  # a signal that comes just before a thread begins to wait is heard only when it wakes


def crawl(
    seeds: str | Iterable[str],
    out: str | PathLike[str],
    *,
    config: str | PathLike[str] | None = None,
    extract: Hook | Mapping[str, object] | None = None,
    **settings: object,
) -> Summary:
    """Crawls from `seeds` into the new folder `out`; returns when nothing is left or a limit is reached.

    Settings go by name: `max_pages=100`, `contact="you@example.org"`, or by table: `frontier={"attempts": 2}`; `config`
    is a TOML file with the same tables. `extract` may also be a function that gets each page and returns more fields
    of it (docs/extract.md). Raises a HeliosError for anything that a person can put right.
    """
    hook, settings = _hooked(extract, settings)
    chosen = load(None if config is None else Path(config), **settings)
    return crawl_with(chosen, [seeds] if isinstance(seeds, str) else seeds, Path(out), hook=hook)


def resume(
    out: str | PathLike[str],
    *,
    seeds: str | Iterable[str] = (),
    extract: Hook | Mapping[str, object] | None = None,
    **settings: object,
) -> Summary:
    """Goes on with the crawl in the folder `out`: nothing that was settled is fetched again, nothing else is lost.

    The settings are those of the crawl; what is given here by name is changed, for this run and later ones. `seeds` are
    added to it.
    """
    hook, settings = _hooked(extract, settings)
    return resume_with(Path(out), [seeds] if isinstance(seeds, str) else seeds, settings, hook=hook)


def _hooked(
    extract: Hook | Mapping[str, object] | None, settings: dict[str, object]
) -> tuple[Hook | None, dict[str, object]]:
    """A function is a hook, whose name the settings keep; all else is the table of that name."""
    if extract is None:
        return None, settings
    if isinstance(extract, Mapping) or not callable(extract):
        return None, {**settings, "extract": extract}
    return extract, {**settings, "hook": name_of(extract)}


def crawl_with(
    settings: Settings, seeds: Iterable[str], out: Path, watch: Watch = silent, hook: Hook | None = None
) -> Summary:
    """As `crawl`, from checked settings, watched."""
    start = seeds_from(seeds, settings.urls)
    require_contact(settings, start)
    folder = create(out, settings)
    try:
        stages = build(settings, folder, SystemClock(), hook)
    except HeliosError:
        folder.discard()  # a crawl that cannot start leaves no folder
        raise
    return _blocking(stages, start, out, watch)


def resume_with(
    out: Path, seeds: Iterable[str], changes: dict[str, object], watch: Watch = silent, hook: Hook | None = None
) -> Summary:
    """As `resume`, watched."""
    folder = existing(out)
    settings = load(folder.settings_file, **changes)
    _require_the_same_vectors(folder.settings().embed, settings.embed)
    more = list(seeds)
    start = seeds_from(more, settings.urls) if more else []
    require_contact(settings, start)
    stages = build(settings, folder, SystemClock(), hook)
    try:
        if changes:
            folder.write(settings)  # only now: whoever holds the folder keeps its settings
        _require_seeds(stages, start, out)
        stages.store.collect(stages.frontier.staged())
    except BaseException:
        stages.frontier.close()  # or the folder stays in use by whoever reads the error
        raise
    return _blocking(stages, start, out, watch)


def _require_the_same_vectors(then: Embed, now: Embed) -> None:
    """Vectors of two models lie in two spaces: nothing can be found among them."""
    if then != now:
        changed = [name for name in now.__struct_fields__ if getattr(then, name) != getattr(now, name)]
        raise SettingsError(
            f"[embed] {', '.join(changed)} cannot change once a crawl has begun: set it back, or begin a crawl in "
            "another folder"
        )


def _require_seeds(stages: Stages, seeds: list[str], out: Path) -> None:
    if not seeds and not stages.frontier.stats()["known"]:
        raise FolderError(f"the crawl in {out} ended before its seeds were taken in; give them again")


def _blocking(stages: Stages, seeds: list[str], out: Path, watch: Watch) -> Summary:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(crawl_stages(stages, seeds, out, watch))
    # In a notebook an event loop is running already: take another thread. Leaving `with` waits for it, so whatever
    # makes us leave must stop the crawl first.
    stop = Stop()
    with on_ctrl_c(stop), ThreadPoolExecutor(1) as thread:
        try:
            crawling = thread.submit(asyncio.run, crawl_stages(stages, seeds, out, watch, stop))
            while not crawling.done():
                wait([crawling], LISTEN_S)
            return crawling.result()
        except BaseException:
            stop.press()
            raise


async def crawl_stages(
    stages: Stages, seeds: list[str], out: Path, watch: Watch = silent, stop: Stop | None = None
) -> Summary:
    """The crawl itself, over parts that may be doubles."""
    stop = stop or Stop()
    loop = Loop(
        stages, stop, lambda tally: watch(stages, tally)
    )  # before seeding: its time is not after the frontier's
    before = stages.frontier.stats()  # of earlier runs
    try:
        refused = stages.frontier.seed(stages.clock.now(), seeds) if seeds else []
        if seeds and len(refused) == len(seeds):
            url, reason = refused[0]
            raise SeedError(f"no seed can be crawled; {url}: {reason}")
        with on_signals(stop):
            tally = await loop.run()
        return _summary(stages, tally, stop, out, refused, before)
    finally:
        stages.extractor.close()
        stages.store.close()
        stages.frontier.close()


def _summary(
    stages: Stages, tally: Tally, stop: Stop, out: Path, refused: list[tuple[str, str]], before: dict[str, int]
) -> Summary:
    counts = stages.frontier.stats()
    now = {name: counts.get(name, 0) - before.get(name, 0) for name in ("robots_answers", Outcome.DENIED)}
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
        pending=counts.get("pending", 0),
        parked=counts.get("parked", 0),
        hook_failures=stages.extractor.failures.count,
        hook_failure=_example(stages.extractor.failures),
    )


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
