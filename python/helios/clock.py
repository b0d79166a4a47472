"""The only source of time. Everything else takes a `Clock`, so that a test can own time."""

import datetime
from typing import Protocol

from helios import _core


class Clock(Protocol):
    """What the crawl knows of time."""

    def now(self) -> int:
        """Milliseconds since 1970. Never goes backwards within a process."""

    async def sleep(self, milliseconds: int) -> None:
        """Returns when that much time has passed."""


class SystemClock:
    """The core's clock, so that its stamps and ours agree: read once, then monotonic; setting it moves no delay."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return _core.now()

    async def sleep(self, milliseconds: int) -> None:
        """Returns when that much time has passed."""
        import asyncio  # noqa: PLC0415  # many commands read the clock, few sleep

        await asyncio.sleep(milliseconds / 1000)


def stamp(now: int) -> str:
    """A time as part of a file name, in UTC: 20261115-021534."""
    return datetime.datetime.fromtimestamp(now / 1000, tz=datetime.UTC).strftime("%Y%m%d-%H%M%S")


def moment(now: int) -> str:
    """A time for people, in UTC: 2026-11-15 02:15:34."""
    return datetime.datetime.fromtimestamp(now / 1000, tz=datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
