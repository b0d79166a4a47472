"""EXTRACT: finished fetches in, pages out. The Rust core reads them, PDFs apart; a hook of the user adds what it found.

Always: one page that a hook fails on is stored like any other, with `hook_error` among its fields, and counted. A hook
runs between extract and stage, page by page: while it works nothing else of the batch goes on, so it is never flooded.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from helios._core import Done, Page, Pages
from helios._core import Extractor as Core
from helios.named import named
from helios.pdf.reader import PdfReader

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
    """The core's extractor, with a reader of PDFs before it and what the user adds behind it."""

    def __init__(
        self, core: Core, hook: Hook | None = None, most_bytes: int = 2_000_000, pdf: PdfReader | None = None
    ) -> None:
        self._core = core
        self._hook = hook
        self._most = most_bytes
        self._pdf = pdf
        self.failures = HookFailures()

    def extract(self, done: Done) -> Pages:
        """Text, facts, links and fields of every page in the batch. Blocks; never raises for one bad page."""
        given = self._pdf.read(done.pdfs()) if self._pdf is not None else None
        pages = self._core.extract(done, given)
        if self._hook is not None and len(pages):
            pages.put_fields([self._fields(self._hook, page) for page in pages.each(done)])
        return pages

    def commit(self) -> None:
        """To be called when the pages are settled."""
        self._core.commit()

    def close(self) -> None:
        """Ends the processes that read PDFs."""
        if self._pdf is not None:
            self._pdf.close()

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
    """The function that `[extract] hook` names."""
    given = "; a function that is in no module is given again: helios.resume(..., extract=function)"
    return named(name, "[extract] hook", given)
