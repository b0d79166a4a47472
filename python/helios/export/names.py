"""What the file of a page is called: its URL, as near as every file system allows.

    http://example.org/              example.org/index
    http://example.org/a/b.html      example.org/a/b
    http://example.org:81/?q=tea     example.org_81/index_q=tea

Names of folders never end in `.md`, so that none is ever the name of a page's file.
"""

import re
import unicodedata
from urllib.parse import unquote, urlsplit

SEGMENT, WHOLE = 100, 200  # bytes of UTF-8
FORBIDDEN = re.compile(r'[<>:"/\\|?*\s]+')  # on some file system
HTML = re.compile(r"(?i)\.x?html?$")
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")  # on Windows


def name_of(url: str, fingerprint: str) -> str:
    """A relative path with slashes, without the ending. What had to be cut ends in a part of the fingerprint."""
    parts = urlsplit(url)
    folders = [_clean(parts.netloc), *(_clean(unquote(one)) for one in parts.path.split("/")[1:-1])]
    last = HTML.sub("", unquote(parts.path.rpartition("/")[2])) or "index"
    stem = _clean(f"{last}_{unquote(parts.query)}" if parts.query else last)
    cut = any(len(one.encode()) > SEGMENT for one in (*folders, stem))
    folders = [_folder(_short(one)) for one in folders]
    stem = _short(stem)
    while len("/".join((*folders, stem)).encode()) > WHOLE and len(folders) > 1:
        folders.pop()
        cut = True
    return "/".join((*folders, f"{stem}~{fingerprint[:8]}" if cut else stem))


def _clean(segment: str) -> str:
    """Visible characters that mean nothing to any file system."""
    visible = "".join(one for one in unicodedata.normalize("NFC", segment) if unicodedata.category(one)[0] != "C")
    plain = FORBIDDEN.sub("_", visible).rstrip(".")
    if not plain or plain[0] in ".-~" or RESERVED.match(plain):  # hidden, an option, a home, a device
        plain = f"_{plain}"
    return plain


def _folder(segment: str) -> str:
    return f"{segment}_" if segment.lower().endswith(".md") else segment


def _short(segment: str) -> str:
    return segment.encode()[:SEGMENT].decode(errors="ignore").rstrip(".")
