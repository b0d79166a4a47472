"""Sites that let nobody in without a cookie."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import helios
from sites import serving

SETTINGS: dict[str, Any] = {"allow": ["loopback"], "delay_ms": 0, "fetch_time_factor": 0}


class Walled(ThreadingHTTPServer):
    """Sends whoever has no cookie to a page that gives one, and back."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}/"


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Walled

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/robots.txt":
            self.answer(404, {})
        elif self.path == "/wall":
            self.answer(302, {"Location": "/", "Set-Cookie": "let=in; Path=/"})
        elif "let=in" in (self.headers.get("Cookie") or ""):
            self.answer(200, {"Content-Type": "text/html"}, b"let in")
        else:
            self.answer(302, {"Location": "/wall"})

    def answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Silence."""


@pytest.fixture
def walled() -> Iterator[Walled]:
    server = Walled()
    with serving(server):
        yield server


def test_a_site_that_sends_us_round_for_a_cookie_lets_us_in_with_it(walled: Walled, tmp_path: Path) -> None:
    summary = helios.crawl(walled.url, tmp_path / "out", cookies=True, **SETTINGS)
    assert (summary.pages, walled.asked) == (1, ["/robots.txt", "/", "/wall", "/"])
    assert [row["text"] for row in helios.open(tmp_path / "out").pages(["text"])] == ["let in"]


def test_without_cookies_it_is_asked_once(walled: Walled, tmp_path: Path) -> None:
    summary = helios.crawl(walled.url, tmp_path / "out", **SETTINGS)
    assert (summary.pages, walled.asked) == (0, ["/robots.txt", "/", "/wall"])
