"""The settings tables, in journey order. Names and units are the same in the Rust core, which gets them as JSON."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Scope: TypeAlias = Literal["host", "site", "any"]
Range: TypeAlias = Literal["loopback", "private", "link_local", "shared", "reserved"]


def says(text: str) -> Meta:
    """What a setting is for; every setting has one."""
    return Meta(description=text)


def least(minimum: int, text: str) -> Meta:
    """A number of at least `minimum`."""
    return Meta(ge=minimum, description=text)


class Crawl(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wanted: how much, how far, how long. Without a value: no limit."""

    max_pages: Annotated[int, least(1, "pages stored, exactly: never one more")] | None = None
    max_depth: Annotated[int, least(0, "links away from a seed; 0 crawls the seeds alone")] | None = None
    max_seconds: Annotated[int, least(1, "seconds after which nothing more is asked")] | None = None
    scope: Annotated[
        Scope,
        says('links followed: "host" the seeds\' hosts, "site" also their other hosts (www., blog.), "any" all'),
    ] = "host"


class Frontier(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is asked when, and how often one URL is tried."""

    delay_ms: Annotated[
        int, least(0, "milliseconds from the end of one request to a site to the next; 1 s is polite")
    ] = 1_000
    visit_urls: Annotated[int, least(1, "URLs of one site fetched in one visit, on one connection")] = 16
    attempts: Annotated[int, least(1, "tries for one URL before it becomes a dead letter")] = 4
    backoff_ms: Annotated[int, least(0, "milliseconds of back-off after a first failure; doubles with each")] = 2_000
    backoff_ceiling_ms: Annotated[int, least(0, "milliseconds that the back-off never exceeds; 5 minutes")] = 300_000
    crawl_delay_ceiling_ms: Annotated[
        int, least(0, "milliseconds up to which a Crawl-delay in robots.txt is obeyed; 30 s keeps a site crawlable")
    ] = 30_000
    retry_after_ceiling_ms: Annotated[int, least(0, "milliseconds up to which Retry-After is obeyed; 1 hour")] = (
        3_600_000
    )
    max_pages_per_site: Annotated[int, least(1, "pages stored of one site")] | None = None
    max_url_length: Annotated[int, least(16, "characters; longer URLs are traps more often than pages")] = 2_000
    max_redirects: Annotated[int, least(0, "hops followed from one URL")] = 10


class Robots(Struct, frozen=True, forbid_unknown_fields=True):
    """What sites allow (RFC 9309)."""

    token: Annotated[
        str,
        Meta(pattern=r"^[A-Za-z_-]+$", description="our name in robots.txt files: letters, - and _ (RFC 9309, 2.2.1)"),
    ] = "helios"  # noqa: S105  # not a secret
    ttl_s: Annotated[int, least(60, "seconds that a robots.txt stays known; RFC 9309 says at most a day")] = 86_400
    max_bytes: Annotated[int, least(1_024, "bytes of a robots.txt that are read; RFC 9309 says at least 500 KiB")] = (
        512_000
    )
    attempts: Annotated[int, least(1, "tries for a robots.txt before its site is given up")] = 4


class Dns(Struct, frozen=True, forbid_unknown_fields=True):
    """How names become addresses."""

    servers: Annotated[
        list[Annotated[str, Meta(pattern=r"^(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):[0-9]{1,5}$")]],
        says('name servers as "address:port"; none: those of the machine'),
    ] = []
    timeout_ms: Annotated[int, least(1, "milliseconds for one look-up, repeats included")] = 5_000


class Fetch(Struct, frozen=True, forbid_unknown_fields=True):
    """How pages are fetched, and within which bounds."""

    user_agent: (
        Annotated[
            str,
            Meta(pattern=r"^[\x20-\x7e]+$", description="the User-Agent header; none: Helios/<version> (+<contact>)"),
        ]
        | None
    ) = None
    contact: (
        Annotated[
            str,
            Meta(
                pattern=r"^(https?://[\x21-\x7e]+|[^@\s()\x00-\x1f\x7f-\uffff]+@[^@\s()\x00-\x1f\x7f-\uffff]+)$",
                description="e-mail or web address that a site can complain to; needed for the open web",
            ),
        ]
        | None
    ) = None
    concurrency: Annotated[int, least(1, "visits at once, each on its own connection")] = 512
    threads: Annotated[int, least(0, "threads that fetch; 0: one per core")] = 0
    connect_timeout_ms: Annotated[int, least(1, "milliseconds to connect, TLS included")] = 10_000
    first_byte_timeout_ms: Annotated[int, least(1, "milliseconds from the request to the first byte")] = 20_000
    total_timeout_ms: Annotated[int, least(1, "milliseconds for one page in all")] = 60_000
    max_body_bytes: Annotated[int, least(1, "bytes of one body after decompression")] = 10_000_000
    max_ratio: Annotated[int, least(1, "times that a body may grow by decompression; beyond that it is a bomb")] = 200
    allow: Annotated[
        list[Range],
        says('ranges of addresses that may be connected to although they are not public: "loopback", "private", ...'),
    ] = []
    extra_ca: (
        Annotated[str, says("PEM file with certificate authorities trusted beside those of the machine")] | None
    ) = None


class Extract(Struct, frozen=True, forbid_unknown_fields=True):
    """What is taken from a page."""

    max_links: Annotated[int, least(0, "links of one page that are followed; the rest is a link farm")] = 10_000
    max_text_bytes: Annotated[int, least(0, "bytes of text kept of one page")] = 2_000_000


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    """How pages reach the table."""

    batch_ms: Annotated[int, least(1, "milliseconds that finished pages wait for company before they are stored")] = 250
    batch_pages: Annotated[int, least(1, "pages stored at once, at most")] = 1_024
    publish_ms: Annotated[int, least(0, "milliseconds between two steps that make stored pages visible")] = 2_000
    rows_per_file: Annotated[int, least(1, "rows of one data file, at most")] = 65_536
    compact_files: Annotated[int, least(2, "small data files that are merged when there are this many")] = 64


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a crawl, one table per stage, in journey order."""

    crawl: Crawl = Crawl()
    frontier: Frontier = Frontier()
    robots: Robots = Robots()
    dns: Dns = Dns()
    fetch: Fetch = Fetch()
    extract: Extract = Extract()
    store: Store = Store()
