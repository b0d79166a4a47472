"""The settings tables, in journey order. Names and units are the same in the Rust core, which gets them as JSON."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from helios.settings.parameters import DOUBTFUL, SESSIONS, TRACKING

Scope: TypeAlias = Literal["host", "site", "any"]
SeenMode: TypeAlias = Literal["exact", "lossy"]
TextKind: TypeAlias = Literal["main", "full"]
Duplicates: TypeAlias = Literal["store", "facts", "skip", "ignore"]
StoreKind: TypeAlias = Literal["lance", "warc", "parquet", "jsonl"]
Packing: TypeAlias = Literal["gzip", "zstd", "plain"]
Digest: TypeAlias = Literal["sha1", "sha256"]
Rotation: TypeAlias = Literal["round_robin", "sticky"]
Range: TypeAlias = Literal[
    "loopback",
    "private",
    "link_local",
    "shared",
    "metadata",
    "multicast",
    "documentation",
    "benchmarking",
    "reserved",
]
Families: TypeAlias = Literal["auto", "both", "v4", "v6"]


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
    max_bytes: Annotated[int, least(1, "bytes of body received, exactly: never one page over")] | None = None
    scope: Annotated[
        Scope,
        says('links followed: "host" the seeds\' hosts, "site" also their other hosts (www., blog.), "any" all'),
    ] = "host"
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
        int, least(0, "the delay is at least so many times as long as the last fetch took; spares slow sites")
    ] = 2
    crawl_delay_ceiling_ms: Annotated[
        int, least(0, "milliseconds up to which a Crawl-delay in robots.txt is obeyed; 30 s keeps a site crawlable")
    ] = 30_000
    retry_after_ceiling_ms: Annotated[int, least(0, "milliseconds up to which Retry-After is obeyed; 1 hour")] = (
        3_600_000
    )
    backoff_ms: Annotated[int, least(0, "milliseconds of back-off after a first failure; doubles with each")] = 2_000
    backoff_ceiling_ms: Annotated[int, least(0, "milliseconds that the back-off never exceeds; 5 minutes")] = 300_000
    site_connections: Annotated[int, least(1, "visits to one site at once; 1 is polite")] = 1
    address_connections: Annotated[int, least(0, "visits to one address at once, whatever its sites; 0: any")] = 8
    address_delay_ms: Annotated[
        int, least(0, "milliseconds between two requests to one address; needs address_connections = 1")
    ] = 0
    max_requests_per_second: (
        Annotated[float, Meta(gt=0, description="requests per second to all sites together; visits have one URL then")]
        | None
    ) = None
    visit_urls: Annotated[int, least(1, "URLs of one site fetched in one visit, on one connection")] = 16
    visit_ms: Annotated[int, least(1_000, "milliseconds after which a visit begins no more requests")] = 600_000
    attempts: Annotated[int, least(1, "tries for one URL before it becomes a dead letter")] = 4
    max_pages_per_site: Annotated[int, least(1, "pages stored of one site; more are parked")] | None = None
    max_redirects: Annotated[int, least(0, "hops followed from one URL")] = 10
    split_sites: Annotated[list[str], says("domains so large that each of their hosts is a site of its own")] = []
    quotas: Annotated[
        tuple[int, int, int], says("shares of the tiers among what is fetched while all of them have work")
    ] = (40, 40, 20)
    tiers: Annotated[list[TierRule], says("which URLs belong to which tier; the first rule that fits decides")] = []
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
    """URLs that lead nowhere, endlessly."""

    max_url_length: Annotated[int, least(16, "bytes; longer URLs are traps more often than pages")] = 2_000
    max_depth_of_path: Annotated[int, least(1, "segments of a path")] = 32
    max_repeats: Annotated[int, least(2, "times that a run of segments may stand in a row: /a/b/a/b")] = 3
    max_parameters: Annotated[int, least(0, "parameters of a query")] = 32
    urls_per_shape: Annotated[
        int, least(1, "dated pages, or URLs with a session id, of one kind that are accepted of one site")
    ] = 1_000


class Recrawl(Struct, frozen=True, forbid_unknown_fields=True):
    """When pages are fetched again: sooner if they change. Three values are those of the three tiers, in seconds."""

    enabled: Annotated[bool, says("fetch pages again for ever; the crawl ends only when it is stopped or limited")] = (
        False
    )
    start_s: Annotated[tuple[int, int, int], says("seconds after the first fetch: hourly, daily, weekly")] = (
        3_600,
        86_400,
        604_800,
    )
    floor_s: Annotated[tuple[int, int, int], says("seconds; pages that always change are not asked more often")] = (
        900,
        21_600,
        86_400,
    )
    ceiling_s: Annotated[tuple[int, int, int], says("seconds; pages that never change are not asked less often")] = (
        86_400,
        604_800,
        5_184_000,
    )


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
    retry_ms: Annotated[
        int, least(0, "milliseconds before a robots.txt that failed is asked again; doubles, up to ttl_s")
    ] = 2_000


class Dns(Struct, frozen=True, forbid_unknown_fields=True):
    """How names become addresses."""

    servers: Annotated[
        list[Annotated[str, Meta(pattern=r"^(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):[0-9]{1,5}$")]],
        says('name servers as "address:port", the first one first; none: those of the machine'),
    ] = []
    timeout_ms: Annotated[int, least(1, "milliseconds for one look-up, repeats and other servers included")] = 5_000
    ip: Annotated[
        Families,
        says('addresses asked for: "v4", "v6", "both", or "auto": IPv6 only if this machine has a way out by it'),
    ] = "auto"
    hosts_file: (
        Annotated[str, says("file of names that are not asked for; none: /etc/hosts, if servers is empty")] | None
    ) = None
    cache_entries: Annotated[int, least(0, "names remembered; about 150 bytes each")] = 1_000_000
    min_ttl_s: Annotated[
        int, Meta(ge=0, le=86_400, description="seconds that an answer is believed at least, whatever it says")
    ] = 30
    max_ttl_s: Annotated[
        int, Meta(ge=0, le=604_800, description="seconds that an answer is believed at most; a day")
    ] = 86_400
    negative_ttl_s: Annotated[
        int, Meta(ge=0, le=86_400, description="seconds that a missing name is believed missing, at most")
    ] = 900
    failure_ttl_s: Annotated[
        int, Meta(ge=0, le=3_600, description="seconds that a name is left alone after its server failed")
    ] = 5


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
    connect_timeout_ms: Annotated[int, least(1, "milliseconds to connect to one address")] = 10_000
    tls_timeout_ms: Annotated[int, least(1, "milliseconds for the TLS handshake")] = 10_000
    first_byte_timeout_ms: Annotated[
        int, least(1, "milliseconds from the request to the end of the answer's headers")
    ] = 20_000
    idle_timeout_ms: Annotated[int, least(1, "milliseconds between two pieces of a body")] = 15_000
    total_timeout_ms: Annotated[int, least(1, "milliseconds for one page in all")] = 60_000
    max_head_bytes: Annotated[int, least(1_024, "bytes of all headers of one answer together")] = 131_072
    max_headers: Annotated[int, least(1, "headers of one answer")] = 256
    max_body_bytes: Annotated[int, least(1, "bytes of one body after decompression")] = 10_000_000
    max_ratio: Annotated[int, least(1, "times that a body may grow by decompression; beyond that it is a bomb")] = 200
    max_memory_bytes: Annotated[
        int, least(1, "bytes of all bodies that are being read or not yet stored; then fetching waits; 1 GiB")
    ] = 1_073_741_824
    accept: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9!#$&^_.+*-]+/[A-Za-z0-9!#$&^_.+*-]+$")], ...],
        says('content types that are read: "text/html", "text/*", "*/*"; the bodies of others are not'),
    ] = (
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "application/xml",
        "text/xml",
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/gzip",
        "application/x-gzip",
    )  # pages, then sitemaps and feeds
    headers: Annotated[dict[str, str], says("headers sent with every request, by name")] = {}
    auth: Annotated[
        dict[str, str],
        says('"user:password" by host: "example.org", "*.example.org"; https alone, unless "http://example.org"'),
    ] = {}
    cookies: Annotated[bool, says("keep the cookies of a site while the crawl runs, and send them back to it")] = False
    allow: Annotated[
        list[Range],
        says('ranges of addresses that may be connected to although they are not public: "loopback", "private", ...'),
    ] = []
    extra_ca: (
        Annotated[str, says("PEM file with certificate authorities trusted beside those of the machine")] | None
    ) = None
    verify_tls: Annotated[bool, says("certificates must prove whose they are; false lets anyone pose as any site")] = (
        True
    )


class ProxyPool(Struct, frozen=True, forbid_unknown_fields=True):
    """Proxies that can stand in for each other."""

    proxies: Annotated[
        list[str], says('"http://user:password@host:3128", "https://...", "socks5://..." or "socks5h://..."')
    ]
    rotation: Annotated[
        Rotation, says('"round_robin": one after the other; "sticky": a site stays with its proxy while that works')
    ] = "round_robin"


class ProxyRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Hosts of one kind go through a pool."""

    pattern: Annotated[str, says('a host; * is anything: "example.org", "*.example.org"')]
    pool: Annotated[str, says('the name of a pool, or "direct"')]


