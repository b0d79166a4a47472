"""Synthetic webs for whole crawls: each in a process of its own, on free ports of this machine."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

import helios
from helios._core import site_of
from helios.settings import Settings, load
from helios.simweb import Served, Verdict, audit, get, promises

WHOLE_LOG = f"/__log?limit={10**9}"
BUDGET = 30  # pages of one site; the demo's sites have fewer, unless they are endless

# Small pauses, so that a whole web fits in a test; the auditor is told, and judges by them.
QUICK: dict[str, object] = {
    "delay_ms": 50,
    "backoff_ms": 100,
    "retry_ms": 100,
    "backoff_ceiling_ms": 400,
    "crawl_delay_ceiling_ms": 200,
    "retry_after_ceiling_ms": 200,
    "first_byte_timeout_ms": 4_000,
    "total_timeout_ms": 8_000,
}


def settings_for(web: Served, **more: object) -> dict[str, object]:
    """Settings of a crawl of this web."""
    return {
        **QUICK,
        "scope": "any",
        "contact": "test@localhost",
        "allow": ["loopback"],
        "servers": [web.dns],
        "extra_ca": web.ca,
        **more,
    }


def crawled(web: Served, out: Path, **more: object) -> helios.Summary:
    """The summary of a whole crawl of this web."""
    chosen: Any = settings_for(web, **more)
    return helios.crawl(web.seeds, out, **chosen)


def verdict_on(web: Served, *, complete: bool = True, **more: object) -> Verdict:
    """What the auditor says of a crawl with these settings."""
    return audit(web.http, promises(load(None, **settings_for(web, **more)), complete=complete))


def acquitted(web: Served, verdict: Verdict, out: Path) -> None:
    """A convicted crawl leaves the web's log beside its folder, to be held against the crawl's own."""
    if not verdict.innocent:
        out.with_suffix(".asked.jsonl").write_bytes(get(web.http, WHOLE_LOG))
    assert verdict.innocent, verdict.text


class Asked(msgspec.Struct, frozen=True):
    """One request, as the web logged it."""

    url: str
    status: int
    ending: str


def whole_log(web: Served) -> list[Asked]:
    """Every request that the web has seen, in the order of their start."""
    return [msgspec.json.decode(line, type=Asked) for line in get(web.http, WHOLE_LOG).splitlines()]


def expected(web: Served, settings: Settings) -> list[dict[str, Any]]:
    """What the web says that a complete crawl must meet."""
    asked = promises(settings, complete=True)
    query = "&".join(f"{key}={value}".lower() for key, value in asked.items() if value is not None)
    return [json.loads(line) for line in get(web.http, f"/__expected?{query}").splitlines()]


def must_be_stored(web: Served, **more: object) -> set[str]:
    """URLs that must be rows; a crawl of links alone need not know pages that only a sitemap names."""
    settings = load(None, **settings_for(web, **more))
    entries = [entry for entry in expected(web, settings) if entry["fate"] == "stored"]
    return {entry["url"] for entry in entries if settings.crawl.sitemaps or not entry.get("sitemap_only")}


def judged(web: Served, out: Path, *, budget: int = BUDGET, **more: object) -> helios.Summary:
    """Crawls the whole web, some pages of a site at most since some are endless; auditor and table judge."""
    more = {**more, "max_pages_per_site": budget}
    summary = crawled(web, out, **more)
    acquitted(web, verdict_on(web, complete=True, **more), out)
    rows = Counter(stored(out))
    full = {site for site, count in Counter(site_of(url) for url in rows).items() if count >= budget}
    missing = {url for url in must_be_stored(web, **more) - set(rows) if site_of(url) not in full}
    assert missing == set()
    assert set(rows.values()) == {1}, "stored once"
    assert summary.ended == "finished"
    return summary


def stored(out: Path) -> list[str]:
    """URLs of the rows."""
    urls: list[str] = helios.open(out).pages(["url"]).read_all()["url"].to_pylist()
    return urls
