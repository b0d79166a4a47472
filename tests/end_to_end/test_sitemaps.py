"""Sitemaps that robots.txt names, of every kind, on a real server; and those of the synthetic web, judged by it."""

import gzip
import json
from pathlib import Path

import pytest

import helios
from end_to_end.webs import crawled, must_be_stored, stored, verdict_on
from helios.simweb import started
from sites import Answer, Site, served

pytestmark = pytest.mark.timeout(120)

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def entry(loc: str, more: str = "") -> str:
    return f"<url><loc>{loc if '://' in loc else '{site}' + loc}</loc>{more}</url>"


def urlset(*entries: str) -> str:
    """A sitemap of paths, URLs or whole entries."""
    whole = [one if one.startswith("<") else entry(one) for one in entries]
    return f"{HEAD}<urlset {SPACE}>{''.join(whole)}</urlset>"


def index(*paths: str) -> str:
    maps = "".join(f"<sitemap><loc>{{site}}{path}</loc></sitemap>" for path in paths)
    return f"{HEAD}<sitemapindex {SPACE}>{maps}</sitemapindex>"


def robots(*sitemaps: str) -> Answer:
    return ("text/plain", "User-agent: *\nDisallow: /denied\n" + "".join(f"Sitemap: {one}\n" for one in sitemaps))


RSS = (
    '<rss version="2.0"><channel><title>News</title><item><link>{site}/rss</link>'
    "<pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>"
)
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{site}/atom"/></entry></feed>'
JSON = json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "{site}/json"}]})
KINDS: dict[str, tuple[Answer, str]] = {
    "/plain.xml": (("application/xml", urlset("/xml")), "/xml"),
    "/text.xml": (("text/xml; charset=utf-8", urlset("/text-xml")), "/text-xml"),
    "/list.txt": (("text/plain", "{site}/line\n"), "/line"),
    "/rss.xml": (("application/rss+xml", RSS), "/rss"),
    "/atom.xml": (("application/atom+xml", ATOM), "/atom"),
    "/feed.json": (("application/feed+json", JSON), "/json"),
}


def paths(out: Path) -> set[str]:
    return {"/" + url.split("/", 3)[3] for url in stored(out)}


def crawl(site: Site, out: Path, **more: object) -> helios.Summary:
    return helios.crawl(site.at("/"), out, **site.settings(**more))


@pytest.mark.parametrize("path", KINDS)
def test_a_list_of_every_kind_leads_to_its_pages_and_is_no_page(tmp_path: Path, path: str) -> None:
    answer, page = KINDS[path]
    with served({"/": "home", "/robots.txt": robots("{site}" + path), path: answer, page: "<p>found"}) as site:
        summary = crawl(site, tmp_path / "out")
    assert paths(tmp_path / "out") == {"/", page}
    assert summary.pages == 2


def test_a_packed_sitemap_is_unpacked_and_other_packed_files_are_not_read(tmp_path: Path) -> None:
    pages: dict[str, Answer] = {"/": "<a href=/a.tar.gz>archive</a>", "/robots.txt": robots("/sitemap.xml.gz")}
    with served({**pages, "/found": "<p>found", "/a.tar.gz": ("application/gzip", b"\x1f\x8b\x08not")}) as site:
        packed = gzip.compress(urlset(site.at("/found")).encode())
        site.pages["/sitemap.xml.gz"] = ("application/x-gzip", packed)
        summary = crawl(site, tmp_path / "out")
    assert paths(tmp_path / "out") == {"/", "/found"}
    assert summary.outcomes["unwanted_type"] == 1


def test_an_index_leads_to_its_sitemaps_and_depth_counts_from_the_pages(tmp_path: Path) -> None:
    pages: dict[str, Answer] = {
        "/": "home",
        "/robots.txt": robots("{site}/index.xml"),
        "/index.xml": ("application/xml", index("/one.xml", "/two.xml")),
        "/one.xml": ("application/xml", urlset("/a", "/denied")),
        "/two.xml": ("application/xml", urlset("/b")),
        "/a": "<a href=/deeper>deeper</a>",
        "/b": "<p>b",
        "/deeper": "<p>deeper",
        "/denied": "<p>denied",
    }
    with served(pages) as site:
        crawl(site, tmp_path / "out", max_depth=1)
        assert "/denied" not in site.asked, "a sitemap is no permission"
    depths = helios.open(tmp_path / "out").pages(["url", "depth"]).read_all().to_pylist()
    assert {("/" + row["url"].split("/", 3)[3], row["depth"]) for row in depths} == {("/", 0), ("/a", 1), ("/b", 1)}


