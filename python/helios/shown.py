"""URLs for people to read: a user in one, who may have a password, is hidden wherever what was given is repeated.

No crawl asks for such a URL: it is refused, and a sentence that refuses one must not repeat it. A site may redirect to
one, too.
"""

import re

HIDDEN = "***"
LONGEST = 1_024  # characters of a user with a slash; or a text of many beginnings would take long
LOOKED_AT = 4_096  # characters of a word; a page may have made it, and of spaces alone each would be a beginning

# A password with a slash ends the host early: what looks like one then has no port after its colon.
_SLASHED = r"[^/\\?#:@\[\s\"]+:(?!\d*(?:[/\\?\s\"]|$)|\d+#)"
_ALONE = re.compile(
    rf"(?<!\S)(?!mailto:)((?:[a-z][a-z0-9+.-]*:)?[/\\]*)(?:[^/\\?#]*|{_SLASHED}.*)@", re.IGNORECASE | re.DOTALL
)
_AMONG_OTHERS = re.compile(rf"(?<=://)(?:(?:[^/\\?#\s\"]|\\.)*|{_SLASHED}(?:[^\s\"]|\\\"){{0,{LONGEST}}})@")


def without_user(word: str) -> str:
    """The beginning of a word that was meant as a URL, whole or not: `me:secret@host` has a password, too."""
    return without_users(_ALONE.sub(rf"\1{HIDDEN}@", word[:LOOKED_AT]))


def without_users(text: str) -> str:
    """A text, or JSON, in which there may be URLs."""
    return _AMONG_OTHERS.sub(f"{HIDDEN}@", text)
