"""A crawl that runs in a thread of the test while the test steers it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import helios
from sites import Site

PATIENCE_S = 20


def until(holds: Callable[[], bool]) -> None:
    """Waits for it; fails when it takes far too long."""
    for _ in range(PATIENCE_S * 50):
        if holds():
            return
        Event().wait(0.02)
    raise AssertionError("it never came to that")


def is_running(folder: Path) -> bool:
    return (folder / "helios.toml").exists() and helios.open(folder).running


class Running:
    """The crawl; `summary` is there once it has ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary: helios.Summary | None = None
        self.error: BaseException | None = None

    def ended(self) -> helios.Summary:
        """Waits for its end."""
        until(lambda: self.summary is not None or self.error is not None)
        if self.summary is None:
            raise AssertionError("the crawl failed") from self.error
        return self.summary


@contextmanager
def crawling(site: Site, folder: Path, **settings: object) -> Iterator[Running]:
    """While inside, a crawl of the site that has begun; it is stopped at the end if it still runs."""
    running = Running(folder)

    def work() -> None:
        try:
            running.summary = helios.crawl(site.at("/"), folder, **site.settings(**settings))
        except BaseException as error:  # noqa: BLE001  # told to the test
            running.error = error

    thread = threading.Thread(target=work)
    thread.start()
    try:
        until(lambda: running.error is not None or running.summary is not None or is_running(folder))
        yield running
    finally:
        if thread.is_alive() and is_running(folder):
            helios.open(folder).stop(now=True)
        thread.join()
