"""Whole crawls of synthetic webs on loopback, judged by the web itself."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

import helios
from end_to_end.webs import crawled, judged, must_be_stored, stored, verdict_on
from helios.cli import main
from helios.cli.group import CONVICTED
from helios.settings import load
from helios.simweb import Served, audit, promises, started

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def calm() -> Iterator[Served]:
    with started(["--preset=calm", "--seed=3"]) as web:
        yield web


def test_every_page_of_a_calm_web_is_stored_once(calm: Served, tmp_path: Path) -> None:
    summary = crawled(calm, tmp_path / "out", delay_ms=5)
    rows = Counter(stored(tmp_path / "out"))
    assert set(rows) == must_be_stored(calm)
    assert set(rows.values()) == {1}
    assert summary.pages == rows.total()
    assert summary.ended == "finished"
    verdict = verdict_on(calm, delay_ms=5)
    assert verdict.innocent, verdict.text


def test_no_page_is_nearer_than_the_web_says(calm: Served, tmp_path: Path) -> None:
    crawled(calm, tmp_path / "out", delay_ms=5, max_depth=1)
    table = helios.open(tmp_path / "out").pages(["url", "depth"]).read_all().to_pylist()
    assert {row["url"] for row in table if row["depth"] == 0} <= set(calm.seeds)
    assert {row["url"] for row in table} == must_be_stored(calm, max_depth=1)


@pytest.mark.parametrize("limit", [1, 10, 37])
def test_a_limit_on_pages_is_exact(calm: Served, tmp_path: Path, limit: int) -> None:
    summary = crawled(calm, tmp_path / "out", delay_ms=5, max_pages=limit)
    assert summary.pages == len(stored(tmp_path / "out")) == limit
    assert summary.ended == "pages"


def test_a_crawl_of_every_kind_of_trouble_passes_the_audit(tmp_path: Path) -> None:
    with started(["--preset=demo", "--hosts=60", "--set=https=0.5"]) as web:
        summary = judged(web, tmp_path / "out")
    assert {"fetched", "redirected", "missing", "busy"} <= set(summary.outcomes)


def test_an_impolite_client_is_convicted(calm: Served) -> None:
    host, port = calm.http.split(":")
    for _ in range(3):
        for seed in calm.seeds:
            parts = urlsplit(seed)
            with socket.create_connection((host, int(port))) as connection:
                request = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n"
                connection.sendall(request.encode())
                assert connection.recv(12).startswith(b"HTTP/1.1 200")
    verdict = audit(calm.http, promises(load(), complete=False))
    assert not verdict.innocent
    assert CliRunner().invoke(main, ["simweb", "audit", "--at", calm.http]).exit_code == CONVICTED == 3
    assert verdict.report["laws"]["P"]["violations"] > 0
    assert verdict.report["laws"]["R"]["violations"] > 0


def helios_command(*words: str) -> list[str]:
    return [sys.executable, "-m", "helios", *words]


def crawl_words(web: Served, out: Path, *more: str) -> list[str]:
    words = ["--scope", "any", "--contact", "test@localhost", "--allow-loopback", "--dns", web.dns, "--out", str(out)]
    return helios_command("crawl", *web.seeds, *words, *more)


def test_the_command_crawls_and_shows(calm: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawled = subprocess.run(crawl_words(calm, out, "--delay", "5ms", "--json"), capture_output=True, check=False)
    assert crawled.returncode == 0, crawled.stderr
    summary = json.loads(crawled.stdout)
    shown = subprocess.run(helios_command("stats", str(out), "--json"), capture_output=True, check=True)
    assert json.loads(shown.stdout)["pages"] == summary["pages"] > 10
    page = subprocess.run(helios_command("show", str(out), calm.seeds[0]), capture_output=True, text=True, check=True)
    assert calm.seeds[0] in page.stdout


def test_ctrl_c_keeps_what_is_stored(calm: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = crawl_words(calm, out, "--delay", "400ms", "--json")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not list((out / "staged").glob("*.json")) and process.poll() is None:
        Event().wait(0.05)  # until the first pages are staged
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    summary = json.loads(output)
    assert summary["ended"] == "interrupted"
    assert len(stored(out)) == summary["pages"] > 0


def test_a_busy_port_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = subprocess.run(
            helios_command("simweb", "--http-port", str(port)), capture_output=True, text=True, check=False
        )
    assert result.returncode == 1
    assert re.match(rf"helios: .*{port}.*\n$", result.stderr), result.stderr


def test_a_site_that_is_not_there_is_a_dead_letter_and_a_failed_crawl(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = helios_command("crawl", f"http://127.0.0.1:{port}/", "--allow-loopback", "--out", str(tmp_path / "out"))
    config = tmp_path / "quick.toml"
    config.write_text("[frontier]\nbackoff_ms = 10\nattempts = 2\n[robots]\nattempts = 2\n")
    result = subprocess.run([*command, "--config", str(config)], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    assert "Traceback" not in result.stderr


def test_an_address_of_this_machine_is_refused_unless_allowed(calm: Served, tmp_path: Path) -> None:
    few = {"attempts": 1}
    summary = crawled(calm, tmp_path / "out", allow=[], frontier=few, robots=few)
    assert summary.pages == 0
    assert set(summary.outcomes) <= {"forbidden_address", "abandoned"}
