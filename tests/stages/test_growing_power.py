"""An archive that grows where it stays, when what was not made durable is lost: the power fails after a kill."""

import itertools
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from helios._core import WarcWriter
from helios.stores.warc import WarcStore
from stages.grown import checked, opened, staged
from stages.test_growing_deaths import Died, crawled, recovered


class Disk:
    """Knows which names and contents are durable; each name and content only once its folder or file is synced."""

    def __init__(self, patch: pytest.MonkeyPatch, root: Path, at: int) -> None:
        self._root, self.left = root, at
        self._names: dict[Path, dict[str, int]] = {}  # of each folder that was synced: what is in it
        self._contents: dict[int, bytes] = {}
        self._held: dict[int, int] = {}  # so that no number of a file is used again
        self._sync = os.fsync
        self._keep(root)
        patch.setattr(os, "fsync", self._fsync)
        for name in ("replace", "unlink", "mkdir"):
            patch.setattr(os, name, self._around(getattr(os, name)))

    def opened(self) -> WarcStore:
        store = opened(self._root, 1_500)
        store._writer = Kept(store._writer, self)  # type: ignore[assignment]
        return store

    def passed(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Died

    def written(self, path: Path) -> None:
        """By others than Python."""
        self._keep(path)
        self.passed()

    def lose(self) -> None:
        """The folder as it is when the power is back."""
        again = self._root.with_name("again")
        self._put(self._root, again)
        shutil.rmtree(self._root)
        again.rename(self._root)

    def close(self) -> None:
        for handle in self._held.values():
            os.close(handle)

    def _put(self, folder: Path, to: Path) -> None:
        to.mkdir()
        for name, number in self._names.get(folder, {}).items():
            if (folder / name).is_dir():
                self._put(folder / name, to / name)
            else:
                (to / name).write_bytes(self._contents.get(number, b""))

    def _fsync(self, handle: int) -> None:
        self.passed()
        self._sync(handle)
        self._keep(Path(f"/proc/self/fd/{handle}").readlink())
        self.passed()

    def _keep(self, path: Path) -> None:
        if path.is_dir():
            self._names[path] = {one.name: self._number(one) for one in path.iterdir()}
        else:
            self._contents[self._number(path)] = path.read_bytes()

    def _number(self, path: Path) -> int:
        handle = os.open(path, os.O_RDONLY)
        number = os.fstat(handle).st_ino
        if self._held.setdefault(number, handle) != handle:
            os.close(handle)
        return number

    def _around(self, act: Callable[..., object]) -> Callable[..., object]:
        def acted(*words: object, **more: object) -> object:
            self.passed()
            done = act(*words, **more)
            self.passed()
            return done

        return acted


class Kept:
    """A writer whose files the disk is told of."""

    def __init__(self, writer: WarcWriter, disk: Disk) -> None:
        self._writer, self._disk, self.suffix, self.warcinfo = writer, disk, writer.suffix, writer.warcinfo

    def write_told(self, path: str, at: int, *words: object) -> tuple[int, list[str]]:
        done = self._writer.write_told(path, at, *words)  # type: ignore[arg-type]
        self._disk.written(Path(path))
        return done


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names of open files are read there")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("later", [1, 7])
def test_the_power_fails_while_a_killed_crawl_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    for at in itertools.count(1):
        folder, settled = tmp_path / str(at), list[str]()
        (folder / "staged").mkdir(parents=True)
        with monkeypatch.context() as patch:
            disk = Disk(patch, folder, at)
            try:
                crawled(disk.opened(), settled)
            except Died:
                pass
            else:
                break
            finally:
                disk.left = later + at * 7 % 13
            with suppress(Died):
                recovered(disk.opened(), settled)
        disk.lose()
        disk.close()
        store = opened(folder, 1_500)
        recovered(store, settled)
        staged(store, "9")
        store.publish([*settled, "9"])
        assert checked(store, folder) == [*settled, "9"], f"killed at {at}"
    assert at > 100
