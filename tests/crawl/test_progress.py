"""What a person sees while it runs."""

import io
from collections import Counter

from rich.console import Console

from doubles import World, line_of
from helios.crawl.progress import LINE_MS, shown
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
    assert plain(Tally(started=0), 0) == "0 s: 0 pages, 0.0/s, 0 B; starting"


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
        outcomes={"fetched": 3},
        dead_letters=12,
        dead_reasons=gather([("http://one.test/[x]", "timed out", 4), ("http://one.test/y", "timed out", 4)]),
        refused_seeds=[("http://two.test/", "too long")],
    )
    text = io.StringIO()
    Console(file=text, width=100).print(render(summary))
    for word in (
        "the time limit",
        "1.5 pages/s",
        "http://one.test/[x]",
        "2  timed out",
        "… and 10 more",
        "http://two.test/: too long",
    ):
        assert word in text.getvalue()
