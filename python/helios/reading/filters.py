"""Which rows: the filters that reading, export and search share, as the condition that Lance evaluates."""

import datetime
import re
from collections.abc import Iterable
from contextlib import suppress
from operator import index
from typing import NoReturn, SupportsIndex, TypeAlias, TypedDict, TypeVar

from msgspec import Struct

from helios.errors import QueryError
from helios.settings.assemble import instead

Moment: TypeAlias = datetime.datetime | datetime.date | str
Many: TypeAlias = str | Iterable[str] | None
Statuses: TypeAlias = int | str | Iterable[int | str] | None  # a text of digits is a number

_T = TypeVar("_T")


class Filters(Struct, frozen=True):
    """Rows that match all of these. Several sites, languages or statuses: any of them."""

    sites: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    statuses: tuple[int, ...] = ()
    since: datetime.datetime | None = None  # fetched then or later
    until: datetime.datetime | None = None  # fetched before
    where: str | None = None  # SQL, as Lance understands it

    def within(self) -> str | None:
        """The condition on time alone."""
        bounds = ((">=", self.since), ("<", self.until))
        return _all([f"fetched_at {sign} {_moment(when)}" for sign, when in bounds if when is not None])

    def condition(self) -> str | None:
        """The whole condition; None: all rows."""
        # A declared language may name a country, too: "de" is also "de-AT".
        languages = [f"language = {_text(one)} OR language LIKE {_text(one + '-%')}" for one in self.languages]
        return _all(
            [
                self.within(),
                f"site IN ({', '.join(map(_text, self.sites))})" if self.sites else None,
                " OR ".join(languages) or None,
                f"status IN ({', '.join(map(str, self.statuses))})" if self.statuses else None,
                self.where,
            ]
        )

    def asked(self) -> dict[str, object]:
        """The filters by the names that a person gives them."""
        several = {"site": self.sites, "language": self.languages, "status": self.statuses}
        bounds = {"since": self.since, "until": self.until}
        return {
            **{name: those[0] if len(those) == 1 else list(those) for name, those in several.items() if those},
            **{name: when.isoformat() for name, when in bounds.items() if when is not None},
            **({"where": self.where} if self.where else {}),
        }


class Choice(TypedDict, total=False):
    """The filters as a person gives them: one or several, times as text."""

    site: Many
    language: Many
    status: Statuses
    since: Moment | None
    until: Moment | None
    where: str | None


def filters(choice: Choice, *others: str) -> Filters:
    """Filters from what a person gives: a name that is none, or a wrong type, is a QueryError that says what would do.

    `others`: what may have been meant besides, of the call that takes the filters.
    """
    for name in choice:
        if name not in Choice.__annotations__:
            meant = instead(name, [*Choice.__annotations__, *others])
            raise QueryError(f"there is no filter {name}{meant}; filters: {', '.join(Choice.__annotations__)}")
    since, until = choice.get("since"), choice.get("until")
    return Filters(
        sites=_several("site", choice.get("site")),
        languages=tuple(one.lower() for one in _several("language", choice.get("language"))),
        statuses=_statuses(choice.get("status")),
        since=None if since is None else moment(since),
        until=None if until is None else moment(until),
        where=text("where", choice.get("where")),
    )


def moment(given: Moment) -> datetime.datetime:
    """A point in time, in UTC unless it says otherwise; a day is its beginning."""
    if isinstance(given, str):
        try:
            given = datetime.datetime.fromisoformat(given)
        except ValueError:
            _no_time(given)
    elif not isinstance(given, datetime.date):  # as every datetime is
        _no_time(given)
    elif not isinstance(given, datetime.datetime):
        given = datetime.datetime(given.year, given.month, given.day, tzinfo=datetime.UTC)
    return given if given.tzinfo else given.replace(tzinfo=datetime.UTC)


def names(columns: Iterable[str] | None) -> tuple[str, ...] | None:
    """The columns that were asked for. One text is no list: its letters would be taken for names."""
    if columns is None:
        return None
    if isinstance(columns, str):
        refuse("columns", columns, f"a list, [{columns!r}]")
    return _texts("columns", columns, "a list of names")


def text(name: str, given: str | None) -> str | None:
    """A text, or none."""
    return given if given is None or isinstance(given, str) else refuse(name, given, "a text")


def count(name: str, given: int) -> int:
    """How many at most."""
    return given if isinstance(given, int) and given >= 0 else refuse(name, given, "a whole number, 0 or more")


def one_of(name: str, given: _T | None, known: tuple[_T, ...]) -> _T | None:
    """One of the words that there are, or none."""
    return given if given is None or given in known else refuse(name, given, f"one of {', '.join(map(str, known))}")


def refuse(name: str, given: object, wanted: str) -> NoReturn:
    """Says what would do instead."""
    raise QueryError(f"{name}={given!r} does not do: give {wanted}")


def quoted(text: str) -> str:
    """A text as SQL."""
    return _text(text)


def _several(name: str, given: Many) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else _texts(name, given, "a text or a list of texts")


def _texts(name: str, given: Iterable[str], wanted: str) -> tuple[str, ...]:
    each = tuple(given) if isinstance(given, Iterable) else (given,)
    return each if all(isinstance(one, str) for one in each) else refuse(name, given, wanted)


def _statuses(given: Statuses) -> tuple[int, ...]:
    if given is None:
        return ()
    several = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return tuple(_status(one) for one in several)


def _status(given: SupportsIndex | str) -> int:
    if isinstance(given, str) and given.isdecimal():
        return int(given)
    if not isinstance(given, bool | str):
        with suppress(TypeError):  # numbers of numpy are numbers, too
            return index(given)
    return refuse("status", given, "a number like 404, or a list of them")


def _no_time(given: object) -> NoReturn:
    raise QueryError(f"{given!r} is no time; give one like 2026-11-15 or 2026-11-15T08:30")


def _all(conditions: list[str | None]) -> str | None:
    given = [condition for condition in conditions if condition]
    return " AND ".join(f"({condition})" for condition in given) if len(given) > 1 else next(iter(given), None)


def _text(text: str) -> str:
    return "'" + re.sub("'", "''", text) + "'"


def _moment(when: datetime.datetime) -> str:
    return f"to_timestamp_millis({round(when.timestamp() * 1000)})"
