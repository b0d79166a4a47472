"""What a person sees while it runs."""

import io
from collections import Counter

from rich.console import Console

from doubles import World, line_of
from helios.crawl.progress import LINE_MS, next_visit, shown
from helios.crawl.summary import Summary, gather, plain, render, size
from helios.crawl.tally import Tally


def tally(world: World) -> Tally:
    return Tally(started=world.clock.now(), pages=1234, bytes=5_000_000, outcomes=Counter(fetched=1234, busy=2))


def test_a_terminal_shows_a_live_table() -> None:
    world, text = World(line_of(1)), io.StringIO()
    console = Console(file=text, force_terminal=True, width=100)
    with shown(console) as watch:
        counts = tally(world)
        watch(world.stages(), counts)
        world.clock.time += 1_000
        counts.pages += 50
        watch(world.stages(), counts)
    for word in ("1,284", "50.0", "fetched", "busy", "Ctrl-C"):
        assert word in text.getvalue()


def test_a_pipe_gets_a_line_every_few_seconds() -> None:
    world, text = World(line_of(1)), io.StringIO()
    with shown(Console(file=text, width=40)) as watch:
        counts = tally(world)
        for _ in range(10):
            world.clock.time += LINE_MS // 2
            watch(world.stages(), counts)
    lines = text.getvalue().splitlines()
    assert len(lines) == 5
    assert lines[0] == "5 s: 1234 pages, 246.8/s, 5.0 MB; 2 busy, 1234 fetched"


def test_a_crawl_that_has_just_begun_says_so() -> None:
    assert plain(Tally(started=0), 0, {}, None) == "0 s: 0 pages, 0.0/s, 0 B; starting"


def test_what_robots_deny_is_counted_in_both_views() -> None:
    for terminal in (True, False):
        world, text = World(line_of(1)), io.StringIO()
        world.frontier.denied = 17
        world.frontier.granted = 1  # it has begun
        with shown(Console(file=text, force_terminal=terminal, width=100)) as watch:
            counts = tally(world)
            counts.robots = 41
            world.clock.time += LINE_MS
            watch(world.stages(), counts)
        for word in ("denied", "17", "robots.txt read", "40 of 41"):
            assert word in text.getvalue()
        assert "denied" not in counts.outcomes


def test_a_crawl_that_only_waits_says_for_how_long() -> None:
    for terminal in (True, False):
        world, text = World(line_of(1)), io.StringIO()
        world.frontier.seed(world.clock.now() + LINE_MS + 7_001, ["http://one.test/0"])
        with shown(Console(file=text, force_terminal=terminal, width=100)) as watch:
            counts = tally(world)
            world.clock.time += LINE_MS
            watch(world.stages(), counts)
        assert "next visit in 8 s" in text.getvalue()


def test_a_crawl_that_is_fetching_or_has_something_due_waits_for_nothing() -> None:
    world = World(line_of(1))
    now = world.clock.now()
    assert next_visit(world.stages(), now) is None
    world.frontier.seed(now, ["http://one.test/0"])
    assert next_visit(world.stages(), now) is None
    world.frontier.due = now + 1
    assert next_visit(world.stages(), now) == "next visit in 1 s"
    world.fetcher.busy.append("http://one.test/0")
    assert next_visit(world.stages(), now) is None


def test_sizes_are_for_people() -> None:
    assert [size(count) for count in (0, 999, 1_000, 12_345_678, 3e12)] == [
        "0 B",
        "999 B",
        "1.0 kB",
        "12.3 MB",
        "3.0 TB",
    ]


def test_the_summary_names_dead_letters_and_refused_seeds() -> None:
    summary = Summary(
        out="there",
        pages=3,
        bytes=10,
        seconds=2.0,
        ended="time",
        robots=7,
        robots_read=5,
        outcomes={"fetched": 3, "denied": 2},
        dead_letters=12,
        dead_reasons=gather([("http://one.test/[x]", "timed out", 4), ("http://one.test/y", "timed out", 4)]),
        refused_seeds=[("http://two.test/", "too long")],
    )
    text = io.StringIO()
    Console(file=text, width=100).print(render(summary))
    for word in (
        "the time limit",
        "1.5 pages/s",
        "robots.txt read  5 of 7 asked for",
        "robots.txt says no",
        "http://one.test/[x]",
        "2  timed out",
        "… and 10 more",
        "http://two.test/: too long",
    ):
        assert word in text.getvalue()
