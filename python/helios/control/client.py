"""The other end: a blocking question to the process that crawls into a folder."""

import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from helios import errors
from helios.control import running
from helios.control.running import Running
from helios.control.verbs import Failure, Request
from helios.errors import ControlError, HeliosError

CONNECT_S = 5
ANSWER_S = 60  # a crawl answers between two of its turns, and some answers are long
LONGEST = 64 << 20  # bytes of an answer

_T = TypeVar("_T")


class _Answer(msgspec.Struct):
    done: msgspec.Raw = msgspec.Raw()
    failed: Failure | None = None


class Channel:
    """The way to a running crawl. One connection for each question."""

    def __init__(self, folder: Path, who: Running) -> None:
        self._folder = folder
        self.who = who

    def ask(self, request: Request, kind: type[_T]) -> _T:
        """What the crawl answers; raises what it raised. `GoneError`: it has ended meanwhile."""
        try:
            line = self._exchange(msgspec.json.encode(request) + b"\n")
        except TimeoutError as error:
            raise ControlError(f"{self._named()} does not answer; is it stopped, or is the machine busy?") from error
        except OSError as error:
            raise GoneError(f"{self._named()} has just ended") from error
        if not line.endswith(b"\n"):
            raise GoneError(f"{self._named()} ended before it had answered")
        answer = msgspec.json.decode(line, type=_Answer)
        if answer.failed is not None:
            raise _error(answer.failed)
        return msgspec.json.decode(answer.done, type=kind)

    def _named(self) -> str:
        return f"the crawl in {self._folder} (process {self.who.pid})"

    def _exchange(self, line: bytes) -> bytes:
        with connected(self._folder, self.who) as to:
            to.settimeout(ANSWER_S)
            with suppress(BrokenPipeError, ConnectionResetError):  # it may have said why it does not listen
                to.sendall(line)
            with to.makefile("rb") as answer:
                return answer.readline(LONGEST)


class GoneError(ControlError):
    """The crawl ended before it could answer."""


def channel(folder: Path) -> Channel | None:
    """The way to the process that crawls into `folder`; None: there is none, or it was killed and the file is stale."""
    if (who := running.read(folder)) is None:
        return None
    try:
        connected(folder, who).close()
    except TimeoutError:
        return Channel(folder, who)  # it is there and very busy
    except OSError:
        return None
    return Channel(folder, who)


def connected(folder: Path, who: Running) -> socket.socket:
    """A connection to where it listens."""
    to = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        to.settimeout(CONNECT_S)
        to.connect(str(_short(running.socket_of(folder, who))))
    except BaseException:
        to.close()
        raise
    return to


def _short(path: Path) -> Path:
    """The shortest of the names of a socket: the path of one may not be long."""
    names = [path, path.resolve()]
    with suppress(ValueError):
        names.append(path.resolve().relative_to(Path.cwd()))
    return min(names, key=lambda name: len(str(name)))


def _error(failure: Failure) -> HeliosError:
    """The error that the crawl raised, as if it had been raised here."""
    kind: Any = getattr(errors, failure.error, None) if failure.error in errors.__all__ else None
    return kind(failure.message) if kind is not None else ControlError(failure.message)
