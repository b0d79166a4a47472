"""`helios config`: a file to begin with, what is in use and from where, what is wrong."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import helios
from helios.cli import main
from helios.settings import Settings, load
from helios.settings.assemble import TABLES
from helios.settings.reference import markdown
from helios.settings.toml import template
from sites import served

SET = re.compile(r"^#(?=\w+ = [^\n]|  |\])", re.MULTILINE)  # lines that set something, as comments


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(*words: str, **environ: str) -> Result:
    return CliRunner().invoke(main, ["config", *words], env=environ)


def test_the_first_file_changes_nothing_and_names_every_setting(here: Path) -> None:
    assert asked("init").exit_code == 0
    text = (here / "helios.toml").read_text(encoding="utf-8")
    assert load(here / "helios.toml") == Settings()
    for table, kind in TABLES.items():
        section = text.partition(f"\n[{table}]\n")[2].partition("\n[")[0]
        assert [key for key in kind.__struct_fields__ if f"\n#{key} =" not in f"\n{section}"] == []


def test_its_lines_are_the_defaults_when_the_marks_are_taken_away(here: Path) -> None:
    file = here / "all.toml"
    file.write_text(SET.sub("", template()), encoding="utf-8")
    assert "\nconcurrency = 512\n" in file.read_text(encoding="utf-8")
    assert load(file) == Settings()


def test_a_file_that_is_there_is_replaced_only_by_force(here: Path) -> None:
    (here / "mine.toml").write_text("mine")
    refused = asked("init", "mine.toml")
    assert (refused.exit_code, (here / "mine.toml").read_text()) == (2, "mine")
    assert "mine.toml is there already" in refused.stderr
    assert asked("init", "mine.toml", "--force").exit_code == 0
    assert load(here / "mine.toml") == Settings()


def test_a_file_that_cannot_be_written_is_said() -> None:
    refused = asked("init", "nowhere/helios.toml")
    assert "cannot be written: No such file" in refused.stderr
    assert refused.exit_code == 2


def test_it_tells_where_each_value_comes_from(here: Path) -> None:
    (here / "a.toml").write_text("[fetch]\nconcurrency = 7\nthreads = 3\n[frontier]\nattempts = 4\n")
    words = ("show", "--config", "a.toml", "--set", "frontier.visit_urls=2")
    told = json.loads(asked(*words, "--json", HELIOS_FETCH_THREADS="5").stdout)
    assert told["fetch"]["concurrency"] == {"value": 7, "from": "a.toml"}
    assert told["fetch"]["threads"] == {"value": 5, "from": "HELIOS_FETCH_THREADS"}
    assert told["frontier"]["visit_urls"] == {"value": 2, "from": "option"}
    assert told["frontier"]["attempts"] == {"value": 4, "from": "default"}, "given, but not changed"
    assert set(told) == set(TABLES)
    changed = asked(*words, "--changed", HELIOS_FETCH_THREADS="5").stdout
    assert re.search(r"concurrency\s+7\s+a\.toml", changed)
    assert "max_headers" not in changed


def test_it_shows_what_a_crawl_was_made_with(here: Path) -> None:
    with served({"/": "<p>one page</p>"}) as site:
        helios.crawl(site.at("/"), here / "crawl", config=None, extract=None, **site.settings(max_pages=1))
    told = json.loads(asked("show", "crawl", "--json", "--changed").stdout)
    assert told["crawl"]["max_pages"] == {"value": 1, "from": "crawl/helios.toml"}


def test_secrets_are_not_shown(here: Path) -> None:
    (here / "a.toml").write_text(
        '[fetch]\nauth = { "a.org" = "me:hush" }\nheaders = { Authorization = "hush" }\n'
        '[proxy]\ndefault = "x"\n[proxy.pools.x]\nproxies = ["http://hush:hush@h.test:1/?key=hush", "hush"]\n'
    )
    for words in (("show", "--config", "a.toml"), ("show", "--config", "a.toml", "--json"), ("check", "a.toml")):
        result = asked(*words)
        assert "hush" not in result.output + result.stderr
    assert "http://***@h.test:1" in asked("show", "--config", "a.toml").stdout


def test_a_good_file_is_ok(here: Path) -> None:
    (here / "a.toml").write_text("[fetch]\nconcurrency = 7\n")
    result = asked("check", "a.toml")
    assert (result.exit_code, result.stdout) == (0, "a.toml: ok\n")
    assert json.loads(asked("check", "a.toml", "--json").stdout) == {"file": "a.toml", "ok": True, "problems": []}


def test_everything_that_is_wrong_is_said_at_once(here: Path) -> None:
    (here / "a.toml").write_text("[fetch]\nconcurrency = 0\nthread = 3\n[recrwl]\n[crawl]\nmax_pages = 'x'\n")
    result = asked("check", "a.toml")
    for word in ("concurrency = 0 does not do", "(did you mean threads?)", "[recrwl]", 'max_pages = "x"', "4 wrong"):
        assert word in result.stderr
    assert result.exit_code == 2
    assert len(json.loads(asked("check", "a.toml", "--json").stdout)["problems"]) == 4


WRONG = [
    ("[crawl", "is not TOML"),
    ('[proxy]\ndefault = "x"\n', 'there is no pool "x"'),
    ('[extract]\nfields = [{ name = "a", selector = "::::" }]\n', "selector"),
    ('[crawl]\nmemory = "1MB"\n', "is not enough"),
    ('[crawl]\nmemory = "lots"\n', 'memory = "lots" does not do: give a size with its unit'),
    ('[extract]\nhook = "nowhere:none"\n', "cannot be used"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_what_only_a_part_of_the_crawl_would_find_is_found(here: Path, text: str, says: str) -> None:
    (here / "a.toml").write_text(text)
    result = asked("check", "a.toml")
    assert says in result.stderr
    assert result.exit_code == 2


def test_any_setting_can_be_given_to_a_crawl() -> None:
    with served({"/": "<p>one page</p>"}) as site:
        words = ["crawl", site.at("/"), "--out", "x", "--allow-loopback", "--delay=0", "--set", "frontier.attempts=3"]
        assert CliRunner().invoke(main, words, env={"HELIOS_FRONTIER_VISIT_URLS": "5"}).exit_code == 0
    used = helios.open("x").settings.frontier
    assert (used.attempts, used.visit_urls) == (3, 5)


def test_an_option_and_settings_of_its_table_go_together() -> None:
    with served({"/": "<p>one page</p>"}) as site:
        words = ["crawl", site.at("/"), "--out", "x", "--allow-loopback", "--delay=0", "--recrawl"]
        assert CliRunner().invoke(main, [*words, "--time=1s", "--set", "recrawl.start_s=[60, 60, 60]"]).exit_code == 0
    used = helios.open("x").settings.recrawl
    assert (used.enabled, used.start_s) == (True, (60, 60, 60))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("attempts=3", "give one like"),
        ("fetch.zebra=3", "[fetch] has no setting zebra"),
        ("foo.bar=1", "there is no table foo; tables: "),
    ],
)
def test_a_setting_that_is_none_is_refused(word: str, says: str) -> None:
    result = asked("show", "--set", word)
    assert says in result.stderr
    assert result.exit_code == 2


def test_the_docs_list_the_settings_as_they_are(root: Path) -> None:
    assert (root / "docs" / "settings.md").read_text(encoding="utf-8") == markdown(), (
        "stale: python -m helios.settings.reference > docs/settings.md"
    )
