"""Scrapy doing the same work: all links followed, its own filter of what was seen, robots.txt obeyed, WARC by warcio in a pipeline.

`python scrapy_crawler.py t1|t2|t2q seeds.txt folder`; prints pages and distinct links as JSON.
"""

import io
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

SETTINGS = {
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "DEFAULT_REQUEST_HEADERS": {"Accept-Encoding": "gzip, br"},
    "ITEM_PIPELINES": {"__main__.Archive": 1},
}


class Pages(scrapy.Spider):
    """Every page is an item; every link a request, which Scrapy's filter drops if it was asked before."""

    name = "pages"
    links: set[str] = set()

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """The seeds, remembered as asked: Scrapy's own start would ask again for those that are linked to."""
        for seed in self.start_urls:
            yield scrapy.Request(seed)

    def parse(self, response: Response) -> Iterator[Any]:
        item = {"response": response}
        if self.tier != "t1":
            from content import signed, text_in, text_of, tree_of

            # Scrapy's own tree is lxml's: trafilatura needs no second parse
            text = text_of(response.selector.root) if self.tier == "t2q" else text_in(tree_of(response.body))
            item["content"] = signed(text)
        yield item
        for href in set(response.xpath("//a/@href").getall()):
            if (link := response.urljoin(href).partition("#")[0]).startswith("http"):
                self.links.add(link)
                yield scrapy.Request(link)


class Archive:
    """A record for each answer, a line for each text."""

    def open_spider(self, spider: Pages) -> None:
        self.warc = (spider.folder / "pages.warc.gz").open("wb")
        self.texts = (spider.folder / "texts.jsonl").open("w")
        self.writer = WARCWriter(self.warc, gzip=True)
        spider.pages = 0

    def process_item(self, item: dict[str, Any], spider: Pages) -> dict[str, Any]:
        response = item["response"]
        spider.pages += 1
        headers = [(name.decode(), b", ".join(values).decode("latin-1")) for name, values in response.headers.items()]
        head = StatusAndHeaders(f"{response.status} OK", headers, protocol="HTTP/1.1")
        record = self.writer.create_warc_record(response.url, "response", payload=io.BytesIO(response.body), http_headers=head)
        self.writer.write_record(record)
        if "content" in item:
            json.dump([response.url, *item["content"]], self.texts)
            self.texts.write("\n")
        return item

    def close_spider(self, spider: Pages) -> None:
        self.warc.close()
        self.texts.close()


def main(tier: str, seeds: str, folder: str) -> None:
    process = CrawlerProcess(SETTINGS)
    Pages.start_urls, Pages.folder, Pages.tier = Path(seeds).read_text().split(), Path(folder), tier
    crawler = process.create_crawler(Pages)
    process.crawl(crawler)
    process.start()
    links = Pages.links | set(Pages.start_urls)
    print(json.dumps({"pages": crawler.spider.pages, "links": len(links)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
