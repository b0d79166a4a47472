"""Settings as TOML with their explanations, as kept in the crawl's folder; `load` reads it back."""

import re
from collections.abc import Mapping

import msgspec

from helios.settings.load import FORMAT, TABLES
from helios.settings.tables import Settings


def to_toml(settings: Settings, made: Mapping[str, str] | None = None) -> str:
    """Every table and key, each with what it means; a key without a value is written as a comment."""
    lines = ["# The settings of this crawl. Can be given to another crawl with --config.", f"format = {FORMAT}"]
    if made:
        lines.append(f"made = {_inline(dict(made))}  # by which version, when, and which crawl this is")
    for name, kind in TABLES.items():
        lines += ["", f"# {(kind.__doc__ or '').strip()}", f"[{name}]"]
        table = getattr(settings, name)
        for key in kind.__struct_fields__:
            value = getattr(table, key)
            lines.append(f"# {key} =" if value is None else f"{key} = {_inline(msgspec.to_builtins(value))}")
            lines[-1] += f"  # {meaning(kind, key)}"
    return "\n".join(lines) + "\n"


def _inline(value: object) -> str:
    """Text, numbers and flags are spelled the same in JSON and in TOML; tables are not."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(part) for part in value) + "]"
    return msgspec.json.encode(value).decode()


def _key(name: str) -> str:
    """Names of hosts have dots, which would make tables of them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _inline(name)


def meaning(kind: type[msgspec.Struct], key: str) -> str:
    """The description of a setting, as written in `tables.py`."""
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"][key]
    found = [schema, *schema.get("anyOf", [])]
    return next(str(part["description"]) for part in found if "description" in part)
