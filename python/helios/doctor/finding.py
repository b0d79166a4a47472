"""What a check says."""

from typing import Literal, TypeAlias

from msgspec import Struct

State: TypeAlias = Literal["ok", "warn", "fail", "skip"]


class Finding(Struct, frozen=True):
    """One line: what was looked at, how it is, what was found, and what would help."""

    check: str
    state: State
    says: str
    fix: str = ""
