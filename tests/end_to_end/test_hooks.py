"""Hooks and streams over a real crawl: what they are told, that they hold it up, and that they cannot break it."""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import helios
from end_to_end.webs import settings_for
from helios.simweb import Served, started
from sites import served


@pytest.fixture(scope="module")
def web() -> Iterator[Served]:
    with started(["--preset", "calm", "--seed", "11"]) as served:
        yield served


def words(web: Served, **more: object) -> dict[str, Any]:
    return settings_for(web, delay_ms=0, max_pages=40, **more)


def stored(out: Path) -> list[str]:
    return [row["url"] for row in helios.open(out).pages(["url"])]


def test_on_page_is_told_of_every_page_that_is_stored_and_of_no_other(web: Served, tmp_path: Path) -> None:
    told: list[tuple[str, bool]] = []

    def hear(page: helios.Page) -> None:
        told.append((page.url, bool(page.title) and b"<title>" in page.body))

    summary = helios.crawl(web.seeds, tmp_path / "out", on_page=hear, **words(web))
    assert Counter(url for url, _ in told) == Counter(stored(tmp_path / "out"))
    assert summary.pages == len(told) == 40
    assert all(whole for _, whole in told)


def test_on_error_is_told_what_could_not_be_had(web: Served, tmp_path: Path) -> None:
    told: list[helios.Failure] = []
    seeds = [*web.seeds, "http://no-such-host.invalid/"]
    helios.crawl(seeds, tmp_path / "out", on_error=told.append, **words(web, robots={"attempts": 1}))
    of_it = [failure for failure in told if failure.url == "http://no-such-host.invalid/robots.txt"]
    assert {failure.outcome for failure in of_it} == {helios.Outcome.UNRESOLVED}
    assert all(failure.reason for failure in told)


def test_an_asynchronous_hook_is_awaited_and_its_calls_go_on_side_by_side(web: Served, tmp_path: Path) -> None:
    now = most = 0
    seen: list[str] = []

    async def slow(page: helios.Page) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.to_thread(threading.Event().wait, 0.01)
        now -= 1
        seen.append(page.url)

    helios.crawl(web.seeds, tmp_path / "out", on_page=slow, **words(web))
    assert Counter(seen) == Counter(stored(tmp_path / "out"))
    assert 1 < most <= 32


def test_a_hook_that_fails_is_counted_and_the_crawl_goes_on(web: Served, tmp_path: Path) -> None:
    def fail(page: helios.Page) -> None:
        raise KeyError(page.url)

    summary = helios.crawl(web.seeds, tmp_path / "out", on_page=fail, **words(web))
    assert summary.pages == summary.hook_failures == 40
    assert summary.hook_failure is not None
    assert "KeyError" in summary.hook_failure[1]


def leave(_: object) -> None:
    sys.exit(3)


async def leave_later(_: object) -> None:
    await asyncio.to_thread(len, "")
    sys.exit(3)


def leave_in_a_task(page: helios.Page) -> asyncio.Task[None]:
    return asyncio.ensure_future(leave_later(page))


@pytest.mark.parametrize(
    "hooks",
    [{"on_page": leave}, {"on_page": leave_later}, {"on_page": leave_in_a_task}, {"follow": leave}],
    ids=lambda hooks: " ".join(f"{kind} {hook.__name__}" for kind, hook in hooks.items()),
)
def test_a_hook_that_ends_the_program_ends_nothing(tmp_path: Path, hooks: dict[str, Any]) -> None:
    with served({"/": "one", "/b": "two", "/c": "three"}) as site:
        seeds = [site.at("/"), site.at("/b"), site.at("/c")]
        summary = helios.crawl(seeds, tmp_path / "out", **hooks, **site.settings())
    assert (summary.pages, summary.hook_failures) == (3, 3)
    assert summary.hook_failure is not None
    assert summary.hook_failure[1] == "SystemExit: 3"


def test_a_hook_that_ends_the_program_when_told_of_an_error_ends_nothing(tmp_path: Path) -> None:
    with served({"/": "one"}) as site:
        summary = helios.crawl(
            [site.at("/"), "http://127.0.0.1:1/"],
            tmp_path / "out",
            on_error=leave,
            **site.settings(frontier={"attempts": 1}, robots={"attempts": 1}),
        )
    assert summary.pages == 1
    assert summary.hook_failures > 0


