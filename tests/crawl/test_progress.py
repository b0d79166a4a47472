"""What a person sees while it runs."""

import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from doubles import World, line_of
from helios.crawl.pace import Pace
from helios.crawl.progress import (
    ECHO,
    ENDING,
    HINT,
    LINE_MS,
    LOOK_MS,
    SEEDS,
    SIDE_BY_SIDE,
    LiveView,
    counted,
    next_visit,
    plain,
    shown,
)
from helios.crawl.summary import Summary, gather, render, size
from helios.crawl.tally import Tally
from helios.observe.snapshot import Snapshot, snapshot
from helios.outcome import Outcome


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
    assert lines[0].startswith("5 s: 1234 pages, 0.0/s, 5.0 MB, 0 B/s; 2 busy, 1234 fetched; 0 visits, 0 sites ready")


def told(now: Snapshot, before: Snapshot | None = None) -> str:
    pace = Pace()
    for one in (before, now):
        if one is not None:
            pace.add(one)
    return plain(now, pace)


def moment(**known: object) -> Snapshot:
    world = World(line_of(1))
    counts = Tally(started=world.clock.now())
    world.clock.time += 10_000
    return msgspec.structs.replace(snapshot(world.stages(), counts), memory=200_000_000, **known)


def test_a_crawl_that_has_just_begun_says_so() -> None:
    assert told(moment()) == (
        "10 s: 0 pages, 0.0/s, 0 B, 0 B/s; starting; 0 visits, 0 sites ready, 0 wait, 0 URLs queued; memory 200.0 MB"
    )


BUSY = {
    "pages": 1_500,
    "bytes": 3_000_000,
    "in_flight": 30,
    "outcomes": {"fetched": 1_500, "busy": 3},
    "frontier": {"sites_ready": 7, "sites_waiting": 9, "pending": 800, "dead": 4, "fetched": 1_500, "bytes": 3_000_000},
    "limits": {"max_pages": 2_000, "max_seconds": 60, "max_bytes": 12_000_000},
}


def test_a_line_has_all_the_facts() -> None:
    before, now = moment(pages=1_000, bytes=2_000_000), moment(**BUSY)
    before = msgspec.structs.replace(before, at=now.at - 5_000)
    assert told(now, before) == (
        "10 s: 1500 pages, 100.0/s, 3.0 MB, 200.0 kB/s; 3 busy, 1500 fetched; 30 visits, 7 sites ready, 9 wait, "
        "800 URLs queued; memory 200.0 MB; 4 dead letters; 75% of 2,000 pages, 0:05 left; 17% of 1:00, 0:50 left; "
        "25% of 12.0 MB, 0:45 left"
    )


def drawn(now: Snapshot, width: int) -> list[str]:
    text = io.StringIO()
    Console(file=text, force_terminal=True, width=width, color_system=None).print(LiveView().drawn(now))
    return text.getvalue().splitlines()


def test_the_live_view_shows_limits_queue_and_dead_letters() -> None:
    lines = "\n".join(drawn(moment(**BUSY), 80))
    for word in ("7 ready, 9 wait", "800 URLs", "200.0 MB", "75%", "of 2,000 pages", "of 1:00, 0:50 left", "30 of"):
        assert word in lines
    assert re.search(r"dead letters +4", lines)


HUGE = 10**13
ALL = {kind.value: HUGE for kind in Outcome}
FULL: dict[str, object] = {
    "pages": HUGE,
    "bytes": HUGE**2,
    "robots": HUGE,
    "robots_read": HUGE,
    "denied": HUGE,
    "outcomes": ALL,
    "latency": {"0.5": 100.0, "0.95": 999.0},
    "frontier": dict.fromkeys(("sites_ready", "sites_waiting", "pending", "known", "dead"), HUGE),
    "limits": {"max_pages": HUGE, "max_seconds": HUGE, "max_bytes": HUGE},
}


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_no_line_of_the_live_view_is_wider_than_the_terminal(width: int) -> None:
    few, many = drawn(moment(pages=1, outcomes={"fetched": 1}), width), drawn(moment(**FULL), width)
    assert max(map(cell_len, [*few, *many])) <= width
    assert len(many) == (6 if width >= SIDE_BY_SIDE else 12) + 1 + 3 + 1 + 9 + 1 + 1, "no row is wrapped"
    assert many[-1][:10] == HINT[:10]


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_shows_every_count_and_shortens_what_explains_it(width: int) -> None:
    outcomes = {"fetched": 1_218, "unwanted_type": 4, "redirected": 101}
    lines = drawn(moment(outcomes=outcomes, limits={"max_pages": 3_000}), width)
    for kind, count in outcomes.items():
        assert any(line.split()[:2] == [kind, f"{count:,}"] for line in lines), kind
    assert any(line.startswith("pages") and "of 3,000 pages" in line for line in lines)


