"""Crawling again into the same folder goes on with what is there."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import helios
from crawl.steering import crawling
from helios import folder
from helios.cli import main
from helios.errors import FolderError, SettingsError, StorageError
from helios.simweb import started
from sites import Site, served


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": '<a href="/a">a</a>', "/a": '<a href="/b">b</a>', "/b": '<a href="/c">c</a>', "/c": "c"}) as site:
        yield site


def command(site: Site, folder: Path, *more: str) -> Result:
    return CliRunner().invoke(
        main, ["crawl", site.at("/"), "--allow-loopback", "--delay", "0s", "--out", str(folder), *more]
    )


def urls(folder: Path) -> list[str]:
    return sorted(row["url"] for row in helios.open(folder).pages(["url"]))


def test_the_same_command_goes_on_where_it_was(site: Site, tmp_path: Path) -> None:
    assert command(site, tmp_path / "out", "--max-pages", "2").exit_code == 0
    second = command(site, tmp_path / "out", "--max-pages", "3")
    assert second.exit_code == 0
    assert "pages stored     1" in second.stdout
    assert urls(tmp_path / "out") == [site.at("/"), site.at("/a"), site.at("/b")]
    assert sorted(site.asked) == ["/", "/a", "/b", "/robots.txt"]
    assert helios.open(tmp_path / "out").settings.crawl.max_pages == 3


def test_what_is_not_given_stays_as_it_was(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=2, max_depth=2))
    helios.crawl(site.at("/"), tmp_path / "out", max_pages=9)
    assert urls(tmp_path / "out") == [site.at("/"), site.at("/a"), site.at("/b")]
    assert helios.open(tmp_path / "out").settings.crawl.max_depth == 2


def test_a_limit_can_be_taken_away(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    result = command(site, tmp_path / "out", "--set", "crawl.max_pages=none")
    assert "nothing is left to crawl" in result.stdout
    assert helios.open(tmp_path / "out").settings.crawl.max_pages is None


def test_resume_takes_any_setting(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    words = ["--set", "crawl.max_pages=none", "--set", "crawl.max_depth=1"]
    result = CliRunner().invoke(main, ["resume", str(tmp_path / "out"), *words])
    assert result.exit_code == 0, result.output
    assert urls(tmp_path / "out") == [site.at("/"), site.at("/a")]
    assert helios.open(tmp_path / "out").settings.crawl.max_pages is None


def test_a_settings_file_changes_what_it_names(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    (tmp_path / "more.toml").write_text("[crawl]\nmax_pages = 2\n")
    assert helios.crawl(site.at("/"), tmp_path / "out", config=tmp_path / "more.toml").pages == 1
    assert helios.open(tmp_path / "out").settings.fetch.allow == ["loopback"]


def test_a_finished_crawl_says_that_nothing_is_left(site: Site, tmp_path: Path) -> None:
    assert command(site, tmp_path / "out").exit_code == 0
    asked = list(site.asked)
    again = command(site, tmp_path / "out")
    assert again.exit_code == 0
    assert "nothing was left to crawl" in again.stdout
    assert site.asked == asked


def test_a_crawl_at_its_limit_is_no_failure(site: Site, tmp_path: Path) -> None:
    for _ in range(2):
        result = command(site, tmp_path / "out", "--max-pages", "2")
        assert result.exit_code == 0
        assert "the limit on pages is reached" in result.stdout


def test_what_waits_and_is_excluded_now_is_not_asked_for_until_it_is_wanted_again(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    asked = list(site.asked)
    summary = helios.resume(tmp_path / "out", max_pages=9, exclude=["/a*"])
    assert site.asked == asked
    assert [letters.reason for letters in summary.dead_reasons] == ['left out by the settings: it is excluded by "/a*"']
    told = command(site, tmp_path / "out").stdout
    assert "more comes, when the settings are wider again, from" in told
    assert helios.open(tmp_path / "out").replay() == 1
    helios.resume(tmp_path / "out", exclude=[])
    assert urls(tmp_path / "out") == [site.at(path) for path in ("/", "/a", "/b", "/c")]


def test_links_that_are_not_followed_are_counted_and_not_kept(site: Site, tmp_path: Path) -> None:
    first = command(site, tmp_path / "out", "--max-depth", "1")
    assert "links left out   1 deeper than max_depth" in first.stdout
    again = command(site, tmp_path / "out", "--max-depth", "3")
    assert "links that were left out (1 deeper than max_depth) are not kept" in again.stdout
    assert helios.open(tmp_path / "out").status().unfollowed == {"too_deep": 1}


def test_a_redirect_too_many_is_a_dead_letter(site: Site, tmp_path: Path) -> None:
    site.redirects.update({f"/{hop}": f"/{hop + 1}" for hop in range(9)})
    summary = helios.crawl(site.at("/0"), tmp_path / "out", **site.settings(max_redirects=2))
    assert summary.dead_reasons[0].example == site.at("/2")
    assert "max_redirects = 2" in summary.dead_reasons[0].reason


def test_seeds_that_look_endless_are_crawled(site: Site, tmp_path: Path) -> None:
    days = [f"/cal?date=2024-05-0{day}" for day in range(1, 6)]
    paths = [*days, "/x/x/x/x/x/x", f"/{'long' * 600}"]
    site.pages.update(dict.fromkeys(paths, "there"))
    summary = helios.crawl(map(site.at, paths), tmp_path / "out", **site.settings(urls_per_shape=2))
    assert (summary.pages, summary.unfollowed) == (len(paths), {})


FIXED: list[tuple[dict[str, Any], str]] = [
    ({"scope": "list"}, r"scope cannot become \"list\" once a crawl has begun"),
    ({"sort_query": True}, r"\[urls\] sort_query changed since this crawl began"),
    ({"split_sites": ["one.test"]}, r"\[frontier\] split_sites was"),
    ({"embed": {"model": "static"}}, r"\[embed\] model cannot change once a crawl has begun"),
    ({"seen": {"mode": "lossy"}}, r"\[seen\] mode cannot change"),
    ({"store": {"url": "s3://bucket/x"}}, r"\[store\] url cannot change"),
]


@pytest.mark.parametrize(("change", "says"), FIXED, ids=[str(change) for change, _ in FIXED])
def test_what_may_not_change_is_refused_and_nothing_is_changed(
    site: Site, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(max_pages=1))
    kept = (tmp_path / "out" / "helios.toml").read_text()
    with pytest.raises(SettingsError, match=says):
        helios.crawl(site.at("/"), tmp_path / "out", **change)
    assert (tmp_path / "out" / "helios.toml").read_text() == kept
    assert helios.crawl(site.at("/"), tmp_path / "out", max_pages=2).pages == 1


def test_a_running_crawl_is_left_alone_and_what_to_do_is_said(site: Site, tmp_path: Path) -> None:
    with crawling(site, tmp_path / "out", delay_ms=500) as crawl:
        helios.open(crawl.folder).pause()
        with pytest.raises(StorageError, match=r"is running .*helios status .*helios add"):
            helios.crawl(site.at("/"), crawl.folder, max_pages=1)
        result = command(site, crawl.folder)
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 1


def test_a_folder_that_holds_something_else_is_refused(site: Site, tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").touch()
    with pytest.raises(FolderError, match="is not empty and holds no crawl"):
        helios.crawl(site.at("/"), tmp_path, **site.settings())


def test_a_first_run_that_stored_nothing_failed(site: Site, tmp_path: Path) -> None:
    site.pages.clear()
    assert command(site, tmp_path / "out").exit_code == 1


def test_a_refused_crawl_leaves_no_settings_for_the_next(site: Site, tmp_path: Path) -> None:
    refused = command(site, tmp_path / "out", "--exclude", "*")
    assert refused.exit_code == 2
    assert "no seed can be crawled" in refused.stderr
    assert not (tmp_path / "out").exists()
    assert command(site, tmp_path / "out").exit_code == 0


def test_seeds_that_are_all_refused_later_leave_the_crawl_as_it_is(site: Site, tmp_path: Path) -> None:
    command(site, tmp_path / "out", "--max-pages", "1")
    words = ["resume", str(tmp_path / "out"), "http://127.0.0.2/elsewhere", "--set", 'crawl.exclude=["*elsewhere"]']
    assert CliRunner().invoke(main, words).exit_code == 2
    assert urls(tmp_path / "out") == [site.at("/")]


def test_crawls_without_a_folder_get_one_each_also_in_the_same_second(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder, "stamp", lambda _: "now")
    for path in ("/a", "/b"):
        words = ["crawl", site.at(path), "--allow-loopback", "--delay", "0s", "--scope", "list"]
        assert CliRunner().invoke(main, words).exit_code == 0
    assert urls(tmp_path / "crawls" / "now") == [site.at("/a")]
    assert urls(tmp_path / "crawls" / "now-2") == [site.at("/b")]


def test_crawls_of_a_program_without_a_folder_get_one_each_too(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder, "stamp", lambda _: "now")
    outs = [helios.crawl(site.at(path), scope="list", **site.settings()).out for path in ("/a", "/b")]
    assert outs == ["crawls/now", "crawls/now-2"]


def test_a_crawl_without_a_folder_that_cannot_begin_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["crawl", "ftp://127.0.0.1/"]).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_seeds_of_all_files_that_are_given_are_crawled(site: Site, tmp_path: Path) -> None:
    files = []
    for path in ("/a", "/b"):
        file = tmp_path / path.strip("/")
        file.write_text(site.at(path))
        files += ["--seeds", str(file)]
    assert command(site, tmp_path / "out", "--scope", "list", *files).exit_code == 0
    assert urls(tmp_path / "out") == [site.at("/"), site.at("/a"), site.at("/b")]
    assert CliRunner().invoke(main, ["add", str(tmp_path / "out"), *files]).stdout.startswith("2 seeds added")


def test_the_summary_of_a_resume_is_not_among_the_pages(site: Site, tmp_path: Path) -> None:
    first = command(site, tmp_path / "out", "--jsonl", "-", "--max-pages", "1")
    again = CliRunner().invoke(main, ["resume", str(tmp_path / "out"), "--max-pages", "2"])
    for result in (first, again):
        assert [line[0] for line in result.stdout.splitlines()] == ["{"]
        assert "pages stored" in result.stderr


def test_certificates_are_found_from_wherever_the_crawl_goes_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(["--hosts=1"]) as web:
        shutil.copy(str(web.ca), tmp_path / "ca.pem")
    monkeypatch.chdir(tmp_path)
    assert command(site, tmp_path / "out", "--extra-ca", "ca.pem", "--max-pages", "1").exit_code == 0
    monkeypatch.chdir("/")
    assert CliRunner().invoke(main, ["resume", str(tmp_path / "out"), "--max-pages", "2"]).exit_code == 0


def test_a_page_that_changed_before_recrawl_was_on_counts_as_changed(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    site.pages["/c"] = "something else"
    each_second = {"enabled": True, "start_s": [1, 1, 1], "floor_s": [1, 1, 1], "ceiling_s": [1, 1, 1]}
    summary = helios.crawl(site.at("/"), tmp_path / "out", recrawl=each_second, max_seconds=3)
    assert summary.recrawled >= 4
    assert summary.changed == 1
