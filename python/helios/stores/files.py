"""Stores that are a folder of files and a manifest: what WARC, Parquet and JSONL have in common.

Stage writes staged/<name><suffix>, makes it durable and only then gives it that name. It holds the data, or says where
in the folder they are. Publish adds the staged data to the files of the folder and then replaces the manifest, in one
rename: that is the moment they are published, all or none. The manifest says which files there are, how long each is,
and which names are in them. What a crash leaves is recognised by it: bytes after a file's length and files that it does
not list were never published, and are cut off or removed before anything is added (`_mend`), unless a staged file
speaks of them; a staged file whose name it lists was published, and only has to go.

How a repeated publish is recognised: the manifest lists the names that were published and whose staged files may still
be there; of any other no staged file is left, and it is at or below the highest name.
"""

import errno
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from helios.errors import StorageError, StoreError
from helios.faults import passed
from helios.stores.base import ArrowStream
from helios.stores.place import sync

MANIFEST = "manifest.json"
OURS = "helios-"  # what the names of all data files begin with


class File(msgspec.Struct, frozen=True):
    """A file that is published, up to a length."""

    name: str
    bytes: int
    rows: int = 0
    index_bytes: int = 0  # of the log that goes with it; 0 if it has none
    level: int = 0  # how often its rows were merged


class Manifest(msgspec.Struct, frozen=True):
    """What is published."""

    format: int = 1
    last: str = ""  # the highest name
    recent: list[str] = []  # published names whose staged files may still be there
    files: list[File] = []  # in the order of publishing; what is added goes to the last, but in archives
    next: int = 0  # number of the next file


class FileStore:
    """Names, the manifest, and what a crash leaves. The kinds of stores say how data is written and added."""

    def __init__(self, folder: Path, staged: Path, suffix: str) -> None:
        self._folder = folder
        self._staged = staged
        self._suffix = suffix
        self._last = ""  # the highest name that this process staged
        self._manifest: Manifest | None = None  # as this process wrote it; unknown after an error
        self._repaired = False

    # what a kind of store does

    def _write(self, path: Path, pages: ArrowStream) -> int:
        """Writes pages to a new file, durably; how many rows. Without rows there need be no file."""
        raise NotImplementedError

    def _add(self, manifest: Manifest, staged: Sequence[Path]) -> tuple[list[File], int, int]:
        """Adds data to the folder, durably; the files as they are then, the next number, and how many rows."""
        raise NotImplementedError

    def _needed(self, manifest: Manifest) -> Collection[str]:
        """Files of the folder that are published, or that something staged speaks of."""
        return [file.name for file in manifest.files]

    def _after(self, manifest: Manifest) -> None:
        """Tidies up after a commit; may be cut off anywhere."""

    def _halves(self) -> list[Path]:
        """What a process left that died while it staged."""
        return list(self._staged.glob(f"*{self._suffix}.new"))

    # the seam

    def last(self) -> str:
        """The highest of: published, staged, staged by this process."""
        with self._plainly("reading what is stored"):
            return max([self._last, self._read().last, *self._names()])

    def stage(self, name: str, pages: ArrowStream) -> bool:
        """Written aside, made durable, then renamed."""
        with self._plainly("storing pages"):
            self._staged.mkdir(parents=True, exist_ok=True)
            aside = self._staged / f"{name}{self._suffix}.new"
            rows = self._write(aside, pages)
            passed("stage.written")
            if not rows:
                aside.unlink(missing_ok=True)
                return False
            aside.replace(self._place_of(name))
            sync(self._staged)
            passed("stage.listed")
        self._last = max(self._last, name)
        return True

    def publish(self, names: Sequence[str]) -> int:
        """Adds what is not there yet, then replaces the manifest, then forgets what was staged."""
        if not names:
            return 0
        with self._plainly("making pages visible"):
            manifest = self._repair()
            new = [name for name in dict.fromkeys(names) if not self._is_published(name, manifest)]
            passed("publish.read")
            rows = 0
            if new:
                files, following, rows = self._add(manifest, [self._place_of(name) for name in new])
                last = max(manifest.last, *new)
                # Of earlier ones, too, a process that died may have left the staged file.
                recent = [*new, *(name for name in manifest.recent if self._place_of(name).exists())]
                manifest = Manifest(last=last, recent=recent, files=files, next=following)
                self._replace(manifest)
            passed("publish.committed")
            self._forget(names)
            passed("publish.forgotten")
            self._after(manifest)
        return rows

    def collect(self, keep: Sequence[str]) -> int:
        """Staged files that nobody will publish, and whatever else a crash left."""
        with self._plainly("clearing away what was not committed"):
            manifest = self._repair()
            strangers = [name for name in self._names() if name not in keep]
            self._last = max([self._last, *strangers])  # before they are gone
            orphans = [name for name in strangers if name not in manifest.recent]
            self._forget(strangers)
            passed("collect.lists")
            for path in self._halves():
                path.unlink()
            self._after(manifest)
        return len(orphans)

    def close(self) -> None:
        """Nothing is held open between calls."""

    # inside

    def _place_of(self, name: str) -> Path:
        return self._staged / f"{name}{self._suffix}"

    def _names(self) -> list[str]:
        return sorted(path.name.removesuffix(self._suffix) for path in self._staged.glob(f"*{self._suffix}"))

    def _is_published(self, name: str, manifest: Manifest) -> bool:
        if name in manifest.recent:
            return True
        if self._place_of(name).exists():
            return False
        if name <= manifest.last:
            return True
        raise StoreError(f"{name} was never staged in {self._staged}")

    def _forget(self, names: Sequence[str]) -> None:
        for name in names:
            self._place_of(name).unlink(missing_ok=True)
        if self._staged.exists():
            sync(self._staged)

    def _read(self) -> Manifest:
        """The manifest; an empty one before the first commit."""
        if self._manifest is not None:
            return self._manifest
        try:
            return msgspec.json.decode((self._folder / MANIFEST).read_bytes(), type=Manifest)
        except FileNotFoundError:
            return Manifest()
        except msgspec.DecodeError as error:
            raise StoreError(f"{self._folder / MANIFEST} is damaged ({error}); restore it from a copy") from error

    def _replace(self, manifest: Manifest) -> None:
        """The commit."""
        replace(self._folder / MANIFEST, msgspec.json.encode(manifest))
        self._manifest = manifest

    def _repair(self) -> Manifest:
        """The manifest, and the folder as it says; mended once, and again after an error."""
        if self._repaired:
            return self._read()
        self._folder.mkdir(parents=True, exist_ok=True)
        # What is seen here decides what is removed: a process that died, or failed, may not have made it durable.
        for folder in (self._folder.parent, self._folder, self._staged):
            if folder.exists():
                sync(folder)
        self._manifest = manifest = self._read()
        self._mend(manifest)
        self._repaired = True
        return manifest

    def _mend(self, manifest: Manifest) -> None:
        """Cuts off and removes what was being added when a process died."""
        self._sweep(manifest)
        for file in manifest.files[-1:]:
            cut(self._folder / file.name, file.bytes)

    def _sweep(self, manifest: Manifest) -> None:
        """Removes files that a crash left, or that were merged into others. What is not called as ours stays."""
        needed = {stem(name) for name in self._needed(manifest)}
        for path in self._folder.glob(f"{OURS}*"):
            if path.suffix == ".new" or stem(path.name) not in needed:
                path.unlink()

    @contextmanager
    def _plainly(self, doing: str) -> Iterator[None]:
        """Turns what the disk says into one sentence."""
        try:
            yield
        except (OSError, StorageError) as error:
            self._repaired = False  # what was half added is still there
            self._manifest = None  # it may have been replaced before its folder could not be made durable
            number = error.errno if isinstance(error, OSError) else None
            if number == errno.ENOSPC or "No space left" in str(error):
                raise StoreError(
                    f"the disk is full ({doing} in {self._folder}): free some space, or crawl into another "
                    "folder with --out; pages published so far are safe"
                ) from error
            said = error.strerror if isinstance(error, OSError) else str(error)
            raise StoreError(f"{doing} in {self._folder} failed: {said or error}") from error
        except ValueError as error:  # what is read is damaged, or not as it was
            raise StoreError(f"{doing} in {self._folder} failed: {' '.join(str(error).split())}") from error


