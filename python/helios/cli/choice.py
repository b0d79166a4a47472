"""Which pages: the options that the reading commands share."""

import datetime
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from helios.cli.words import Duration
from helios.clock import SystemClock
from helios.errors import QueryError
from helios.reading.filters import Choice, moment

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Moment(click.ParamType[datetime.datetime]):
    """A point in time: 2026-11-15, 2026-11-15T08:30, or so long ago: 36h, 7d."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime.datetime:
        """In UTC unless it says otherwise."""
        if isinstance(value, datetime.datetime):
            return value
        text = str(value).strip()
        try:
            if text[-1:].isalpha() and text[-1:] != "Z":
                ago = Duration().convert(text, param, ctx)
                return datetime.datetime.fromtimestamp((SystemClock().now() - ago) / 1000, tz=datetime.UTC)
            return moment(text)
        except (QueryError, click.UsageError, ValueError, OverflowError, OSError):  # the latter: no year of ours
            return self.fail(f"{text!r} is no time; give one like 2026-11-15, 2026-11-15T08:30 or 36h", param, ctx)


def choice_options(command: _Command) -> _Command:
    """Adds the filters."""
    options = (
        click.option("--site", multiple=True, help="Only pages of this site; may be repeated."),
        click.option("--language", multiple=True, metavar="CODE", help="Only pages in this language: en, de, zh."),
        click.option("--since", type=Moment(), help="Fetched then or later: 2026-11-15, 2026-11-15T08:30, 36h ago."),
        click.option("--until", type=Moment(), help="Fetched before then."),
        click.option("--status", type=int, multiple=True, help="Only answers with this HTTP status."),
        click.option("--where", metavar="SQL", help='Only rows for which this holds: "words > 200".'),
    )
    for option in reversed(options):
        command = option(command)
    return command


def choice_of(words: Mapping[str, Any]) -> Choice:
    """The filters that were given."""
    return Choice(
        site=words["site"],
        language=words["language"],
        since=words["since"],
        until=words["until"],
        status=words["status"],
        where=words["where"],
    )
