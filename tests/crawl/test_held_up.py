"""A crawl that is ended while a site cannot be had says what it waited for: there is no outcome of it yet."""

import socket
from pathlib import Path

import pytest

import helios
from helios import _core
from helios.cli.crawl import show


def nobody() -> str:
    """A URL where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/"


def stopped_at_the_first_failure(seed: str, out: Path) -> helios.Summary:
    def stop(failure: helios.Failure) -> None:
        raise helios.StopCrawl(failure.reason)

    return helios.crawl(seed, out=out, allow=["loopback"], on_error=stop)


def test_a_crawl_that_ends_before_robots_txt_could_be_read_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = nobody()
    summary = stopped_at_the_first_failure(seed, tmp_path / "out")
    assert (summary.ended, summary.pages, summary.dead_letters) == ("hook", 0, 0)
    assert (summary.held_up or "").startswith(f"{seed} waits: robots.txt cannot be read: no connection")
    show(summary, as_json=False)
    said = capsys.readouterr().out
    assert "nobody answers there; is the address right" in said
    assert f"\n{summary.held_up}\n" in said
    assert f" resume {summary.out}\n" in said


def test_a_name_that_is_not_there_is_given_up_after_one_look(tmp_path: Path) -> None:
    web = _core.SimWeb("calm", "{}", 0, 0, 0)
    try:
        summary = helios.crawl(
            "http://no-such-name.test/", tmp_path / "out", contact="me@localhost", servers=[f"127.0.0.1:{web.dns_port}"]
        )
    finally:
        web.stop()
    assert (summary.ended, summary.robots, summary.dead_letters) == ("finished", 1, 1)
    assert "there is no such name" in summary.dead_reasons[0].reason
