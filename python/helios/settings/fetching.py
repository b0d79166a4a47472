"""The tables of the network: names, requests, proxies."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from helios.settings.words import few, least, like, says

Families: TypeAlias = Literal["auto", "both", "v4", "v6"]
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


class Dns(Struct, frozen=True, forbid_unknown_fields=True):
    """How names become addresses."""

    servers: Annotated[
        list[
            Annotated[
                str,
                like(
                    r"^(\[[0-9A-Fa-f:.]+\]|[0-9.]+):[0-9]{1,5}$",
                    'an IP address with its port, such as "9.9.9.9:53" or "[2620:fe::fe]:53"',
                ),
            ]
        ],
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
            like(
                r"^[\x20-\x7e]+$",
                "a line of ASCII letters, digits and signs",
                "the User-Agent header; none: Helios/<version> (+<contact>)",
            ),
        ]
        | None
    ) = None
    contact: (
        Annotated[
            str,
            like(
                r"^(https?://[\x21-\x7e]+|[^@\s()\x00-\x1f\x7f-\uffff]+@[^@\s()\x00-\x1f\x7f-\uffff]+)$",
                'an address such as "you@example.org" or "https://example.org/bot"',
                "e-mail or web address that a site can complain to; needed for the open web",
            ),
        ]
        | None
    ) = None
    concurrency: Annotated[int, least(1, "visits at once, each on its own connection")] = 512
    threads: Annotated[int, Meta(ge=0, le=1_024, description="threads that fetch; 0: one per core")] = 0
    connect_timeout_ms: Annotated[int, least(1, "milliseconds to connect to one address")] = 10_000
    tls_timeout_ms: Annotated[int, least(1, "milliseconds for the TLS handshake")] = 10_000
    first_byte_timeout_ms: Annotated[
        int, least(1, "milliseconds from the request to the end of the answer's headers")
    ] = 20_000
    idle_timeout_ms: Annotated[int, least(1, "milliseconds between two pieces of a body")] = 15_000
    total_timeout_ms: Annotated[int, least(1, "milliseconds for one page in all")] = 60_000
    keep_open_ms: Annotated[
        int,
        Meta(
            ge=0,
            le=60_000,
            description="milliseconds that a connection waits for its site's next visit; 0: each visit has its own",
        ),
    ] = 15_000
    max_head_bytes: Annotated[int, least(1_024, "bytes of all headers of one answer together")] = 131_072
    max_headers: Annotated[int, least(1, "headers of one answer")] = 256
    max_body_bytes: Annotated[int, least(1, "bytes of one body after decompression")] = 10_000_000
    max_ratio: Annotated[int, least(1, "times that a body may grow by decompression; beyond that it is a bomb")] = 200
    max_memory_bytes: Annotated[
        int, least(1, "bytes of all bodies that are being read or not yet stored; then fetching waits; 256 MiB")
    ] = 268_435_456
    accept: Annotated[
        tuple[
            Annotated[
                str,
                like(
                    r"^[A-Za-z0-9!#$&^_.+*-]+/[A-Za-z0-9!#$&^_.+*-]+$", 'a content type such as "text/html" or "text/*"'
                ),
            ],
            ...,
        ],
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
    cookies: Annotated[
        bool,
        says(
            "keep the cookies of a site while the crawl runs, and send them back to it; a URL that was not had yet is "
            "asked again where redirects lead back to it"
        ),
    ] = False
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
        dict[Annotated[str, like("^[A-Za-z0-9_-]+$", "a name of letters, digits, - and _")], ProxyPool],
        says('pools by name: main = { proxies = ["http://user:password@host:3128"], rotation = "sticky" }'),
    ] = {}
    rules: Annotated[
        list[ProxyRule],
        says(
            'which hosts go through which pool, the first rule that fits: { pattern = "*.example.org", pool = "main" }'
        ),
    ] = []
    default: Annotated[str, says('the pool for all other hosts; "direct": without a proxy')] = "direct"
    failures: Annotated[int, few(1, "failures in a row after which a proxy rests")] = 3
    cool_down_ms: Annotated[int, least(1, "milliseconds that it rests at first; doubles if it fails again")] = 5_000
    cool_down_ceiling_ms: Annotated[int, least(1, "milliseconds that it rests at most; 5 minutes")] = 300_000
    check_ms: Annotated[int, least(0, "milliseconds between two looks at proxies that rest; 0: pages find out")] = (
        10_000
    )
