"""A password in a URL is repeated by nothing that Helios prints, says or writes down."""

import json
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.errors import HeliosError, UrlError
from helios.shown import without_user, without_users
from sites import served

WORDS = [
    ("http://me:hush@a.example/b", "http://***@a.example/b"),
    ("http://me@a.example/", "http://***@a.example/"),
    ("HTTPS://me:hush@a.example/@you", "HTTPS://***@a.example/@you"),
    ("http://me:hu@sh@a.example/", "http://***@a.example/"),
    ("http://me:hu sh@a.example/", "http://***@a.example/"),
    ("http://me:hu/sh@a.example/", "http://***@a.example/"),
    ("http://me:#hush@a.example/", "http://***@a.example/"),
    ("http:me:hush@a.example/", "http:***@a.example/"),
    ("https:\\\\me:hush@a.example\\", "https:\\\\***@a.example\\"),
    ("me:hush@a.example", "me:***@a.example"),  # as a scheme
    ("//me:hush@a.example/", "//***@a.example/"),
    ("--seeds=http://me:hush@a.example/", "--seeds=http://***@a.example/"),
    ("http://a.example/ me:hush@b.example/", "http://a.example/ me:***@b.example/"),
]
PLAIN = [
    "https://a.example/@me",
    "http://a.example:8080/@me",
    "http://a.example?q=me@b",
    "http://[::1]:80/@me",
    "a:b",
    "mailto:me@a.example",
]


@pytest.mark.parametrize(("word", "shown"), WORDS)
def test_a_word_that_is_meant_as_a_url_is_shown_without_its_user(word: str, shown: str) -> None:
    assert without_user(word) == shown
    assert without_user(shown) == shown


@pytest.mark.parametrize("word", PLAIN)
def test_a_url_without_a_user_is_shown_as_it_is(word: str) -> None:
    assert without_user(word) == without_users(word) == word


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("me@a.example asks http://me:hush@b.example/.", "me@a.example asks http://***@b.example/."),
        ('["http://me:hush@a.example","me@a.example"]', '["http://***@a.example","me@a.example"]'),
        ('["http://me:hu/sh@a.example","me@a.example"]', '["http://***@a.example","me@a.example"]'),
        (json.dumps(['http://me:hu"sh@a.example']), '["http://***@a.example"]'),
        ("see http://a.example: it is @home", "see http://a.example: it is @home"),
    ],
)
def test_users_are_hidden_in_a_text(text: str, shown: str) -> None:
    assert without_users(text) == shown


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shown") / "out"
    with served({"/": "<p>one page</p>"}) as site:
        helios.crawl(site.at("/"), out, **site.settings(), follow=lambda _: ["http://me:hush@127.0.0.1/"])
    return out


COMMANDS = [
    "why {out} {url}",
    "show {out} {url}",
    "add {out} {url}",
    "crawl {url} --out {out}",
    "crawl {url} --out new",
    "crawl https://a.example/ --out new --scope {url}",
    "resume {out} {url}",
    "resume {out} --set crawl.scope={url}",
    "stats {out} {url}",
    "search {out} tea --since {url}",
    "crawl {url} --delay {url}",
    "{url}",
    "config show --set store.url={url}",
]


@pytest.mark.parametrize("url", ["http://me:hush@127.0.0.1:9/", "http://me:hu/sh@127.0.0.1:9/"])
@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_repeats_it(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, url: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [word.format(out=crawl, url=url) for word in line.split()])
    said = result.output + result.stderr
    assert "hush" not in said
    assert "sh@" not in said
    assert "***@127.0.0.1:9" in said


@pytest.mark.parametrize("url", ["http://me:hush@127.0.0.1:9/", "http://me:hush@127.0.0.1:x/"])
def test_no_error_of_the_library_repeats_it_nor_does_its_cause(crawl: Path, tmp_path: Path, url: str) -> None:
    opened = helios.open(crawl)
    attempts: list[Callable[[], object]] = [
        lambda: opened.why(url),
        lambda: opened.page(url),
        lambda: opened.fetches(url),
        lambda: opened.add(url),
        lambda: helios.crawl(url, tmp_path / "new"),
    ]
    for attempt in attempts:
        with pytest.raises(HeliosError) as raised:
            attempt()
        last = traceback.TracebackException.from_exception(raised.value)
        assert "hush" not in "".join(last.format())
        assert "***@127.0.0.1:" in str(raised.value)


def test_what_is_no_url_is_told_with_its_reason(crawl: Path) -> None:
    with pytest.raises(UrlError, match=r"^http://\*\*\*@a.example/ is no URL to crawl: it carries a user name or"):
        helios.open(crawl).why("http://me:hush@a.example/")
    with pytest.raises(UrlError, match=r"^a is no URL to crawl: relative URL .* such as https://example.org/$"):
        helios.open(crawl).page("a")


def test_neither_the_folder_of_a_crawl_nor_its_summary_has_it(crawl: Path, tmp_path: Path) -> None:
    for path in crawl.rglob("*"):
        assert path.is_dir() or b"hush" not in path.read_bytes(), path

    def follow(_: helios.Page) -> list[str]:
        return ["http://me:hush@127.0.0.1/"]

    with served({"/": "<p>one page</p>"}) as site:
        summary = helios.crawl(site.at("/"), tmp_path / "out", **site.settings(), follow=follow)
    assert summary.hook_failure is not None
    assert "'http://***@127.0.0.1/'" in summary.hook_failure[1]


def test_a_user_that_a_site_redirects_to_is_not_told(tmp_path: Path) -> None:
    with served({}) as site:
        site.redirects["/"] = "http://me:hush@127.0.0.1:9/x"
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
        assert helios.open(tmp_path / "out").why(site.at("/"))["because"] == (
            "redirected (302) to http://***@127.0.0.1:9/x"
        )
        assert "hush" not in CliRunner().invoke(main, ["why", str(tmp_path / "out"), site.at("/")]).output
