"""CPU per request of Python clients, in µs: `fetch_clients.py aiohttp|httpx|pycurl CA_FILE REQUESTS URL...`.

As `src/bin/fetch.rs`: 64 in flight on one thread, kept connections are open before the clock starts. `benches/fetch.py`
runs it.
"""
# ruff: noqa: INP001, T201, S101 - a program of its own, which prints and stops when something is wrong

import asyncio
import io
import ssl
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

CONNECTIONS = 64


async def in_turns(ask: Callable[[int], Awaitable[bytes]], size: int, turns: int) -> None:
    """Asks `turns` times on each of 64 tasks."""

    async def one(number: int) -> None:
        for _ in range(turns):
            assert len(await ask(number)) == size

    await asyncio.gather(*map(one, range(CONNECTIONS)))


async def clocked(ask: Callable[[int], Awaitable[bytes]], size: int, turns: int) -> float:
    """CPU seconds of all turns but the first."""
    await in_turns(ask, size, 1)
    before = time.process_time()
    await in_turns(ask, size, turns)
    return time.process_time() - before


async def over_aiohttp(ca: str, url: str, size: int, turns: int) -> float:
    """One session, as its users have it."""
    import aiohttp  # noqa: PLC0415 - only the one that is measured

    connector = aiohttp.TCPConnector(
        limit=CONNECTIONS, force_close="/close" in url, ssl=ssl.create_default_context(cafile=ca)
    )
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(_number: int) -> bytes:
            async with session.get(url) as reply:
                return await reply.read()

        return await clocked(ask, size, turns)


async def over_httpx(ca: str, url: str, size: int, turns: int) -> float:
    """HTTP/1.1, a client for each connection: the pool of one for all of them costs 13 ms a request."""
    import httpx  # noqa: PLC0415 - only the one that is measured

    tls = ssl.create_default_context(cafile=ca)
    async with AsyncExitStack() as stack:
        each = (httpx.AsyncClient(verify=tls, timeout=60, trust_env=False) for _ in range(CONNECTIONS))
        clients = [await stack.enter_async_context(client) for client in each]

        async def ask(number: int) -> bytes:
            return (await clients[number].get(url)).content

        return await clocked(ask, size, turns)


def over_pycurl(ca: str, url: str, size: int, turns: int) -> float:
    """The multi interface of libcurl: 64 handles that are used again."""
    import pycurl  # noqa: PLC0415 - only the one that is measured

    multi = pycurl.CurlMulti()
    multi.setopt(pycurl.M_MAXCONNECTS, CONNECTIONS)
    handles = {}
    for _ in range(CONNECTIONS):
        handle = pycurl.Curl()
        handle.setopt(pycurl.URL, url)
        handle.setopt(pycurl.CAINFO, ca)
        handle.setopt(pycurl.ENCODING, "gzip")
        handle.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
        handle.setopt(pycurl.FORBID_REUSE, int("/close" in url))
        handles[handle] = 0

    def begin(handle: pycurl.Curl) -> None:
        handle.body = io.BytesIO()
        handle.setopt(pycurl.WRITEDATA, handle.body)
        multi.add_handle(handle)

    def turn(turns: int) -> None:
        left = turns * CONNECTIONS
        for handle in handles:
            handles[handle] = turns
            begin(handle)
        while left:
            multi.perform()
            _, done, failed = multi.info_read(CONNECTIONS)
            assert not failed, failed[0]
            for handle in done:
                assert handle.body.tell() == size
                multi.remove_handle(handle)
                handles[handle] -= 1
                left -= 1
                if handles[handle]:
                    begin(handle)
            if not done:
                multi.select(1.0)

    turn(1)
    before = time.process_time()
    turn(turns)
    return time.process_time() - before


def main(client: str, ca: str, requests: str, *urls: str) -> None:
    """Measures each URL."""
    turns = -(-int(requests) // CONNECTIONS)
    for url in urls:
        size = int(url.split("/")[3])
        if client == "pycurl":
            cpu = over_pycurl(ca, url, size, turns)
        else:
            over = {"aiohttp": over_aiohttp, "httpx": over_httpx}[client]
            cpu = asyncio.run(over(ca, url, size, turns))
        print(f"{cpu * 1e6 / (turns * CONNECTIONS):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
