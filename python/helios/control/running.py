"""`running.json`: which process crawls into a folder, and where it listens. After a kill it is stale."""

import os
import shutil
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec

from helios._core import __version__

FILE = "running.json"
SOCKET = "control.sock"
LONGEST = 103  # bytes of a socket's path: 108 with a zero byte on Linux, 104 on others
PREFIX = "helios-"  # of the private folder for a socket whose own folder has too long a name


class Running(msgspec.Struct, frozen=True):
    """What the file says."""

    pid: int
    started: int  # milliseconds since 1970
    socket: str  # in the crawl's folder, unless absolute
    version: str


def socket_for(folder: Path) -> Path:
    """A new place for a socket: in the crawl's folder, else in a private one that has a short name."""
    near = folder.resolve() / SOCKET
    if _fits(near):
        return near
    far = Path(tempfile.mkdtemp(prefix=PREFIX)) / SOCKET
    if _fits(far):
        return far
    far.parent.rmdir()
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp")) / SOCKET  # private, and short


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= LONGEST


def bound(path: Path) -> socket.socket:
    """A socket at `path` that only its owner may connect to."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with suppress(OSError):  # where the system lets us, from the first moment
            os.fchmod(listening.fileno(), 0o600)
        listening.bind(str(path))
        path.chmod(0o600)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


def announce(folder: Path, at: Path, started: int) -> None:
    """Says that this process crawls and listens there: whole or not at all, and to nobody else."""
    place = at.name if at.parent == folder.resolve() else str(at)
    running = Running(os.getpid(), started, place, __version__)
    aside = folder / f"{FILE}.new"
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(running))
    aside.replace(folder / FILE)


def read(folder: Path) -> Running | None:
    """What the file says, if it is there and whole."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Running)
    except (OSError, msgspec.DecodeError):
        return None


def socket_of(folder: Path, running: Running) -> Path:
    """Where it listens."""
    return folder / running.socket


def clear(folder: Path) -> None:
    """Takes file and socket away: at the end of a crawl, or after one that was killed. Its folder must be ours."""
    if (running := read(folder)) is not None:
        path = socket_of(folder, running)
        with suppress(OSError):
            if stat.S_ISSOCK(path.lstat().st_mode):
                path.unlink()
        if path.parent != folder and path.parent.name.startswith(PREFIX):
            with suppress(OSError):
                path.parent.rmdir()  # only when it is empty
    for name in (FILE, f"{FILE}.new", SOCKET):
        with suppress(OSError):
            (folder / name).unlink()


def discard(path: Path) -> None:
    """Takes away a place that `socket_for` gave and nobody used."""
    with suppress(OSError):
        path.unlink()
    if path.parent.name.startswith(PREFIX):
        shutil.rmtree(path.parent, ignore_errors=True)
