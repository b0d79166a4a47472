"""This machine, as far as a crawl must know it: memory, open files. Linux first; elsewhere what Python can tell."""

import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

PROC = Path("/proc")
CGROUP = Path("/sys/fs/cgroup")
UNLIMITED = 1 << 60  # what version 1 of cgroups says for no limit is about 2^63


def memory_used() -> int:
    """Bytes of memory that this process holds now."""
    try:
        resident = (PROC / "self" / "statm").read_text(encoding="ascii").split()[1]
        return int(resident) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        if sys.platform == "win32":
            return 0
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit  # the most so far


def memory_of_machine() -> tuple[int, int] | None:
    """Bytes in all, and bytes that programs can still have; None: unknown."""
    try:
        lines = (PROC / "meminfo").read_text(encoding="ascii").splitlines()
        facts = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
        return facts["MemTotal"], facts["MemAvailable"]
    except (OSError, IndexError, KeyError, ValueError):
        return None


def memory_limit() -> int | None:
    """Bytes that the container or service we are in may use; None: no limit is set, or none can be seen."""
    found = []
    for file in (CGROUP / _own_group() / "memory.max", CGROUP / "memory.max", CGROUP / "memory/memory.limit_in_bytes"):
        try:
            found.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # not there, or "max"
            continue
    return min((limit for limit in found if limit < UNLIMITED), default=None)


def _own_group() -> str:
    try:
        last = (PROC / "self" / "cgroup").read_text(encoding="ascii").splitlines()[-1]
    except (OSError, IndexError):
        return ""
    return last.rpartition(":")[2].strip().lstrip("/")


def open_files() -> tuple[int, int]:
    """How many files and connections this process may have open: now, and after `ulimit -n` at most."""
    if sys.platform == "win32":
        return 8_192, 8_192  # what its C library allows
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _finite(soft), _finite(hard)


def allow_open_files(wanted: int) -> int:
    """Raises the limit on open files to `wanted`, or as far as the machine lets us; returns what it is now."""
    soft, hard = open_files()
    if soft >= wanted or sys.platform == "win32":
        return soft
    raised = min(wanted, hard)
    while raised > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        except (OSError, ValueError):
            raised //= 2  # some machines promise more than they give
        else:
            break
    return open_files()[0]


def _finite(limit: int) -> int:
    return UNLIMITED if limit < 0 or limit > UNLIMITED else limit  # "no limit" is -1


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
