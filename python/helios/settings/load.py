"""A TOML file, the environment and overrides become one checked `Settings`, or a sentence that says what would do."""

import ipaddress
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from helios.errors import SettingsError
from helios.settings.assemble import TABLES, Layer, checked, form_of, instead
from helios.settings.environment import layers_of
from helios.settings.tables import Settings
from helios.shown import without_users

# Of a crawl's folder: 2 since the mark of what is published is a file of its own and row ids are stable.
# A settings file may say the format it was written for; one of a later format is refused.
FORMAT = 2

Place: TypeAlias = Path | Mapping[str, str] | None  # a TOML file, or environment variables

# Options of the command line whose settings have other names, and how the same is said in Python.
OPTIONS = {
    "allow_loopback": 'allow=["loopback"]',
    "allow_private": 'allow=["private"]',
    "time": "max_seconds=600",
    "warc": 'kinds=["lance", "warc"]',
}
# How a contact is given to what begins a crawl or goes on with one.
CONTACT = (
    "add --contact you@example.org (helios resume: --set fetch.contact=you@example.org), or set "
    'HELIOS_CONTACT=you@example.org, or contact = "you@example.org" under [fetch] in the settings file'
)


def load(*places: Place, **overrides: object) -> Settings:
    """Defaults, then each file or environment, then the overrides: `max_pages=10` or `crawl={"max_pages": 10}`.

    The environment counts for those who run crawls; who reads what a crawl was made with gives none.
    """
    return checked(layers(*places, **overrides))


def layers(*places: Place, **overrides: object) -> list[Layer]:
    """What each place says, the first to be overridden first."""
    said: list[Layer] = []
    for place in places:
        said += [Layer(str(place), _read(place))] if isinstance(place, Path) else layers_of(place or {})
    return [*said, Layer("option", _by_table(overrides))]


def require_contact(settings: Settings, seeds: Iterable[str], advice: str = CONTACT) -> None:
    """Whoever crawls other people's machines must say who asks; `advice` is how to."""
    if settings.fetch.contact is not None:
        return
    away = next((seed for seed in seeds if not _is_loopback(seed)), None)
    if away is not None or settings.crawl.scope == "any":
        what = away or 'scope "any"'
        raise SettingsError(f"crawling {what} needs a contact that the site can complain to: {advice}")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def made_of(file: Path) -> dict[str, str]:
    """What the file in a crawl's folder says of how the crawl was made, and its format."""
    content = _parsed(file)
    made = content.get("made", {})
    said = {str(key): str(value) for key, value in made.items()} if isinstance(made, dict) else {}
    return {**said, "format": str(content["format"])}


def was_made(file: Path) -> bool:
    """Does it say how a crawl was made? A file that a person writes does not."""
    return "made" in _parsed(file)


def _read(file: Path) -> dict[str, Any]:
    content = _parsed(file)
    return {name: value for name, value in content.items() if name not in {"format", "made"}}


def _parsed(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise SettingsError(f"the settings file {file} cannot be read: {why}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the settings file {file} is not TOML: {error}") from error
    found = content.setdefault("format", FORMAT)
    if not isinstance(found, int) or not 1 <= found <= FORMAT:
        raise SettingsError(
            f"{file} has format = {found}; this version of Helios reads formats up to {FORMAT}{_writer(content)}"
        )
    return content


def _writer(content: Mapping[str, Any]) -> str:
    """What to do about a file of a later format, if it says who wrote it."""
    made = content.get("made")
    version = made.get("helios") if isinstance(made, dict) else None
    return f": use Helios {version}, which wrote it" if isinstance(version, str) else ""


def _by_table(overrides: Mapping[str, object]) -> dict[str, object]:
    """Puts each key that is given without its table into the one table that has it."""
    tables: dict[str, Any] = {}
    for key, value in overrides.items():
        if key in TABLES:
            if not isinstance(value, Mapping):
                function = ", or a function that takes a page" if key == "extract" else ""
                names = ", ".join(TABLES[key].__struct_fields__)
                raise SettingsError(f"{key} is a table of settings: give it as {key}={{...}}{function}; it has {names}")
            tables.setdefault(key, {}).update(value)
            continue
        homes = [name for name, table in TABLES.items() if key in table.__struct_fields__]
        if not homes and isinstance(value, Mapping):
            raise SettingsError(f"there is no table {key}{instead(key, _all_tables())}; tables: {', '.join(TABLES)}")
        if not homes:
            meant = f": say {OPTIONS[key]}" if key in OPTIONS else instead(key, _all_keys())
            raise SettingsError(f"there is no setting {key}{meant}")
        if len(homes) > 1:
            ways = " or ".join(f'{home}={{"{key}": {value!r}}}' for home in homes)
            raise SettingsError(f"{key} is a setting of several tables: say {without_users(ways)}")
        tables.setdefault(homes[0], {})[key] = value
    return tables


def _all_tables() -> list[str]:
    """Tables of settings, and settings that are tables."""
    return [
        *TABLES,
        *(key for kind in TABLES.values() for key in kind.__struct_fields__ if form_of(kind, key) == "a table"),
    ]


def _all_keys() -> list[str]:
    return [*TABLES, *(key for table in TABLES.values() for key in table.__struct_fields__)]