def stem(file: str) -> str:
    """What the names of a file and of what belongs to it begin with."""
    return file.partition(".")[0]


def published(folder: Path) -> list[tuple[Path, int, int]]:
    """The files of a store, for whoever reads them as they are: path, length, rows. None if there is no such store."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except FileNotFoundError:
        return []
    return [(folder / file.name, file.bytes, file.rows) for file in manifest.files]


def replace(path: Path, content: bytes) -> None:
    """Whole or not at all: written aside, made durable, then renamed."""
    aside = path.with_name(path.name + ".new")
    with aside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    sync(path.parent)


def append(path: Path, at: int, parts: Iterator[bytes]) -> int:
    """Writes parts from byte `at` on, durably, and ends the file there; where it ends. At 0 it may be new."""
    with path.open("r+b" if at else "w+b") as file:
        file.truncate(at)
        file.seek(at)
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def join(path: Path, at: int, other: Path, start: int = 0, end: int | None = None) -> int:
    """Copies another file, or a part of it, to byte `at`, durably, and ends the file there; where it ends."""
    with path.open("r+b" if at else "w+b") as file, other.open("rb", buffering=0) as source:
        left = (source.seek(0, os.SEEK_END) if end is None else end) - start
        file.truncate(at)
        file.seek(at)
        source.seek(start)
        with suppress(AttributeError, OSError):  # not every system can; what is left is copied below
            while left and (copied := os.copy_file_range(source.fileno(), file.fileno(), min(left, 1 << 30))):
                left -= copied
        file.seek(0, os.SEEK_END)  # it was not told of what the system copied
        while left and (piece := source.read(min(left, 1 << 20))):
            file.write(piece)
            left -= len(piece)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def pieces(path: Path, length: int | None = None) -> Iterator[bytes]:
    """A file or its beginning, a megabyte at a time."""
    left = path.stat().st_size if length is None else length
    with path.open("rb") as file:
        while piece := file.read(min(1 << 20, left)):
            yield piece
            left -= len(piece)


def cut(path: Path, length: int) -> None:
    """Ends a file there. One that is shorter, or gone, has lost what was stored."""
    size = path.stat().st_size if path.exists() else 0
    if size < length:
        raise StoreError(f"{path} has {size} bytes of the {length} that were stored; restore it from a copy")
    if size > length:
        with path.open("r+b") as file:
            file.truncate(length)
            os.fsync(file.fileno())
