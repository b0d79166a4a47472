"""The tables that choose: what is wanted, what is one page, who is asked when."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from helios.settings.parameters import DOUBTFUL, SESSIONS, TRACKING
from helios.settings.words import SIZE, few, least, like, says

Scope: TypeAlias = Literal["host", "site", "list", "any"]
SeenMode: TypeAlias = Literal["exact", "lossy"]
Share: TypeAlias = Annotated[int, few(0)]
Seconds: TypeAlias = Annotated[int, least(0)]


class Crawl(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wanted: how much, how far, how long. Without a value: no limit."""

    max_pages: Annotated[int, least(1, "pages, exactly: never one more; noindex ones count")] | None = None
    max_depth: Annotated[int, few(0, "links away from a seed; 0 crawls the seeds alone")] | None = None
    max_seconds: Annotated[int, least(1, "seconds after which nothing more is asked")] | None = None
    max_bytes: Annotated[int, least(1, "bytes of page bodies received, failed ones too: never one more")] | None = None
    scope: Annotated[
        Scope,
        says(
            'links followed: "host" the seeds\' hosts, "site" also their other hosts (www., blog.), "list" none: the '
            'seeds alone, "any" all'
        ),
    ] = "host"
    include: Annotated[
        tuple[str, ...],
        says('follow only URLs like one of these: "/news/*", "*.html", "example.org/a/", "re:/[0-9]+$"; none: all'),
    ] = ()
    exclude: Annotated[tuple[str, ...], says("never follow URLs like one of these, whatever include says")] = ()
    memory: (
        Annotated[
            str,
            like(
                SIZE.pattern,
                "a size with its unit",
                'memory that the crawl stays under: "500MB", "2GB"; it slows down rather than take more',
            ),
        ]
        | None
    ) = None
    sitemaps: Annotated[bool, says("follow the sitemaps that robots.txt files name")] = True


class Urls(Struct, frozen=True, forbid_unknown_fields=True):
    """What is one page (docs/urls.md). Cannot change once a crawl has begun."""

    escapes: Annotated[bool, says('"%7e" becomes "~", "%c3" becomes "%C3"')] = True
    empty_query: Annotated[bool, says('"/a?" becomes "/a"')] = True
    sort_query: Annotated[bool, says("parameters by name; some servers read them in order")] = False
    tracking: Annotated[
        tuple[str, ...], says('parameters that are taken out of queries; "utm_*" is all that begin so')
    ] = TRACKING
    sessions: Annotated[
        tuple[str, ...], says("parameters taken out of queries and paths where they hold 8 bytes or more")
    ] = SESSIONS
    doubtful_sessions: Annotated[tuple[str, ...], says("the same, where what they hold looks random")] = DOUBTFUL
    session_folders: Annotated[bool, says('"/(S(lit3py55t21z5v55vlm25s55))/a.aspx" becomes "/a.aspx"')] = True


