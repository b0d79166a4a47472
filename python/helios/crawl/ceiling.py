"""The ceiling on memory: near it nothing more is asked for until what is there is stored."""

import ctypes
from collections.abc import Callable
from contextlib import suppress

import pyarrow as pa

from helios.measure import libraries
from helios.measure.machine import memory_used
from helios.settings.words import bytes_of

NEAR = 0.7  # of the ceiling: what is in flight and being written still grows


class Ceiling:
    """How much more may be asked for. Parts have their shares (`helios.shares`); this holds their sum."""

    def __init__(self, memory: str | None, used: Callable[[], int] = memory_used) -> None:
        self._near = None if memory is None else int(bytes_of(memory) * NEAR)
        self._used = used

    def room(self, free: int, in_flight: int) -> int:
        """Visits that may begin, of those that the fetcher has room for."""
        if self._near is None or not free or self._used() < self._near:
            return free
        give_back()
        if self._used() < self._near:
            return free
        return 0 if in_flight else 1  # something must go on, or it would never become less


def give_back() -> None:
    """Asks the allocators to let go of what they keep for later, and lets go of libraries."""
    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    libraries.let_go()
