"""What a person types: words, "phrases", +required, -unwanted. Every other word makes a page better, none is needed."""

import re
from typing import Any

from msgspec import Struct

from helios.errors import QueryError

TERM = re.compile(r'(?P<sign>[+-]?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
COLUMNS = ("title", "text")
BOOSTS = (2.0, 1.0)


class Words(Struct, frozen=True):
    """A question, taken apart."""

    any: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    def wanted(self) -> list[str]:
        """Every word or phrase that a page may be shown for."""
        return [*self.phrases, *self.all, *self.any]


def parse(typed: str) -> Words:
    """Takes a question apart."""
    kinds: dict[str, list[str]] = {"any": [], "all": [], "phrases": [], "none": []}
    for found in TERM.finditer(typed):
        phrase = " ".join((found["phrase"] or "").split())
        term = phrase or found["word"] or ""
        if not any(one.isalnum() for one in term):
            continue
        if found["sign"] == "-":
            kinds["none"].append(term)
        elif " " in phrase:
            kinds["phrases"].append(phrase)
        else:
            kinds["all" if found["sign"] == "+" else "any"].append(term)
    words = Words(**{kind: tuple(terms) for kind, terms in kinds.items()})
    if not words.wanted():
        raise QueryError(f"{typed!r} has no word to look for; give one or more, such as: green tea")
    return words


def asked(words: Words, *, indexed: bool) -> Any:  # noqa: ANN401  # a lance.query.FullTextQuery
    """The question as Lance takes it."""
    from lance.query import BooleanQuery, FullTextQuery, Occur, PhraseQuery  # noqa: PLC0415  # half a second

    clauses: list[tuple[Any, Any]] = [(Occur.MUST, _match(word, indexed=indexed)) for word in words.all]
    for phrase in words.phrases:
        places: list[tuple[Occur, FullTextQuery]] = [(Occur.SHOULD, PhraseQuery(phrase, column)) for column in COLUMNS]
        clauses.append((Occur.MUST, BooleanQuery(places)))
    if words.any:
        clauses.append((Occur.SHOULD, _match(" ".join(words.any), indexed=indexed)))
    if len(clauses) == 1 and not words.none:
        return clauses[0][1]
    return BooleanQuery([*clauses, *((Occur.MUST_NOT, _match(word, indexed=indexed)) for word in words.none)])


def _match(text: str, *, indexed: bool) -> Any:  # noqa: ANN401  # as above
    """Title and text as one document, the title counting double. Without an index Lance takes the better of both."""
    from lance.query import CombinedFieldsQuery, MultiMatchQuery  # noqa: PLC0415  # as above

    kind = CombinedFieldsQuery if indexed else MultiMatchQuery
    return kind(text, list(COLUMNS), boosts=list(BOOSTS))
