"""A proxy between Helios and an object store that loses answers, says 503 and hangs up, as told.

It speaks just enough HTTP/1.1: heads are read, bodies are handed on by their length or chunk by chunk.
"""

import asyncio
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

BUSY = b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass
class Proxy:
    """Each request has its fate by its number: the same seed, the same faults, whatever the rest of the world does."""

    target: int
    seed: int = 0
    share: float = 0.0  # of requests that something happens to
    only: str = ""  # part of a request line; others are handed on
    port: int = 0
    requests: int = 0
    fates: Counter[str] = field(default_factory=Counter)

    def fate(self, line: str) -> str:
        """ "": handed on; busy: 503; lost: handed on, but the answer is not; cut: neither."""
        self.requests += 1
        chance = zlib.crc32(f"{self.seed} {self.requests}".encode()) % 10_000
        if self.only not in line or chance >= self.share * 10_000:
            return ""
        fate = ("busy", "lost", "cut")[chance % 3]
        self.fates[fate] += 1
        return fate

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the client."""
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has gone, or the test is over
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; False: the connection is over."""
        head = await reader.readuntil(b"\r\n\r\n")
        body = await read_body(reader, head)
        fate = self.fate(head.partition(b"\r\n")[0].decode())
        if fate == "busy":
            writer.write(BUSY)
            await writer.drain()
        if fate in {"busy", "cut"}:
            return False
        answer = await self._asked(head, body)
        if fate == "lost" or answer is None:
            return False
        writer.write(answer)
        await writer.drain()
        return True

    async def _asked(self, head: bytes, body: bytes) -> bytes | None:
        """The store's whole answer; None when it has none."""
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
            try:
                writer.write(head + body)
                await writer.drain()
                answer = await reader.readuntil(b"\r\n\r\n")
                bodiless = head.startswith(b"HEAD ") or answer.split(b" ")[1] in {b"204", b"304"}
                return answer + (b"" if bodiless else await read_body(reader, answer))
            finally:
                writer.close()
        return None


async def read_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """What follows a head, as it came."""
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(b":") for line in head.split(b"\r\n")[1:])
    }
    if headers.get(b"transfer-encoding", b"").lower() != b"chunked":
        return await reader.readexactly(int(headers.get(b"content-length", b"0")))
    parts = []
    while True:
        size = await reader.readuntil(b"\r\n")
        parts += [size, await reader.readexactly(int(size, 16) + 2)]
        if int(size, 16) == 0:
            return b"".join(parts)


@contextmanager
def proxied(proxy: Proxy) -> Iterator[Proxy]:
    """Runs it in a thread of its own."""
    loop = asyncio.new_event_loop()
    up, over = threading.Event(), asyncio.Event()

    async def run() -> None:
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=1 << 24)
        proxy.port = server.sockets[0].getsockname()[1]
        up.set()
        await over.wait()
        server.close()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await asyncio.sleep(0)  # noqa: TID251  # closed connections end in the next turn

    thread = threading.Thread(target=loop.run_until_complete, args=[run()])
    thread.start()
    up.wait()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