def test_the_view_is_drawn_four_times_a_second_however_fast_the_loop_turns() -> None:
    world, text = World(line_of(1)), io.StringIO()
    with shown(Console(file=text, force_terminal=True, width=80)) as watch:
        counts = tally(world)
        for _ in range(1_000):
            watch(world.stages(), counts)
            world.clock.time += 1
    assert text.getvalue().count(HINT) == 1_000 // LOOK_MS + 1, "and once at the end"


@pytest.mark.parametrize(("group", "draws"), [(0, True), (1, False)])
def test_a_crawl_in_the_background_draws_over_nobody_s_words(
    group: int, draws: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "tcgetpgrp", lambda _terminal: os.getpgrp() + group)
    world = World(line_of(1))
    with (tmp_path / "screen").open("w+") as file:
        with shown(Console(file=file, force_terminal=True, width=80)) as watch:
            watch(world.stages(), tally(world))
        file.seek(0)
        assert (HINT in file.read()) is draws


def test_while_many_seeds_are_checked_their_number_is_told_now_and_then() -> None:
    clock, text = World(line_of(1)).clock, io.StringIO()

    def slow() -> Iterator[str]:
        for number in range(3 * SEEDS):
            clock.time += LINE_MS // SEEDS + 1  # a little longer than a line for each so many
            yield str(number)

    assert len(list(counted(slow(), Console(file=text, width=80), clock))) == 3 * SEEDS
    assert text.getvalue() == "checking seeds, 10,000 so far\nchecking seeds, 20,000 so far\n"
    assert list(counted(["a", "b"], None)) == ["a", "b"]


def test_a_crawl_that_is_to_be_quiet_shows_nothing() -> None:
    world, text = World(line_of(1)), io.StringIO()
    with shown(Console(file=text, force_terminal=True, width=80), quiet=True) as watch:
        world.clock.time += LINE_MS
        watch(world.stages(), tally(world))
    assert text.getvalue() == ""


def test_no_color_is_respected() -> None:
    world, text = World(line_of(1)), io.StringIO()
    with shown(Console(file=text, force_terminal=True, width=80, _environ={"NO_COLOR": "1"})) as watch:
        watch(world.stages(), tally(world))
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", text.getvalue())


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
        for word in ("denied", "17", "robots.txt", "40 of 41"):
            assert word in text.getvalue()
        assert "denied" not in counts.outcomes


def test_what_earlier_runs_have_counted_is_not_shown_as_of_this_one() -> None:
    for terminal in (True, False):
        world, text = World(line_of(1)), io.StringIO()
        world.frontier.denied = 17
        world.frontier.granted = 1  # it has begun
        with shown(Console(file=text, force_terminal=terminal, width=100)) as watch:
            counts = tally(world)
            counts.robots, counts.before = 3, {"denied": 15, "robots_answers": 38}
            world.clock.time += LINE_MS
            watch(world.stages(), counts)
        said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.getvalue())
        assert re.search(r"\b2 of 3\b", said)
        assert re.search(r"denied +2\b|\b2 denied", said)


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

    def wait() -> str | None:
        return next_visit(snapshot(world.stages(), tally(world)))

    assert wait() is None
    world.frontier.seed(now, ["http://one.test/0"])
    assert wait() is None
    world.frontier.due = now + 1
    assert wait() == "next visit in 1 s"
    world.fetcher.busy.append("http://one.test/0")
    assert wait() is None


def test_memory_is_shown_beside_its_ceiling() -> None:
    assert "; memory 200.0 MB of 2.0 GB" in told(moment(ceiling=2_000_000_000))


def test_a_pause_is_said() -> None:
    assert told(moment(paused=True)).endswith("; paused")
    assert told(moment(paused=True, in_flight=3)).endswith("; pausing, 3 visits come home")


def test_a_narrow_terminal_cuts_no_name_short() -> None:
    lines = "\n".join(drawn(moment(**BUSY), 50))
    for word in ("received", "robots.txt", "dead letters", "7 ready, 9 wait", "200.0 MB"):
        assert word in lines


@pytest.mark.parametrize("width", [40, 60, len(HINT), 80])
def test_the_last_line_leaves_room_for_what_the_terminal_writes_at_ctrl_c(width: int) -> None:
    assert len(drawn(moment(**BUSY), width)[-1]) <= width - ECHO


def test_a_crawl_that_is_to_end_says_what_it_waits_for() -> None:
    assert told(moment(stopping=True)).endswith("; ending")
    assert told(moment(stopping=True, in_flight=3)).endswith("; ending, 3 visits come home")
    lines = drawn(moment(stopping=True, in_flight=3), 80)
    assert lines[-1].startswith(ENDING)
    assert any("ending, 3 visits come home" in line for line in lines)


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
