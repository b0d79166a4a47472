"""Which rows: the filters that reading, export and search share, as the condition that Lance evaluates."""

import datetime
import re
from collections.abc import Iterable
from typing import TypeAlias, TypedDict

from msgspec import Struct

from helios.errors import QueryError

Moment: TypeAlias = datetime.datetime | datetime.date | str
Many: TypeAlias = str | Iterable[str] | None
Statuses: TypeAlias = int | Iterable[int] | None


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


class Choice(TypedDict, total=False):
    """The filters as a person gives them: one or several, times as text."""

    site: Many
    language: Many
    status: Statuses
    since: Moment | None
    until: Moment | None
    where: str | None


def filters(choice: Choice) -> Filters:
    """Filters from what a person gives."""
    status, since, until = choice.get("status"), choice.get("since"), choice.get("until")
    statuses = () if status is None else (status,) if isinstance(status, int) else tuple(status)
    return Filters(
        sites=_several(choice.get("site")),
        languages=tuple(one.lower() for one in _several(choice.get("language"))),
        statuses=tuple(int(one) for one in statuses),
        since=None if since is None else moment(since),
        until=None if until is None else moment(until),
        where=choice.get("where"),
    )


def moment(given: Moment) -> datetime.datetime:
    """A point in time, in UTC unless it says otherwise; a day is its beginning."""
    if isinstance(given, str):
        try:
            given = datetime.datetime.fromisoformat(given)
        except ValueError:
            raise QueryError(f"{given!r} is no time; give one like 2026-11-15 or 2026-11-15T08:30") from None
    elif not isinstance(given, datetime.datetime):
        given = datetime.datetime(given.year, given.month, given.day, tzinfo=datetime.UTC)
    return given if given.tzinfo else given.replace(tzinfo=datetime.UTC)


def quoted(text: str) -> str:
    """A text as SQL."""
    return _text(text)


def _several(given: Many) -> tuple[str, ...]:
    return () if given is None else (given,) if isinstance(given, str) else tuple(given)


def _all(conditions: list[str | None]) -> str | None:
    given = [condition for condition in conditions if condition]
    return " AND ".join(f"({condition})" for condition in given) if len(given) > 1 else next(iter(given), None)


def _text(text: str) -> str:
    return "'" + re.sub("'", "''", text) + "'"


def _moment(when: datetime.datetime) -> str:
    return f"to_timestamp_millis({round(when.timestamp() * 1000)})"
