"""The words that every setting is described with."""

import re

from msgspec import Meta

SIZE = re.compile(r"^([0-9]+(?:\.[0-9]+)?) ?([kKMGT]i?B|B)$")
UNITS = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
MOST = 10**15  # of a number that the core holds in 64 bits: what it adds to it or multiplies it with still fits
FEW = 2**32 - 1  # of one that it holds in 32
BINARY = {"KiB": 1 << 10, "kiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


def says(text: str) -> Meta:
    """What a setting is for; every setting has one."""
    return Meta(description=text)


def least(minimum: int, text: str | None = None) -> Meta:
    """A number of at least `minimum`."""
    return Meta(ge=minimum, le=MOST, description=text)


def few(minimum: int, text: str | None = None) -> Meta:
    """A number of at least `minimum` that is never large."""
    return Meta(ge=minimum, le=FEW, description=text)


def like(pattern: str, form: str, text: str | None = None) -> Meta:
    """A text that is like `pattern`; `form` says it in words."""
    whole = pattern.removesuffix("$") + r"\Z"  # $ would let a line end pass
    return Meta(pattern=whole, description=text, extra_json_schema={"form": form})


def bytes_of(size: str) -> int:
    """A size as it stands in the settings, in bytes: "1.5GB" is 1,500,000,000."""
    found = SIZE.match(size)
    if found is None:
        raise ValueError(f"{size!r} is no size; write 500MB or 2GB")
    return int(float(found[1]) * (UNITS | BINARY)[found[2]])
