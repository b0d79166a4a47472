"""Libraries in memory: the kernel maps far more of a library than is used, most of all of one that was just installed.

Always: only what a library's file holds unchanged is let go; what is needed of it is mapped again, from the file.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc/self")
DONT_NEED = 4  # MADV_DONTNEED of Linux
MUCH = 32_000_000  # bytes of files that are mapped: below, it is not worth looking


def let_go() -> None:
    """Unmaps what is mapped of libraries, if that is much."""
    if sys.platform != "linux" or _mapped() < MUCH:
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
    for begin, end in list(_unchanged()):
        madvise(begin, end - begin, DONT_NEED)


def _mapped() -> int:
    try:
        return int((PROC / "statm").read_text(encoding="ascii").split()[2]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _unchanged() -> Iterator[tuple[int, int]]:
    """Parts of libraries that cannot be written to and were not. They stay where they are until the process ends."""
    part = None
    with (PROC / "smaps").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            words = line.split()
            if not words[0].endswith(":"):
                is_fixed = words[1] in ("r-xp", "r--p") and ".so" in line.rpartition("/")[2]
                part = tuple(int(place, 16) for place in words[0].split("-")) if is_fixed else None
            elif part is not None and line.startswith("Anonymous:") and words[1] == "0":
                yield part[0], part[1]