def test_a_hook_that_raises_stop_crawl_ends_it_and_what_was_stored_stays(web: Served, tmp_path: Path) -> None:
    def enough(page: helios.Page) -> None:
        raise helios.StopCrawl(page.url)

    summary = helios.crawl(web.seeds, tmp_path / "out", on_page=enough, **{**words(web), "max_pages": None})
    assert summary.ended == "hook"
    assert summary.hook_failures == 0
    assert len(stored(tmp_path / "out")) == summary.pages >= 1
    assert helios.resume(tmp_path / "out").ended == "finished"


def test_what_a_hook_keeps_for_its_thread_is_made_once(tmp_path: Path) -> None:
    kept = threading.local()
    made = []

    def fields(page: helios.Page) -> dict[str, object]:
        if not hasattr(kept, "parser"):
            kept.parser = "parser"
            made.append(page.url)
        return {}

    with served({"/": '<a href="/b">b</a>', "/b": '<a href="/c">c</a>', "/c": "three"}) as site:
        assert helios.crawl(site.at("/"), tmp_path / "out", extract=fields, **site.settings()).pages == 3
    assert made == [site.at("/")]


def test_stop_crawl_in_follow_leaves_the_links_of_its_page_to_whoever_resumes(tmp_path: Path) -> None:
    def enough(page: helios.Page) -> list[str]:
        raise helios.StopCrawl(page.url)

    with served({"/": '<a href="/b">b</a><a href="/c">c</a>', "/b": "two", "/c": "three"}) as site:
        summary = helios.crawl(site.at("/"), tmp_path / "out", follow=enough, **site.settings())
        assert (summary.ended, summary.pages, summary.hook_failures) == ("hook", 1, 0)
        assert helios.resume(tmp_path / "out").pages == 2


@pytest.mark.parametrize("error", [helios.StopCrawl, KeyError])
def test_what_follow_yielded_before_it_raised_is_followed(tmp_path: Path, error: type[Exception]) -> None:
    def one(page: helios.Page) -> Iterator[str]:
        if page.links:
            yield page.links[1]
            raise error(page.url)

    with served({"/": '<a href="/b">b</a><a href="/c">c</a>', "/b": "two", "/c": "three"}) as site:
        helios.crawl(site.at("/"), tmp_path / "out", follow=one, **site.settings())
        helios.resume(tmp_path / "out", follow=one)
        assert set(stored(tmp_path / "out")) == {site.at("/"), site.at("/c")}


def test_follow_chooses_where_a_page_leads(web: Served, tmp_path: Path) -> None:
    seed = web.seeds[0]
    chosen: list[str] = []

    def first(page: helios.Page) -> list[str]:
        chosen.extend(page.links[:1])
        return page.links[:1]

    helios.crawl(seed, tmp_path / "out", follow=first, **words(web, sitemaps=False, max_depth=1))
    assert set(stored(tmp_path / "out")) <= {seed, *chosen}
    assert chosen


def test_follow_may_add_urls_and_is_told_of_those_that_are_none(web: Served, tmp_path: Path) -> None:
    first, second = web.seeds[:2]

    def both(page: helios.Page) -> list[str]:
        return [second, "mailto:nobody@example.org"] if page.url == first else []

    summary = helios.crawl(first, tmp_path / "out", follow=both, **words(web, sitemaps=False))
    assert set(stored(tmp_path / "out")) == {first, second}
    assert summary.hook_failure is not None
    assert summary.hook_failures == 1
    assert summary.hook_failure[0] == first
    assert "'mailto:nobody@example.org', no URL to crawl" in summary.hook_failure[1]


@pytest.mark.parametrize("answer", ["https://example.org/", b"https://example.org/", {"url": "https://example.org/"}])
def test_follow_that_returns_no_list_fails_on_its_page_once(tmp_path: Path, answer: Any) -> None:  # noqa: ANN401  # wrong ones
    with served({"/": "one"}) as site:
        summary = helios.crawl(site.at("/"), tmp_path / "out", follow=lambda _: answer, **site.settings())
        assert summary.hook_failures == 1
        assert summary.hook_failure is not None
        assert summary.hook_failure[0] == site.at("/")
    assert "must return a list of URLs" in summary.hook_failure[1]


def half_a_letter_raised(page: helios.Page) -> None:
    raise ValueError(page.url + "\udc80")


