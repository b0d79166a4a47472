"""The words that every setting is described with."""

import re

from msgspec import Meta

SIZE = re.compile(r"^([0-9]+(?:\.[0-9]+)?) ?([kKMGT]i?B|B)$")
UNITS = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BINARY = {"KiB": 1 << 10, "kiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


def says(text: str) -> Meta:
    """What a setting is for; every setting has one."""
    return Meta(description=text)


def least(minimum: int, text: str) -> Meta:
    """A number of at least `minimum`."""
    return Meta(ge=minimum, description=text)


def bytes_of(size: str) -> int:
    """A size as it stands in the settings, in bytes: "1.5GB" is 1,500,000,000."""
    found = SIZE.match(size)
    if found is None:
        raise ValueError(f"{size!r} is no size; write 500MB or 2GB")
    return int(float(found[1]) * (UNITS | BINARY)[found[2]])
