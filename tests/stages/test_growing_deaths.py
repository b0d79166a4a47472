"""An archive that grows where it stays: a death before and after every step loses nothing and doubles nothing."""

import itertools
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from helios._core import WarcWriter
from helios.stores.warc import WarcStore
from stages.grown import as_before, checked, opened, staged


class Died(BaseException):
    """As a process dies: nothing catches it."""


class Deaths:
    """Dies before or after the so many-th thing that the disk is told to do; a batch also in the middle."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int) -> None:
        self.left = at
        for name in ("fsync", "replace", "unlink", "mkdir"):
            patch.setattr(os, name, self._around(getattr(os, name)))

    def _passed(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Died

    def _around(self, act: Callable[..., object]) -> Callable[..., object]:
        def acted(*words: object, **more: object) -> object:
            self._passed()
            done = act(*words, **more)
            self._passed()
            return done

        return acted

    def opened(self, folder: Path) -> WarcStore:
        store = opened(folder, 1_500)
        store._writer = Torn(store._writer, self._passed)  # type: ignore[assignment]
        return store


class Torn:
    """A writer that may die before, in the middle of and after a batch."""

    def __init__(self, writer: WarcWriter, passed: Callable[[], None]) -> None:
        self._writer, self._passed, self.suffix, self.warcinfo = writer, passed, writer.suffix, writer.warcinfo

    def write_told(self, path: str, at: int, *words: object) -> tuple[int, list[str]]:
        self._passed()
        end, lines = self._writer.write_told(path, at, *words)  # type: ignore[arg-type]
        whole = Path(path).read_bytes()
        os.truncate(path, at + (end - at) // 3)
        self._passed()
        Path(path).write_bytes(whole)
        self._passed()
        return end, lines


def crawled(store: WarcStore, settled: list[str]) -> None:
    """Stages, settles and publishes: in turn and out of turn, with a batch that is never settled."""
    store.collect(settled)
    for name in ("1", "2", "3", "4", "5"):
        staged(store, name)
        settled += [name] if name != "3" else []
    store.publish(["4"])
    store.collect(settled)
    store.publish(["1"])
    for name in ("6", "7"):
        staged(store, name)
        settled.append(name)
    store.publish(settled)
    store.close()


def recovered(store: WarcStore, settled: list[str]) -> None:
    """As a crawl does that starts again."""
    store.last()
    store.collect(settled)
    store.publish(settled)


@pytest.mark.timeout(120)
def test_a_death_before_and_after_every_step_loses_nothing_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in itertools.count(1):
        folder, settled = tmp_path / str(at), ["01", "03"]
        for name in ("01", "02", "03"):
            as_before(folder, name)
        with monkeypatch.context() as patch:
            deaths = Deaths(patch, at)
            try:
                crawled(deaths.opened(folder), settled)
            except Died:
                pass
            else:
                break
        with monkeypatch.context() as patch:  # and once more, while it is put right
            deaths = Deaths(patch, 1 + at * 5 % 17)
            with suppress(Died):
                recovered(deaths.opened(folder), settled)
        store = opened(folder, 1_500)
        recovered(store, settled)
        staged(store, "9")
        store.publish([*settled, "9"])
        assert checked(store, folder) == [*settled, "9"], f"died at {at}"
        assert list((folder / "staged").iterdir()) == []
    assert at > 100
