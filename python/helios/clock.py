"""The only source of time. Everything else takes a `Clock`, so that a test can own time."""

import asyncio
import datetime
import time
from typing import Protocol


class Clock(Protocol):
    """What the crawl knows of time."""

    def now(self) -> int:
        """Milliseconds since 1970. Never goes backwards within a process."""

    async def sleep(self, milliseconds: int) -> None:
        """Returns when that much time has passed."""


class SystemClock:
    """The machine's clock: read once, then carried on by the monotonic one; setting the clock moves no delay."""

    def __init__(self) -> None:
        self._epoch = time.time() - time.monotonic()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int((self._epoch + time.monotonic()) * 1000)

    async def sleep(self, milliseconds: int) -> None:
        """Returns when that much time has passed."""
        await asyncio.sleep(milliseconds / 1000)


def stamp(now: int) -> str:
    """A time as part of a file name, in UTC: 20261115-021534."""
    return datetime.datetime.fromtimestamp(now / 1000, tz=datetime.UTC).strftime("%Y%m%d-%H%M%S")
