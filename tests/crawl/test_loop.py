"""The loop over doubles: what it does in which order, and when it ends."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from doubles import (
    FakeClock,
    FakeDone,
    FakeExtractor,
    FakeFrontier,
    FakePages,
    FakeVisits,
    JournalStore,
    World,
    line_of,
    star_of,
)
from helios.crawl.audience import Told
from helios.crawl.begin import Start, crawled
from helios.crawl.loop import DRAIN_MS, NAP_MS, PATIENCE_MS, Loop
from helios.crawl.stop import Stop
from helios.crawl.tally import Tally
from helios.errors import FrontierError, SeedError, StorageError, StoreError
from helios.extract import Extractor
from helios.settings import load

SEED = "http://one.test/0"


def looped(world: World, stop: Stop | None = None, turns: list[Tally] | None = None) -> Loop:
    world.frontier.seed(world.clock.now(), [SEED])
    seen = turns if turns is not None else []
    return Loop(world.stages(), stop or Stop(), seen.append)


async def test_every_reachable_page_is_stored_once() -> None:
    world = World(star_of(50))
    tally = await looped(world).run()
    assert tally.pages == 50
    assert set(world.stored().values()) == {1}
    assert world.stored().total() == 50


async def test_stage_comes_before_settle_and_settle_before_publish() -> None:
    world = World(line_of(5), settings=load(publish_ms=0))
    await looped(world).run()
    for name in ("00000001", "00000003", "00000005"):
        order = [line for line in world.journal if name in line]
        assert [line.split()[0] for line in order] == ["stage", "settle", "publish"]


async def test_nothing_settled_is_left_unpublished_at_the_end() -> None:
    world = World(line_of(3), settings=load(publish_ms=3_600_000))
    await looped(world).run()
    assert world.journal[-1] == "publish 00000001,00000002,00000003"
    assert world.frontier.staged() == []


async def test_the_fetcher_is_never_given_more_than_it_has_room_for() -> None:
    world = World(star_of(100))
    world.fetcher.room = 3
    await looped(world).run()  # the double asserts
    assert world.stored().total() == 100


async def test_while_more_comes_than_can_be_read_the_frontier_is_told_so() -> None:
    told = threading.Event()

    class Hearing(FakeFrontier):
        def lease(self, now: int, max_visits: int, *, behind: bool = False) -> FakeVisits:
            if behind:
                told.set()
            return super().lease(now, max_visits, behind=behind)

    class Slow(FakeExtractor):
        def extract(self, done: FakeDone, *, keep_bodies: bool) -> FakePages:
            if len(done) > 1:  # the seed comes alone
                assert told.wait(10), "it was never behind"
            return super().extract(done, keep_bodies=keep_bodies)

    world = World(star_of(200), settings=load(batch_pages=4))
    world.frontier = Hearing(world.journal)
    world.frontier.seed(world.clock.now(), [SEED])
    stages = replace(world.stages(), extractor=cast("Extractor", Slow(world.web)))
    await Loop(stages, Stop(), lambda _: None).run()
    assert world.stored().total() == 200
    assert not world.frontier.behind[0]
    assert not world.frontier.behind[-1]


async def test_bodies_make_place_for_others_once_they_are_read_unless_somebody_listens() -> None:
    class Deaf:
        async def hear(self, told: Told) -> None:
            del told

        async def leave(self) -> None:
            pass

    for audience in (None, Deaf()):
        world = World(star_of(50))
        world.frontier.seed(world.clock.now(), [SEED])
        await Loop(world.stages(), Stop(), lambda _: None, audience).run()
        assert {done.has_bodies for done in world.fetcher.given if done.urls} == {audience is not None}


async def test_a_limit_on_pages_ends_the_crawl() -> None:
    world = World(star_of(50), settings=load(max_pages=7))
    tally = await looped(world).run()
    assert tally.pages == 7


async def test_waiting_for_politeness_does_not_spin() -> None:
    world = World(line_of(4))
    world.frontier.delay = 10_000
    turns: list[Tally] = []
    await looped(world, turns=turns).run()
    waits = [wait for wait in world.clock.slept if wait]  # 0: links of a batch not yet settled may be due at once
    assert min(waits) >= NAP_MS
    assert world.clock.slept.count(0) <= 2 * 4  # for each page one while it is extracted, one while it is stored
    assert sum(world.clock.slept) >= 3 * 9_900
    assert len(turns) < 4 * (10_000 // PATIENCE_MS + 4)


async def test_something_due_in_a_moment_is_not_waited_for_longer_than_that() -> None:
    world = World(star_of(3))
    world.frontier.delay = 120
    await looped(world).run()
    assert max(world.clock.slept) <= 120 + NAP_MS


async def test_the_time_limit_stops_leasing_and_waits_for_what_is_in_flight() -> None:
    world = World(line_of(1000), settings=load(max_seconds=2))
    world.frontier.delay = 500
    stop = Stop()
    tally = await looped(world, stop).run()
    assert stop.reason == "time"
    assert 3 <= tally.pages <= 5
    assert world.fetcher.in_flight == 0


async def stopped_while_hanging() -> tuple[World, Stop, Loop]:
    """A crawl that was stopped once, with a fetch in flight that never ends."""
    world = World(line_of(3))
    world.fetcher.hangs = True
    stop = Stop()
    loop = looped(world, stop)
    await loop.step()
    stop.press()
    return world, stop, loop


async def test_a_stopped_crawl_gives_up_on_a_fetch_that_never_ends() -> None:
    world, _, loop = await stopped_while_hanging()
    before = world.clock.now()
    await loop.run()
    assert DRAIN_MS <= world.clock.now() - before <= DRAIN_MS + 2 * PATIENCE_MS
    assert world.fetcher.closed


async def test_ctrl_c_keeps_what_is_in_flight() -> None:
    world = World(star_of(20))
    world.fetcher.room = 4
    stop = Stop()
    loop = looped(world, stop)
    for _ in range(4):  # the first page is stored, and those that it leads to are in flight
        await loop.step()
    stop.press()
    tally = await loop.run()
    assert world.stored().total() == tally.pages > 1
    assert world.journal.count("stop") == 1
    assert world.fetcher.drained


async def test_a_second_ctrl_c_does_not_wait() -> None:
    world, stop, loop = await stopped_while_hanging()
    stop.press()
    before = world.clock.now()
    await loop.run()
    assert world.clock.now() == before


async def test_the_fetcher_is_closed_when_the_store_fails() -> None:
    class Full(JournalStore):
        def stage(self, name: str, pages: object) -> bool:
            raise StoreError(f"the disk is full ({name}: {type(pages).__name__})")

    world = World(star_of(3))
    world.store = Full(world.journal)
    with pytest.raises(StoreError, match="disk is full"):
        await looped(world).run()
    assert world.fetcher.closed
    assert not [line for line in world.journal if line.startswith("settle")]


class FullAfterTwo(JournalStore):
    """A disk that has room for two batches."""

    publishes = True

    def stage(self, name: str, pages: object) -> bool:
        if self.journal.count("settle 00000002"):
            raise StoreError("the disk is full")
        return super().stage(name, pages)

    def publish(self, names: Sequence[str]) -> int:
        if not self.publishes:
            raise StoreError("nor can anything be published")
        return super().publish(names)


async def test_what_is_settled_is_published_when_the_crawl_fails() -> None:
    world = World(line_of(9), settings=load(publish_ms=3_600_000))
    world.store = FullAfterTwo(world.journal)
    with pytest.raises(StoreError, match="the disk is full"):
        await looped(world).run()
    assert world.journal[-1] == "publish 00000001,00000002"
    assert world.frontier.staged() == []
    assert world.stored().total() == 2
    assert world.fetcher.closed


async def test_a_crawl_that_fails_twice_tells_the_first_reason() -> None:
    world = World(line_of(9), settings=load(publish_ms=3_600_000))
    world.store = full = FullAfterTwo(world.journal)
    full.publishes = False
    with pytest.raises(StoreError, match="the disk is full"):
        await looped(world).run()


async def test_an_error_that_is_not_ours_publishes_too() -> None:
    world = World(line_of(9), settings=load(publish_ms=3_600_000))
    turns: list[Tally] = []
    loop = looped(world, turns=turns)
    for _ in range(4):
        await loop.step()
    world.frontier.seen = cast("set[str]", None)  # the next settle fails in a way that nobody thought of
    with pytest.raises(TypeError):
        await loop.run()
    assert world.stored().total() == turns[-1].pages > 0


async def test_a_frontier_that_forgets_ends_the_crawl_loudly() -> None:
    world = World(line_of(2))
    loop = looped(world)
    world.frontier.queue.clear()
    world.frontier.leased.add("http://one.test/lost")
    with pytest.raises(FrontierError, match="nothing is in flight"):
        await loop.run()


async def test_the_summary_adds_up() -> None:
    world = World(star_of(12))
    world.frontier.denied = 3
    summary = await crawled(Start(world.stages(), [SEED, "http://one.test/refused"], Path("there")))
    assert (summary.pages, summary.bytes, summary.ended) == (12, 1200, "finished")
    assert summary.outcomes == {"fetched": 12, "denied": 3}
    assert (summary.robots, summary.robots_read) == (3, 40)  # of each of the double's batches one; as its stats say
    assert summary.refused_seeds == [("http://one.test/refused", "refused by name")]


@pytest.mark.parametrize(("limit", "ended"), [(5, "pages"), (50, "finished")])
async def test_the_summary_tells_a_limit_from_the_end(limit: int, ended: str) -> None:
    world = World(star_of(12), settings=load(max_pages=limit))
    assert (await crawled(Start(world.stages(), [SEED], Path("there")))).ended == ended


async def test_a_crawl_of_refused_seeds_alone_does_not_start() -> None:
    world = World(star_of(2))
    with pytest.raises(SeedError, match=r"no seed can be crawled; http://one.test/refused: refused by name"):
        await crawled(Start(world.stages(), ["http://one.test/refused"], Path("there")))


def test_the_doubles_have_the_methods_of_the_core() -> None:
    from helios import _core  # noqa: PLC0415  # only here: doubles stand in for it

    world = World({})
    for double, real in ((world.frontier, _core.Frontier), (world.fetcher, _core.Fetcher)):
        missing = [name for name in dir(real) if not name.startswith("_") and not hasattr(double, name)]
        assert missing == []
    assert isinstance(world.clock, FakeClock)


async def test_pages_of_a_settle_that_failed_are_not_published() -> None:
    world = World(line_of(3))
    world.frontier.full = True
    with pytest.raises(StorageError, match="the disk is full"):
        await crawled(Start(world.stages(), ["http://one.test/0"], Path("there")))
    assert world.stored().total() == 0
    assert world.frontier.closed
