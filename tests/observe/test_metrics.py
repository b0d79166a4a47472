"""Metrics: read by the parser that Prometheus' own client has, of doubles and of a whole crawl."""

import asyncio
import http.client
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

import helios
from doubles import World, line_of
from end_to_end.webs import settings_for
from helios.cli import main
from helios.crawl.begin import Start, crawled
from helios.crawl.tally import Tally
from helios.errors import SettingsError
from helios.measure.latency import BOUNDS, EDGES_US, Latency
from helios.observe import server
from helios.observe.metrics import metrics, text
from helios.observe.server import MOST_HEAD, is_public, require_address, serving
from helios.observe.snapshot import snapshot
from helios.settings import load
from helios.settings.seeing import Metrics
from helios.simweb import started
from sites import served

# By name, and by what follows the name of a family.
NAMED = ["urls_queued", "urls_crawled_total", "urls_failed_total", "bytes_downloaded_total", "latency_seconds"]
NAMED += ["robots_cache_hit_rate", "bloom_false_positives", "workers_active", "workers_idle"]


def parsed(said: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Values by name and labels; a name that comes twice is an error."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(said):
        for sample in family.samples:
            values = found.setdefault(sample.name.removeprefix("helios_"), {})
            labels = tuple(sorted(sample.labels.items()))
            assert labels not in values
            values[labels] = sample.value
    return found


async def test_they_are_what_the_crawl_has_done() -> None:
    world = World(line_of(50))
    said: list[str] = []
    async with serving(Metrics(), str):
        summary = await crawled(
            Start(world.stages(), ["http://one.test/0"], Path("there")),
            lambda stages, tally: said.append(text(snapshot(stages, tally))),
        )
    found = parsed(said[-1])
    assert set(NAMED) - {"latency_seconds"} <= set(found)
    assert found["pages_stored_total"][()] == summary.pages == 50
    assert found["urls_crawled_total"][()] == 50
    assert found["bytes_downloaded_total"][()] == summary.bytes
    assert found["outcomes_total"][("outcome", "fetched"),] == 50
    assert found["urls_failed_total"][("outcome", "timed_out"),] == 0, "kinds are there from the start"


def ask(listen: str, path: str, method: str = "GET") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(listen, timeout=10)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type") or "", answer.read().decode()
    finally:
        connection.close()


def free() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.timeout(60)
def test_a_running_crawl_answers_prometheus(tmp_path: Path) -> None:
    listen, answers = free(), []

    async def on_page(_page: helios.Page) -> None:
        answers.append(await asyncio.to_thread(ask, listen, "/metrics"))

    with started(["--preset=calm", "--hosts=6"]) as web:
        settings: dict[str, Any] = settings_for(web, listen=listen, batch_ms=20, max_pages=30, memory="2GB")
        summary = helios.crawl(web.seeds, tmp_path / "x", on_page=on_page, **settings)
    assert answers
    assert {(status, kind) for status, kind, _ in answers} == {(200, "text/plain; version=0.0.4; charset=utf-8")}
    found = [parsed(said) for _, _, said in answers]
    for name in ("pages_stored_total", "urls_crawled_total", "bytes_downloaded_total"):
        values = [one[name][()] for one in found]
        assert values == sorted(values), "counters only rise"
    last = found[-1]
    assert set(NAMED) <= set(last)
    assert 0 < last["pages_stored_total"][()] <= summary.pages
    assert last["fetch_seconds_count"][()] == last["fetch_seconds_bucket"][("le", "+Inf"),] > 0
    assert last["latency_seconds"][("quantile", "0.5"),] <= last["latency_seconds"][("quantile", "0.99"),]
    assert last["workers_active"][()] + last["workers_idle"][()] == 512
    assert last["memory_bytes"][()] > 10_000_000
    assert last["memory_ceiling_bytes"][()] == 2_000_000_000
    assert 0 < last["robots_cache_hit_rate"][()] < 1
    assert last["stage_seconds_count"][("stage", "settle"),] > 0


async def served_by(words: str, path: str = "/metrics", method: str = "GET") -> tuple[int, str, str]:
    async with serving(Metrics(listen="127.0.0.1:0"), lambda: words) as address:
        assert address is not None
        listen = address.removeprefix("http://").removesuffix("/metrics")
        return await asyncio.to_thread(ask, listen, path, method)


async def test_what_else_is_asked_for_gets_an_answer() -> None:
    assert await served_by("numbers\n") == (200, "text/plain; version=0.0.4; charset=utf-8", "numbers\n")
    assert await served_by("numbers\n", "/metrics?x=1") == (
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        "numbers\n",
    )
    assert (await served_by("", "/healthz"))[::2] == (200, "ok\n")
    assert (await served_by("", "/"))[0] == 404
    assert (await served_by("", "/metrics", "POST"))[0] == 405
    assert (await served_by("numbers\n", "/metrics", "HEAD"))[::2] == (200, "")


async def test_a_caller_who_says_too_much_or_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ANSWER_S", 0.2)
    async with serving(Metrics(listen="127.0.0.1:0"), lambda: "numbers") as address:
        port = int((address or "").removesuffix("/metrics").rpartition(":")[2])
        for said in (b"GET / HTTP/1.1\r\nX: " + b"x" * 3 * MOST_HEAD, b"", b"\xff\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            answered = await reader.read()
            assert answered == b"" or answered.startswith(b"HTTP/1.1 405")
            writer.close()
        assert (await asyncio.to_thread(ask, f"127.0.0.1:{port}", "/metrics"))[2] == "numbers"


def test_a_crawl_is_told_to_answer_by_an_option_and_writes_down_where(tmp_path: Path) -> None:
    with served({"/": "text"}) as site:
        words = [
            "crawl",
            site.at("/"),
            "--out",
            str(tmp_path / "x"),
            "--allow-loopback",
            "--metrics",
            "127.0.0.1:0",
            "-q",
        ]
        assert CliRunner().invoke(main, words).exit_code == 0
    assert helios.open(tmp_path / "x").settings.metrics.listen == "127.0.0.1:0"
    log = (tmp_path / "x" / "logs" / "helios.jsonl").read_text("utf-8")
    assert re.search(r'"event":"listening","address":"http://127.0.0.1:\d+/metrics"', log)


def test_nothing_listens_unless_it_is_asked_to() -> None:
    assert load().metrics.listen is None


def test_an_address_that_is_taken_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SettingsError, match=rf'\[metrics\] listen = "{listen}" does not do: .*in use'):
            helios.crawl("http://127.0.0.1/", tmp_path / "x", config=None, extract=None, listen=listen)
    assert not (tmp_path / "x").exists()
    with pytest.raises(SettingsError, match="does not do"):
        require_address(Metrics(listen="127.0.0.1:99999"))


@pytest.mark.parametrize(
    ("listen", "public"),
    [
        (None, False),
        ("127.0.0.1:1", False),
        ("[::1]:1", False),
        ("localhost:1", False),
        ("0.0.0.0:1", True),
        ("h:1", True),
    ],
)
def test_it_is_known_whether_others_can_read_them(listen: str | None, public: bool) -> None:
    assert is_public(Metrics(listen=listen)) is public


def test_quantiles_are_of_the_last_minute_and_little_too_high() -> None:
    latency = Latency()
    latency.add(0, {"first_byte": [1_000] * 90 + [900_000] * 10, "body": [500] * 100})
    assert latency.quantile(0, 0.5) == pytest.approx(0.0015, rel=0.13)
    assert latency.quantile(0, 0.95) == pytest.approx(0.9, rel=0.13)
    assert latency.quantile(61_000, 0.5) is None
    latency.add(61_000, {"first_byte": [5_000], "body": [0]})
    assert latency.quantile(61_000, 0.99) == pytest.approx(0.005, rel=0.13)
    assert latency.count() == 101
    assert latency.seconds == pytest.approx(90 * 0.0015 + 10 * 0.9005 + 0.005)


def test_a_histogram_has_exact_bounds() -> None:
    assert {round(bound * 1e6) for bound in BOUNDS} <= set(EDGES_US)
    latency = Latency()
    latency.add(0, {"body": [1_000, 1_001, 2_500, 2_501, 10**9]})
    assert latency.up_to()[:2] == [(0.001, 1), (0.0025, 3)]
    assert latency.up_to()[-1] == (100.0, 4)
    latency.add(0, {})
    assert latency.count() == 5


def test_the_docs_list_every_metric(root: Path) -> None:
    world = World(line_of(1))
    real = {f"helios_{metric.name}": metric.kind for metric in metrics(snapshot(world.stages(), Tally(started=0)))}
    told = re.findall(r"^\| `(\w+)[^`]*` \| (\w+) \|", (root / "docs" / "metrics.md").read_text("utf-8"), re.MULTILINE)
    assert dict(told) == real
