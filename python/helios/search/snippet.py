"""The part of a text that shows why it was found: the window with the most of the words, and where they are in it."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

WIDTH = 220  # characters
MOST = 100_000  # characters of a text that are looked at
RUN = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]")  # of ASCII, or one other
LEAD = 40  # characters before the first word


class Snippet(Struct, frozen=True):
    """A piece of text; `marks` are (from, to) within it."""

    text: str
    marks: list[tuple[int, int]]

    def marked(self, before: str = "**", after: str = "**") -> str:
        """The text with its words between two marks."""
        parts, done = [], 0
        for start, end in self.marks:
            parts += [self.text[done:start], before, self.text[start:end], after]
            done = end
        return "".join([*parts, self.text[done:]])


def snippet(text: str, terms: Iterable[str], width: int = WIDTH) -> Snippet:
    """The best window of a text; its beginning when none of the terms is in it."""
    text = " ".join(text[:MOST].split())
    if sum(unicodedata.east_asian_width(one) in "WF" for one in text[:width]) * 2 > min(width, len(text)):
        width //= 2  # each takes the room of two
    found = places(text, terms)
    start = _best(found, width)
    start = max(start - LEAD, 0) if start + width - LEAD < len(text) else max(len(text) - width, 0)
    end = min(start + width, len(text))
    start, end = _whole_words(text, start, end)
    before, after = "… " if start else "", " …" if end < len(text) else ""
    shift = len(before) - start
    marks = [(at + shift, to + shift) for at, to, _ in found if start <= at and to <= end]
    return Snippet(before + text[start:end] + after, _joined(marks))


def places(text: str, terms: Iterable[str]) -> list[tuple[int, int, int]]:
    """Where words begin with a term: from, to, which term. Case and accents do not matter."""
    folded, origin = folding(text)
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(terms):
        words = [re.escape(folding(word)[0]) for word in re.findall(r"\w+", term)]
        if not words:
            continue
        # Scripts without spaces have no beginnings of words.
        edge = r"(?<![^\W_])" if words[0].isascii() or not _unspaced(term[0]) else ""
        matches = re.finditer(edge + r"\W+".join(words) + (r"(?![^\W_])" if edge else ""), folded)
        found += [(origin[match.start()], origin[match.end() - 1] + 1, number) for match in matches]
    return sorted(found)


def folding(text: str) -> tuple[str, Sequence[int]]:
    """A text without case and accents, and for each of its characters the place where it came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    parts: list[str] = []
    origin: list[int] = []
    for run in RUN.finditer(text):
        if run[0].isascii():
            parts.append(run[0].lower())
            origin += range(run.start(), run.end())
        else:
            parts.append(_folded(run[0]))
            origin += [run.start()] * len(parts[-1])
    return "".join(parts), origin


@lru_cache(maxsize=20_000)
def _folded(one: str) -> str:
    """A character that is not ASCII, without case and accents: none, one or several."""
    return "".join(c for c in unicodedata.normalize("NFKD", one.casefold()) if not unicodedata.combining(c))


def _unspaced(one: str) -> bool:
    return unicodedata.category(one) == "Lo"


def _best(found: Sequence[tuple[int, int, int]], width: int) -> int:
    """Where the window begins that holds the most different terms; the earliest of equals."""
    best, score, right = 0, 0, 0
    for left, (start, _, _) in enumerate(found):
        right = max(right, left)
        while right < len(found) and found[right][1] <= start + width - LEAD:
            right += 1
        different = len({number for _, _, number in found[left:right]})
        if different > score:
            best, score = start, different
    return best


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Does not cut words, unless they are longer than a look around."""
    if start and (space := text.find(" ", start, start + LEAD)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", end - LEAD, end)) > start:
        end = space
    return start, end


def _joined(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without overlaps."""
    joined: list[tuple[int, int]] = []
    for start, end in marks:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
