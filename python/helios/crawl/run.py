"""`helios.crawl`: seeds and settings in, a folder and a summary out; blocks until the crawl has ended.

`helios.resume` goes on with a crawl that was stopped or killed, from the last settle on; `helios.stream` hands out the
pages meanwhile. `import helios` reads this file: what a crawl needs is imported when there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from helios.crawl.stream import Stream
    from helios.crawl.summary import Summary
    from helios.hooks import Extract, Follow, OnError, OnPage


def crawl(  # noqa: PLR0913  # one name for each thing that a user may want
    seeds: str | Iterable[str],
    out: str | PathLike[str] | None = None,
    *,
    config: str | PathLike[str] | None = None,
    extract: Extract | Mapping[str, object] | None = None,
    follow: Follow | None = None,
    on_page: OnPage | None = None,
    on_error: OnError | None = None,
    **settings: object,
) -> Summary:
    """Crawls from `seeds` into the folder `out`; returns when nothing is left or a limit is reached.

    A crawl that is there already goes on, as with `resume`: seeds that it knows cost nothing, settings that are not
    given stay as they are.

    Settings go by name: `max_pages=100`, `contact="you@example.org"`, or by table: `frontier={"attempts": 2}`; `config`
    is a TOML file with the same tables; docs/settings.md tells what comes on top of what. Without `out` the folder is
    crawls/TIME. Hooks (docs/hooks.md): `extract` returns more fields of a page, `follow` where it leads; `on_page` and
    `on_error` are told what was stored, and not. Raises a HeliosError for anything that a person can put right.
    """
    from helios.crawl.begin import blocking, started  # noqa: PLC0415  # as the first lines say
    from helios.folder import out_folder  # noqa: PLC0415  # same
    from helios.hooks import Hooks  # noqa: PLC0415  # same

    function, settings = _apart(extract, settings)
    hooks = Hooks(function, follow, on_page, on_error)
    with out_folder(_path(out)) as folder:
        return blocking(started(folder, _several(seeds), settings, hooks, _path(config)))


def resume(
    out: str | PathLike[str],
    *,
    seeds: str | Iterable[str] = (),
    extract: Extract | Mapping[str, object] | None = None,
    follow: Follow | None = None,
    on_page: OnPage | None = None,
    on_error: OnError | None = None,
    **settings: object,
) -> Summary:
    """Goes on with the crawl in the folder `out`: nothing that was settled is fetched again, nothing else is lost.

    The settings are those of the crawl; what is given here by name is changed, for this run and later ones. `seeds` are
    added to it. Hooks are given again, those apart that the settings name.
    """
    from helios.crawl.begin import blocking, resumed  # noqa: PLC0415  # as the first lines say
    from helios.hooks import Hooks  # noqa: PLC0415  # same

    function, settings = _apart(extract, settings)
    hooks = Hooks(function, follow, on_page, on_error)
    return blocking(resumed(Path(out), _several(seeds), settings, hooks))


def stream(
    seeds: str | Iterable[str],
    out: str | PathLike[str] | None = None,
    *,
    config: str | PathLike[str] | None = None,
    extract: Extract | Mapping[str, object] | None = None,
    follow: Follow | None = None,
    **settings: object,
) -> Stream:
    """As `crawl`, read while it goes on: `async for page in helios.stream(...)`, or a plain `for`.

    Each page is handed out when it is stored for good. The crawl begins with the first; leaving the loop ends it.
    """
    from helios.crawl.begin import put_off, run, started  # noqa: PLC0415  # as the first lines say
    from helios.crawl.stream import Stream  # noqa: PLC0415  # same
    from helios.errors import SettingsError  # noqa: PLC0415  # same
    from helios.folder import out_folder  # noqa: PLC0415  # same
    from helios.hooks import Hooks  # noqa: PLC0415  # same

    if told := settings.keys() & {"on_page", "on_error"}:
        raise SettingsError(f"a stream hands its pages to whoever reads it: {told.pop()} is for helios.crawl")
    function, settings = _apart(extract, settings)
    hooks = Hooks(function, follow)
    with out_folder(_path(out)) as folder:
        start = started(folder, _several(seeds), settings, hooks, _path(config))
    return Stream(lambda stream, stop: run(start, stop=stop, audience=stream), lambda: put_off(start))


def _several(seeds: str | Iterable[str]) -> Iterable[str]:
    return [seeds] if isinstance(seeds, str) else seeds


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)


def _apart(
    extract: Extract | Mapping[str, object] | None, settings: dict[str, object]
) -> tuple[Extract | None, dict[str, object]]:
    """A function is a hook, whose name the settings keep; all else is the table of that name."""
    if extract is None:
        return None, settings
    if isinstance(extract, Mapping) or not callable(extract):
        return None, {**settings, "extract": extract}
    from helios.named import name_of  # noqa: PLC0415  # as the first lines say

    return extract, {**settings, "hook": name_of(extract)}
