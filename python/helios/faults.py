"""FAULTS: named moments at which a process can be made to die, so that a test hits each of them for certain.

`HELIOS_FAULT=publish.committed:3` kills the process with SIGKILL when it passes that point for the third time. Off
unless the variable is set; a point then costs one comparison.
"""

import os
import signal
from collections import Counter

from helios.errors import SettingsError

# In the order of a commit. What each would leave behind is a row of the table in docs/store.md.
POINTS = (
    "stage.written",  # data files are there, no list names them
    "stage.listed",  # the list is there, the frontier does not know of it
    "settle.settled",  # the frontier has committed, nothing is visible
    "publish.read",  # lists are read, nothing is committed
    "publish.committed",  # rows are visible, the lists are still there
    "publish.marked",  # the mark says so, the lists are still there
    "publish.forgotten",  # the lists are gone, the frontier still waits
    "publish.told",  # the frontier knows
    "compact.written",  # merged files are there, the table does not use them
    "compact.committed",  # the table uses them, the old ones are still there
    "clean.done",  # versions that nobody needs are gone
    "collect.lists",  # lists of what was never settled are gone, their files are not
    "collect.files",  # some files of no version are gone
)


_fault = os.environ.get("HELIOS_FAULT", "")
_times: Counter[str] = Counter()  # that each point was passed


def passed(point: str) -> None:
    """Dies here when it was asked for."""
    if not _fault:
        return
    wanted, count = _parsed(_fault)
    _times[point] += 1
    if point == wanted and _times[point] == count:
        os.kill(os.getpid(), signal.SIGKILL)


def _parsed(fault: str) -> tuple[str, int]:
    point, _, count = fault.partition(":")
    if point not in POINTS or not (count or "1").isdecimal():
        raise SettingsError(f"HELIOS_FAULT={fault} does not do: give POINT or POINT:COUNT; points: {', '.join(POINTS)}")
    return point, int(count or "1")
