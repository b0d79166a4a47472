"""Values from several places become one checked `Settings`, or sentences that say what would do."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_type_hints

import msgspec

from helios.errors import SettingsError
from helios.settings.secrets import SECRET
from helios.settings.tables import Settings
from helios.settings.words import FEW, MOST
from helios.shown import without_users

PREFIX = "HELIOS_"  # of environment variables
FORMS = {"string": "a text", "boolean": "true or false", "object": "a table"}
INSIDE = re.compile(r"at `\$(?P<path>[^`]+)`")  # where msgspec found what is wrong
STEP = re.compile(r"\[(?P<place>[0-9]+)\]|\.(?P<name>\w+)")
LACK = re.compile(r"missing required field `\w+`|unknown field `\w+`")

TABLES: dict[str, type[msgspec.Struct]] = {field.name: field.type for field in msgspec.structs.fields(Settings)}


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says; later layers come on top of earlier ones."""

    source: str  # the name of a file or of an environment variable, or "option"
    tables: Mapping[str, object]


@dataclass(slots=True)
class Assembled:
    """What came of some layers. With problems, what they are about has its default."""

    settings: Settings = field(default_factory=Settings)
    origins: dict[tuple[str, str], str] = field(default_factory=dict)  # table, key -> source, of all that was given
    problems: list[str] = field(default_factory=list)


def assembled(layers: Iterable[Layer]) -> Assembled:
    """Defaults, then each layer in turn, checked; every problem is told, not only the first."""
    found = Assembled()
    values: dict[str, dict[str, object]] = {name: {} for name in TABLES}
    for layer in layers:
        for name, given in layer.tables.items():
            if (problem := _no_table(name, given)) is not None:
                found.problems.append(problem)
            elif isinstance(given, Mapping):
                values[name].update(given)
                found.origins.update({(name, key): layer.source for key in given})
    checked: dict[str, Any] = {name: _table(name, given, found) for name, given in values.items()}
    found.settings = Settings(**checked)
    return found


def checked(layers: Iterable[Layer]) -> Settings:
    """As `assembled`; the first problem is raised."""
    found = assembled(layers)
    if found.problems:
        raise SettingsError(found.problems[0])
    return found.settings


def _no_table(name: str, given: object) -> str | None:
    if name not in TABLES:
        return f"there is no table [{name}]{instead(name, TABLES)}; tables: {', '.join(TABLES)}"
    if not isinstance(given, Mapping):
        return f"{name} = {_show(given)}: [{name}] is a table of settings, not a value"
    return None


def _table(name: str, values: Mapping[str, object], found: Assembled) -> msgspec.Struct:
    """One table, field by field, so that an error can name the field, its value and what would do."""
    kind = TABLES[name]
    types = get_type_hints(kind, include_extras=True)
    good = {}
    for key, value in values.items():
        if key not in types:
            found.problems.append(f"[{name}] has no setting {key}{instead(key, types)}")
            continue
        try:
            good[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError as error:
            where = _where(found.origins[name, key], name, key)
            shown, why = ("...", "") if f"{name}.{key}" in SECRET else (_show(value), _blamed(value, str(error)))
            found.problems.append(f"{where} = {shown} does not do{why}: {_wanted(kind, key, value)}")
    return kind(**good)


def _blamed(value: object, error: str) -> str:
    """Which part of a list or a table is wrong; nothing where it is the whole value."""
    found = INSIDE.search(error)
    if found is None:
        return ""
    part, name = value, ""
    for step in STEP.finditer(found["path"]):
        try:
            part, name = (part[int(step["place"])], "") if step["place"] else (part[step["name"]], step["name"])  # type: ignore[index]
        except (LookupError, TypeError, ValueError):
            return ""
    lack = LACK.search(error)
    return f" because of {name + ' = ' if name else ''}{_show(part)}" + (
        f" ({lack[0].replace('`', '')})" if lack else ""
    )


def _where(source: str, name: str, key: str) -> str:
    """A variable is what its giver knows; everything else goes by table and key."""
    return source if source.startswith(PREFIX) else f"[{name}] {key}"


def schema_of(kind: type[msgspec.Struct], key: str) -> dict[str, Any]:
    """What the type of a setting says of it."""
    return dict(_schemas(kind)[key])


@cache
def _schemas(kind: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """Those of a whole table are made at once, which takes long; every setting is asked for when a crawl begins."""
    return dict(msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"])


def meaning(kind: type[msgspec.Struct], key: str) -> str:
    """The description of a setting, as written where its table is."""
    schema = schema_of(kind, key)
    found = [schema, *schema.get("anyOf", [])]
    return next(str(part["description"]) for part in found if "description" in part)


def form_of(kind: type[msgspec.Struct], key: str) -> str:
    """What kind of value a setting takes, in words."""
    schema = schema_of(kind, key)
    choices = [choice for choice in schema.get("anyOf", [schema]) if choice.get("type") != "null"]
    return "; ".join(_form(choice) for choice in choices)


def _wanted(kind: type[msgspec.Struct], key: str, value: object) -> str:
    """What would do, from the type and its description."""
    schema = schema_of(kind, key)
    default = schema.get("default")
    shown = "none" if default in (None, []) else _show(default)
    most = next((most for most in _maxima(schema) if most in (FEW, MOST)), None)
    numbers = [one for one in (value if isinstance(value, list | tuple) else [value]) if isinstance(one, int)]
    limit = f", at most {most:,}" if most is not None and max(numbers, default=0) > most else ""
    return f"give {form_of(kind, key)}{limit} ({meaning(kind, key)}; default: {shown})"


def _maxima(schema: Mapping[str, Any]) -> Iterator[int]:
    """The largest numbers that a setting takes, or each of its items."""
    if "maximum" in schema:
        yield schema["maximum"]
    items = schema.get("items")
    for part in (
        *schema.get("anyOf", ()),
        *schema.get("prefixItems", ()),
        *([items] if isinstance(items, dict) else ()),
    ):
        yield from _maxima(part)


def _form(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"enum": values}:
            return "one of " + ", ".join(_show(value) for value in values)
        case {"form": str() as form}:
            return form
        case {"type": "integer" | "number" as kind, "minimum": least, "maximum": most}:
            number = "a whole number" if kind == "integer" else "a number"
            return f"{number}, {least} or more" if most in (FEW, MOST) else f"{number}, {least} to {most}"
        case {"type": "array", "prefixItems": items}:
            return f"a list of {len(items)}, each {_form(items[0])}"
        case {"type": "array", "items": dict() as items}:
            return f"a list, each {_form(items)}"
        case _:
            return FORMS.get(schema.get("type", "object"), "a number")


def instead(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _show(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # JSON would write a large one as 1e+20
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, OverflowError):
        text = repr(value)
    return without_users(text)
