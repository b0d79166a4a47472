"""Folders in which there is nothing to read: each command says what is there instead, and what to do."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.folder import create
from helios.settings import load
from sites import Site, served

READERS = [
    ("sql", "{folder}", "select count(*) from pages"),
    ("export", "{folder}", "-o", "pages.jsonl"),
    ("search", "{folder}", "tea"),
    ("show", "{folder}", "http://127.0.0.1/"),
    ("stats", "{folder}"),
]
every_reader = pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": "<title>One</title><p>There is one page.</p>"}) as site:
        yield site


def said(words: tuple[str, ...], folder: str, code: int) -> str:
    result = CliRunner().invoke(main, [word.format(folder=folder) for word in words])
    assert result.exit_code == code, result.output
    return result.output


@every_reader
def test_what_is_no_crawl_is_told_by_what_it_is(here: Path, words: tuple[str, ...]) -> None:
    (here / "empty").mkdir()
    (here / "notes.txt").touch()
    (here / "mine").mkdir()
    (here / "mine/helios.toml").write_text("[crawl]\nmax_pages = 3\n")
    for folder, sentence in [
        ("nowhere", "there is no folder nowhere; give the one that a crawl was made in, its --out"),
        ("empty", "empty holds no crawl (there is no helios.toml in it)"),
        ("notes.txt", "notes.txt is a file; give the folder of a crawl"),
        ("mine", "mine holds no crawl (its helios.toml was not written by one)"),
    ]:
        assert said(words, folder, 2) == f"helios: {sentence}\n"


def test_a_folder_of_crawls_and_a_part_of_one_tell_which_was_meant(site: Site, here: Path) -> None:
    helios.crawl(site.at("/"), here / "crawls/first", **site.settings())
    assert "crawls holds no crawl (there is no helios.toml in it); there is one in crawls/first" in said(
        ("stats", "crawls"), "", 2
    )
    for part in ("pages.lance", "helios.toml", "logs"):
        sentence = f"crawls/first/{part} is a part of the crawl in crawls/first; give that folder"
        assert sentence in said(("stats", f"crawls/first/{part}"), "", 2)


@every_reader
def test_a_crawl_without_a_table_tells_where_its_pages_are(site: Site, here: Path, words: tuple[str, ...]) -> None:
    helios.crawl(site.at("/"), here / "archive", **site.settings(kinds=["warc", "jsonl"]))
    sentence = said(words, "archive", 2)
    assert "archive keeps warc (in archive/warc), jsonl (in archive/jsonl) and no page table" in sentence


def test_an_archive_is_exported_whether_there_is_a_table_or_not(site: Site, here: Path) -> None:
    helios.crawl(site.at("/"), here / "archive", **site.settings(kinds=["warc"]))
    done = helios.open(here / "archive").export(here / "all.warc.gz")
    assert done.pages == 2, "with robots.txt"
    assert b"There is one page." in gzip.decompress((here / "all.warc.gz").read_bytes())
    with pytest.raises(helios.QueryError, match="no page table"):
        helios.open(here / "archive").export(here / "some.warc.gz", site="127.0.0.1")
    with pytest.raises(helios.QueryError, match="an archive has no columns to choose"):
        helios.open(here / "archive").export(here / "some.warc.gz", columns=["url"])


def test_a_crawl_that_stored_nothing_says_so(site: Site, here: Path) -> None:
    helios.crawl(site.at("/none"), here / "nothing", **site.settings())
    assert "0 pages of 0 sites" in said(("stats", "nothing"), "", 0)
    assert said(("search", "nothing", "tea"), "", 0) == "nothing found in 0 pages\n"
    assert said(("export", "nothing", "-o", "pages.jsonl"), "", 0).startswith("0 pages written to pages.jsonl")
    assert "is not in nothing; " in said(("show", "nothing", site.at("/")), "", 2)


@pytest.mark.parametrize("words", [words for words in READERS if words[0] != "show"], ids=lambda words: words[0])
def test_a_crawl_that_died_before_its_first_page_tells_how_to_look_after_it(here: Path, words: tuple[str, ...]) -> None:
    create(here / "just begun", load())
    sentence = "the crawl in just begun has no pages yet; helios status 'just begun' tells how it goes"
    assert sentence in said(words, "just begun", 1)
    create(here / "archive", load(kinds=["warc"]))
    assert "has no pages yet" in said(("export", "archive", "-o", "all.warc.gz"), "", 1)


def test_a_crawl_that_died_before_it_began_tells_how_to_begin_it(site: Site, here: Path) -> None:
    create(here / "begun", load(None, **site.settings()))
    for words in (("status", "begun"), ("why", "begun", site.at("/"))):
        assert "begun ended before it began: there is no frontier; give its seeds again, helios resume begun SEED" in (
            said(words, "", 2)
        )
    assert helios.resume("begun", seeds=site.at("/")).pages == 1
