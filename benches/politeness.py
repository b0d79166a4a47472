"""Pages fetched in a fixed time beside the most that politeness allows, on a web with real latencies and errors.

`python benches/politeness.py`, or with `--hosts 30000 --seconds 120 --delay 1 --concurrency 10000 --factor 2`. Every home page is a seed, so that not
finding links but asking politely is measured.

The goal is a share of P*(T) = min(capacity x T, the sum over sites of min(pages, 1 + floor(T / delay))). The capacity is the better of two crawls
without politeness, one before and one after, in pages a second. A web for it has at least 10 x capacity x delay hosts: with fewer
the sites are the limit, and the sum knows nothing of the time that they take to answer. Without `--hosts` it has as many as the first crawl, of a
web of 24,000, asks for. Two bounds do know of that time, each no more than the capacity, and say how near such a crawl comes to what its sites can
give (`--hosts 2000 --seconds 60`):

* latency: the requests that were made, with the time that each took, one right after the other's end and the delay. No crawler that keeps
  the delay from end to start can do better with these answers.
* policy: the same with all that we add for the sake of sites: fetch_time_factor times the last fetch, Retry-After. It says what the
  crawl loses, not what the rules cost: a crawler could keep it by resting all day. `--factor 0` takes the first of them away.

The web's auditor judges whether every promise was kept; its log is where the numbers come from.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from crawl import RUDE
from helios._core import site_of
from helios.settings import Settings, load
from helios.simweb import Served, audit, get, promises, started

GOAL = 0.95
AMPLE = 10  # hosts for each page a second and second of delay
USUAL = 24_000  # hosts, before anything is measured
# Traps have no end and a Crawl-delay is a bound of its own: neither belongs into this sum.
WEB = {"traps": 0, "crawl_delay": 0, "page_bytes": 12_000, "links": 40, "max_pages": 2_000}


@dataclass(frozen=True)
class Ask:
    """A request of the log, in seconds since the first one of all."""

    url: str
    start: float
    end: float
    retry_after: float
    is_page: bool


def settings_of(served: Served, given: argparse.Namespace, *, polite: bool) -> dict[str, dict[str, object]]:
    return {
        "crawl": {"scope": "any", "max_seconds": given.seconds},
        "frontier": {"delay_ms": int(1_000 * given.delay), "fetch_time_factor": given.factor} if polite else RUDE,
        "dns": {"servers": [served.dns]},
        "fetch": {
            "contact": "bench@localhost",
            "allow": ["loopback"],
            "extra_ca": served.ca,
            "concurrency": given.concurrency,
        },
    }


@contextmanager
def web(given: argparse.Namespace) -> Iterator[Served]:
    """A new one for each crawl: it keeps count of how often it was asked."""
    words = [f"--set={name}={value}" for name, value in {**WEB, "seeds": given.hosts}.items()]
    words += [f"--set={word}" for word in given.set]
    with started(["--preset=default", f"--hosts={given.hosts}", *words]) as served:
        yield served


def pages_of(served: Served) -> dict[str, str]:
    """All pages that may be asked for, with their sites."""
    lines = map(json.loads, get(served.http, "/__expected").splitlines())
    urls = (line["url"] for line in lines if line["fate"] in {"stored", "asked"})
    return {url: site_of(url) for url in urls if urlsplit(url).path != "/robots.txt"}


def fetched(sites: dict[str, list[Ask]], seconds: float) -> int:
    """Pages that had come by then."""
    return len({one.url for asked in sites.values() for one in asked if one.is_page and one.end <= seconds})


def capacity(given: argparse.Namespace) -> float:
    """Pages a second of the same crawl without politeness."""
    with web(given) as served:
        crawl(served, given, polite=False)
        rate = fetched(log_of(served, pages_of(served)), given.seconds) / given.seconds
    print(f"without politeness: {rate:,.0f} pages a second", flush=True)
    return rate


def crawl(served: Served, given: argparse.Namespace, *, polite: bool) -> Settings:
    """Crawls for the fixed time."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        tables = settings_of(served, given, polite=polite)
        lines = (
            f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()) for name, table in tables.items()
        )
        (place / "bench.toml").write_text("".join(lines))
        (place / "seeds.txt").write_text("\n".join(served.seeds))
        words = ["--seeds", "seeds.txt", "--config", "bench.toml", "--out", "out"]
        process = subprocess.Popen([sys.executable, "-m", "helios", "crawl", *words], cwd=place, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit("the crawl failed")
        busy = (used.ru_utime + used.ru_stime) / given.seconds
        print(f"{'polite' if polite else 'without politeness'}: the crawl kept {busy:.2f} cores busy, {used.ru_maxrss / 1e3:.0f} MB; waiting for a core: {os.getloadavg()[0]:.1f}")
        return load(place / "bench.toml")


def log_of(served: Served, pages: dict[str, str]) -> dict[str, list[Ask]]:
    """All requests by site, in order."""
    lines = [json.loads(line) for line in get(served.http, "/__log?limit=10000000").splitlines()]
    first = min(line["start_ms"] for line in lines)
    sites: dict[str, list[Ask]] = defaultdict(list)
    for line in sorted(lines, key=lambda line: line["start_ms"]):
        start, end = (line["start_ms"] - first) / 1e3, (line["end_ms"] - first) / 1e3
        one = Ask(line["url"], start, end, (line["retry_after_ms"] or 0) / 1e3, line["url"] in pages)
        sites[site_of(line["url"])].append(one)
    return sites


def bound(asked: list[Ask], pages: int, seconds: float, gap: Callable[[Ask], float], usual: float) -> int:
    """Pages of one site that a perfect crawler has by then, were the answers the same; what was not asked takes as long as usual."""
    now, seen = 0.0, set()
    for one in asked:
        now += one.end - one.start
        if now > seconds:
            break
        if one.is_page:
            seen.add(one.url)
        now += gap(one)
    left = max(0, int((seconds - now) // usual) + 1) if now <= seconds else 0
    return min(pages, len(seen) + left)


def lost(asked: list[Ask], pages: int, seconds: float, gap: Callable[[Ask], float]) -> tuple[float, float, float]:
    """Seconds in which one site could have been asked and was not: before its first request, between two, after the last."""
    left = pages > len({one.url for one in asked if one.is_page})
    if not asked:
        return seconds, 0.0, 0.0
    between = sum(max(0.0, two.start - one.end - gap(one)) for one, two in zip(asked, asked[1:], strict=False))
    last = asked[-1]
    return asked[0].start, between, max(0.0, seconds - last.end - gap(last)) if left else 0.0


def show(
    given: argparse.Namespace, settings: Settings, sites: dict[str, list[Ask]], pages: dict[str, str], rate: float
) -> dict[str, float]:
    """The bounds and what was lost; returns the share of each bound."""
    of_site: dict[str, set[str]] = defaultdict(set)
    for url, site in pages.items():
        of_site[site].add(url)
    seconds, delay, factor = float(given.seconds), given.delay, settings.frontier.fetch_time_factor
    came = fetched(sites, seconds)
    gaps = {
        "latency": lambda _: delay,
        "policy": lambda one: max(delay, factor * (one.end - one.start), one.retry_after),
    }
    star = sum(min(len(urls), 1 + int(seconds // delay)) for urls in of_site.values())
    able, ample = int(rate * seconds), AMPLE * rate * delay
    print(f"\n{len(of_site):,} sites, {len(pages):,} pages, {seconds:.0f} s, delay {delay} s: {came:,} pages fetched")
    print(f"    {'capacity':10}{able:10,}   {came / able:.3f}   {rate:,.0f} pages a second without politeness")
    print(f"    {'sites':10}{star:10,}   {came / star:.3f}   were they to answer in no time")
    if given.hosts < ample:
        print(f"    {given.hosts:,} hosts are few: from {ample:,.0f} on the crawl is the limit, not the sites")
    shares = {"P*": came / min(able, star)}
    every = [one for asked in sites.values() for one in asked]
    for name, gap in gaps.items():
        usual = sum(one.end - one.start + gap(one) for one in every) / len(every)
        best = sum(bound(sites.get(site, []), len(urls), seconds, gap, usual) for site, urls in of_site.items())
        print(f"    {name:10}{best:10,}   {came / best:.3f}")
        parts = [lost(sites.get(site, []), len(urls), seconds, gap) for site, urls in of_site.items()]
        first, between, after = (sum(column) / len(parts) for column in zip(*parts, strict=True))
        print(f"        seconds lost a site: {first:.2f} before the first request, {between:.2f} between two, {after:.2f} at the end")
        shares[name] = came / min(able, best)
    return shares


def main() -> None:
    """One crawl, judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, help="of the web; without it: as many as the machine asks for")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--concurrency", type=int, default=10_000)
    parser.add_argument("--factor", type=int, default=Settings().frontier.fetch_time_factor, help="fetch_time_factor")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of the web")
    parser.add_argument("--log", type=Path, help="keep the requests as JSON lines")
    given = parser.parse_args()
    asked_for, given.hosts = given.hosts, given.hosts or USUAL
    able = [capacity(given)]
    given.hosts = asked_for or 1_000 * math.ceil(AMPLE * able[0] * given.delay / 1_000)
    with web(given) as served:
        settings = crawl(served, given, polite=True)
        pages = pages_of(served)
        sites = log_of(served, pages)
        if given.log:
            given.log.write_bytes(get(served.http, "/__log?limit=10000000"))
        verdict = audit(served.http, promises(settings, complete=False))
    able.append(capacity(given))
    shares = show(given, settings, sites, pages, max(able))
    print(f"\n{verdict.text}\n")
    for name, share in shares.items():
        print(f"{share:.3f} of {name}, goal {GOAL}: {'met' if share >= GOAL else 'below the goal'}")
    sys.exit(0 if verdict.innocent else 1)


if __name__ == "__main__":
    main()
