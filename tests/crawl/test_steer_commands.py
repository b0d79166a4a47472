"""The commands that steer a crawl, while it runs and when it does not."""

import csv
import gzip
import json
import os
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import helios
from crawl.steering import crawling, until
from helios.cli import main
from helios.crawl import letters, steered
from sites import Answer, Site, served

SLOW: dict[str, object] = {"delay_ms": 50, "visit_urls": 1}
FEW: dict[str, object] = {"frontier": {"attempts": 1}, "robots": {"attempts": 1}}


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {f"/{number}": f'<a href="/{number + 1}">next</a>' for number in range(2_000)}
    with served({"/": '<a href="/0">first</a>', **pages}) as site:
        yield site


def run(*words: str | Path, code: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words], input=typed)
    assert result.exit_code == code, result.output
    return result


def nobody(count: int = 1) -> list[str]:
    """URLs where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    return [f"http://127.0.0.1:{port}/{number}" for number in range(count)]


def test_status_tells_of_a_crawl_that_runs_and_of_one_that_does_not(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", max_pages=1_000, **SLOW) as crawl:
        until(lambda: json.loads(run("status", crawl.folder, "--json").stdout)["pages"] > 1)
        said = run("status", crawl.folder).stdout
        for word in ("running", "process", "pages in all", "visits now", "max_pages", "of 1,000", "memory", "fetched"):
            assert word in said
        run("pause", crawl.folder)
        until(lambda: "paused" in run("status", crawl.folder).stdout)
        run("stop", crawl.folder, "--wait")
        assert "not running; helios resume goes on with it" in run("status", crawl.folder, "--watch").stdout
    crawl.ended()


@pytest.mark.parametrize("name", ["my crawl [x] é", "[/red]m", ":tea:"])
def test_the_name_of_a_folder_is_shown_as_it_is(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with crawling(site, Path(name), max_pages=1_000, **SLOW):
        said = [run(*words, name).stdout for words in (["pause"], ["resume"], ["stop", "--wait"])]
        assert all(f"the crawl in {name} " in one for one in said)
        typed = [shlex.split(one.splitlines()[-1])[-2:] for one in [*said, run("add", name, site.at("/z")).stdout]]
        assert typed == [["resume", name], ["status", name], ["resume", name], ["resume", name]]
    helios.resume(name, max_pages=1)
    shown = run("status", name).stdout
    assert shown.splitlines()[0].split(maxsplit=1)[1].strip() == name
    assert f"helios resume {shlex.quote(name)} --max-pages N goes on" in " ".join(shown.split())


def test_watching_ends_with_the_crawl(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", max_seconds=1, **SLOW) as crawl:
        lines = run("status", crawl.folder, "--watch", "--json").stdout.splitlines()
    states = [json.loads(line)["state"] for line in lines]
    assert states[0] == "running"
    assert states[-1] == "stopped"


def test_a_pause_is_ended_by_resume(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        assert json.loads(run("pause", crawl.folder, "--json").stdout) == {"paused_before": False}
        assert "goes on" in run("resume", crawl.folder).stdout
        assert "it goes on with" in run("pause", crawl.folder).stdout
        assert "was paused before" in run("pause", crawl.folder).stdout
        assert "goes on" in run("resume", crawl.folder).stdout
        run("pause", crawl.folder)
        assert json.loads(run("resume", crawl.folder, "--json").stdout) == {"paused_before": True}
        assert "is running" in run("resume", crawl.folder, code=1).stderr
        assert "helios add" in run("resume", crawl.folder, "--max-pages", "9", code=1).stderr


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_a_crawl_that_does_not_run_cannot_be_told_to_end_or_pause(site: Site, tmp_path: Path, command: str) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    assert f"is not running: there is nothing to {command}" in run(command, tmp_path / "out", code=1).stderr
    assert "holds no crawl" in run(command, tmp_path, code=2).stderr


@pytest.mark.parametrize("now", [[], ["--now"]])
def test_stop_ends_a_crawl_and_nothing_is_lost(site: Site, tmp_path: Path, now: list[str]) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        until(lambda: helios.open(crawl.folder).status().pages > 1)
        assert "has ended" in run("stop", crawl.folder, "--wait", *now).stdout
        assert crawl.ended().ended == "interrupted"
    before = len(helios.open(crawl.folder).pages(["url"]).read_all())
    assert before == crawl.ended().pages
    helios.resume(crawl.folder, max_pages=before + 2)
    assert len(set(helios.open(crawl.folder).pages(["url"]).read_all()["url"].to_pylist())) == before + 2


def test_seeds_are_added_from_words_files_and_standard_input(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/x": "x", "/y": "y", "/z": "z"}
    (tmp_path / "more.txt").write_text(site.at("/y") + "\n")
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        said = run("add", crawl.folder, site.at("/x"), "--seeds", tmp_path / "more.txt").stdout
        assert said == "2 seeds added\n"
        until(lambda: {"/x", "/y"} <= set(site.asked))
    stopped = run("add", crawl.folder, "--seeds", "-", typed=site.at("/z")).stdout
    assert "1 seed added" in stopped
    assert f"resume {crawl.folder}" in stopped
    assert json.loads(run("add", crawl.folder, site.at("/z"), "--json").stdout)["waits"] is True
    assert "no seed" in run("add", crawl.folder, code=2).stderr
    assert "only http:// and https:// can" in run("add", crawl.folder, "ftp://x/", code=2).stderr


def test_why_tells_of_an_answer_that_was_not_stored(tmp_path: Path) -> None:
    text = f"<p>{' '.join(f'word{number}' for number in range(300))}</p>"
    pages: dict[str, Answer] = {
        "/": text + '<a href="/hidden">1</a> <a href="/map.xml">2</a> <a href="/like">3</a> <a href="/x">4</a>',
        "/hidden": "<meta name=robots content=noindex> nothing for readers",
        "/map.xml": ("text/xml", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'),
        "/like": text,
        "/x": ("application/xml", "<?xml version='1.0'?><data/>"),
    }
    with served(pages) as site:
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings(duplicates="skip"))
        because = {path: helios.open(tmp_path / "out").why(site.at(path))["because"] for path in pages}
    assert because == {
        "/": "answered 200",
        "/hidden": "answered 200; not stored: it says noindex",
        "/map.xml": "answered 200; not stored: it is a sitemap or a feed, whose links are followed",
        "/like": "answered 200; not stored: it is like another page, and such pages are skipped",
        "/x": "answered 200; not stored: it is a file without pages, packed or XML",
    }


OPEN_WEB = "http://one.example/"


def test_add_says_how_a_crawl_that_is_there_gets_a_contact(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HELIOS_CONTACT", raising=False)
    out = tmp_path / "out"
    with crawling(site, out, **SLOW):
        said = run("add", out, OPEN_WEB, code=2).stderr
        assert f"helios stop {out}), then helios resume {out} SEED --set fetch.contact=you@example.org" in said
    said = run("add", out, OPEN_WEB, code=2).stderr
    assert "set HELIOS_CONTACT=you@example.org, or helios resume" in said
    assert "--contact" not in said
    assert "helios resume: --set fetch.contact=you@example.org" in run("resume", out, OPEN_WEB, code=2).stderr


def test_a_contact_from_the_environment_counts_for_add_and_is_kept_for_whoever_asks(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.delenv("HELIOS_CONTACT", raising=False)
    with crawling(site, out, **SLOW):
        monkeypatch.setenv("HELIOS_CONTACT", "me@example.org")
        assert "helios stop" in run("add", out, OPEN_WEB, code=2).stderr, "it would ask without it"
    opened_before = helios.open(out)
    before = opened_before.settings
    assert "1 seed added" in run("add", out, OPEN_WEB).stdout
    after = helios.open(out).settings
    assert (before.fetch.contact, after.fetch.contact) == (None, "me@example.org")
    assert after.crawl == before.crawl
    monkeypatch.setenv("HELIOS_CONTACT", "you@example.org")
    opened_before.add("http://two.example/")
    run("add", out, "http://two.example/")
    assert helios.open(out).settings.fetch.contact == "me@example.org"


def test_seeds_are_added_from_several_files(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/"), out, **site.settings(max_pages=1))
    for name in "xyz":
        (tmp_path / name).write_text(site.at(f"/{name}") + "\n")
    files = [word for name in "xyz" for word in ("--seeds", tmp_path / name)]
    assert "3 seeds added" in run("add", out, *files).stdout
    assert json.loads(run("why", out, site.at("/x"), "--json").stdout)["state"] == "queued"


def test_a_seed_that_the_crawl_does_not_want_is_not_said_to_wait(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1, exclude=["/secret/*"]))
    result = run("add", tmp_path / "out", site.at("/secret/1"), code=1)
    assert result.stdout == "0 seeds added\n"
    assert f"seed not added: {site.at('/secret/1')}" in result.stderr


def test_why_works_while_the_crawl_runs(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", **SLOW) as crawl:
        until(lambda: json.loads(run("why", crawl.folder, site.at("/"), "--json").stdout)["state"] == "fetched")
        assert "robots.txt" in run("why", crawl.folder, site.at("/")).stdout
        assert run("why", crawl.folder, "nonsense", code=2).stderr


def test_urls_and_commands_are_whole_however_long_where_no_terminal_shows_them(site: Site, tmp_path: Path) -> None:
    long = "/" + "long-way-" * 20
    site.pages.update({"/": f'<a href="{long}">first</a>', long: '<a href="/0">second</a>'})
    folder = tmp_path / ("crawl" * 20)
    helios.crawl(site.at("/"), folder, **site.settings(max_pages=3))
    assert f"resume {folder} --max-pages N goes on\n" in run("status", folder).stdout
    assert f"  {site.at(long)}\n" in run("why", folder, site.at("/0")).stdout


def test_dead_letters_are_listed_retried_and_exported(site: Site, tmp_path: Path) -> None:
    gone = nobody(3)
    with crawling(site, tmp_path / "out", **SLOW, **FEW) as crawl:
        run("add", crawl.folder, *gone)
        until(lambda: helios.open(crawl.folder).status().dead_letters == 3)
        listed_and_exported(crawl.folder, tmp_path / "running", gone)
        assert run("dead", "retry", crawl.folder, "--site", "127.0.0.1").stdout == "3 dead letters wait again\n"
        until(lambda: helios.open(crawl.folder).status().dead_letters == 3)
    listed_and_exported(crawl.folder, tmp_path / "stopped", gone)
    for site_, reason in (("127.0.0.1", "no such thing"), ("elsewhere.test", "robots.txt")):
        none = run("dead", "retry", crawl.folder, "--site", site_, "--reason", reason).stdout
        assert none == "there are no such dead letters\n"
    assert run("dead", "retry", crawl.folder, "--site", "").stdout == "there are no such dead letters\n"
    both = ("--site", "127.0.0.1", "--reason", "robots.txt")
    assert f"resume {crawl.folder}" in run("dead", "retry", crawl.folder, *both).stdout
    assert run("dead", "list", crawl.folder).stdout == "there are no dead letters\n"
    assert run("dead", "retry", crawl.folder).stdout == "there are no dead letters\n"
    assert run("dead", "retry", crawl.folder, "--site", "x.test").stdout == "there are no such dead letters\n"


def listed_and_exported(folder: Path, to: Path, gone: list[str]) -> None:
    said = run("dead", "list", folder).stdout
    assert "3 dead letters" in said
    assert all(url in said for url in gone)
    letters = [json.loads(line) for line in run("dead", "list", folder, "--json", "--limit", "2").stdout.splitlines()]
    assert len(letters) == 2
    assert set(letters[0]) == {"url", "reason", "attempts"}
    assert run("dead", "list", folder, "--reason", "no such thing").stdout == "there are no such dead letters\n"
    assert run("dead", "list", folder, "--site", "elsewhere.test").stdout == "there are no such dead letters\n"
    to.mkdir()
    said = run("dead", "export", folder, "-o", to / "dead.csv", "--json").stdout
    assert json.loads(said) == {"out": str(to / "dead.csv"), "letters": 3}
    with (to / "dead.csv").open(newline="") as file:
        assert sorted(row["url"] for row in csv.DictReader(file)) == gone
    run("dead", "export", folder, "-o", to / "dead.jsonl.gz")
    with gzip.open(to / "dead.jsonl.gz") as packed:
        assert sorted(json.loads(line)["url"] for line in packed) == gone
    assert len(run("dead", "export", folder, "-o", "-", "--site", "127.0.0.1").stdout.splitlines()) == 3
    assert "is there already" in run("dead", "export", folder, "-o", to / "dead.csv", code=2).stderr
    settings = folder / "helios.toml"
    assert "lies in the folder of a crawl" in run("dead", "export", folder, "-o", settings, "--force", code=2).stderr
    os.mkfifo(to / "pipe")
    with os.fdopen(os.open(to / "pipe", os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
        assert run("dead", "export", folder, "-o", to / "pipe").stdout == f"3 dead letters written to {to / 'pipe'}\n"
        assert len(pipe.read().splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "begins"),
    [("dead.csv", b"url,"), ("DEAD.CSV", b"url,"), ("Dead.Csv.GZ", b"url,"), ("DEAD.JSONL", b"{"), ("csv", b"{")],
)
def test_dead_letters_are_written_as_the_name_ends_in_small_letters_or_large(
    tmp_path: Path, name: str, begins: bytes
) -> None:
    letters.export([letters.Letter("http://one.test/", "timed out", 3)], str(tmp_path / name))
    written = (tmp_path / name).read_bytes()
    assert (gzip.decompress(written) if name.endswith("GZ") else written).startswith(begins)


def test_all_dead_letters_are_exported_however_many_go_into_one_answer(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steered, "AT_ONCE_DEAD", 2)
    monkeypatch.setattr(steered, "AT_ONCE_READ", 2)
    gone = nobody(5)
    with crawling(site, tmp_path / "out", **SLOW, **FEW) as crawl:
        run("add", crawl.folder, *gone)
        until(lambda: helios.open(crawl.folder).status().dead_letters == 5)
        assert sorted(letter.url for letter in helios.open(crawl.folder).each_dead_letter()) == gone
        assert len(helios.open(crawl.folder).dead_letters(3)) == 3
    assert sorted(letter.url for letter in helios.open(crawl.folder).each_dead_letter()) == gone
    assert len(helios.open(crawl.folder).dead_letters(3)) == 3
    assert len(helios.open(crawl.folder).dead_letters(1)) == 1
