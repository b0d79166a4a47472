"""`[urls]`: every URL of a crawl is spelled by the same rules, and goes on to be."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import helios
from helios.errors import SettingsError
from helios.settings import parameters
from sites import Answer, Site, served

ROOT = Path(__file__).resolve().parents[2]

SESSION = "jsessionid=0123456789ABCDEF0123456789ABCDEF"
LINKS = f"""<a href="/a;{SESSION}">1</a> <a href="/a?utm_source=x&fbclid=y">2</a> <a href="/a#part">3</a>
<a href="/b?z=1&y=2">4</a> <a href="/b?y=2&z=1">5</a> <a href="/b?from=here&z=1&y=2">6</a>"""


@pytest.fixture
def site() -> Iterator[Site]:
    pages = dict.fromkeys(("/a", "/b?z=1&y=2", "/b?y=2&z=1", "/b?from=here&z=1&y=2"), "<p>some text")
    with served({"/": LINKS, **pages}) as site:
        yield site


def paths(out: Path) -> set[str]:
    rows = helios.open(out).pages(["url"]).read_all()["url"].to_pylist()
    return {"/" + url.split("/", 3)[3] for url in rows}


def test_tracking_and_sessions_make_no_other_page(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    assert paths(tmp_path / "out") == {"/", "/a", "/b?z=1&y=2", "/b?y=2&z=1", "/b?from=here&z=1&y=2"}
    assert [path for path in site.asked if SESSION in path or "utm" in path] == []


def test_the_rules_are_those_of_the_settings(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/?from=x"), out, **site.settings(sort_query=True, tracking=["fr*"], max_pages=1))
    assert paths(out) == {"/"}, "seeds, too"
    helios.resume(out, max_pages=10)
    assert paths(out) == {"/", "/a", "/b?y=2&z=1"}
    assert "/a?fbclid=y&utm_source=x" in site.asked, "kept, and missing on that site"
    crawl = helios.open(out)
    assert crawl.page(site.at("/b?z=1&from=me&y=2")) is not None
    assert crawl.why(site.at("/b?z=1&from=me&y=2"))["state"] == "fetched"


def test_a_crawl_cannot_go_on_with_other_rules(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/"), out, **site.settings(max_pages=1))
    with pytest.raises(SettingsError, match=r"\[urls\] sort_query changed since this crawl began.*set it back"):
        helios.resume(out, max_pages=10, sort_query=True)
    assert helios.resume(out, max_pages=10).ended == "finished"


def test_a_query_is_sent_in_the_encoding_of_its_page(tmp_path: Path) -> None:
    page = "<a href='/s?q=é'>search".encode("windows-1252")
    pages: dict[str, Answer] = {"/": ("text/html; charset=windows-1252", page), "/s?q=%E9": "found"}
    with served(pages) as site:
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    assert paths(tmp_path / "out") == {"/", "/s?q=%E9"}


@pytest.mark.parametrize("name", ["TRACKING", "SESSIONS", "DOUBTFUL"])
def test_the_core_has_the_same_names_of_parameters(name: str) -> None:
    source = ROOT / "crates/helios-url/src/normalise/names.rs"
    listed = re.search(rf"const {name}: &\[&str\] = &\[(.*?)\];", source.read_text(encoding="utf-8"), re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r'"([^"]+)"', listed[1])) == getattr(parameters, name)
