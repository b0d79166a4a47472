"""A function of the user that gets each page: what it sees, what becomes of what it returns, and of its failures."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.errors import SettingsError
from helios.extract import hook_named
from helios.hooks import Extract
from helios.named import name_of
from sites import Site, served

SHOP = """<html><head><title>Shop</title></head><body><h1>Shop</h1>
<a href="/tea">tea</a> <a href="/mug">mug</a>
<div class="item" data-id="7"><b>Tea</b> <span class="price"> 3 € </span></div>
<div class="item" data-id="8"><b>Mug</b> <span class="price">5 €</span></div></body></html>"""


def item(name: str) -> str:
    return f"<html><head><title>{name}</title></head><body><p>A {name} that is for sale here.</p></body></html>"


@pytest.fixture
def shop() -> Iterator[Site]:
    with served({"/": SHOP, "/tea": item("Tea"), "/mug": item("Mug")}) as site:
        yield site


def crawled(site: Site, out: Path, extract: Any = None, **more: object) -> helios.Summary:  # noqa: ANN401  # also wrong ones
    return helios.crawl(site.at("/"), out, extract=extract, **site.settings(**more))


def fields(out: Path) -> dict[str, Any]:
    """The fields of each page, by its path."""
    rows = helios.open(out).pages(["url", "fields"]).read_all().to_pylist()
    return {"/" + row["url"].split("/", 3)[3]: json.loads(row["fields"]) if row["fields"] else None for row in rows}


def test_a_hook_sees_the_whole_page(shop: Site, tmp_path: Path) -> None:
    seen: dict[str, helios.Page] = {}

    def look(page: helios.Page) -> None:
        seen[page.url] = page

    crawled(shop, tmp_path / "out", look)
    page = seen[shop.at("/")]  # read after the crawl has ended: it keeps what it needs
    assert (page.status, page.content_type, page.title) == (200, "text/html; charset=utf-8", "Shop")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.html == SHOP
    assert page.body == SHOP.encode()
    assert page.links == [shop.at("/tea"), shop.at("/mug")]
    assert page.facts["headings"] == [[1, "Shop"]]
    assert (page.depth, seen[shop.at("/tea")].depth) == (0, 1)
    assert "for sale" in seen[shop.at("/tea")].text
    assert "for sale" in seen[shop.at("/tea")].markdown


def test_css_gives_texts_and_elements(shop: Site, tmp_path: Path) -> None:
    found: list[object] = []

    def items(page: helios.Page) -> None:
        found.append(page.css(".price"))
        found.append(page.css(".item::attr(data-id)"))
        for one in page.elements(".item"):
            found.append((one.name, one.attributes["data-id"], one.text[:3], one.css("b::text")))
            found.append([inner.text for inner in one.elements(".price")])

    crawled(shop, tmp_path / "out", items, max_depth=0)
    assert found == [
        ["3 €", "5 €"],
        ["7", "8"],
        ("div", "7", "Tea", ["Tea"]),
        ["3 €"],
        ("div", "8", "Mug", ["Mug"]),
        ["5 €"],
    ]


def test_what_a_hook_returns_joins_the_fields_of_the_settings(shop: Site, tmp_path: Path) -> None:
    def more(page: helios.Page) -> Mapping[str, object] | None:
        return {"letters": len(page.title), "by_css": page.fields["title"]} if page.depth else None

    rules = [{"name": "title", "selector": "title::text"}]
    crawled(shop, tmp_path / "out", more, fields=rules)
    assert fields(tmp_path / "out") == {
        "/": {"title": "Shop"},
        "/tea": {"title": "Tea", "letters": 3, "by_css": "Tea"},
        "/mug": {"title": "Mug", "letters": 3, "by_css": "Mug"},
    }


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda _: ["a"], "TypeError: the hook returned list; it must return a dict or None"),
        (lambda _: {"page": object()}, "TypeError: Encoding objects of type object is unsupported"),
        (lambda page: {"a": page.css("a[")}, "ValueError: bad selector"),
        (lambda _: sys.exit(3), "SystemExit: 3"),
        (lambda _: (_ for _ in ()).throw(KeyboardInterrupt("mine")), "KeyboardInterrupt: mine"),
        (lambda _: {"a": "x" * 3_000_000}, "ValueError: the fields are longer than 2000000 bytes"),
    ],
)
def test_a_hook_that_fails_is_recorded_and_the_crawl_goes_on(
    shop: Site,
    tmp_path: Path,
    answer: Any,  # noqa: ANN401  # wrong hooks
    reason: str,
) -> None:
    def hook(page: helios.Page) -> Any:  # noqa: ANN401  # as above
        return answer(page) if page.title == "Tea" else {"well": True}

    summary = crawled(shop, tmp_path / "out", hook)
    assert summary.pages == 3
    assert summary.hook_failures == 1
    assert summary.hook_failure is not None
    assert summary.hook_failure[0] == shop.at("/tea")
    assert summary.hook_failure[1].startswith(reason)
    found = fields(tmp_path / "out")
    assert found["/tea"]["hook_error"] == summary.hook_failure[1]
    assert found["/mug"] == {"well": True}


def test_pages_without_fields_have_none(shop: Site, tmp_path: Path) -> None:
    crawled(shop, tmp_path / "out", lambda _: None)
    assert set(fields(tmp_path / "out").values()) == {None}


MODULE = "def price(page):\n    return {'title': page.title}\n\nnumber = 3\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "shop_of_a_test.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    yield "shop_of_a_test"
    sys.modules.pop("shop_of_a_test", None)


def test_a_hook_may_be_named_in_the_settings_and_is_there_after_a_stop(shop: Site, tmp_path: Path, module: str) -> None:
    out = tmp_path / "out"
    words = ["crawl", shop.at("/"), "--allow-loopback", "--delay", "0s", "--hook", f"{module}:price"]
    result = CliRunner().invoke(main, [*words, "--out", str(out), "--max-pages", "1"])
    assert result.exit_code == 0, result.output
    helios.resume(out, max_pages=10)
    assert fields(out) == {"/": {"title": "Shop"}, "/tea": {"title": "Tea"}, "/mug": {"title": "Mug"}}


def test_the_table_of_that_name_can_still_be_given(shop: Site, tmp_path: Path) -> None:
    crawled(shop, tmp_path / "out", {"markdown": False}, max_pages=1)
    assert helios.open(tmp_path / "out").settings.extract.markdown is False
    with pytest.raises(SettingsError, match="extract"):
        crawled(shop, tmp_path / "other", 3)


def test_a_crawl_whose_hook_cannot_be_found_does_not_go_on_without_it(shop: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def price(page: helios.Page) -> Mapping[str, object]:
        return {"title": page.title}

    crawled(shop, out, price, max_pages=1)
    with pytest.raises(SettingsError, match=r'hook = "given:.*price" cannot be used .*extract=function'):
        helios.resume(out, max_pages=10)
    helios.resume(out, max_pages=10, extract=price)
    assert len(fields(out)) == 3


@pytest.mark.parametrize("name", ["no_such_module:f", "json:nothing", "shop_of_a_test:number"])
def test_a_hook_that_is_none_is_refused_before_the_crawl(name: str, module: str) -> None:
    del module
    with pytest.raises(SettingsError, match=f'hook = "{name}"'):
        hook_named(name)


def test_a_module_that_ends_the_program_while_it_is_imported_is_no_hook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "script_of_a_test.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=r'hook = "script_of_a_test:f" cannot be used \(SystemExit: 3\)'):
        hook_named("script_of_a_test:f")


def test_a_function_of_a_module_is_called_by_its_name() -> None:
    assert name_of(cast("Extract", json.loads)) == "json:loads"
    assert hook_named("json:loads") == json.loads  # type: ignore[comparison-overlap]


def test_what_is_no_function_and_no_table_is_refused_as_a_hook(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"extract is a table of settings: .*, or a function"):
        helios.crawl("http://127.0.0.1:1/", tmp_path / "out", extract=cast("Extract", 3))
