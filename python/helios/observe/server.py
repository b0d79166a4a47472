"""Answers GET /metrics and /healthz: a few lines of HTTP, bounded in time, size and number of callers."""

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from helios.errors import SettingsError
from helios.observe.metrics import CONTENT_TYPE
from helios.settings.seeing import Metrics

LAST_PORT = 65_535
ANSWER_S = 5  # for the question to come, and for the answer to be taken
MOST_HEAD = 8_192  # bytes of a question
MOST_CALLERS = 16  # at once; others are turned away
GONE = (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
PLAIN = "text/plain; charset=utf-8"


class MetricsServer:
    """Speaks HTTP/1.1, one question for each connection."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._callers: set[asyncio.Task[None]] = set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection; whatever a caller does, the crawl goes on."""
        task = asyncio.current_task()
        if task is not None:
            self._callers.add(task)
        try:
            # Also of being cancelled nothing is said: the streams would complain of it.
            with suppress(*GONE):
                async with asyncio.timeout(ANSWER_S):
                    writer.write(await self._answered(await reader.readuntil(b"\r\n\r\n")))
                    await writer.drain()
        finally:
            self._callers.discard(task)
            writer.close()

    async def close(self) -> None:
        """Lets go of whoever is still there."""
        left = list(self._callers)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _answered(self, head: bytes) -> bytes:
        method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        path = rest.partition(" ")[0].partition("?")[0]
        if len(self._callers) > MOST_CALLERS:
            return _response("503 Service Unavailable", "too many ask at once\n")
        if method not in ("GET", "HEAD"):
            return _response("405 Method Not Allowed", "only GET is answered\n")
        if path == "/metrics":  # in a thread: the frontier may be settling
            response = _response("200 OK", await asyncio.to_thread(self._text), CONTENT_TYPE)
        elif path == "/healthz":
            response = _response("200 OK", "ok\n")
        else:
            response = _response("404 Not Found", "there are /metrics and /healthz\n")
        return response if method == "GET" else response.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


def _response(status: str, body: str, kind: str = PLAIN) -> bytes:
    content = body.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    return head.encode("latin-1") + content


@asynccontextmanager
async def serving(settings: Metrics, text: Callable[[], str]) -> AsyncIterator[str | None]:
    """While inside, metrics can be asked for, at the address that is yielded; None: the settings name none."""
    if settings.listen is None:
        yield None
        return
    own = MetricsServer(text)
    with _bound(settings.listen) as listener:
        server = await asyncio.start_server(own.answer, sock=listener, limit=MOST_HEAD)
        host, port = listener.getsockname()[:2]
        try:
            yield f"http://{f'[{host}]' if ':' in host else host}:{port}/metrics"
        finally:
            server.close()
            await own.close()


def require_address(settings: Metrics) -> None:
    """Refuses an address that cannot be listened at, before anything is made for the crawl."""
    if settings.listen is not None:
        _bound(settings.listen).close()


def is_public(settings: Metrics) -> bool:
    """Can other machines read the metrics? Nothing guards them but the network."""
    host = (settings.listen or "localhost:0").rpartition(":")[0].strip("[]")
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _bound(listen: str) -> socket.socket:
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if int(port) > LAST_PORT:
        raise SettingsError(f'[metrics] listen = "{listen}" does not do: ports end at {LAST_PORT}')
    try:
        return socket.create_server((host, int(port)), family=family)
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingsError(
            f'[metrics] listen = "{listen}" does not do: {why}; give a free address such as "127.0.0.1:9464"'
        ) from error
