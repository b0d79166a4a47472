"""Everything that can happen to a URL: a closed set, the same names as in the Rust core."""

from enum import StrEnum


class Outcome(StrEnum):
    """What became of one request, in the order of a page's journey."""

    DENIED = "denied"
    UNRESOLVED = "unresolved"
    FORBIDDEN_ADDRESS = "forbidden_address"
    UNREACHABLE = "unreachable"
    UNTRUSTED = "untrusted"
    TIMED_OUT = "timed_out"
    BROKEN = "broken"
    BUSY = "busy"
    MISSING = "missing"
    REDIRECTED = "redirected"
    NOT_MODIFIED = "not_modified"
    TOO_LARGE = "too_large"
    BOMB = "bomb"
    UNWANTED_TYPE = "unwanted_type"
    FETCHED = "fetched"
    ABANDONED = "abandoned"


# What each means, for people; shown beside the counts.
MEANING: dict[Outcome, str] = {
    Outcome.DENIED: "robots.txt says no",
    Outcome.UNRESOLVED: "the name has no address",
    Outcome.FORBIDDEN_ADDRESS: "a private or special address",
    Outcome.UNREACHABLE: "no connection",
    Outcome.UNTRUSTED: "its certificate proves nothing",
    Outcome.TIMED_OUT: "too slow",
    Outcome.BROKEN: "the answer broke off or made no sense",
    Outcome.BUSY: "the site asked us to come back later",
    Outcome.MISSING: "not there (4xx)",
    Outcome.REDIRECTED: "somewhere else",
    Outcome.NOT_MODIFIED: "unchanged since last time",
    Outcome.TOO_LARGE: "over the size limit",
    Outcome.BOMB: "decompression makes too much of it",
    Outcome.UNWANTED_TYPE: "not a page",
    Outcome.FETCHED: "stored, unless it is a sitemap, a feed or says noindex",
    Outcome.ABANDONED: "not asked: the visit ended early",
}
