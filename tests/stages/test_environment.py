"""Settings from the environment: what is on top of what, what a text means, what is refused."""

from pathlib import Path

import pytest

from helios.errors import SettingsError
from helios.settings import load
from helios.settings.environment import KNOWN, OTHERS

VALUES: list[tuple[str, str, str, str, object]] = [
    ("HELIOS_FETCH_CONCURRENCY", "64", "fetch", "concurrency", 64),
    ("HELIOS_FETCH_COOKIES", "true", "fetch", "cookies", True),
    ("HELIOS_CRAWL_SCOPE", "site", "crawl", "scope", "site"),
    ("HELIOS_FETCH_CONTACT", "me@example.org", "fetch", "contact", "me@example.org"),
    ("HELIOS_CONTACT", "me@example.org", "fetch", "contact", "me@example.org"),
    ("HELIOS_FETCH_USER_AGENT", "123", "fetch", "user_agent", "123"),  # a text that looks like a number stays one
    ("HELIOS_DNS_SERVERS", "127.0.0.1:53, [::1]:53", "dns", "servers", ["127.0.0.1:53", "[::1]:53"]),
    ("HELIOS_DNS_SERVERS", '["127.0.0.1:53"]', "dns", "servers", ["127.0.0.1:53"]),
    ("HELIOS_FETCH_CONTACT", "none", "fetch", "contact", None),
    ("HELIOS_EXTRACT_TEXT", "none", "extract", "text", "none"),  # a word of its own, not the lack of one
    ("HELIOS_FRONTIER_QUOTAS", "[50, 30, 20]", "frontier", "quotas", (50, 30, 20)),
    ("HELIOS_FETCH_AUTH", '{ "a.org" = "me:x" }', "fetch", "auth", {"a.org": "me:x"}),
]


@pytest.mark.parametrize(("name", "text", "table", "key", "value"), VALUES)
def test_a_variable_is_read_as_its_setting_wants_it(name: str, text: str, table: str, key: str, value: object) -> None:
    assert getattr(getattr(load(None, {name: text}), table), key) == value


def test_options_come_on_top_of_the_environment_and_that_on_top_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "helios.toml"
    file.write_text("[fetch]\nconcurrency = 1\nthreads = 1\nmax_headers = 1\n")
    environ = {"HELIOS_FETCH_CONCURRENCY": "2", "HELIOS_FETCH_THREADS": "2"}
    fetch = load(file, environ, concurrency=3).fetch
    assert (fetch.concurrency, fetch.threads, fetch.max_headers) == (3, 2, 1)


def test_the_full_name_comes_on_top_of_the_short_one() -> None:
    both = {"HELIOS_FETCH_CONTACT": "long@example.org", "HELIOS_CONTACT": "short@example.org"}
    assert load(None, both).fetch.contact == "long@example.org"


def test_without_an_environment_none_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELIOS_FETCH_CONCURRENCY", "2")
    assert load().fetch.concurrency == 512


WRONG = [
    ("HELIOS_FETCH_CONCURENCY", "2", "did you mean HELIOS_FETCH_CONCURRENCY?"),
    ("HELIOS_FTECH_CONTACT", "me@example.org", "did you mean HELIOS_FETCH_CONTACT?"),
    ("HELIOS_CONTAKT", "me@example.org", "did you mean HELIOS_CONTACT?"),
    ("HELIOS_FETCH_ZEBRA", "2", "[fetch] has no zebra"),
    ("HELIOS_FETCH_CONCURRENCY", "many", 'HELIOS_FETCH_CONCURRENCY = "many" does not do: give a whole number, 1 or'),
    ("HELIOS_FETCH_AUTH", "me:hush", "HELIOS_FETCH_AUTH = ... does not do"),
]


@pytest.mark.parametrize(("name", "text", "says"), WRONG)
def test_a_wrong_variable_is_refused_with_what_would_do(name: str, text: str, says: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load(None, {name: text})
    assert says in str(raised.value)
    assert "hush" not in str(raised.value)


OURS = sorted(OTHERS)
THEIRS = ["HELIOS_SERVICE_HOST", "HELIOS_STORE_SERVICE_PORT_HTTP", "HELIOS_METRICS_PORT_9464_TCP_ADDR", "HELIOS_PORT"]


@pytest.mark.parametrize("name", [*OURS, *THEIRS, "HELIOS_VERSION", "PATH"])
def test_variables_that_are_no_settings_are_left_alone(name: str) -> None:
    assert load(None, {name: "tcp://10.0.0.1:80"}) == load()


def test_every_setting_has_one_variable() -> None:
    assert len(set(KNOWN.values())) == len(KNOWN) - 1  # HELIOS_CONTACT is short for another
