"""Helios, a web crawler: polite, exact, fast. Python decides, a Rust core does.

    import helios

    summary = helios.crawl("https://example.org/", out="example", contact="you@example.org", max_pages=100)
    table = helios.open("example").pages().read_all()

Look next: `crawl/loop.py` is the whole crawl in one loop; `settings/tables.py` is everything that can be set.
"""

import importlib
import typing

import helios._allocator  # noqa: F401  # before the core
from helios._core import Element, Page, __version__
from helios.crawl.run import crawl, resume, stream
from helios.errors import (
    ControlError,
    FetchError,
    FolderError,
    FrontierError,
    HeliosError,
    QueryError,
    SeedError,
    SettingsError,
    SimWebError,
    StorageError,
    StoreError,
    UrlError,
)

if typing.TYPE_CHECKING:
    from helios.control.status import Status
    from helios.control.verbs import Added
    from helios.crawl.letters import Letter
    from helios.crawl.opened import Crawl
    from helios.crawl.opened import open_crawl as open  # noqa: A004  # helios.open, as gzip.open
    from helios.crawl.stream import Stream
    from helios.crawl.summary import DeadLetters, Summary
    from helios.hooks import Failure, StopCrawl
    from helios.outcome import Outcome
    from helios.reading.query import PageQuery
    from helios.reading.stats import Stats
    from helios.search.run import Found, Hit
    from helios.search.snippet import Snippet
    from helios.settings import Settings

__all__ = [
    "Added",
    "ControlError",
    "Crawl",
    "DeadLetters",
    "Element",
    "Failure",
    "FetchError",
    "FolderError",
    "Found",
    "FrontierError",
    "HeliosError",
    "Hit",
    "Letter",
    "Outcome",
    "Page",
    "PageQuery",
    "QueryError",
    "SeedError",
    "Settings",
    "SettingsError",
    "SimWebError",
    "Snippet",
    "Stats",
    "Status",
    "StopCrawl",
    "StorageError",
    "StoreError",
    "Stream",
    "Summary",
    "UrlError",
    "__version__",
    "crawl",
    "open",
    "resume",
    "stream",
]

# Where the rest is, imported when it is first asked for: `helios --help` needs none of it, a crawl little.
_LATER = {
    "Added": "control.verbs",
    "Crawl": "crawl.opened",
    "DeadLetters": "crawl.summary",
    "Failure": "hooks",
    "Found": "search.run",
    "Hit": "search.run",
    "Letter": "crawl.letters",
    "Outcome": "outcome",
    "PageQuery": "reading.query",
    "Settings": "settings",
    "Snippet": "search.snippet",
    "Stats": "reading.stats",
    "Status": "control.status",
    "StopCrawl": "hooks",
    "Stream": "crawl.stream",
    "Summary": "crawl.summary",
    "open": "crawl.opened",
}

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """A public name, the first time."""
        if name not in _LATER:
            raise AttributeError(f"module 'helios' has no attribute {name!r}")
        module = importlib.import_module(f"helios.{_LATER[name]}")
        globals()[name] = found = getattr(module, "open_crawl" if name == "open" else name)
        return found

    def __dir__() -> list[str]:
        """For those who look around."""
        return sorted({*globals(), *_LATER})
