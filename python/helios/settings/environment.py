"""Settings in environment variables: `HELIOS_<TABLE>_<KEY>`, such as HELIOS_FETCH_CONCURRENCY=64."""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import get_type_hints

import msgspec

from helios.errors import SettingsError
from helios.settings.assemble import PREFIX, TABLES, Layer

SHORT = {"HELIOS_CONTACT": ("fetch", "contact")}  # needed by everyone who crawls the open web
# Variables that are no settings: for models, and for those who test, build and measure Helios.
OTHERS = {
    f"{PREFIX}{name}"
    for name in ("CROWD", "CROWD_PORT", "DATA", "FAULT", "INSTALL", "KILLS", "KV_FOLDER", "MODELS", "SEEDS")
}
# What Kubernetes gives every container of a namespace in which a service is called "helios" or "helios-store".
SERVICE = re.compile(r"_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$")
NONE = "none"  # where a setting may be without a value: that, which TOML has no word for
ALIKE = 0.85  # of two names: one is probably meant for the other

KNOWN: dict[str, tuple[str, str]] = {
    **SHORT,
    **{
        f"{PREFIX}{table}_{key}".upper(): (table, key)
        for table, kind in TABLES.items()
        for key in kind.__struct_fields__
    },
}


def layers_of(environ: Mapping[str, str]) -> Iterator[Layer]:
    """One layer for each variable that is a setting; one that was probably meant to be one is refused."""
    for name in sorted(environ, key=lambda name: (name not in SHORT, name)):  # the full name comes on top of the short
        if not name.startswith(PREFIX) or name in OTHERS:
            continue
        if name in KNOWN:
            table, key = KNOWN[name]
            yield Layer(name, {table: {key: value_of(table, key, environ[name])}})
        elif not SERVICE.search(name):
            _refuse(name)


def value_of(table: str, key: str, text: str) -> object:
    """What a text means as the value of a setting: none, itself, a TOML value, or a list with commas."""
    kind = get_type_hints(TABLES[table], include_extras=True)[key]
    words = [word.strip() for word in text.split(",") if word.strip()]
    for value in (*([None] if text == NONE else []), text, *_toml(text), words):
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            continue
        return value
    return next(_toml(text), text)


def _toml(text: str) -> Iterator[object]:
    try:
        yield tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return


def _refuse(name: str) -> None:
    close = difflib.get_close_matches(name, list(KNOWN), n=1, cutoff=ALIKE)
    table = name.removeprefix(PREFIX).partition("_")[0].lower()
    if close:
        raise SettingsError(f"{name} is no setting: did you mean {close[0]}?")
    if table in TABLES and name != f"{PREFIX}{table}".upper():
        key = name.removeprefix(f"{PREFIX}{table}_".upper()).lower()
        raise SettingsError(f"{name} is no setting: [{table}] has no {key}; helios config show lists what it has")
