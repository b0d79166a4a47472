"""Many seeds go in by and by; a crawl that ends in between takes the rest next time."""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

import helios
from doubles import World, star_of
from helios.cli import main
from helios.crawl import seeding
from helios.crawl.begin import Start, crawled
from helios.crawl.seeding import FILE, chunks, take_in
from helios.crawl.stop import Stop
from helios.errors import SeedError, StorageError
from helios.settings import load
from sites import served

SEEDS = [f"http://one.test/{number}" for number in range(25)]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(seeding, "AT_ONCE", 10)
    return World(star_of(25))


def taken(world: World, out: Path, seeds: list[str], stop: Stop | None = None) -> int:
    """How many writes it took."""
    writes: list[None] = []
    asyncio.run(take_in(world.stages(), seeds, out, stop or Stop(), lambda: writes.append(None)))
    return len(writes)


def test_many_seeds_go_in_some_at_a_time(world: World, tmp_path: Path) -> None:
    assert taken(world, tmp_path, SEEDS) == 3
    assert list(world.frontier.queue) == SEEDS
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_taken_in_before_the_end_is_taken_in_next_time(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, calls = world.frontier.seed, []

    def dies(now: int, urls: list[str]) -> list[tuple[str, str]]:
        calls.append(now)
        if len(calls) == 2:
            raise StorageError("the disk is full")
        return seed(now, urls)

    monkeypatch.setattr(world.frontier, "seed", dies)
    with pytest.raises(StorageError):
        taken(world, tmp_path, SEEDS)
    assert len(world.frontier.queue) == 10
    assert (tmp_path / FILE).exists()
    taken(world, tmp_path, [])
    assert list(world.frontier.queue) == SEEDS
    assert not (tmp_path / FILE).exists()


def test_a_stop_in_between_leaves_the_rest_for_the_next_run(world: World, tmp_path: Path) -> None:
    stop = Stop()

    async def stopped() -> None:
        await take_in(world.stages(), SEEDS, tmp_path, stop, stop.press)

    asyncio.run(stopped())
    assert len(world.frontier.queue) == 10
    assert taken(world, tmp_path, ["http://one.test/more"]) == 3
    assert list(world.frontier.queue) == [*SEEDS, "http://one.test/more"]


async def test_time_that_is_up_ends_the_taking_in_of_seeds_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeding, "AT_ONCE", 10)
    world = World(star_of(25), load(max_seconds=1))
    seed = world.frontier.seed

    def slowly(now: int, urls: list[str]) -> list[tuple[str, str]]:
        world.clock.time += 600
        return seed(now, urls)

    monkeypatch.setattr(world.frontier, "seed", slowly)
    summary = await crawled(Start(world.stages(), SEEDS, tmp_path))
    assert (summary.ended, summary.pages, len(world.frontier.queue)) == ("time", 0, 20)
    assert (tmp_path / FILE).exists(), "the rest is for the next run"


async def test_seeds_that_are_all_refused_are_an_error(world: World, tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="no seed can be crawled"):
        await crawled(Start(world.stages(), ["http://one.test/refused"], tmp_path / "none"))


def test_a_resumed_crawl_takes_in_the_seeds_that_were_left(tmp_path: Path) -> None:
    with served({"/": "one", "/two": "two"}) as site:
        helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
        assert helios.open(tmp_path / "out").status().state == "finished"
        (tmp_path / "out" / FILE).write_text(site.at("/") + "\n" + site.at("/two") + "\n")
        left = helios.open(tmp_path / "out").status()
        assert (left.state, left.seeds_left) == ("stopped", True)
        assert "not all are taken in yet" in CliRunner().invoke(main, ["status", str(tmp_path / "out")]).stdout
        assert helios.resume(tmp_path / "out").pages == 1
        assert sorted(site.asked) == ["/", "/robots.txt", "/two"]


def test_requests_are_cut_by_count_and_by_length() -> None:
    assert list(chunks("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(chunks(["aaaa", "b", "c", "dddddddddd", "e"], 3, 11)) == [["aaaa", "b"], ["c"], ["dddddddddd"], ["e"]]
