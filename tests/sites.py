"""A small web site on this machine, for tests that choose every byte of it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from typing import Any, TypeAlias

Answer: TypeAlias = str | bytes | tuple[str, str | bytes]  # HTML, or its content type and what it is


@dataclass
class Site:
    """What it says, by path; paths that are not there are missing, or lead elsewhere. `asked`: for what, in order.

    `statuses` and `headers`, by path, are said instead of and beside the usual ones.
    """

    pages: dict[str, Answer]
    url: str = ""
    asked: list[str] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    headers: dict[str, dict[str, str]] = field(default_factory=dict)

    def at(self, path: str) -> str:
        """The URL of a path."""
        return self.url + path

    def settings(self, **more: object) -> dict[str, Any]:
        """Settings of a quick crawl of this site."""
        return {"allow": ["loopback"], "delay_ms": 0, "fetch_time_factor": 0, "batch_ms": 20, **more}


@contextmanager
def served(pages: Mapping[str, Answer]) -> Iterator[Site]:
    """The site, while it is served; `{site}` in its texts is its address."""
    site = Site(dict(pages))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65_536  # an answer in one piece: in two, the second waits 40 ms for word of the first

        def do_GET(self) -> None:
            site.asked.append(self.path)
            answer = site.pages.get(self.path)
            kind, body = answer if isinstance(answer, tuple) else ("text/html; charset=utf-8", answer or "")
            content = body.replace("{site}", site.url).encode() if isinstance(body, str) else body
            elsewhere = site.redirects.get(self.path)
            usual = 302 if elsewhere else 404 if answer is None else 200
            self.send_response(site.statuses.get(self.path, usual))
            for name, value in site.headers.get(self.path, {}).items():
                self.send_header(name, value)
            if elsewhere:
                self.send_header("Location", elsewhere)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: object) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    with serving(server):
        yield site


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    """Whoever answers does so in a thread of its own, until nobody needs it any more."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