@pytest.mark.parametrize(
    "hooks",
    [
        {"follow": lambda page: [page.url + "\udc80"]},
        {"follow": half_a_letter_raised},
        {"extract": half_a_letter_raised},
        {"extract": lambda page: {"half": page.url + "\udc80"}},
        {"on_page": half_a_letter_raised},
    ],
)
def test_half_a_letter_in_what_a_hook_says_does_not_end_the_crawl(tmp_path: Path, hooks: dict[str, Any]) -> None:
    with served({"/": "one"}) as site:
        summary = helios.crawl(site.at("/"), tmp_path / "out", **hooks, **site.settings())
    assert (summary.ended, summary.pages, summary.hook_failures) == ("finished", 1, 1)


@pytest.mark.parametrize("name", ["follow", "on_page", "on_error"])
def test_what_is_no_function_is_refused_as_a_hook_before_the_crawl(tmp_path: Path, name: str) -> None:
    wrong: dict[str, Any] = {name: "print"}
    with pytest.raises(helios.SettingsError, match=f"{name} is a function that gets each page, not str"):
        helios.crawl("https://example.org/", tmp_path / "out", contact="me@example.org", **wrong)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["on_page", "on_error"])
def test_a_stream_says_that_it_tells_nobody_else(tmp_path: Path, name: str) -> None:
    wrong: dict[str, Any] = {name: print}
    with pytest.raises(helios.SettingsError, match=f"{name} is for helios.crawl"):
        helios.stream("https://example.org/", tmp_path / "out", **wrong)


async def test_a_stream_hands_out_every_page_once_while_other_tasks_go_on(web: Served, tmp_path: Path) -> None:
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.to_thread(threading.Event().wait, 0.001)

    task = asyncio.create_task(other())
    stream = helios.stream(web.seeds, tmp_path / "out", **words(web))
    urls = [page.url async for page in stream]
    task.cancel()
    assert Counter(urls) == Counter(stored(tmp_path / "out"))
    assert len(urls) == 40
    assert turns > 1
    assert stream.summary is not None
    assert stream.summary.ended == "pages"


async def test_leaving_a_stream_ends_its_crawl_which_can_be_resumed(web: Served, tmp_path: Path) -> None:
    async with helios.stream(web.seeds, tmp_path / "out", **{**words(web), "max_pages": None}) as stream:
        async for page in stream:
            assert page.text
            break
    assert stream.summary is not None
    assert stream.summary.ended == "interrupted"
    assert helios.resume(tmp_path / "out").ended == "finished"
    assert set(Counter(stored(tmp_path / "out")).values()) == {1}


def test_a_plain_for_loop_reads_a_stream_too(web: Served, tmp_path: Path) -> None:
    with helios.stream(web.seeds, tmp_path / "out", **words(web)) as stream:
        urls = [page.url for page in stream]
    assert len(urls) == 40
    assert "helios stream" not in {thread.name for thread in threading.enumerate()}


def test_whoever_reads_a_stream_slowly_holds_up_the_crawl(web: Served, tmp_path: Path) -> None:
    stream = helios.stream(web.seeds, tmp_path / "out", **words(web, batch_pages=1, batch_ms=1))
    pages = iter(stream)
    first = next(pages)
    threading.Event().wait(2)  # a crawl that nobody holds up has ended by then
    assert stream.summary is None
    assert helios.open(tmp_path / "out").running
    rest = [page.url for page in pages]
    assert len({first.url, *rest}) == 40


def test_a_stream_that_was_never_read_lets_go_of_its_folder_and_its_crawl_can_be_resumed(tmp_path: Path) -> None:
    with served({"/": "one"}) as site:
        with helios.stream(site.at("/"), tmp_path / "out", **site.settings()) as stream:
            pass
        assert list(stream) == []
        assert site.asked == []
        assert helios.resume(tmp_path / "out").pages == 1
        helios.stream(site.at("/"), tmp_path / "out").close()
        assert helios.resume(tmp_path / "out").pages == 0


def test_what_makes_a_crawl_impossible_is_raised_where_the_stream_is_made(tmp_path: Path) -> None:
    with pytest.raises(helios.SeedError, match="only http:// and https:// can"):
        helios.stream("ftp://example.org/", tmp_path / "out")


def test_follow_is_asked_about_pages_without_links_too_and_never_about_robots_txt(tmp_path: Path) -> None:
    asked: list[str] = []

    def more(page: helios.Page) -> list[str]:
        asked.append(page.url)
        return [page.url + "more"] if page.url.endswith("/") else []

    with served({"/": "alone", "/more": "found", "/robots.txt": "User-agent: *\nAllow: /"}) as site:
        helios.crawl(site.at("/"), tmp_path / "out", follow=more, **site.settings())
        assert asked == [site.at("/"), site.at("/more")]