@pytest.mark.parametrize("more", [{"max_depth": 0}, {"sitemaps": False}])
def test_sitemaps_that_are_not_wanted_are_not_asked_for(tmp_path: Path, more: dict[str, object]) -> None:
    pages: dict[str, Answer] = {"/": "home", "/robots.txt": robots("{site}/map.xml"), "/a": "<p>a"}
    with served({**pages, "/map.xml": ("application/xml", urlset("/a"))}) as site:
        crawl(site, tmp_path / "out", **more)
        assert site.asked == ["/robots.txt", "/"]


def test_sitemaps_do_not_count_as_pages(tmp_path: Path) -> None:
    pages: dict[str, Answer] = {"/": "home", "/robots.txt": robots("{site}/map.xml")}
    listed = [f"/{number}" for number in range(9)]
    pages |= {path: f"<p>page {path}" for path in listed}
    with served({**pages, "/map.xml": ("application/xml", urlset(*listed))}) as site:
        summary = crawl(site, tmp_path / "out", max_pages=5)
    assert summary.pages == len(stored(tmp_path / "out")) == 5
    assert summary.ended == "pages"


def test_a_sitemap_on_another_host_speaks_for_the_host_that_names_it(tmp_path: Path) -> None:
    with served({}) as other, served({"/": "home", "/a": "<p>a"}) as site:
        site.pages["/robots.txt"] = robots(f"{other.url}/index.xml")
        home = site.url.replace("127.0.0.1", "localhost")
        other.pages["/index.xml"] = ("application/xml", index("/map.xml"))
        other.pages["/map.xml"] = ("application/xml", urlset(f"{home}/a", "/elsewhere"))
        other.pages["/elsewhere"] = "<p>elsewhere"
        helios.crawl(f"{home}/", tmp_path / "out", **site.settings())
        assert set(stored(tmp_path / "out")) == {f"{home}/", f"{home}/a"}
        assert other.asked == ["/robots.txt", "/index.xml", "/map.xml"], "its own pages are out of scope"


def test_a_site_is_crawled_by_what_its_sitemap_says(tmp_path: Path) -> None:
    said = {
        "/old": "<lastmod>2001-01-01</lastmod>",
        "/cheap": "<priority>0.0</priority>",
        "/new": "<lastmod>2026-11-01</lastmod>",
        "/dear": "<priority>1.0</priority>",
        "/middle": "<lastmod>2020-01-01</lastmod>",
    }
    pages: dict[str, Answer] = {path: f"<p>{path}" for path in said}
    content = urlset(*(entry(path, more) for path, more in said.items()))
    maps: dict[str, Answer] = {"/robots.txt": robots("{site}/map.xml"), "/map.xml": ("application/xml", content)}
    with served({"/": "home", **maps, **pages}) as site:
        crawl(site, tmp_path / "out")
        order = [path for path in site.asked if path in said]
    assert order.index("/new") < order.index("/middle") < order.index("/old")
    assert order.index("/dear") < order.index("/cheap")


def test_xml_that_is_no_list_gives_no_row_and_xhtml_does(tmp_path: Path) -> None:
    xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>a page</p></body></html>'
    pages: dict[str, Answer] = {
        "/": '<a href="/data.xml">1</a><a href="/page.xml">2</a>',
        "/data.xml": ("application/xml", "<prices><price>3</price></prices>"),
        "/page.xml": ("application/xml", xhtml),
    }
    with served(pages) as site:
        crawl(site, tmp_path / "out")
    assert paths(tmp_path / "out") == {"/", "/page.xml"}


def test_pages_that_only_a_sitemap_names_are_stored_and_the_web_finds_no_fault(tmp_path: Path) -> None:
    with started(
        ["--preset=calm", "--seed=5", "--set=sitemaps=1.0", "--set=sitemap_only=0.2", "--set=robots_rules=1.0"]
    ) as web:
        crawled(web, tmp_path / "out", delay_ms=5)
        assert set(stored(tmp_path / "out")) == must_be_stored(web)
        assert must_be_stored(web) > must_be_stored(web, sitemaps=False)
        verdict = verdict_on(web, delay_ms=5)
    assert verdict.innocent, verdict.text
