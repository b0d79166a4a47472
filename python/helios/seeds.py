"""SEED: where a crawl starts. In: words and files of lines. Out: canonical URLs, each once, in the order given."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from helios._core import Canonicaliser, UrlError
from helios.errors import SeedError
from helios.settings.choosing import Urls


def seeds_from(words: Iterable[str], urls: Urls | None = None) -> list[str]:
    """Canonical seeds from words; raises for the first that cannot be crawled, or when there is none."""
    spell = spelling(urls or Urls())
    seeds = list(dict.fromkeys(_seed(word, spell) for word in words))
    if not seeds:
        raise SeedError("no seed: name at least one URL to start from, such as https://example.org/")
    return seeds


def words_in(content: bytes, name: str) -> list[str]:
    """The seeds in a file of lines; blank lines and lines that begin with # are passed over."""
    if b"\0" in content:
        raise SeedError(f"{name} is not a text file (it holds zero bytes); give one URL per line")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SeedError(f"{name}, line {line}: not UTF-8 text; give one URL per line") from error
    lines = [line.strip() for line in text.splitlines()]
    words = [line for line in lines if line and not line.startswith("#")]
    if not words:
        raise SeedError(f"{name} holds no seed; give one URL per line")
    return words


def read_words(file: Path) -> list[str]:
    """The seeds in a file on disk."""
    try:
        return words_in(file.read_bytes(), str(file))
    except OSError as error:
        raise SeedError(f"the seeds file {file} cannot be read: {error.strerror}") from error


def spelling(urls: Urls) -> Canonicaliser:
    """How a crawl with these settings spells URLs."""
    return Canonicaliser(msgspec.json.encode(urls).decode())


def _seed(word: str, spell: Canonicaliser) -> str:
    text = word.strip()
    if not text:
        raise SeedError("an empty seed: give a URL such as https://example.org/")
    if not text.isprintable():
        raise SeedError(f"{text[:60]!r} is not a URL (it holds control characters)")
    scheme, colon, rest = text.partition(":")
    if not rest.startswith("//") and scheme.lower() not in {"http", "https"}:
        if colon and not rest[:1].isdigit():
            raise SeedError(f"{_short(text)} cannot be crawled: only http:// and https:// can")
        raise SeedError(f"{_short(text)} is not a whole URL: did you mean https://{_short(text)}?")
    if scheme.lower() not in {"http", "https"}:
        raise SeedError(f"{_short(text)} cannot be crawled: only http:// and https:// can")
    try:
        return spell.parse(text)
    except UrlError as error:
        why = str(error).rpartition(": ")[2]  # the core names the URL first
        raise SeedError(f"{_short(text)} cannot be crawled: {why}") from error


def _short(text: str) -> str:
    most = 120
    return text if len(text) <= most else text[:most] + "…"
