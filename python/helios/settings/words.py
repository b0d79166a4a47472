"""The words that every setting is described with."""

from msgspec import Meta


def says(text: str) -> Meta:
    """What a setting is for; every setting has one."""
    return Meta(description=text)


def least(minimum: int, text: str) -> Meta:
    """A number of at least `minimum`."""
    return Meta(ge=minimum, description=text)