class TierRule(Struct, frozen=True, forbid_unknown_fields=True):
    """URLs of one kind belong to a tier, whatever their score."""

    pattern: Annotated[str, says('host, then perhaps a path; * is anything: "*.example.org/news/*", "*/login*"')]
    tier: Annotated[int, Meta(ge=1, le=3, description="1 is asked about hourly, 2 daily, 3 weekly")]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What the score of a URL is made of."""

    rank: Annotated[float, Meta(ge=0, description="links from other sites")] = 0.4
    change: Annotated[float, Meta(ge=0, description="how often it changes")] = 0.3
    age: Annotated[float, Meta(ge=0, description="each day that it waits; with 0 low scores may wait for ever")] = 0.2
    shallowness: Annotated[float, Meta(ge=0, description="few links away from a seed")] = 0.1


class Frontier(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is asked when, and how often one URL is tried."""

    delay_ms: Annotated[
        int, least(0, "milliseconds from the end of one request to a site to the next; 1 s is polite")
    ] = 1_000
    fetch_time_factor: Annotated[
        int, few(0, "the delay is at least so many times as long as the last fetch took; spares slow sites")
    ] = 2
    crawl_delay_ceiling_ms: Annotated[
        int, least(0, "milliseconds up to which a Crawl-delay in robots.txt is obeyed; 30 s keeps a site crawlable")
    ] = 30_000
    retry_after_ceiling_ms: Annotated[int, least(0, "milliseconds up to which Retry-After is obeyed; 1 hour")] = (
        3_600_000
    )
    backoff_ms: Annotated[int, least(0, "milliseconds of back-off after a first failure; doubles with each")] = 2_000
    backoff_ceiling_ms: Annotated[int, least(0, "milliseconds that the back-off never exceeds; 5 minutes")] = 300_000
    site_connections: Annotated[int, few(1, "visits to one site at once; 1 is polite")] = 1
    address_connections: Annotated[int, few(0, "visits to one address at once, whatever its sites; 0: any")] = 8
    address_delay_ms: Annotated[
        int, least(0, "milliseconds between two requests to one address; needs address_connections = 1")
    ] = 0
    max_requests_per_second: (
        Annotated[float, Meta(gt=0, description="requests per second to all sites together; visits have one URL then")]
        | None
    ) = None
    visit_urls: Annotated[int, least(1, "URLs of one site fetched in one visit, on one connection")] = 16
    visit_ms: Annotated[int, least(1_000, "milliseconds after which a visit begins no more requests")] = 600_000
    attempts: Annotated[int, few(1, "tries for one URL before it becomes a dead letter")] = 4
    max_pages_per_site: Annotated[int, least(1, "pages stored of one site; more are parked")] | None = None
    max_redirects: Annotated[int, few(0, "hops followed from one URL")] = 10
    split_sites: Annotated[list[str], says("domains so large that each of their hosts is a site of its own")] = []
    quotas: Annotated[
        tuple[Share, Share, Share], says("shares of the tiers among what is fetched while all of them have work")
    ] = (40, 40, 20)
    tiers: Annotated[
        list[TierRule],
        says('which URLs belong to which tier, the first rule that fits: { pattern = "example.org/news/*", tier = 1 }'),
    ] = []
    tier_scores: Annotated[
        tuple[float, float], says("without a rule: scores (0 to 1) from which on a URL is of tier 1, of tier 2")
    ] = (0.5, 0.2)
    weights: Annotated[Weights, says("what the score is made of")] = Weights()
    heads_in_memory: Annotated[int, least(0, "queued URLs kept in memory beside the disk; 300 bytes each")] = 131_072


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """How it is remembered which URLs were seen."""

    mode: Annotated[
        SeenMode,
        says('"exact" loses none, 14 bytes of disk each; "lossy" may take 1 new URL in 1,000 for a known one'),
    ] = "exact"
    memtable: Annotated[int, least(16, "URLs kept in memory before they are sealed into a file; 35 bytes each")] = (
        1_048_576
    )
    lossy_capacity: Annotated[int, least(1_000, "URLs remembered in lossy mode; the oldest are forgotten")] = (
        1_000_000_000
    )


class Traps(Struct, frozen=True, forbid_unknown_fields=True):
    """URLs that lead nowhere, endlessly. Seeds are none, nor is what they redirect to."""

    max_url_length: Annotated[int, least(16, "bytes; longer URLs are traps more often than pages")] = 2_000
    max_depth_of_path: Annotated[int, least(1, "segments of a path")] = 32
    max_repeats: Annotated[int, least(2, "times that a run of segments may stand in a row: /a/b/a/b")] = 3
    max_parameters: Annotated[int, least(0, "parameters of a query")] = 32
    urls_per_shape: Annotated[
        int, few(1, "dated pages, or URLs with a session id, of one kind that are accepted of one site")
    ] = 1_000


class Recrawl(Struct, frozen=True, forbid_unknown_fields=True):
    """When pages are fetched again: sooner if they change. Three values are those of the three tiers, in seconds."""

    enabled: Annotated[bool, says("fetch pages again for ever; the crawl ends only when it is stopped or limited")] = (
        False
    )
    start_s: Annotated[
        tuple[Seconds, Seconds, Seconds], says("seconds after the first fetch: hourly, daily, weekly")
    ] = (
        3_600,
        86_400,
        604_800,
    )
    floor_s: Annotated[
        tuple[Seconds, Seconds, Seconds], says("seconds; pages that always change are not asked more often")
    ] = (
        900,
        21_600,
        86_400,
    )
    ceiling_s: Annotated[
        tuple[Seconds, Seconds, Seconds], says("seconds; pages that never change are not asked less often")
    ] = (
        86_400,
        604_800,
        5_184_000,
    )


class Robots(Struct, frozen=True, forbid_unknown_fields=True):
    """What sites allow (RFC 9309)."""

    token: Annotated[
        str,
        like(r"^[A-Za-z_-]+$", "letters, - and _", "our name in robots.txt files: letters, - and _ (RFC 9309, 2.2.1)"),
    ] = "helios"  # noqa: S105  # not a secret
    ttl_s: Annotated[int, least(60, "seconds that a robots.txt stays known; RFC 9309 says at most a day")] = 86_400
    max_bytes: Annotated[int, least(1_024, "bytes of a robots.txt that are read; RFC 9309 says at least 500 KiB")] = (
        512_000
    )
    attempts: Annotated[int, few(1, "tries for a robots.txt before its site is given up")] = 4
    retry_ms: Annotated[
        int, least(0, "milliseconds before a robots.txt that failed is asked again; doubles, up to ttl_s")
    ] = 2_000
