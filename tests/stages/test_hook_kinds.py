"""What a hook may be: of what would fail on every page, or do nothing, a crawl says so before it begins."""

import asyncio
import functools
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import helios
from helios.cli import main
from helios.errors import SettingsError
from sites import Site, served

PAGE = "<html><head><title>One</title></head><body><p>There is one page.</p></body></html>"


async def slow(_: object, *__: object) -> None:
    """As a hook for a page, or for a failure."""


async def slow_one_by_one(_: object) -> AsyncIterator[str]:
    yield "http://127.0.0.1/"


def one_by_one(_: object) -> Iterator[str]:
    yield "http://127.0.0.1/"


class Slow:
    async def __call__(self, _: object) -> None:
        """An object that is called like a function."""

    async def method(self, _: object) -> None:
        """Of an object."""


ASYNC = [slow, functools.partial(slow), functools.partial(functools.partial(slow), ...), Slow(), Slow().method]
REFUSED = [
    *(("extract", hook, "an async function, and nobody awaits it: give a plain function") for hook in ASYNC),
    *(("follow", hook, "an async function, and nobody awaits it: give a plain function") for hook in ASYNC),
    ("extract", functools.partial(Slow()), "an async function"),
    ("extract", slow_one_by_one, "an async generator, and nobody reads what it yields"),
    ("extract", one_by_one, "a generator, and nobody reads what it yields: .* returns a dict or None"),
    ("follow", slow_one_by_one, "an async generator, .* or a plain generator of URLs"),
    ("on_page", slow_one_by_one, "an async generator, .* a function without yield, async or not"),
    ("on_page", one_by_one, "a generator, .* a function without yield, async or not"),
    ("on_error", one_by_one, "a generator, .* a function without yield, async or not"),
]


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": PAGE}) as site:
        yield site


@pytest.mark.parametrize(("name", "hook", "said"), REFUSED)
def test_a_hook_that_nobody_awaits_or_reads_is_refused_before_the_crawl_begins(
    site: Site,
    tmp_path: Path,
    name: str,
    hook: Any,  # noqa: ANN401  # wrong ones
    said: str,
) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is {said}"):
        helios.crawl(site.at("/"), tmp_path / "out", **{**site.settings(), name: hook})
    assert not (tmp_path / "out").exists()
    assert not site.asked


@pytest.mark.parametrize("name", ["extract", "follow"])
def test_a_stream_and_a_resumed_crawl_refuse_it_too(site: Site, tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is an async function"):
        helios.stream(site.at("/"), tmp_path / "out", **{**site.settings(), name: slow})
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    with pytest.raises(SettingsError, match=f"^{name} is an async function"):
        helios.resume(tmp_path / "out", **{name: slow})  # type: ignore[arg-type]


def test_an_async_function_that_settings_name_is_refused_by_its_name(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_of_a_test.py").write_text("async def price(page):\n    return {'title': page.title}\n")
    monkeypatch.chdir(tmp_path)
    words = ["crawl", site.at("/"), "--allow-loopback", "--hook", "slow_of_a_test:price", "--out", "out"]
    result = CliRunner().invoke(main, words)
    sys.modules.pop("slow_of_a_test")
    assert result.exit_code != 0
    assert '[extract] hook = "slow_of_a_test:price" is an async function' in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


def test_async_functions_are_told_of_pages_and_a_generator_says_where_they_lead(site: Site, tmp_path: Path) -> None:
    told: list[str] = []

    async def tell(page: helios.Page) -> None:
        told.append(page.url)

    def follow(_: helios.Page) -> Iterator[str]:
        yield site.at("/more")

    summary = helios.crawl(site.at("/"), tmp_path / "out", **site.settings(), follow=follow, on_page=tell)
    assert told == [site.at("/")]
    assert "/more" in site.asked
    assert summary.hook_failures == 0


def test_a_plain_function_may_run_async_code(site: Site, tmp_path: Path) -> None:
    async def title(page: helios.Page) -> dict[str, object]:
        return {"heading": page.title}

    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(), extract=lambda page: asyncio.run(title(page)))
    assert [row["fields"] for row in helios.open(tmp_path / "out").pages(["fields"])] == ['{"heading":"One"}']
