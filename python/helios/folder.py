"""The folder of one crawl.

helios.toml (its settings), frontier/ (what is known and what is next), pages.lance (the table), staged/ (written, not
yet visible), fingerprints (of texts, to find duplicates), logs/, and for each store beside the table a folder of its
name.
"""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from helios._core import __version__
from helios.clock import SystemClock, moment, stamp
from helios.errors import FolderError
from helios.settings import Settings, load, to_toml
from helios.settings.load import FORMAT, made_of, was_made


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the parts of one crawl are."""

    path: Path

    @property
    def settings_file(self) -> Path:
        """The settings in use; with how it was made, the mark of a crawl folder."""
        return self.path / "helios.toml"

    @property
    def pages(self) -> Path:
        """The page table, a Lance dataset."""
        return self.path / "pages.lance"

    @property
    def frontier(self) -> Path:
        """What the frontier knows: its database and the URLs it has seen."""
        return self.path / "frontier"

    @property
    def fingerprints(self) -> Path:
        """Of the texts of all pages: how duplicates are found."""
        return self.path / "fingerprints"

    @property
    def staged(self) -> Path:
        """Lists of data files that are written and not yet visible."""
        return self.path / "staged"

    @property
    def logs(self) -> Path:
        """What is written down of its runs."""
        return self.path / "logs"

    def store(self, kind: str) -> Path:
        """Where another store than the table keeps its files."""
        return self.path / kind

    @property
    def _aside(self) -> Path:
        """The settings while they are being written."""
        return self.settings_file.with_suffix(".new")

    def holds_crawl(self) -> bool:
        """Was a crawl begun there? Settings alone may be somebody's own, for crawls to come (`helios config init`)."""
        return self.settings_file.exists() and (self.frontier.exists() or was_made(self.settings_file))

    def is_barely_begun(self) -> bool:
        """Empty, or left by a crawl that was killed before its settings were written: there is nothing to lose."""
        ours = {self._aside, self.staged}
        return all(one in ours for one in self.path.iterdir()) and not (
            self.staged.is_dir() and any(self.staged.iterdir())
        )

    def made(self) -> dict[str, str]:
        """How the crawl was made: by which version, when, and the id that tells it from every other."""
        known = made_of(self.settings_file) if self.settings_file.exists() else {}
        known.pop("format", None)
        now = moment(SystemClock().now())
        return {"helios": __version__, "at": now, "id": str(uuid.uuid4()), **known}

    def id(self) -> str:
        """What an object store knows the crawl by."""
        return self.made()["id"]

    def write(self, settings: Settings) -> None:
        """Keeps the settings, whole or not at all, and how the crawl was made."""
        aside = self._aside
        try:
            made = self.made()
            if (
                settings.fetch.auth or settings.fetch.headers or settings.proxy.pools
            ):  # passwords: nobody else may read them
                aside.unlink(missing_ok=True)
                aside.touch(mode=0o600)
            with aside.open("w", encoding="utf-8") as file:
                file.write(to_toml(settings, made))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self.settings_file)
        except OSError as error:
            raise FolderError(f"the settings in {self.path} cannot be written: {error.strerror}") from error

    def discard(self) -> None:
        """Removes a folder that was made for a crawl that could not start."""
        shutil.rmtree(self.path, ignore_errors=True)

    def settings(self) -> Settings:
        """The settings that the crawl ran with."""
        return load(self.settings_file)


def create(path: Path, settings: Settings) -> Folder:
    """A new folder for a crawl. One that holds anything already is refused: nothing is ever overwritten."""
    folder = Folder(path)
    try:
        if folder.holds_crawl():
            raise FolderError(f"{path} already holds a crawl; give another --out")
        if path.is_dir() and not folder.is_barely_begun():
            raise FolderError(f"{path} is not empty and holds no crawl; give a new folder with --out")
        folder.staged.mkdir(parents=True, exist_ok=True)
        folder.write(settings)
    except OSError as error:
        raise FolderError(f"the folder {path} cannot be written: {error.strerror}; give another with --out") from error
    return folder


def holds_crawl(path: Path) -> bool:
    """Was a crawl begun there?"""
    try:
        return Folder(path).holds_crawl()
    except OSError:  # whoever goes on will be told
        return False


@contextmanager
def out_folder(given: Path | None) -> Iterator[Path]:
    """The folder that was given, or one of its own in crawls/, also when another crawl begins in the same second."""
    if given is not None:
        yield given
        return
    folder = _fresh()
    try:
        yield folder
    finally:
        for empty in (folder, folder.parent):  # the crawl could not begin
            with suppress(OSError):
                empty.rmdir()


def _fresh() -> Path:
    name = stamp(SystemClock().now())
    for number in count(1):
        folder = Path("crawls", name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise FolderError(f"the folder {folder} cannot be made: {error.strerror}; give one with --out") from error
        return folder
    raise AssertionError  # there is always another number


@contextmanager
def beginning(path: Path) -> Iterator[None]:
    """Only one process at a time begins a crawl in a folder, or goes on with one: the others wait for it here."""
    import fcntl  # noqa: PLC0415  # not everywhere

    while True:
        handle = _opened(path)
        try:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_still(path, handle):
                yield
                return
        finally:
            os.close(handle)


def _opened(path: Path) -> int:
    try:
        path.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise FolderError(f"the folder {path} cannot be written: {error.strerror}; give another with --out") from error


def _is_still(path: Path, handle: int) -> bool:
    """Whoever was there before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def existing(path: Path) -> Folder:
    """The folder of a crawl that was made before."""
    folder = Folder(path)
    try:
        if folder.settings_file.is_file():
            _require_format(folder)
            if folder.holds_crawl():
                return folder
            raise FolderError(f"{path} holds no crawl (its helios.toml was not written by one)")
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}") from error
    raise FolderError(_no_crawl(path))


def _no_crawl(path: Path) -> str:
    """What is there instead, and what may have been meant."""
    if not path.exists():
        return f"there is no folder {path}; give the one that a crawl was made in, its --out"
    if (around := next(filter(holds_crawl, path.parents), None)) is not None:
        return f"{path} is a part of the crawl in {around}; give that folder"
    if not path.is_dir():
        return f"{path} is a file; give the folder of a crawl"
    inside = sorted(str(one) for one in path.iterdir() if holds_crawl(one))
    # Crawls without a name are called by their time, so the last is the newest.
    meant = f"; there is one in {inside[-1]}" if inside else ""
    return f"{path} holds no crawl (there is no helios.toml in it){meant}"


def require_writable(folder: Folder) -> None:
    """Whoever goes on with a crawl, or asks its frontier, locks and writes it."""
    for path in (folder.path, folder.frontier):
        effective = os.access in os.supports_effective_ids
        if path.exists() and not os.access(path, os.W_OK, effective_ids=effective):
            raise FolderError(
                f"{path} cannot be written, so the crawl cannot go on and its frontier cannot be asked; helios stats, "
                "show, search and export only read"
            )


def _require_format(folder: Folder) -> None:
    """A folder of another format would be misread, or half-written in two."""
    made = made_of(folder.settings_file)
    if made["format"] != str(FORMAT):
        raise FolderError(
            f"{folder.path} was made by Helios {made.get('helios', '0.1')} in format {made['format']}, "
            f"and this version reads format {FORMAT}: use that version, or crawl again into another folder"
        )
