"""The lexbor stand-in for `html`: selectolax from Python, CPU time, same pages and same truth.

Usage: python html_lexbor.py     (HELIOS_DATA, or ../shared/data beside the repository)
"""

import json
import lzma
import os
import statistics
import tarfile
import time
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

DATA = Path(os.environ.get("HELIOS_DATA", Path(__file__).resolve().parents[3] / "shared/data"))


def pages(name: str) -> dict[str, bytes]:
    with tarfile.open(DATA / name / "pages.tar.xz") as archive:
        return {m.name: archive.extractfile(m).read() for m in archive}


def links(page: str) -> list[str]:
    return [n.attributes.get("href") or "" for n in LexborHTMLParser(page).css("a[href], area[href]")]


def main() -> None:
    if not DATA.exists():
        print(f"skipped: no data at {DATA} (set HELIOS_DATA)")
        return
    wcxb = pages("content-wcxb")
    texts = [p.decode("utf-8", "replace") for p in wcxb.values()]
    megabytes = sum(len(t.encode()) for t in texts) / 1e6
    for name, read in {"links": links, "parse only": LexborHTMLParser}.items():
        rates, found = [], 0
        for _ in range(5):
            start = time.process_time()
            results = [read(t) for t in texts] if name == "links" else [read(t) and None for t in texts]
            rates.append(megabytes / (time.process_time() - start))
            found = sum(len(r) for r in results if r)
        middle = statistics.median(rates)
        per_page = megabytes / middle * 1e6 / len(texts)
        print(f"lexbor, {name}: {middle:.1f} [{min(rates):.1f} .. {max(rates):.1f}] MB per CPU second, ", end="")
        print(f"{per_page:.0f} us per page, {found} links")

    hit = got_all = want_all = 0
    other = pages("content-trafilatura")
    with lzma.open(DATA / "links/links.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            page = (wcxb if row["set"] == "content-wcxb" else other)[row["id"] + ".html"]
            got = set()
            for href in links(page.decode(row["encoding"], "replace")):
                try:
                    got.add(urldefrag(urljoin(row["base_url"], href.strip())).url)
                except ValueError:
                    continue
            got = {u for u in got if u.startswith(("http:", "https:"))}
            want = set(row["links"])
            hit += len(got & want)
            got_all += len(got)
            want_all += len(want)
    # urljoin is not a WHATWG parser, so this is a lower bound for lexbor itself.
    print(f"truth, joined with urljoin: precision {hit / got_all:.5f} recall {hit / want_all:.5f}")


if __name__ == "__main__":
    main()
