"""The Rust core, as Python sees it. Batches and opaque handles only: a link is never an object, a page for a hook.

In journey order: url, frontier, fetch, extract; then the synthetic web. Checked against the compiled module by a test.
Times are milliseconds since 1970 and are handed in: the core has no clock of its own. Settings cross as JSON.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, final

__version__: str
__all__ = [
    "Canonicaliser",
    "Done",
    "Element",
    "Extractor",
    "FetchError",
    "Fetcher",
    "Frontier",
    "FrontierError",
    "HeliosError",
    "Page",
    "Pages",
    "SettingsError",
    "SimWeb",
    "SimWebError",
    "StaticModel",
    "StorageError",
    "UrlError",
    "Visits",
    "WarcReader",
    "WarcWriter",
    "__version__",
    "canonicalise",
    "frontier_defaults",
    "now",
    "seen_hash",
    "site_of",
]

# errors

class HeliosError(Exception):
    """Everything that Helios raises on purpose."""

class SettingsError(HeliosError):
    """A setting that cannot be used; says which, why and what would do."""

class UrlError(HeliosError):
    """Text that is no URL that can be crawled."""

class FrontierError(HeliosError):
    """The frontier was told something that cannot be."""

class StorageError(HeliosError):
    """The disk, or what is on it, cannot be used."""

class FetchError(HeliosError):
    """The fetcher could not be started or went down; never the fault of a page (that is an outcome)."""

class SimWebError(HeliosError):
    """The synthetic web could not be started or asked."""

# clock

def now() -> int:
    """The one time, in milliseconds: read off the machine once, never going back."""

# url

def canonicalise(text: str, base: str | None = None) -> str:
    """The one spelling of a URL by the usual rules."""

@final
class Canonicaliser:
    """How one crawl spells URLs: by its table `urls`."""

    def __new__(cls, settings: str) -> Canonicaliser: ...
    def parse(self, text: str) -> str:
        """An absolute URL as a person or a file gives it."""

def site_of(url: str) -> str:
    """Whom we must be polite to as one: the registrable domain, or the host itself (an address, a public suffix)."""

# frontier

@final
class Visits:
    """What is leased: for each visit one site, a few of its URLs, its delay."""

    def __len__(self) -> int: ...
    @property
    def urls(self) -> int: ...

@final
class Frontier:
    """What to fetch next, when, and what became of it: (event, now) -> actions. No I/O, no clock."""

    def __new__(cls, settings: str, now: int, folder: str | None = None) -> Frontier:
        """Opens the frontier in `folder` as the last run left it, or a new one; without a folder, in memory."""

    def seed(self, now: int, urls: Sequence[str]) -> list[tuple[str, str]]:
        """Offers URLs as seeds, durably; returns those refused, each with the reason."""

    def lease(self, now: int, max_visits: int, *, behind: bool = False) -> Visits:
        """Visits that may begin now; while the crawl is behind with reading, few to sites that were not asked yet."""

    def receive(self, done: Done) -> None:
        """Drops the results of visits that were given up, before anything is stored of them."""

    def settle(self, now: int, done: Done, pages: Pages, staged: str | None) -> None:
        """Tells what happened, with the links found and the name of the staged files: the commit, durable on return."""

    def settle_robots(self, now: int, done: Done) -> None:
        """The same for the robots.txt answers in a batch alone; the settle of the batch passes over them then."""

    def staged(self) -> list[str]:
        """Staged files that are committed and not yet published, oldest first."""

    def published(self, names: Sequence[str]) -> None: ...
    def next_due(self, now: int) -> int | None:
        """When the next visit may begin; None when nothing waits (then nothing is left, or all is leased)."""

    def finished(self, now: int) -> bool: ...
    def stop(self) -> None:
        """Lease nothing more; what is in flight may still be settled."""

    def stats(self) -> dict[str, int]:
        """Numbers by name.

        known, pending, parked, sites, sites_waiting, visits_out, fetched, denied, retried, dead, robots_answers; and of
        all links those not taken in: out_of_scope, unwanted, too_deep, trapped, too_many_redirects.
        """

    def dead_letters(self, limit: int, after: str | None = None) -> list[tuple[str, str, int]]:
        """URL, reason, attempts, in one order; with `after`, those that follow the letter of that URL."""

    def replay(self, now: int, site: str | None = None, reason: str | None = None) -> int:
        """Gives dead letters another life: of a site, and whose reason contains a text; else all. How many."""

    def revive(self, pages: Sequence[tuple[str, int, int, int, str | None, str | None, int | None]]) -> int:
        """Gives pages that were fetched before recrawl was on their next time, durably; how many.

        URL, depth, how often it was fetched, when last, ETag, Last-Modified, the hash that tells whether it changes.
        """

    def why(self, now: int, url: str) -> str:
        """Everything known of one URL, as JSON."""

    def close(self) -> None:
        """Lets go of its files."""

def frontier_defaults() -> str:
    """The settings that the core's frontier has by default, as JSON: the same as those of `helios.settings`."""

