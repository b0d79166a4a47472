"""Settings: what is refused, and whether the refusal says what would do."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from helios import _core
from helios.errors import SettingsError
from helios.settings import Settings, load, require_contact, to_toml
from helios.settings.assemble import TABLES, meaning, schema_of
from helios.settings.load import OPTIONS
from helios.stages import tried

WRONG: list[tuple[dict[str, object], list[str]]] = [
    ({"frontier": {"delay": 5}}, ["[frontier] has no setting delay", "did you mean delay_ms?"]),
    (
        {"frontier": {"delay_ms": "fast"}},
        ['[frontier] delay_ms = "fast"', "a whole number, 0 or more", "default: 1000"],
    ),
    ({"frontier": {"delay_ms": -1}}, ["[frontier] delay_ms = -1", "0 or more", "milliseconds"]),
    ({"frontier": {"delay_ms": 1.5}}, ["[frontier] delay_ms = 1.5", "a whole number"]),
    ({"frontier": {"delay_ms": True}}, ["[frontier] delay_ms = true", "a whole number"]),
    (
        {"crawl": {"max_pages": 99_999_999_999_999_999_999}},
        ["[crawl] max_pages = 99999999999999999999 does not do", "1 or more, at most 1,000,000,000,000,000 (pages"],
    ),
    ({"crawl": {"max_depth": 2**32}}, ["[crawl] max_depth = 4294967296", "0 or more, at most 4,294,967,295"]),
    ({"fetch": {"total_timeout_ms": 2**64 - 1}}, ["= 18446744073709551615", "at most 1,000,000,000,000,000"]),
    ({"fetch": {"threads": 10**9}}, ["[fetch] threads = 1000000000", "a whole number, 0 to 1024 ("]),
    ({"extract": {"similarity": 2}}, ["[extract] similarity = 2", "a number, 0.5 to 1.0 ("]),
    ({"frontier": {"quotas": [2**32, 1, 1]}}, ["because of 4294967296: give a list of 3", "at most 4,294,967,295"]),
    ({"recrawl": {"start_s": [60, -1, 60]}}, ["start_s = [60,-1,60] does not do because of -1:", "0 or more"]),
    (
        {"frontier": {"tiers": [{"pattern": "a", "tier": 1}, {"pattern": "b", "tier": 4}]}},
        ["does not do because of tier = 4:"],
    ),
    ({"frontier": {"tiers": [{"tier": 1}]}}, ['because of {"tier":1} (missing required field pattern):']),
    ({"frontier": {"tiers": [{"pattern": "a", "tier": 1, "x": 2}]}}, ["(unknown field x):"]),
    (
        {"extract": {"hook": "nope"}},
        ['hook = "nope" does not do: give a module, a colon and a function', '"shop:price"'],
    ),
    ({"metrics": {"listen": "foo"}}, ['listen = "foo" does not do: give an address with its port', '"127.0.0.1:9464"']),
    ({"crawl": {"scope": "http://me:hush@h/"}}, ['[crawl] scope = "http://***@h/"']),
    ({"crawl": {"max_pages": 0}}, ["[crawl] max_pages = 0", "1 or more", "default: none"]),
    (
        {"crawl": {"scope": "world"}},
        ['[crawl] scope = "world"', 'one of "any", "host", "list", "site"', 'default: "host"'],
    ),
    ({"dns": {"servers": ["9.9.9.9"]}}, ['[dns] servers = ["9.9.9.9"]', "address:port"]),
    (
        {"dns": {"servers": ["9.9.9.9:53", "1.2.3.4"]}},
        ['does not do because of "1.2.3.4": give a list, each an IP address with its port, such as "9.9.9.9:53"'],
    ),
    ({"dns": {"servers": ["dns.example:53"]}}, ['because of "dns.example:53": give a list, each an IP address']),
    ({"dns": {"servers": "9.9.9.9:53"}}, ['[dns] servers = "9.9.9.9:53"', "a list"]),
    ({"fetch": {"allow": ["localhost"]}}, ['[fetch] allow = ["localhost"]', '"loopback"']),
    ({"fetch": {"contact": "me"}}, ['[fetch] contact = "me"', "e-mail or web address"]),
    ({"fetch": {"contact": "me@x.org\r\nHost: y"}}, ["[fetch] contact", "e-mail or web address"]),
    ({"fetch": {"user_agent": "Bad\nAgent"}}, ["[fetch] user_agent", "a line of ASCII letters", "User-Agent"]),
    ({"fetch": {"accept": ["html"]}}, ['[fetch] accept = ["html"]', "text/html"]),
    ({"fetch": {"auth": {"a.org": 3}}}, ["[fetch] auth = ...", "user:password"]),
    ({"proxy": {"pools": {"a b": {"proxies": []}}}}, ["[proxy] pools = ...", "pools by name"]),
    ({"proxy": {"pools": {"a": {"proxies": "http://me:hush@h:1"}}}}, ["[proxy] pools = ...", "pools by name"]),
    ({"proxy": {"failures": 0}}, ["[proxy] failures = 0", "1 or more", "default: 3"]),
    ({"robots": {"token": "helios\n"}}, ['[robots] token = "helios\\n"', "letters, - and _"]),
    ({"fetch": {"contact": "me@example.org\n"}}, ['[fetch] contact = "me@example.org\\n"']),
    ({"crawl": {"memory": "500MB\n"}}, ['[crawl] memory = "500MB\\n"', "a size with its unit"]),
    ({"robots": {"token": "He lios"}}, ['[robots] token = "He lios"', "RFC 9309"]),
    ({"fecth": {}}, ["there is no table fecth", "did you mean fetch?"]),
    ({"foo": {"bar": 1}}, ["there is no table foo; tables: crawl, urls, frontier"]),
    ({"header": {"a": "b"}}, ["there is no table header", "did you mean headers?"]),
    ({"proxy": "http://me:hush@h:1"}, ["proxy is a table of settings: give it as proxy={...}; it has "]),
    ({"dns": "127.0.0.1:53"}, ["give it as dns={...}; it has servers, "]),
    ({"allow_loopback": True}, ["there is no setting allow_loopback", 'say allow=["loopback"]']),
    ({"max_page": 3}, ["there is no setting max_page", "did you mean max_pages?"]),
    ({"attempts": 3}, ["several tables", 'frontier={"attempts": 3}', 'robots={"attempts": 3}']),
    ({"crawl": {"max_pages": object()}}, ["[crawl] max_pages = <object", "a whole number"]),
]


@pytest.mark.parametrize(("overrides", "words"), WRONG, ids=lambda value: str(value)[:50])
def test_a_wrong_setting_is_named_with_its_value_and_what_would_do(
    overrides: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(SettingsError) as raised:
        load(**overrides)
    for word in words:
        assert word in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "hush" not in str(raised.value)


def numbers() -> Iterator[tuple[str, str, Any]]:
    """Every setting that is a whole number, or several, and the largest that it takes."""
    for table, kind in TABLES.items():
        for key in kind.__struct_fields__:
            schema = schema_of(kind, key)
            for choice in schema.get("anyOf", [schema]):
                items = choice.get("prefixItems")
                number = items[0] if items else choice
                if number.get("type") == "integer":
                    most = number.get("maximum", 2**64)  # which nothing holds
                    yield table, key, [most] * len(items) if items else most


# So many threads would be started; the delay needs one connection.
TOGETHER: dict[str, dict[str, object]] = {
    "threads": {"threads": 1},
    "address_delay_ms": {"address_connections": 1},
}


@pytest.mark.parametrize(("table", "key", "most"), list(numbers()), ids=str)
def test_the_core_holds_the_largest_number_of_each_setting(table: str, key: str, most: object) -> None:
    tried(load(**{table: {key: most, **TOGETHER.get(key, {})}}))


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "helios.toml"
    file.write_bytes(b"\xef\xbb\xbf[crawl]\nmax_pages = 3\n")
    assert load(file) == load(max_pages=3)


WRONG_FILES = [
    ("[fecth]\n", "there is no table [fecth] (did you mean fetch?); tables: crawl, urls, frontier, seen"),
    ("crawl = 3\n", "crawl = 3: [crawl] is a table of settings, not a value"),
    ("[crawl\n", "is not TOML"),
    ("format = 3\n", "has format = 3; this version of Helios reads formats up to 2"),
    ('format = 3\nmade = { helios = "0.9" }\n', "reads formats up to 2: use Helios 0.9, which wrote it"),
    ('format = "x"\n', "has format = x; this version of Helios reads formats up to 2"),
    ("[crawl]\nmax_pages = '3'\n", '[crawl] max_pages = "3" does not do: give a whole number, 1 or more'),
]


@pytest.mark.parametrize(("text", "words"), WRONG_FILES)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "helios.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as raised:
        load(file)
    assert words in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml cannot be read: No such file"):
        load(tmp_path / "none.toml")


def test_overrides_come_on_top_of_the_file_and_the_file_on_top_of_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "helios.toml"
    file.write_text("[frontier]\ndelay_ms = 5\nattempts = 2\n")
    settings = load(file, delay_ms=7)
    assert (settings.frontier.delay_ms, settings.frontier.attempts, settings.frontier.visit_urls) == (7, 2, 16)


def test_a_key_may_be_given_by_itself_or_in_its_table() -> None:
    assert load(max_pages=3) == load(crawl={"max_pages": 3})


def test_settings_survive_being_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "helios.toml"
    settings = load(
        max_pages=3,
        contact="me@example.org",
        servers=["[::1]:53"],
        allow=["loopback"],
        extra_ca='a"b\\c',
        headers={"X-A": "b"},
        auth={"*.a.org": 'me:"x'},
        proxy={"pools": {"x": {"proxies": ["socks5://h:1"]}}, "rules": [{"pattern": "*.a.org", "pool": "x"}]},
    )
    for one in (Settings(), settings):
        file.write_text(to_toml(one))
        assert load(file) == one


WRONG_PROXIES: list[tuple[dict[str, object], str]] = [
    (
        {"pools": {"x": {"proxies": ["me:hush@h"]}}, "default": "x"},
        r'proxy\.pools\.x: "\*\*\*@h": a proxy URL begins with http://',
    ),
    (
        {"pools": {"x": {"proxies": ["h"]}}, "default": "x"},
        r'proxy\.pools\.x: "h" is no proxy URL, such as http://user:password@host:3128',
    ),
    ({"pools": {"x": {"proxies": ["http://me:hush@h:1"]}}}, r"proxy\.pools\.x: no host goes there"),
    ({"default": "y"}, r'proxy\.default: there is no pool "y"; there are: direct'),
]


@pytest.mark.parametrize(("proxy", "words"), WRONG_PROXIES)
def test_the_core_refuses_proxies_that_make_no_sense(proxy: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=words) as raised:
        fetcher_with(proxy)
    assert "hush" not in str(raised.value)


def test_proxies_are_counted_under_a_name_without_their_password() -> None:
    (counted,) = fetcher_with(
        {"pools": {"x": {"proxies": ["http://me:hush@h.test:3128"]}}, "default": "x"}
    ).proxy_stats()
    assert counted["proxy"] == "http://me:***@h.test:3128"
    assert (counted["connections"], counted["requests"], counted["in_cool_down"]) == (0, 0, False)


def fetcher_with(proxy: dict[str, object]) -> _core.Fetcher:
    settings = load(proxy=proxy, user_agent="Helios")
    tables = {name: msgspec.to_builtins(getattr(settings, name)) for name in ("fetch", "proxy", "dns", "robots")}
    tables["fetch"].pop("contact")
    return _core.Fetcher(json.dumps(tables))


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        load().crawl.max_pages = 3  # type: ignore[misc]


@pytest.mark.parametrize("table", TABLES)
def test_every_setting_says_what_it_means(table: str) -> None:
    for key in TABLES[table].__struct_fields__:
        assert len(meaning(TABLES[table], key)) > 10, f"{table}.{key}"


@pytest.mark.parametrize("table", TABLES)
def test_every_time_and_size_names_its_unit(table: str) -> None:
    units = {"_ms": "millisecond", "_s": "second", "_bytes": "bytes"}
    for key in TABLES[table].__struct_fields__:
        for suffix, unit in units.items():
            if key.endswith(suffix):
                assert unit in meaning(TABLES[table], key), f"{table}.{key}"


OPEN_WEB = ["https://example.org/", "http://10.0.0.1/", "http://127.0.0.1.example.org/", "http://[2001:db8::1]/"]
AT_HOME = ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:80/a", "http://127.9.9.9/"]


@pytest.mark.parametrize("seed", OPEN_WEB)
def test_the_open_web_needs_a_contact(seed: str) -> None:
    with pytest.raises(
        SettingsError, match=r"--contact you@example.org.*--set fetch.contact=.*HELIOS_CONTACT=.*\[fetch\]"
    ):
        require_contact(load(), [AT_HOME[0], seed])
    require_contact(load(contact="https://example.org/bot"), [seed])


@pytest.mark.parametrize("seed", AT_HOME)
def test_this_machine_needs_none(seed: str) -> None:
    require_contact(load(), [seed])


def test_a_crawl_that_may_leave_this_machine_needs_a_contact() -> None:
    with pytest.raises(SettingsError, match='scope "any"'):
        require_contact(load(scope="any"), AT_HOME)


def test_the_tables_can_be_read_by_a_generator() -> None:
    schema = msgspec.json.schema(Settings)["$defs"]
    assert schema["Frontier"]["properties"]["delay_ms"]["description"]


def test_the_core_has_the_same_defaults() -> None:
    theirs = json.loads(_core.frontier_defaults())
    told = {"max_body_bytes", "lost_after_ms", "cookies"}  # follow from [fetch], see stages.py
    for table, values in theirs.items():
        ours = msgspec.to_builtins(getattr(load(), table))
        ours.pop("memory", None)  # the core gets its shares of it
        assert set(values) - told == set(ours), table
        for key, value in ours.items():
            assert values[key] == approximately(value), f"{table}.{key}"


def approximately(value: object) -> object:
    """The core has some numbers in single precision."""
    if isinstance(value, dict):
        return {key: approximately(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [approximately(part) for part in value]
    return pytest.approx(value, rel=1e-6) if isinstance(value, float) else value


@pytest.mark.parametrize("option", OPTIONS)
def test_what_is_said_instead_of_an_option_is_a_setting(option: str) -> None:
    key, _, value = OPTIONS[option].partition("=")
    assert load(**{key: json.loads(value)}) != load()
