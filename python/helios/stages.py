"""STAGES: the parts of a crawl in journey order, built once from settings. Nothing else looks anything up."""

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import msgspec

from helios import _core
from helios.clock import Clock, SystemClock
from helios.embed import Embeds, open_stage, unchanged
from helios.extract import Extractor, hook_named
from helios.folder import Folder
from helios.hooks import Hooks
from helios.measure.measures import Measures
from helios.measure.timed import timed_embed, timed_extractor, timed_frontier, timed_store
from helios.pdf.reader import PdfReader
from helios.seeds import spelling
from helios.settings import Settings
from helios.shares import room_to_wait, within
from helios.stores import open_store
from helios.stores.several import Stores

PDF = "application/pdf"


@dataclass(frozen=True, slots=True)
class Stages:
    """The parts, in journey order, and what all of them share."""

    frontier: _core.Frontier
    fetcher: _core.Fetcher
    extractor: Extractor
    store: Stores
    clock: Clock
    settings: Settings
    embed: Embeds = unchanged
    folder: Folder | None = None  # without one, nothing is written down of the run
    measures: Measures = field(default_factory=lambda: Measures(SystemClock()))

    def close(self) -> None:
        """Lets go of the folder, also where one part cannot; the frontier last, since it holds the lock."""
        with ExitStack() as last:
            for part in (self.frontier, self.store, self.extractor):
                last.callback(part.close)


def build(settings: Settings, folder: Folder, clock: Clock, hooks: Hooks | None = None) -> Stages:
    """All parts of a crawl into `folder`, measured; an extract hook stands for the one that the settings name."""
    settings = within(settings)
    if not settings.fetch.verify_tls:
        warnings.warn("[fetch] verify_tls = false: anyone on the way can pose as any https site", stacklevel=2)
    hooks = hooks or Hooks()
    if hooks.extract is None and settings.extract.hook is not None:
        hooks = replace(hooks, extract=hook_named(settings.extract.hook))  # before anything is opened
    fetcher = _core.Fetcher(_fetcher_json(settings, room_to_wait(settings)))
    with ExitStack() as opened:  # or the folder stays in use by whoever reads the error
        frontier = open_frontier(settings, folder, clock)
        opened.callback(frontier.close)
        store = open_store(folder, settings.store, writing=True)
        opened.callback(store.close)
        extractor = _extractor(settings, folder, hooks)
        opened.callback(extractor.close)
        embed = open_stage(settings.embed, store.scan().schema)
        opened.pop_all()
    measures = Measures(clock)
    return Stages(
        frontier=timed_frontier(frontier, measures),
        fetcher=fetcher,
        extractor=timed_extractor(extractor, measures),
        store=timed_store(store, measures),
        clock=clock,
        settings=settings,
        embed=timed_embed(embed, measures),
        folder=folder,
        measures=measures,
    )


def tried(settings: Settings) -> None:
    """Makes every part that can refuse its settings, in memory, and lets go of it."""
    settings = within(settings)
    if settings.extract.hook is not None:
        hook_named(settings.extract.hook)
    _core.Fetcher(_fetcher_json(settings, 0)).close()
    _core.Frontier(_frontier_json(settings), 0).close()
    _core.Extractor(_extractor_json(settings))


def _extractor(settings: Settings, folder: Folder, hooks: Hooks) -> Extractor:
    own = settings.extract
    pdf = PdfReader(own.pdf_ms, own.pdf_pages, own.max_text_bytes) if own.pdf else None
    core = _core.Extractor(_extractor_json(settings), str(folder.fingerprints))
    follow = (hooks.follow, spelling(settings.urls)) if hooks.follow is not None else None
    return Extractor(core, hooks.extract, own.max_text_bytes, pdf, follow)


def open_frontier(settings: Settings, folder: Folder, clock: Clock) -> _core.Frontier:
    """The frontier of a crawl, as its last run left it. One at a time: it locks the folder."""
    return _core.Frontier(_frontier_json(settings), clock.now(), str(folder.frontier))


def _frontier_json(settings: Settings) -> str:
    """The frontier's tables, and what it must know of fetching: how much a page may bring, when a visit is lost."""
    chosen = _tables(settings, "crawl", "urls", "frontier", "seen", "traps", "recrawl", "robots")
    chosen["crawl"].pop("memory")  # the core has its shares of it
    chosen["frontier"]["max_body_bytes"] = settings.fetch.max_body_bytes
    chosen["frontier"]["cookies"] = settings.fetch.cookies
    chosen["frontier"]["lost_after_ms"] = 2 * settings.fetch.total_timeout_ms + 60_000
    return msgspec.json.encode(chosen).decode()


def user_agent(settings: Settings) -> str:
    """What sites see: an honest name, a version and, on the open web always, a contact."""
    if settings.fetch.user_agent is not None:
        return settings.fetch.user_agent
    contact = f" (+{settings.fetch.contact})" if settings.fetch.contact else ""
    return f"Helios/{_core.__version__}{contact}"


def _fetcher_json(settings: Settings, keep_open: int) -> str:
    """The fetcher's tables, with what follows from others: the name that sites see, the types that can be read."""
    chosen = _tables(settings, "fetch", "proxy", "dns", "robots")
    fetch = chosen["fetch"]
    fetch.pop("contact")  # the core sees it in the user agent
    more = (PDF,) if settings.extract.pdf and PDF not in settings.fetch.accept else ()
    fetch["accept"] = (*settings.fetch.accept, *more)
    fetch["user_agent"] = user_agent(settings)
    fetch["keep_wire"] = "warc" in settings.store.kinds
    fetch["most_kept_open"] = keep_open
    frontier = settings.frontier
    fetch["most_kept_open_each"] = 0 if frontier.address_delay_ms else frontier.address_connections or keep_open
    return msgspec.json.encode(chosen).decode()


def _extractor_json(settings: Settings) -> str:
    """The extractor's tables; pages speak to robots, too."""
    chosen = _tables(settings, "extract", "urls", "robots")
    extract = chosen["extract"]
    extract["raw"] = settings.store.raw
    for ours in ("hook", "pdf", "pdf_pages", "pdf_ms"):
        extract.pop(ours)
    return msgspec.json.encode(chosen).decode()


def _tables(settings: Settings, *names: str) -> dict[str, dict[str, object]]:
    return {name: msgspec.to_builtins(getattr(settings, name)) for name in names}
