"""A TOML file and overrides become one checked `Settings`, or a sentence that says what would do."""

import difflib
import ipaddress
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

import msgspec

from helios.errors import SettingsError
from helios.settings.tables import Settings

SECRET = {"auth", "pools"}  # settings whose values no message repeats
# Of a crawl's folder: 2 since the mark of what is published is a file of its own and row ids are stable.
# A settings file may say the format it was written for; one of a later format is refused.
FORMAT = 2

TABLES: dict[str, type[msgspec.Struct]] = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def load(*files: Path | None, **overrides: object) -> Settings:
    """Defaults, then each file, then the overrides: `max_pages=10` or `crawl={"max_pages": 10}`."""
    tables: dict[str, dict[str, object]] = {name: {} for name in TABLES}
    for file in files:
        if file is not None:
            _merge(tables, _read(file))
    _merge(tables, _by_table(overrides))
    checked: dict[str, Any] = {name: _table(name, values) for name, values in tables.items()}
    return Settings(**checked)


def require_contact(settings: Settings, seeds: Iterable[str]) -> None:
    """Whoever crawls other people's machines must say who asks."""
    if settings.fetch.contact is not None:
        return
    away = [seed for seed in seeds if not _is_loopback(seed)]
    if away or settings.crawl.scope == "any":
        what = away[0] if away else 'scope "any"'
        raise SettingsError(
            f"crawling {what} needs a contact that the site can complain to: add --contact you@example.org, "
            'or contact = "you@example.org" under [fetch] in the settings file'
        )


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


def _read(file: Path) -> dict[str, Any]:
    content = _parsed(file)
    return {name: value for name, value in content.items() if name not in {"format", "made"}}


def _parsed(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise SettingsError(f"the settings file {file} cannot be read: {why}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the settings file {file} is not TOML: {error}") from error
    found = content.setdefault("format", FORMAT)
    if not isinstance(found, int) or not 1 <= found <= FORMAT:
        raise SettingsError(f"{file} has format = {found}; this version of Helios reads formats up to {FORMAT}")
    return content


def _by_table(overrides: Mapping[str, object]) -> dict[str, object]:
    """Puts each key that is given without its table into the one table that has it."""
    tables: dict[str, Any] = {}
    for key, value in overrides.items():
        if key in TABLES:
            tables.setdefault(key, {}).update(value if isinstance(value, Mapping) else {"": value})
            continue
        homes = [name for name, table in TABLES.items() if key in table.__struct_fields__]
        if not homes:
            raise SettingsError(f"there is no setting {key}{_instead(key, _all_keys())}")
        if len(homes) > 1:
            ways = " or ".join(f'{home}={{"{key}": {value!r}}}' for home in homes)
            raise SettingsError(f"{key} is a setting of several tables: say {ways}")
        tables.setdefault(homes[0], {})[key] = value
    return tables


def _merge(tables: dict[str, dict[str, object]], more: Mapping[str, object]) -> None:
    for name, values in more.items():
        if name not in tables:
            raise SettingsError(f"there is no table [{name}]{_instead(name, TABLES)}; tables: {', '.join(TABLES)}")
        if not isinstance(values, Mapping):
            raise SettingsError(f"{name} = {_show(values)}: [{name}] is a table of settings, not a value")
        tables[name].update(values)


def _table(name: str, values: Mapping[str, object]) -> msgspec.Struct:
    """One table, field by field, so that an error can name the field, its value and what would do."""
    kind = TABLES[name]
    types = get_type_hints(kind, include_extras=True)
    checked = {}
    for key, value in values.items():
        if key not in types:
            raise SettingsError(f"[{name}] has no setting {key}{_instead(key, types)}")
        try:
            checked[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError as error:
            shown = "..." if key in SECRET else _show(value)
            raise SettingsError(f"[{name}] {key} = {shown} does not do: {_wanted(kind, key)}") from error
    return kind(**checked)


def _wanted(kind: type[msgspec.Struct], key: str) -> str:
    """What would do, from the type and its description."""
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"][key]
    default = schema.get("default")
    choices = [choice for choice in schema.get("anyOf", [schema]) if choice.get("type") != "null"]
    form = "; ".join(_form(choice) for choice in choices)
    says = schema.get("description") or choices[0]["description"]
    return f"give {form} ({says}; default: {'none' if default in (None, []) else _show(default)})"


def _form(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"enum": values}:
            return "one of " + ", ".join(_show(value) for value in values)
        case {"type": "integer", "minimum": minimum}:
            return f"a whole number, {minimum} or more"
        case {"type": "array", "items": items}:
            return f"a list, each {_form(items)}"
        case {"type": "string"}:
            return "a text"
        case _:
            return f"a {schema.get('type', 'value')}"


def _all_keys() -> list[str]:
    return [*TABLES, *(key for table in TABLES.values() for key in table.__struct_fields__)]


def _instead(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _show(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except TypeError:
        return repr(value)
