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
CLIENTS = 16  # at once
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
        server = await _started(folder, answering, clock)
    except (OSError, AttributeError) as error:  # no room, no right, a file system or a system without such sockets
        warnings.warn(f"this crawl cannot be steered from another terminal ({error})", stacklevel=2)
    try:
        yield
    finally:
        if server is not None:
            await server.close()
        running.clear(folder)


async def _started(folder: Path, answering: Answering, clock: Clock) -> "_Server":
    path = running.socket_for(folder)
    try:
        server = _Server(answering)
        await server.open(running.bound(path))
        running.announce(folder, path, clock.now())
    except BaseException:
        running.discard(path)
        raise
    return server


class _Server:
    """Connections, each with a task of its own."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._clients: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self, at: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(self._client, sock=at, limit=LONGEST)

    async def close(self) -> None:
        """Nobody is answered any more."""
        # Forgotten, too: it knows us, and a ring of the two would keep the crawl's parts, and its locks, for a while.
        server, self._server = self._server, None
        if server is not None:
            server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._clients) >= CLIENTS:
            writer.write(msgspec.json.encode({"failed": BUSY}) + b"\n")
            writer.close()
            return
        self._clients.add(task)
        try:
            with suppress(OSError, TimeoutError):
                await self._exchange(reader, writer)
        finally:
            writer.transport.abort()  # what was not read by now is not waited for
            self._clients.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(high=0)  # drained means: all of it
        async with asyncio.timeout(REQUEST_S):
            try:
                line = await reader.readline()
            except ValueError:
                line = b"(more than a request may be)"
        if not line:
            return  # someone looked whether we are there
        answer = await self._answer(line)
        async with asyncio.timeout(ANSWER_S):
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()

    async def _answer(self, line: bytes) -> dict[str, object]:
        """Whatever goes wrong is said to the client: the crawl must not suffer."""
        try:
            return {"done": await self._answering(_requests.decode(line))}
        except msgspec.DecodeError as error:
            return {"failed": Failure("ControlError", f"not a request that this crawl knows: {error}")}
        except HeliosError as error:
            return {"failed": Failure(type(error).__name__, str(error))}
        except Exception as error:  # noqa: BLE001  # as the sentence above says
            return {"failed": Failure("ControlError", f"{type(error).__name__}: {error}")}
