"""A crawl that is stopped for a while, as Ctrl-Z and `fg` do: what was answered meanwhile is not asked again."""

import signal
from pathlib import Path
from threading import Event

import pytest

from end_to_end.kills import helios_process
from end_to_end.webs import acquitted, settings_for, verdict_on
from helios.settings import load, to_toml
from helios.simweb import get, started

SLOW = [
    "--preset=calm",
    "--hosts=60",
    "--set=seeds=60",
    "--set=mean_pages=3",
    "--set=max_pages=8",
    "--set=latency_ms=150",
]


@pytest.mark.timeout(60)
def test_what_was_answered_while_a_crawl_was_stopped_is_not_asked_again(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    more: dict[str, object] = {"first_byte_timeout_ms": 1_000}
    config = folder.with_suffix(".toml")
    with started(SLOW) as web:
        config.write_text(to_toml(load(None, **settings_for(web, **more))))
        process = helios_process("crawl", *web.seeds, "--config", str(config), "--out", str(folder))
        while b'"in flight"' not in get(web.http, "/__log") and process.poll() is None:
            Event().wait(0.01)
        for _ in range(2):
            process.send_signal(signal.SIGSTOP)
            Event().wait(1.5)  # longer than the crawl has patience; every answer is there by then
            process.send_signal(signal.SIGCONT)
            Event().wait(0.3)
        _, said = process.communicate(timeout=40)
        assert process.returncode == 0, said.decode()
        acquitted(web, verdict_on(web, complete=True, **more), folder)
