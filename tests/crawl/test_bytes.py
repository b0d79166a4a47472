"""`max_bytes`: what came over the wire counts, whatever became of it."""

import socketserver
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import helios
from sites import serving

PROMISED, SENT, LIMIT = 900_000, 500_000, 2_000_000
PAGES = "".join(f"<a href=/{number}>{number}</a>" for number in range(6)).encode()


class Half(socketserver.StreamRequestHandler):
    """Answers every page but the first with half of what it promises."""

    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1]
        while self.rfile.readline().strip():
            pass
        if path == b"/robots.txt":
            self.wfile.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        body, length = (PAGES, len(PAGES)) if path == b"/" else (b"z" * SENT, PROMISED)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        self.wfile.write(head.encode() + body)


@pytest.fixture
def site() -> Iterator[str]:
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Half)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_address[1]}/"


def test_pages_that_broke_off_use_up_the_limit(site: str, tmp_path: Path) -> None:
    quick: dict[str, Any] = {
        "allow": ["loopback"],
        "delay_ms": 0,
        "fetch_time_factor": 0,
        "batch_ms": 20,
        "backoff_ms": 1,
    }
    summary = helios.crawl(site, tmp_path / "out", crawl={"max_bytes": LIMIT}, **quick)
    assert summary.ended == "bytes"
    # After three halves less is left than the next page promises, which is therefore not read.
    assert summary.bytes == len(PAGES) + 3 * SENT
