"""The crawl's end: listens beside the loop, answers one request per connection."""

import asyncio
import socket
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import msgspec

from helios.clock import Clock
from helios.control import running
from helios.control.verbs import Failure, Request
from helios.errors import HeliosError

Answering: TypeAlias = Callable[[Request], Awaitable[object]]

LONGEST = 1 << 20  # bytes of a request
PIECE = 1 << 16  # bytes read at once
CLIENTS = 16  # at once
WAITING = 16  # that the system holds until we have looked at them
REQUEST_S = 5  # in which a request must have come
ANSWER_S = 10  # in which an answer must have been read
BUSY = Failure("ControlError", f"{CLIENTS} others ask this crawl things at the moment; try again")

_requests = msgspec.json.Decoder(Request)


@asynccontextmanager
async def listening(folder: Path, answering: Answering, clock: Clock) -> AsyncIterator[None]:
    """While inside, whoever may write to `folder` can ask. A crawl that cannot listen goes on without, and says so."""
    running.clear(folder)  # left by a process that was killed: we hold the folder now
    server = None
    try:
        server = _started(folder, answering, clock)
    except (OSError, AttributeError, NotImplementedError) as error:  # no room, no right, no such sockets here
        warnings.warn(f"this crawl cannot be steered from another terminal ({error})", stacklevel=2)
    try:
        yield
    finally:
        if server is not None:
            await server.close()
        running.clear(folder)


def _started(folder: Path, answering: Answering, clock: Clock) -> "_Server":
    path = running.socket_for(folder)
    try:
        at = running.bound(path)
        try:
            server = _Server(at, answering)
            running.announce(folder, path, clock.now())
        except BaseException:
            at.close()
            raise
    except BaseException:
        running.discard(path)
        raise
    return server


class _Server:
    """Connections, each with a task of its own. Bare sockets: whenever it is closed, all of them are."""

    def __init__(self, at: socket.socket, answering: Answering) -> None:
        self._at = at
        self._answering = answering
        self._clients: set[asyncio.Task[None]] = set()
        at.listen(WAITING)
        asyncio.get_running_loop().add_reader(at, self._met)

    async def close(self) -> None:
        """Nobody is answered any more."""
        asyncio.get_running_loop().remove_reader(self._at)
        self._at.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    def _met(self) -> None:
        try:
            client, _ = self._at.accept()
        except OSError:  # it has gone again, or we have no more files
            return
        client.setblocking(False)
        if len(self._clients) >= CLIENTS:
            with client, suppress(OSError):
                client.send(_line({"failed": BUSY}))
            return
        talk = asyncio.create_task(self._talk(client))
        self._clients.add(talk)
        talk.add_done_callback(self._clients.discard)
        talk.add_done_callback(lambda _: client.close())  # here: a task that is cancelled early never begins

    async def _talk(self, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(REQUEST_S):
                line = await _read(client)
            if not line:
                return  # someone looked whether we are there
            answer = _line(await self._answer(line))
            async with asyncio.timeout(ANSWER_S):
                await loop.sock_sendall(client, answer)

    async def _answer(self, line: bytes) -> dict[str, object]:
        """Whatever goes wrong is said to the client: the crawl must not suffer."""
        if len(line) > LONGEST:
            return {"failed": Failure("ControlError", f"a request of more than {LONGEST:,} bytes")}
        try:
            return {"done": await self._answering(_requests.decode(line))}
        except msgspec.DecodeError as error:
            return {"failed": Failure("ControlError", f"not a request that this crawl knows: {error}")}
        except HeliosError as error:
            return {"failed": Failure(type(error).__name__, str(error))}
        except Exception as error:  # noqa: BLE001  # as the sentence above says
            return {"failed": Failure("ControlError", f"{type(error).__name__}: {error}")}


async def _read(client: socket.socket) -> bytes:
    """A line; of one that is too long a little more than is allowed."""
    loop, line = asyncio.get_running_loop(), bytearray()
    while not line.endswith(b"\n") and len(line) <= LONGEST:
        piece = await loop.sock_recv(client, PIECE)
        if not piece:
            break
        line += piece
    return bytes(line)


def _line(answer: dict[str, object]) -> bytes:
    return msgspec.json.encode(answer) + b"\n"
