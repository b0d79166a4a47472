"""`helios.stream`: pages one by one while they are crawled, in a `for` or an `async for`."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from types import TracebackType
from typing import Self

from helios._core import Page
from helios.crawl.audience import Letters, Told
from helios.crawl.stop import Stop
from helios.crawl.summary import Summary


class Stream:
    """A crawl that is read while it goes on; whoever reads slowly slows it down.

    Leaving the loop early, or a `with` around it, ends the crawl as one Ctrl-C would: `helios.resume` goes on with it.
    """

    def __init__(self, crawl: Callable[["Stream", Stop], Summary], put_off: Callable[[], None]) -> None:
        self._stop = Stop()
        self._letters = Letters(self._stop)
        self._crawl = crawl
        self._put_off = put_off
        self._failure: BaseException | None = None
        self._over = False
        self._one_reader = threading.Lock()
        self.summary: Summary | None = None  # when the crawl has ended
        self._thread = threading.Thread(target=self._run, name="helios stream", daemon=True)

    def stop(self) -> None:
        """Ends the crawl: the loop goes on with what is in flight and then ends."""
        self._stop.ask("interrupted")

    def close(self) -> None:
        """Ends the crawl and waits for that; pages that come meanwhile are stored and not handed out."""
        self._stop.leave()
        self._let_go()
        try:
            while self._next() is not None:
                pass
        except KeyboardInterrupt:  # the second, mostly
            self._stop.at_once = True
            raise

    def __iter__(self) -> Iterator[Page]:
        """The pages that are stored, each once."""
        try:
            while (told := self._next()) is not None:
                yield from told.pages
        finally:
            self.close()

    async def __aiter__(self) -> AsyncIterator[Page]:
        """The pages that are stored, each once; other tasks go on meanwhile."""
        reader = _Reader(self._stop)
        try:
            while (told := await asyncio.to_thread(self._next)) is not None:
                for page in told.pages:
                    yield page
        finally:
            reader.leave()
            await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        """Nothing is fetched before the first page is asked for."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Ends the crawl."""
        self.close()

    async def __aenter__(self) -> Self:
        """As `__enter__`."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Ends the crawl."""
        await asyncio.to_thread(self.close)

    async def hear(self, told: Told) -> None:
        """As an audience of the crawl."""
        await self._letters.post(told)

    async def leave(self) -> None:
        """The end is told by the thread, when the summary is there."""

    def _let_go(self) -> None:
        """A crawl that has not begun will not begin any more; its folder is free."""
        with self._one_reader:
            if self._thread.ident is None and not self._over:
                self._over = True
                self._put_off()

    def _next(self) -> Told | None:
        """The next batch; None when the crawl has ended."""
        with self._one_reader:  # who closes it may not be who reads it
            if self._over:
                return None
            if self._thread.ident is None:
                self._thread.start()
            if (told := self._letters.take()) is not None:
                return told
            self._over = True
            self._thread.join()
        if self._failure is not None:
            raise self._failure
        return None

    def _run(self) -> None:
        try:
            self.summary = self._crawl(self, self._stop)
        except BaseException as error:  # noqa: BLE001  # raised again where the pages are read
            self._failure = error
        self._letters.end()


class _Reader:
    """Ends the crawl when it goes: a generator whose task was cancelled may be thrown away without its `finally`."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    def leave(self) -> None:
        self._stop.leave()

    def __del__(self) -> None:
        self.leave()
