"""What heads of answers say beside their bodies."""

from pathlib import Path

import helios
from sites import served


def paths(out: Path) -> set[str]:
    rows = helios.open(out).pages(["url"]).read_all()["url"].to_pylist()
    return {"/" + url.split("/", 3)[3] for url in rows}


def test_an_answer_without_content_is_no_page_and_no_failure(tmp_path: Path) -> None:
    with served({"/": "<a href=/empty>1</a> some words <a href=/blank>2</a>", "/empty": "", "/blank": ""}) as site:
        site.statuses["/empty"] = 204
        summary = helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
        crawled = helios.open(tmp_path / "out")
        told = crawled.why(site.at("/empty"))
    assert paths(tmp_path / "out") == {"/", "/blank"}
    assert (summary.pages, summary.outcomes, summary.dead_letters) == (2, {"fetched": 2, "unwanted_type": 1}, 0)
    assert "answered without content" in str(told)


def test_a_refresh_in_a_head_is_followed(tmp_path: Path) -> None:
    with served({"/": "<p>some words", "/there": "<p>other words"}) as site:
        site.headers["/"] = {"Refresh": "0; url=/there"}
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    assert paths(tmp_path / "out") == {"/", "/there"}


def test_a_type_that_was_joined_of_two_is_read(tmp_path: Path) -> None:
    joined = "text/html; charset=windows-1252, text/html"
    with served({"/": (joined, "<p>caf\u00e9".encode("windows-1252"))}) as site:
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    pages = helios.open(tmp_path / "out").pages(["text", "charset", "content_type"]).read_all().to_pylist()
    assert pages == [{"text": "caf\u00e9", "charset": "windows-1252", "content_type": "text/html;charset=windows-1252"}]
