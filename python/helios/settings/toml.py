"""Settings as TOML with their explanations; `load` reads it back.

`to_toml` is what is kept in the crawl's folder: every value. `template` is what a person begins with: every value as a
comment, so that what they do not set has the defaults of later versions, too.
"""

import re
import textwrap
from collections.abc import Mapping

import msgspec

from helios.settings.assemble import TABLES, meaning
from helios.settings.load import FORMAT
from helios.settings.tables import Settings

WIDTH = 110


def to_toml(settings: Settings, made: Mapping[str, str] | None = None) -> str:
    """Every table and key, each with what it means; a key without a value is written as a comment."""
    lines = ["# The settings of this crawl. Can be given to another crawl with --config.", f"format = {FORMAT}"]
    if made:
        lines.append(f"made = {inline(dict(made))}  # by which version, when, and which crawl this is")
    for name, kind in TABLES.items():
        lines += ["", f"# {(kind.__doc__ or '').strip()}", f"[{name}]"]
        table = getattr(settings, name)
        for key in kind.__struct_fields__:
            value = getattr(table, key)
            lines.append(f"# {key} =" if value is None else f"{key} = {inline(msgspec.to_builtins(value))}")
            lines[-1] += f"  # {meaning(kind, key)}"
    return "\n".join(lines) + "\n"


def template() -> str:
    """Every table and key as a comment, with default and meaning."""
    lines = [
        "# Settings of Helios: helios crawl --config FILE. Take the # from a line to set it; the values here are the",
        "# defaults. The environment (HELIOS_<TABLE>_<KEY>) comes on top of this file, options on top of both.",
        f"format = {FORMAT}",
    ]
    for name, kind in TABLES.items():
        lines += ["", f"# {(kind.__doc__ or '').strip()}", f"[{name}]"]
        for key in kind.__struct_fields__:
            value = getattr(kind(), key)
            lines.append(f"# {meaning(kind, key)}" + (" (no default)" if value is None else ""))
            lines += _commented(key, msgspec.to_builtins(value))
    return "\n".join(lines) + "\n"


def _commented(key: str, value: object) -> list[str]:
    """The line that sets it, as a comment; long lists as several."""
    if value is None:
        return [f"#{key} ="]
    line = f"#{key} = {inline(value)}"
    if len(line) <= WIDTH or not isinstance(value, list | tuple):
        return [line]
    parts = textwrap.wrap(", ".join(inline(part) for part in value), WIDTH, break_long_words=False)
    return [f"#{key} = [", *(f"#  {part}" for part in parts), "#]"]


def inline(value: object) -> str:
    """Text, numbers and flags are spelled the same in JSON and in TOML; tables are not."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {inline(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline(part) for part in value) + "]"
    return msgspec.json.encode(value).decode()


def _key(name: str) -> str:
    """Names of hosts have dots, which would make tables of them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else inline(name)
