"""EXTRACT: finished fetches in, pages out. The Rust core reads them; here a hook of the user adds what it found.

Always: one page that a hook fails on is stored like any other, with `hook_error` among its fields, and counted. A hook
runs between extract and stage, page by page: while it works nothing else of the batch goes on, so it is never flooded.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

import msgspec

from helios._core import Done, Page, Pages
from helios._core import Extractor as Core
from helios.errors import SettingsError

Hook: TypeAlias = Callable[[Page], Mapping[str, object] | None]

ERROR = "hook_error"  # among the fields of a page that the hook failed on
MOST = 500  # letters of a reason


@dataclass(slots=True)
class HookFailures:
    """Pages that the hook failed on: how many, and the first of them."""

    count: int = 0
    url: str = ""
    reason: str = ""


class Extractor:
    """The core's extractor, and what the user adds."""

    def __init__(self, core: Core, hook: Hook | None = None, most_bytes: int = 2_000_000) -> None:
        self._core = core
        self._hook = hook
        self._most = most_bytes
        self.failures = HookFailures()

    def extract(self, done: Done) -> Pages:
        """Text, facts, links and fields of every page in the batch. Blocks; never raises for one bad page."""
        pages = self._core.extract(done)
        if self._hook is not None and len(pages):
            pages.put_fields([self._fields(self._hook, page) for page in pages.each(done)])
        return pages

    def commit(self) -> None:
        """To be called when the pages are settled."""
        self._core.commit()

    def _fields(self, hook: Hook, page: Page) -> str | None:
        """The fields of one page as JSON: those of the settings, then those of the hook."""
        known = page.fields
        try:
            found = hook(page)
            if found is not None and not isinstance(found, Mapping):
                raise TypeError(f"the hook returned {type(found).__name__}; it must return a dict or None")  # noqa: TRY301
            fields = msgspec.json.encode({**known, **(found or {})}).decode()
            if len(fields) > self._most:
                raise ValueError(f"the fields are longer than {self._most} bytes ([extract] max_text_bytes)")  # noqa: TRY301
        except Exception as error:  # noqa: BLE001  # whatever a hook does, the crawl goes on
            fields = msgspec.json.encode({**known, ERROR: self._failed(page, error)}).decode()
        return fields if fields != "{}" else None

    def _failed(self, page: Page, error: Exception) -> str:
        reason = f"{type(error).__name__}: {error}"[:MOST]
        if not self.failures.count:
            self.failures.url, self.failures.reason = page.url, reason
        self.failures.count += 1
        return reason


def hook_named(name: str) -> Hook:
    """The function that `module:function` names; modules of the folder we are in are found, too."""
    try:
        found = _named(name)
    except Exception as error:  # a module may do anything while it is imported
        raise SettingsError(
            f'[extract] hook = "{name}" cannot be used ({type(error).__name__}: {error}): it is module:function, such '
            'as "shop:price"; a function that is in no module is given again: helios.resume(..., extract=function)'
        ) from error
    if not callable(found):
        raise SettingsError(f'[extract] hook = "{name}" is no function')
    return cast("Hook", found)


def name_of(hook: Hook) -> str:
    """How the settings of a crawl call a function that was handed to it; `given:` if no module has it."""
    inside = getattr(hook, "__qualname__", type(hook).__qualname__)
    name = f"{getattr(hook, '__module__', None)}:{inside}"
    try:
        return name if _named(name) is hook else f"given:{inside}"
    except (ImportError, AttributeError):
        return f"given:{inside}"


def _named(name: str) -> object:
    module, _, function = name.partition(":")
    here = str(Path.cwd())
    sys.path.append(here)  # last: nothing that is installed is hidden
    try:
        found: object = importlib.import_module(module)
    finally:
        sys.path.remove(here)
    for part in function.split("."):
        found = getattr(found, part)
    return found
