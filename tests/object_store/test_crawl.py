"""Whole crawls whose table is in an object store that fails, and whose processes die."""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

import helios
from end_to_end.kills import Death, again, crawl_through, deaths, judged_after
from end_to_end.webs import crawled, settings_for
from helios.faults import POINTS
from helios.settings import load, to_toml
from helios.simweb import started
from object_store.proxy import Proxy, proxied
from object_store.servers import KEYS, Weed, weed

KILLS = int(os.environ.get("HELIOS_KILLS", "40"))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Weed]:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with weed(tmp_path / "weed") as running:
        yield running


def at(port: int, **more: object) -> dict[str, object]:
    """Settings of a table in a bucket behind that port."""
    where = {"url": "s3://crawls/one", "endpoint": f"http://127.0.0.1:{port}", "allow_http": True, "wait_seconds": 60}
    return {"store": {**where, "publish_ms": 200, "compact_files": 3, **more}}


@pytest.mark.timeout(180)
def test_a_crawl_survives_a_store_that_fails_and_a_death_of_each(tmp_path: Path, server: Weed) -> None:
    folder = tmp_path / "out"
    with proxied(Proxy(server.port, seed=1, share=0.05)) as proxy, started(["--preset=calm", "--hosts=8"]) as web:
        more = {"delay_ms": 200, **at(proxy.port)}
        config = folder.with_suffix(".toml")
        config.write_text(to_toml(load(None, **settings_for(web, **more))))
        process = again(web, folder)
        while not (proxy.requests > 40 or process.poll() is not None):
            Event().wait(0.05)
        server.kill()
        Event().wait(1)  # requests fail meanwhile
        server.start()
        while not (proxy.requests > 150 or process.poll() is not None):
            Event().wait(0.05)
        process.kill()
        process.communicate()
        process = again(web, folder)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
        assert proxy.fates.total() > 5
        judged_after(web, folder, 1, **more)
        kept = (folder / "helios.toml").read_text()
    assert not (folder / "pages.lance").exists(), "the table is in the store, the frontier in the folder"
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in kept + said.decode()


@pytest.mark.timeout(120)
def test_a_crawl_of_a_store_that_goes_away_ends_with_a_sentence_and_can_go_on(tmp_path: Path, server: Weed) -> None:
    folder = tmp_path / "out"
    with proxied(Proxy(server.port)) as proxy, started(["--preset=calm", "--hosts=3"]) as web:
        more = {"delay_ms": 200, **at(proxy.port, wait_seconds=2)}
        folder.with_suffix(".toml").write_text(to_toml(load(None, **settings_for(web, **more))))
        process = again(web, folder)
        while not (proxy.requests > 30 or process.poll() is not None):
            Event().wait(0.05)
        server.kill()
        _, said = process.communicate(timeout=90)
        assert process.returncode not in {0, None}
        assert b"s3://crawls/one" in said
        assert b"Traceback" not in said
        server.start()
        assert helios.resume(folder).ended == "finished"
        judged_after(web, folder, 1, **more)


def test_another_crawl_into_the_same_prefix_is_refused_and_leaves_no_folder(tmp_path: Path, server: Weed) -> None:
    with started(["--preset=calm", "--hosts=3"]) as web:
        more = {"max_pages": 2, **at(server.port)}
        crawled(web, tmp_path / "one", **more)
        with pytest.raises(helios.StoreError, match="belongs to another crawl"):
            crawled(web, tmp_path / "two", **more)
    assert not (tmp_path / "two").exists()


@pytest.mark.sim
@pytest.mark.timeout(1_200)
def test_a_crawl_into_a_store_that_fails_survives_many_deaths(tmp_path: Path, server: Weed) -> None:
    ends = [*(Death(20, point) for point in POINTS if not point.startswith("collect")), *deaths(KILLS, seed=4)]
    long = ["--hosts=40", "--set=mean_pages=60", "--set=max_pages=80", "--set=tiny_hosts=0"]
    web_settings = ["--preset=demo", "--seed=9", "--set=https=0.5", "--set=traps=0", *long]
    with proxied(Proxy(server.port, seed=2, share=0.03)) as proxy, started(web_settings) as web:
        more = {"delay_ms": 2_000, **at(proxy.port)}
        died = crawl_through(web, tmp_path / "out", ends, **more)
        assert died.total() == len(ends)
        judged_after(web, tmp_path / "out", died.total(), **more)
