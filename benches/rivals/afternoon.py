"""The crawler that a good engineer writes in an afternoon: uvloop, aiohttp, selectolax and a set. No robots.txt, no durability.

`python afternoon.py t1|t2|t2q seeds.txt folder`; prints pages and distinct links as JSON. Bodies are archived as they came over the
wire, so that nothing is packed twice; texts are kept as lines of JSON.
"""

import asyncio
import gzip
import json
import sys
import time
import uuid
import zlib
from pathlib import Path
from urllib.parse import urljoin

import aiohttp
import brotli
import uvloop
from selectolax.lexbor import LexborHTMLParser

AT_ONCE = 64


class Crawler:
    """A queue, a set, and workers that take from the one and ask the other."""

    def __init__(self, tier: str, seeds: list[str], folder: Path) -> None:
        self.deep = tier != "t1"
        if self.deep:
            from content import reader

            self.reader = reader(tier)
        self.seen = set(seeds)
        self.queue: asyncio.Queue[str] = asyncio.Queue()
        for seed in seeds:
            self.queue.put_nowait(seed)
        self.pages = 0
        self.archive = (folder / "pages.warc.gz").open("wb")
        self.texts = (folder / "texts.jsonl").open("w")

    async def run(self) -> None:
        connector = aiohttp.TCPConnector(limit=AT_ONCE)
        headers = {"User-Agent": "afternoon/1", "Accept-Encoding": "gzip, br"}
        async with aiohttp.ClientSession(connector=connector, headers=headers, auto_decompress=False) as session:
            workers = [asyncio.create_task(self.work(session)) for _ in range(AT_ONCE)]
            await self.queue.join()
            for worker in workers:
                worker.cancel()
        self.archive.close()
        self.texts.close()

    async def work(self, session: aiohttp.ClientSession) -> None:
        while True:
            url = await self.queue.get()
            try:
                async with session.get(url) as answer:
                    wire = await answer.read()
                self.take(url, answer, wire)
            except (aiohttp.ClientError, ValueError, brotli.error, zlib.error) as error:
                print(url, error, file=sys.stderr)
            finally:
                self.queue.task_done()

    def take(self, url: str, answer: aiohttp.ClientResponse, wire: bytes) -> None:
        self.pages += 1
        coding = answer.headers.get("Content-Encoding", "")
        self.keep(url, answer, wire, coding)
        page = decoded(wire, coding)
        hrefs = self.read(url, page) if self.deep else {node.attrs["href"] for node in LexborHTMLParser(page).css("a[href]")}
        for href in hrefs:
            if not href:
                continue
            link = (href if href.startswith(("http://", "https://")) else urljoin(url, href)).partition("#")[0]
            if link not in self.seen and link.startswith("http"):
                self.seen.add(link)
                self.queue.put_nowait(link)

    def read(self, url: str, page: bytes) -> set[str | None]:
        """Text, language and signature are kept; returns the links. One parse for all of it."""
        from content import signed

        hrefs, text = self.reader(page)
        text, language, sketch = signed(text)
        json.dump({"url": url, "text": text, "language": language, "sketch": sketch}, self.texts)
        self.texts.write("\n")
        return hrefs

    def keep(self, url: str, answer: aiohttp.ClientResponse, wire: bytes, coding: str) -> None:
        """A response record as a gzip member; what is packed already is stored."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
        head = f"HTTP/1.1 {answer.status} {answer.reason}\r\n{lines}\r\n".encode()
        record = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}\r\n"
            f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(head) + len(wire)}\r\n\r\n"
        ).encode()
        self.archive.write(gzip.compress(b"".join((record, head, wire, b"\r\n\r\n")), 0 if coding else 1))


def decoded(wire: bytes, coding: str) -> bytes:
    return brotli.decompress(wire) if coding == "br" else zlib.decompress(wire, 31) if coding == "gzip" else wire


def main(tier: str, seeds: str, folder: str) -> None:
    crawler = Crawler(tier, Path(seeds).read_text().split(), Path(folder))
    uvloop.run(crawler.run())
    print(json.dumps({"pages": crawler.pages, "links": len(crawler.seen)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
