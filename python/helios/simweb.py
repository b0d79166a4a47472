"""The synthetic web, from outside: started as a process of its own, asked over HTTP.

Its own process, so that its work is not counted as the crawler's. Always on loopback.
"""

import http.client
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import urlencode

import msgspec

from helios.errors import SettingsError, SimWebError
from helios.settings import Settings

ANSWER_S = 30  # the auditor reads its whole log
USAGE = 2  # how `helios` ends when it was asked for something that cannot be


class Served(msgspec.Struct, frozen=True):
    """Where a synthetic web answers; `helios simweb --json` prints it when it is ready."""

    http: str  # host:port
    https: str
    dns: str
    pid: int
    seeds: list[str]
    ca: str | None  # PEM file of the authority that signs its certificates
    all_addresses: bool  # False: only 127.0.0.1 is served, and most hosts of the web are elsewhere in 127.0.0.0/8


class Verdict(msgspec.Struct, frozen=True):
    """What the auditor says."""

    innocent: bool
    report: dict[str, Any]
    text: str


@contextmanager
def started(options: Sequence[str]) -> Iterator[Served]:
    """A synthetic web in a process of its own, stopped at the end; should we be killed, it ends by itself."""
    command = [sys.executable, "-m", "helios", "simweb", "--json", *options]
    with tempfile.TemporaryFile() as said:  # a pipe that nobody reads would fill
        # Its own session: a Ctrl-C in the terminal is for the crawl, which still needs the web while it ends.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, start_new_session=True)  # noqa: S603  # our own command
        try:
            line = process.stdout.readline() if process.stdout else b""
            if not line:
                raise _not_started(process.wait(), said)
            yield msgspec.json.decode(line, type=Served)
        finally:
            process.terminate()
            process.communicate()
        sys.stderr.write(_text(said))  # none, unless something is wrong with the web


def _text(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read().decode("utf-8", "replace")


def _not_started(code: int, said: IO[bytes]) -> SettingsError | SimWebError:
    """Its last words as our error: the sentence that it ended with, or whatever it said last."""
    lines = _text(said).strip().splitlines()
    why = lines[-1].removeprefix("helios: ").removeprefix("Error: ") if lines else f"exit code {code}"
    return SettingsError(why) if code == USAGE else SimWebError(f"the synthetic web did not start: {why}")


def promises(settings: Settings, *, complete: bool) -> dict[str, object]:
    """What a crawl with these settings promises, as the auditor wants to hear it."""
    return {
        "site_delay_ms": settings.frontier.delay_ms,
        "crawl_delay_ceiling_ms": settings.frontier.crawl_delay_ceiling_ms,
        "retry_after_ceiling_ms": settings.frontier.retry_after_ceiling_ms,
        "robots_token": settings.robots.token,
        "max_depth": settings.crawl.max_depth,
        "max_pages_per_site": settings.frontier.max_pages_per_site,
        "sitemaps": settings.crawl.sitemaps,
        "complete": complete,
    }


def audit(at: str, promised: dict[str, object]) -> Verdict:
    """Asks the auditor of the synthetic web at `host:port`."""
    query = urlencode({key: _word(value) for key, value in promised.items() if value is not None})
    report = msgspec.json.decode(get(at, f"/__audit?format=json&{query}"))
    text = get(at, f"/__audit?format=text&{query}").decode()
    return Verdict(innocent=bool(report["innocent"]), report=report, text=text)


def get(at: str, path: str) -> bytes:
    """One of the pages that the synthetic web keeps about itself."""
    connection = http.client.HTTPConnection(at, timeout=ANSWER_S)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SimWebError(f"no synthetic web answers at {at} ({error}); start one with: helios simweb") from error
    finally:
        connection.close()
    if response.status != http.client.OK:
        raise SimWebError(
            f"the synthetic web at {at} answers {response.status} to {path}: {body[:200].decode('utf-8', 'replace')}"
        )
    return body


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
