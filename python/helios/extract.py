"""EXTRACT: finished fetches in, pages out. The Rust core reads them, PDFs apart; hooks of the user add and choose.

Always: one page that a hook fails on is stored like any other, with `hook_error` among its fields, and counted. Hooks
run between extract and stage, page by page: while they work nothing else of the batch goes on: they are never flooded.
"""

from collections.abc import Mapping

import msgspec

from helios._core import Canonicaliser, Done, Page, Pages
from helios._core import Extractor as Core
from helios.hooks import Apart, Extract, Follow, HookFailures, LeftBehindError, StopCrawl, require_hook
from helios.named import named
from helios.pdf.reader import PdfReader
from helios.shown import without_user

ERROR = "hook_error"  # among the fields of a page that the hook failed on


class Extractor:
    """The core's extractor, with a reader of PDFs before it and what the user adds behind it."""

    def __init__(
        self,
        core: Core,
        hook: Extract | None = None,
        most_bytes: int = 2_000_000,
        pdf: PdfReader | None = None,
        follow: tuple[Follow, Canonicaliser] | None = None,
    ) -> None:
        self._core: Core | None = core  # None: closed
        self._hook = hook
        self._most = most_bytes
        self._pdf = pdf
        self._follow = follow
        self.failures = HookFailures()
        self._apart = Apart()

    def extract(self, done: Done, *, keep_bodies: bool = True) -> Pages:
        """Text, facts, links and fields of every page in the batch. Blocks; never raises for one bad page.

        Raises LeftBehindError when the crawl is to end before the hooks have returned.

        Bodies that nobody wants afterwards make place for others as soon as each is read.
        """
        asks = self._hook is not None or self._follow is not None
        if asks:
            self._go_on()
        given = self._pdf.read(done.pdfs()) if self._pdf is not None else None
        pages = self._opened().extract(done, given, not (keep_bodies or asks))
        if asks:
            self._apart.do(lambda: self._ask(pages, done), self.failures.at_once)
        return pages

    def commit(self) -> None:
        """To be called when the pages are settled."""
        self._opened().commit()

    def close(self) -> None:
        """Lets go of the file of fingerprints, which is locked, and ends the processes that read PDFs."""
        self._core = None
        if self._pdf is not None:
            self._pdf.close()

    def _opened(self) -> Core:
        if self._core is None:
            raise RuntimeError("the extractor is closed")
        return self._core

    def _ask(self, pages: Pages, done: Done) -> None:
        """What the user adds and chooses."""
        if self._hook is not None and len(pages):
            pages.put_fields([self._fields(self._hook, page) for page in pages.each(done)])
        if self._follow is not None:
            self._choose(pages, done, *self._follow)

    def _go_on(self) -> None:
        """No hook is called any more once the crawl is to end at once."""
        if self.failures.at_once():
            raise LeftBehindError("the crawl is to end at once")

    def _fields(self, hook: Extract, page: Page) -> str | None:
        """The fields of one page as JSON: those of the settings, then those of the hook."""
        self._go_on()
        known = page.fields
        try:
            found = hook(page)
            if found is not None and not isinstance(found, Mapping):
                raise TypeError(f"the hook returned {type(found).__name__}; it must return a dict or None")  # noqa: TRY301
            fields = msgspec.json.encode({**known, **(found or {})}).decode()
            if len(fields) > self._most:
                raise ValueError(f"the fields are longer than {self._most} bytes ([extract] max_text_bytes)")  # noqa: TRY301
        except BaseException as error:  # noqa: BLE001  # as `HookFailures` says
            reason = self.failures.add(page.url, error)
            fields = msgspec.json.encode({**known, ERROR: reason} if reason else known).decode()
        return fields if fields != "{}" else None

    def _choose(self, pages: Pages, done: Done, follow: Follow, spelling: Canonicaliser) -> None:
        """Puts what the user follows in the place of what was found.

        A hook that fails has chosen what it yielded until then. One that stops the crawl before it chose leaves the
        page as it is, or its links would be lost to whoever goes on with the crawl.
        """
        for place, page in pages.leading(done):
            self._go_on()
            links: list[str] = []
            try:
                found = follow(page)
                if found is None:
                    continue
                if isinstance(found, str | bytes | Mapping):  # whose letters or keys are no links
                    raise TypeError(f"the hook returned {type(found).__name__}; it must return a list of URLs or None")  # noqa: TRY301
                links.extend(str(link).encode().decode() for link in found)  # half a letter is no text for the core
            except BaseException as error:  # noqa: BLE001  # as above
                self.failures.add(page.url, error)
                if isinstance(error, StopCrawl) and not links:
                    continue
            for url, reason in pages.put_links({place: links}, spelling)[:1]:
                said = f"the follow hook returned {without_user(url)!r}, no URL to crawl: {reason}"
                self.failures.add(page.url, ValueError(said))


def hook_named(name: str) -> Extract:
    """The function that `[extract] hook` names."""
    given = "; a function that is in no module is given again: helios.resume(..., extract=function)"
    hook = named(name, "[extract] hook", given)
    require_hook("extract", hook, f'[extract] hook = "{name}"')
    return hook