class Proxy(Struct, frozen=True, forbid_unknown_fields=True):
    """Which sites are asked through which proxies. A site that has a pool is never asked without a proxy."""

    # A proxy's own address may be private: the user named it. Of targets, the address guard judges those that are
    # addresses, and those that we resolve (socks5://). With the others the proxy resolves names, beyond our guard.
    pools: Annotated[
        dict[Annotated[str, Meta(pattern="^[A-Za-z0-9_-]+$")], ProxyPool],
        says('pools by name: main = { proxies = ["http://user:password@host:3128"], rotation = "sticky" }'),
    ] = {}
    rules: Annotated[list[ProxyRule], says("which hosts go through which pool; the first rule that fits decides")] = []
    default: Annotated[str, says('the pool for all other hosts; "direct": without a proxy')] = "direct"
    failures: Annotated[int, least(1, "failures in a row after which a proxy rests")] = 3
    cool_down_ms: Annotated[int, least(1, "milliseconds that it rests at first; doubles if it fails again")] = 5_000
    cool_down_ceiling_ms: Annotated[int, least(1, "milliseconds that it rests at most; 5 minutes")] = 300_000
    check_ms: Annotated[int, least(0, "milliseconds between two looks at proxies that rest; 0: pages find out")] = (
        10_000
    )


class FieldRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of each page, chosen by a CSS selector."""

    name: Annotated[str, says("its name in the column fields")]
    selector: Annotated[str, says('a CSS selector; "::text" or "::attr(name)" at its end choose what of the element')]
    many: Annotated[bool, says("all that it finds, as a list; else the first")] = False


class Extract(Struct, frozen=True, forbid_unknown_fields=True):
    """What is taken from a page."""

    max_links: Annotated[int, least(0, "links of one page that are followed; the rest is a link farm")] = 10_000
    max_text_bytes: Annotated[int, least(0, "bytes of text kept of one page")] = 2_000_000
    text: Annotated[
        TextKind, says('"main": without menus, teasers and notices; "full": all that the page could show')
    ] = "main"
    markdown: Annotated[bool, says("keep the main text as markdown, too")] = True
    facts: Annotated[bool, says("keep headings, Open Graph, JSON-LD and other structured data, as JSON")] = True
    duplicates: Annotated[
        Duplicates,
        says('pages like another one: "store" them, store only their "facts", "skip" them, or "ignore" that'),
    ] = "store"
    follow_duplicates: Annotated[bool, says("follow the links of duplicates")] = True
    similarity: Annotated[
        float, Meta(ge=0.5, le=1.0), says("part of their five-word shingles that duplicates share at least")
    ] = 0.8
    fields: Annotated[
        list[FieldRule], says('what you want of each page: { name = "price", selector = ".price::text", many = false }')
    ] = []
    pdf: Annotated[bool, says("read the text of PDF files, too; needs the extra pdf")] = False
    pdf_pages: Annotated[int, least(1, "pages of one PDF that are read")] = 500
    pdf_ms: Annotated[int, least(1, "milliseconds that reading one PDF may take")] = 10_000
    hook: (
        Annotated[
            str,
            Meta(
                pattern=r"^[^:\s]+:[^:\s]+$",
                description='a Python function that gets each page and returns more fields: "module:function"',
            ),
        ]
        | None
    ) = None


class Embed(Struct, frozen=True, forbid_unknown_fields=True):
    """Vectors of pages, for search by meaning (docs/embed.md). Cannot change once a crawl has begun."""

    model: (
        Annotated[
            str,
            says('"static", "transformer", a file of a static model, or "module:function"; none: no vectors'),
        ]
        | None
    ) = None
    chunk_words: Annotated[int, least(1, "words of one chunk; a page has the mean of its chunks")] = 170
    max_chunks: Annotated[int, least(1, "chunks of one page; what comes after them is left out")] = 64
    chunks: Annotated[bool, says("keep the vectors of chunks, too")] = False


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    """How pages reach the table, and what else is written beside it."""

    kinds: Annotated[
        tuple[StoreKind, ...],
        Meta(min_length=1, description='where pages go: "lance", which helios reads, "warc", "parquet", "jsonl"'),
    ] = ("lance",)
    raw: Annotated[bool, says("keep the body of each page, content coding undone, in the column raw, as zstd")] = False

    batch_ms: Annotated[int, least(1, "milliseconds that finished pages wait for company before they are stored")] = 250
    batch_pages: Annotated[int, least(1, "pages stored at once, at most")] = 1_024
    publish_ms: Annotated[int, least(0, "milliseconds between two steps that make stored pages visible")] = 2_000
    rows_per_file: Annotated[int, least(1, "rows of one data file, at most")] = 65_536
    compact_files: Annotated[int, least(2, "data files of about one size that are merged when there are so many")] = 64
    index_rows: Annotated[
        int,
        least(0, "published rows after which they join the search index while crawling; 0: when somebody searches"),
    ] = 0
    url: Annotated[str, says('the page table in an object store: "s3://bucket/prefix"; else in the folder')] | None = (
        None
    )
    endpoint: Annotated[str, says("address of an object store that is not Amazon's: https://host:port")] | None = None
    region: Annotated[str, says("of the object store; else as the AWS tools find it")] | None = None
    allow_http: Annotated[bool, says("speak to the object store without TLS; for one on this machine")] = False
    wait_seconds: Annotated[int, least(1, "seconds to ask an object store again that does not answer")] = 300

    warc_bytes: Annotated[int, least(1, "bytes of one WARC or JSONL file, about; then a new one is begun")] = (
        1_000_000_000
    )
    warc_packing: Annotated[Packing, says('records are packed one by one: "gzip", "zstd" or "plain"')] = "gzip"
    warc_level: Annotated[int, Meta(ge=1, le=12, description="how small records are packed; higher is slower")] = 4
    warc_digest: Annotated[Digest, says('"sha1", which all tools know, or "sha256"')] = "sha1"
    warc_revisits: Annotated[bool, says("write a body once, and later ones that are the same as references to it")] = (
        True
    )
    warc_originals: Annotated[int, least(1, "bodies that are remembered for that; about 300 bytes each")] = 200_000
    jsonl: Annotated[str, says('"-" writes lines of JSON to standard output; else to files in the folder')] | None = (
        None
    )


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a crawl, one table per stage, in journey order."""

    crawl: Crawl = Crawl()
    urls: Urls = Urls()
    frontier: Frontier = Frontier()
    seen: Seen = Seen()
    traps: Traps = Traps()
    recrawl: Recrawl = Recrawl()
    robots: Robots = Robots()
    dns: Dns = Dns()
    fetch: Fetch = Fetch()
    proxy: Proxy = Proxy()
    extract: Extract = Extract()
    embed: Embed = Embed()
    store: Store = Store()
