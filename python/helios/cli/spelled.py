"""Bytes that are no UTF-8, in words and variables: refused once, before a command can stumble over them half way."""

import os
from collections.abc import Iterable, Mapping

from helios.errors import SettingsError
from helios.shown import without_user

VARIABLES = "HELIOS_"


def require_utf8(words: Iterable[str], environ: Mapping[str, str]) -> None:
    """Python hands on what it cannot read as lone surrogates, which nothing else takes."""
    for word in words:
        if not _is_utf8(word):
            raise SettingsError(f"{_shown(word)} is not UTF-8: Helios takes arguments in UTF-8 only")
    for name, value in environ.items():
        if name.startswith(VARIABLES) and not (_is_utf8(name) and _is_utf8(value)):
            raise SettingsError(f"the variable {_shown(name)} is not UTF-8: Helios takes variables in UTF-8 only")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(word: str) -> str:
    """The word with its odd bytes as they would be typed; a secret setting by its name, a URL without its user."""
    from helios.settings.secrets import SECRET  # noqa: PLC0415  # --help needs no settings

    text = os.fsencode(word).decode("utf-8", "backslashreplace")
    name, equals, _ = text.partition("=")
    if equals and any(secret in name for secret in SECRET):
        return f"{name}=…"
    return without_user(text)