# fetch

@final
class Done:
    """Everything that finished since the last call: outcomes, with bodies where there are any."""

    def __len__(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Bytes of body received on the wire."""

    @property
    def robots(self) -> int:
        """How many of them asked for a robots.txt."""

    def absorb(self, other: Done) -> None:
        """Takes over all that is in another batch, which is empty then."""

    def outcomes(self) -> dict[str, int]:
        """How many of each kind of outcome, robots.txt apart."""

    def failures(self) -> list[tuple[str, str, str]]:
        """What could not be had, or not now, robots.txt included: URL, kind of outcome, what happened."""

    def pdfs(self) -> list[tuple[int, builtins.bytes]]:
        """The PDFs among them: their places in the batch, and their bytes."""

    def timings(self) -> dict[str, list[int]]:
        """Microseconds of resolve, connect, tls, first_byte and body, one of each for all that were asked."""

@final
class Fetcher:
    """Fetches visits in order, paced, each on its own connection; thousands at once on a few threads."""

    def __new__(cls, settings: str) -> Fetcher: ...
    @property
    def free(self) -> int:
        """How many more visits it takes now."""

    @property
    def in_flight(self) -> int:
        """Visits submitted and not yet handed back whole."""

    @property
    def memory_held(self) -> int:
        """Bytes of bodies that are being read or not yet dropped, up to `max_memory_bytes`."""

    def dns_stats(self) -> dict[str, int]:
        """What the resolver counted: hits, misses, prefetches, look_up_us and others."""

    def proxy_stats(self) -> list[dict[str, str | int | float]]:
        """What each proxy did so far, in the order of the pools: proxy, connections, failures, requests and others."""

    def submit(self, visits: Visits) -> None: ...
    def completed(self, wait_ms: int, linger_ms: int, max_pages: int) -> Done:
        """Waits up to `wait_ms` for a first outcome, then `linger_ms` more for company; may be empty. No GIL."""

    def drain(self) -> None:
        """Visits under way finish what they are asking and abandon the rest."""

    def close(self) -> None: ...

# extract

def seen_hash(title: str, text: str) -> int:
    """What a reader sees of a page, as a number that tells whether it has changed."""

@final
class Pages:
    """Pages as Arrow columns (see docs/page-table.md), and their links, which only the frontier reads."""

    def __len__(self) -> int: ...
    @property
    def links(self) -> int: ...
    def each(self, done: Done) -> list[Page]:
        """Its rows for a hook, in their order; `done` is what they were made from."""

    def leading(self, done: Done) -> list[tuple[int, Page]]:
        """All pages, those that are not kept included, lists of links apart: their places in the batch, and they."""

    def put_links(self, links: Mapping[int, Sequence[str]], spelling: Canonicaliser) -> list[tuple[str, str]]:
        """Where pages lead instead, by their places; returns what is no URL to crawl, with the reason."""

    def put_fields(self, fields: Sequence[str | None]) -> None:
        """What goes into the column `fields`, as JSON, one for each row."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Page:
    """A page as a hook gets it. What is not asked for is not read: no text is decoded, no tree is made."""

    @property
    def url(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def content_type(self) -> str:
        """As sent."""

    @property
    def headers(self) -> dict[str, str]:
        """Of the answer; names in lower case, values of one name joined by a comma."""

    @property
    def body(self) -> bytes:
        """As it came, content coding undone."""

    @property
    def html(self) -> str:
        """The body as text, read in the encoding that a browser would take."""

    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str:
        """The main text, or all text, as `[extract] text` says."""

    @property
    def markdown(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def depth(self) -> int:
        """Links from a seed to here."""

    @property
    def facts(self) -> dict[str, Any]:
        """Headings, Open Graph, JSON-LD and other structured data; see docs/page-table.md."""

    @property
    def fields(self) -> dict[str, Any]:
        """What `[extract] fields` found."""

    @property
    def links(self) -> list[str]:
        """Where the page leads, as the frontier gets it: canonical, each once, without nofollow."""

    def css(self, selector: str) -> list[str]:
        """What a CSS selector finds, as texts; `::text` or `::attr(name)` at its end choose what of an element."""

    def elements(self, selector: str) -> list[Element]:
        """The elements that a CSS selector finds, in the order of the page."""

@final
class Element:
    """An element of a page."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str:
        """All text in it."""

    @property
    def attributes(self) -> dict[str, str]: ...
    def css(self, selector: str) -> list[str]:
        """As `Page.css`, within this element."""

    def elements(self, selector: str) -> list[Element]:
        """As `Page.elements`, within this element."""

@final
class Extractor:
    """Reads pages by the tables `extract` and `robots`, and remembers their fingerprints in a file, if one is given."""

    def __new__(cls, settings: str, fingerprints: str | None = None) -> Extractor: ...
    def extract(self, done: Done, given: Mapping[int, str] | None = None, let_go: bool = False) -> Pages:
        """Text, facts and links of every page in the batch, on all cores, no GIL. Never raises for one bad page.

        `given` is what somebody else read of a body, as JSON, by its place in the batch: title, text, authors, ...
        `let_go`: nobody else wants the bodies; each makes place for others once it is read. An archive has its own.
        """

    def commit(self) -> None:
        """Makes fingerprints durable; to be called when the pages are settled."""

# embed

@final
class StaticModel:
    """A static embedding model: a vector for each token of its vocabulary."""

    def __new__(cls, file: str) -> StaticModel: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> bytes:
        """The vectors of texts as 32-bit numbers, one row after the other, on all cores, no GIL."""

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts, by their numbers in the vocabulary: uncased WordPiece, as BERT's."""

# warc

@final
class WarcWriter:
    """Writes WARC records. It remembers the payloads it wrote, so that the same one is not written twice."""

    def __new__(cls, packing: str = "gzip", level: int = 1, digest: str = "sha1", originals: int = 0) -> WarcWriter: ...
    @property
    def suffix(self) -> str:
        """What files packed like this are called: ".warc.gz"."""

    def write(self, path: str, at: int, about: Sequence[tuple[str, str]], pages: Pages) -> tuple[int, list[str]]:
        """Writes what was kept of a batch from byte `at` of a file on, durably; where that ends, and the CDXJ lines.

        At 0 the file is new and begins with a warcinfo record of `about`. If there is nothing, it is not touched.
        """

    def write_told(
        self,
        path: str,
        at: int,
        about: Sequence[tuple[str, str]],
        told: Sequence[tuple[str, int, int, int, bytes, bytes, Sequence[tuple[str, str]]]],
    ) -> tuple[int, list[str]]:
        """As `write`, of answers: URL, fetch number, time, status, head, body, notes."""

    def told(self, told: Sequence[tuple[str, int, int, int, bytes, bytes, Sequence[tuple[str, str]]]]) -> bytes:
        """As `write_told`, in memory."""

    def warcinfo(self, file: str, at: int, about: Sequence[tuple[str, str]]) -> bytes:
        """The first record of a file of this name."""

@final
class WarcReader:
    """The records of a WARC file, plain, gzip or zstd: dicts of offset, version, kind, fields, head, payload."""

    def __new__(cls, path: str, max_block_bytes: int = 67_108_864) -> WarcReader: ...
    def __iter__(self) -> WarcReader: ...
    def __next__(self) -> dict[str, Any]: ...

# simweb

@final
class SimWeb:
    """The synthetic web, served on loopback from threads of this process."""

    def __new__(cls, preset: str, settings: str, http_port: int, https_port: int, dns_port: int) -> SimWeb: ...
    @property
    def http_port(self) -> int: ...
    @property
    def https_port(self) -> int: ...
    @property
    def dns_port(self) -> int: ...
    @property
    def all_addresses(self) -> bool:
        """False: this system serves 127.0.0.1 alone, and no other host can be reached."""

    def seeds(self) -> list[str]: ...
    def ca_pem(self) -> str: ...
    def audit(self, promises: str) -> tuple[str, str, bool]:
        """The auditor's report as JSON and as text, and whether the crawler is innocent."""

    def wait(self, timeout_ms: int) -> None: ...
    def stop(self) -> None: ...
