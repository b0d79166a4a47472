"""Crawlee doing the same work, by its leanest crawler: HttpCrawler with selectolax, requests in memory, robots.txt obeyed, WARC by warcio.

`python crawlee_crawler.py t1|t2|t2q seeds.txt folder`; prints pages and distinct links as JSON.
"""

import io
import json
import logging
import sys
from datetime import timedelta
from pathlib import Path
from urllib.parse import urljoin

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import MemoryStorageClient
from selectolax.lexbor import LexborHTMLParser
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

AT_ONCE = 64


class Crawler:
    """One handler; the queue and what was seen are Crawlee's."""

    def __init__(self, tier: str, folder: Path) -> None:
        self.deep = tier != "t1"
        if self.deep:
            from content import reader

            self.reader = reader(tier)
        self.links: set[str] = set()
        self.pages = 0
        self.warc = (folder / "pages.warc.gz").open("wb")
        self.texts = (folder / "texts.jsonl").open("w")
        self.writer = WARCWriter(self.warc, gzip=True)

    async def run(self, seeds: list[str]) -> None:
        self.links.update(seeds)
        crawler = HttpCrawler(
            request_handler=self.take,
            storage_client=MemoryStorageClient(),
            concurrency_settings=ConcurrencySettings(min_concurrency=AT_ONCE, desired_concurrency=AT_ONCE, max_concurrency=AT_ONCE),
            respect_robots_txt_file=True,
            use_session_pool=False,
            retry_on_blocked=False,
            configure_logging=False,
            status_message_logging_interval=timedelta(hours=1),
        )
        await crawler.run(seeds)
        self.warc.close()
        self.texts.close()

    async def take(self, context: HttpCrawlingContext) -> None:
        page = await context.http_response.read()
        url = context.request.url
        self.pages += 1
        status = f"{context.http_response.status_code} OK"
        head = StatusAndHeaders(status, list(context.http_response.headers.items()), protocol="HTTP/1.1")
        self.writer.write_record(self.writer.create_warc_record(url, "response", payload=io.BytesIO(page), http_headers=head))
        links = {link for href in self.read(url, page) if href and (link := urljoin(url, href).partition("#")[0]).startswith("http")}
        if new := links - self.links:
            self.links |= new
            await context.add_requests(list(new))

    def read(self, url: str, page: bytes) -> set[str | None]:
        """The links; at T2 text, language and signature are kept first. One parse for all of it."""
        if not self.deep:
            return {node.attrs["href"] for node in LexborHTMLParser(page).css("a[href]")}
        from content import signed

        hrefs, text = self.reader(page)
        json.dump([url, *signed(text)], self.texts)
        self.texts.write("\n")
        return hrefs


def main(tier: str, seeds: str, folder: str) -> None:
    logging.disable(logging.CRITICAL)
    crawler = Crawler(tier, Path(folder))
    uvloop.run(crawler.run(Path(seeds).read_text().split()))
    print(json.dumps({"pages": crawler.pages, "links": len(crawler.links)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
