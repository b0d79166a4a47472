"""SEED: where a crawl starts. In: words and files of lines. Out: canonical URLs, in the order given.

All of them are checked before the first is used: one bad line among millions is an error that names file and line, and
nothing has been begun. However many there are, they take no more memory than a few: they wait in a temporary file.
"""

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from helios._core import Canonicaliser, UrlError
from helios.errors import SeedError
from helios.settings.choosing import Urls
from helios.shown import without_user

STANDARD = "-"
COMMENT = re.compile(r"(^|(?<!\s)\s+)#.*", re.DOTALL)  # a # inside a URL begins its fragment
LONGEST_LINE = 65_536  # bytes
KEPT = 16 << 20  # characters of seeds in memory; more go to a file
ONCE = 100_000  # seeds among which each is kept once; of the rest the frontier does it


class Line(str):
    """A seed from a file, which knows where it stands."""

    __slots__ = ("where",)
    where: str


class Seeds:
    """Checked seeds. Can be gone through as often as need be."""

    def __init__(self, urls: Iterable[str]) -> None:
        self._file = tempfile.SpooledTemporaryFile(KEPT, "w+", encoding="utf-8", newline="\n")  # noqa: SIM115  # __del__
        self._count = 0
        known: set[str] = set()
        for url in urls:
            if url not in known:
                if self._count < ONCE:
                    known.add(url)
                self._file.write(url + "\n")
                self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        self._file.seek(0)
        for line in self._file:
            yield line[:-1]

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def seeds_from(words: Iterable[str], urls: Urls | None = None, *, may_be_none: bool = False) -> Seeds:
    """Canonical seeds from words; raises for the first that cannot be crawled, or when there is none."""
    spell = spelling(urls or Urls())
    given: object = words
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise SeedError(_no_seed(given))
    seeds = Seeds(_seed(word, spell) for word in words)
    if not seeds and not may_be_none:
        raise SeedError("no seed: name at least one URL to start from, such as https://example.org/")
    return seeds


def lines_of(name: str) -> Iterator[Line]:
    """The seeds in a file of lines ("-": standard input), read as they are used."""
    if name == STANDARD:
        if sys.stdin is None:  # whoever started us closed it
            raise SeedError("standard input is closed: give seeds there, or name a file: --seeds FILE")
        yield from lines_in(sys.stdin.buffer, "standard input")
        return
    try:
        with Path(name).open("rb") as file:
            yield from lines_in(file, name)
    except OSError as error:
        raise SeedError(f"the seeds file {name} cannot be read: {error.strerror}") from error


def lines_in(file: BinaryIO, name: str) -> Iterator[Line]:
    """The seeds in a file; blank lines, lines that begin with # and what follows a # after a space are passed over."""
    number = 0
    none = True
    while content := file.readline(LONGEST_LINE):
        number += 1
        where = f"{name}, line {number}"
        text = _text(content.removeprefix(b"\xef\xbb\xbf") if number == 1 else content, name, where)
        if word := COMMENT.sub("", text) if "#" in text else text:
            none = False
            if len(word.split(maxsplit=1)) > 1:
                raise SeedError(f"{where}: {_short(word)} has a space inside; give one URL per line, spaces as %20")
            line = Line(word)
            line.where = where
            yield line
    if none:
        raise SeedError(f"{name} holds no seed; give one URL per line")


def _text(content: bytes, name: str, where: str) -> str:
    if b"\0" in content:
        raise SeedError(f"{name} is not a text file (it holds zero bytes); give one URL per line")
    if len(content) == LONGEST_LINE:
        raise SeedError(f"{where}: longer than {LONGEST_LINE:,} bytes; give one URL per line")
    try:
        return content.decode().strip()
    except UnicodeDecodeError as error:
        raise SeedError(f"{where}: not UTF-8 text; give one URL per line") from error


def spelling(urls: Urls) -> Canonicaliser:
    """How a crawl with these settings spells URLs."""
    return Canonicaliser(msgspec.json.encode(urls).decode())


def canonical(url: str, urls: Urls) -> str:
    """How a crawl with these settings spells that one; a sentence where it is none."""
    try:
        return spelling(urls).parse(url)
    except UrlError as error:
        # Without its cause: the core's own sentence names the URL, and who is in it.
        raise UrlError(f"{_short(url)} is no URL to crawl: {_reason(error)}") from None


def _reason(error: UrlError) -> str:
    """What is wrong with a URL; the core names that first."""
    return str(error).rpartition(": ")[2]


def _no_seed(given: object) -> str:
    kind = type(given).__name__
    return f"a seed is a URL as text, or there are several in a list: {_short(repr(given))} is of type {kind}"


def _seed(word: str, spell: Canonicaliser) -> str:
    if not isinstance(word, str):
        raise SeedError(_no_seed(word))
    try:
        if word.startswith(("https://", "http://")) and word.isprintable() and word[-1] != " ":
            return spell.parse(word)
        return _odd(word, spell)
    except UrlError as error:
        why = f"{_short(word.strip())} cannot be crawled: {_reason(error)}"
    except SeedError as error:
        why = str(error)
    raise SeedError(f"{word.where}: {why}" if isinstance(word, Line) else why)  # without a cause, as in `canonical`


def _odd(word: str, spell: Canonicaliser) -> str:
    """Not quite a URL: says what it may be."""
    text = word.strip()
    if not text:
        raise SeedError("an empty seed: give a URL such as https://example.org/")
    if not text.isprintable():
        raise SeedError(f"{_short(text)[:60]!r} is not a URL (it holds control characters)")
    scheme, colon, rest = text.partition(":")
    if not rest.startswith("//") and scheme.lower() not in {"http", "https"}:
        if colon and not rest[:1].isdigit():
            raise SeedError(f"{_short(text)} cannot be crawled: only http:// and https:// can")
        raise SeedError(f"{_short(text)} is not a whole URL: did you mean https://{_short(text)}?")
    if scheme.lower() not in {"http", "https"}:
        raise SeedError(f"{_short(text)} cannot be crawled: only http:// and https:// can")
    return spell.parse(text)


def _short(text: str) -> str:
    """As much of a seed as a message has room for; nobody's password."""
    most = 120
    text = without_user(text)
    return text if len(text) <= most else text[:most] + "…"
