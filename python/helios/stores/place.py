"""Where a page table and its lists are. The seam between the Lance store and a disk or an object store."""

import errno
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from helios.errors import StoreError

OURS = {"_versions", "_transactions"}  # what a first commit makes before there is a manifest
LANCE_SOURCE = re.compile(r",? (?:location: )?/\S+\.rs:\d+:\d+")


class Place(Protocol):
    """A table's address, and small files beside it. What is put is durable, whole or not at all."""

    uri: str  # of the table, as Lance takes it
    options: dict[str, str] | None  # for Lance: how to reach it; may hold credentials, so it is never shown
    name: str  # for messages

    def claim(self, owner: str) -> None:
        """Raises StoreError unless this is a place where that crawl can write, alone."""

    def exists(self) -> bool:
        """Is there a table?"""

    def names(self) -> list[str]:
        """Of the small files, sorted."""

    def get(self, name: str) -> bytes | None:
        """One of them; None when there is none of that name."""

    def put(self, name: str, content: bytes) -> None:
        """Makes or replaces it."""

    def remove(self, names: Iterable[str]) -> None:
        """They do not come back, whatever happens. Those that are gone already are no error."""

    def keep(self, files: Iterable[str]) -> None:
        """Files of the table (paths within it) are durable from now on."""

    def delete(self, files: Iterable[str]) -> None:
        """Removes files of the table."""

    def explained(self, doing: str, error: Exception) -> str:
        """What the system or Lance says, in one sentence."""


class Disk:
    """A folder for the table and one for the small files."""

    def __init__(self, table: Path, staged: Path) -> None:
        self.uri = str(table)
        self.options: dict[str, str] | None = None
        self.name = str(table)
        self._table = table
        self._staged = staged
        self._rooted = False

    def claim(self, owner: str) -> None:  # noqa: ARG002  # of the seam
        """The frontier, in the same folder, is locked already: what was being put when a process died is nobody's."""
        for path in self._staged.glob("*.new"):
            path.unlink()

    def exists(self) -> bool:
        """Not when the first commit failed half-way (a full disk): that leaves folders only."""
        if any((self._table / "_versions").glob("*.manifest")):
            return True
        if self._table.exists() and (strange := {path.name for path in self._table.iterdir()} - OURS):
            raise StoreError(
                f"{self._table} is no page table: it has no manifest, but holds {min(strange)}; restore it from a "
                "copy, or use another folder"
            )
        return False

    def names(self) -> list[str]:
        """Files that were being put when the process died are none."""
        return sorted(path.name for path in self._staged.glob("*") if path.suffix != ".new")

    def get(self, name: str) -> bytes | None:
        """The whole file."""
        try:
            return (self._staged / name).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, name: str, content: bytes) -> None:
        """Written aside, made durable, then renamed."""
        self._staged.mkdir(parents=True, exist_ok=True)
        aside = self._staged / f"{name}.new"
        aside.write_bytes(content)
        sync(aside)
        aside.replace(self._staged / name)
        sync(self._staged)

    def remove(self, names: Iterable[str]) -> None:
        """Unlinked, and the folder made durable."""
        for name in names:
            (self._staged / name).unlink(missing_ok=True)
        if self._staged.exists():
            sync(self._staged)

    def keep(self, files: Iterable[str]) -> None:
        """Lance does not do this: it leaves it to the system when a file reaches the disk."""
        paths = [self._table / file for file in files]
        for path in paths:
            sync(path)
        for folder in {path.parent for path in paths}:
            sync(folder)
        if not self._rooted:  # new folders are durable when those that hold them are
            sync(self._table)
            sync(self._table.parent)
            self._rooted = True

    def delete(self, files: Iterable[str]) -> None:
        """Also the folder of an index that has no file left."""
        for file in files:
            path = self._table / file
            path.unlink(missing_ok=True)
            if path.parent.parent.name == "_indices" and not any(path.parent.iterdir()):
                shutil.rmtree(path.parent, ignore_errors=True)

    def explained(self, doing: str, error: Exception) -> str:
        """A full disk is the one that a person can do something about."""
        full = getattr(error, "errno", None) == errno.ENOSPC
        if full or "No space left" in str(error) or "os error 28" in str(error):
            return (
                f"the disk is full ({doing} in {self.name}): free some space and go on with helios resume, or crawl "
                "into another folder with --out; pages published so far are safe"
            )
        return f"{doing} in {self.name} failed: {getattr(error, 'strerror', None) or said(error)}"


def said(error: Exception) -> str:
    """What Lance says, on one line and without the places in its source."""
    return LANCE_SOURCE.sub("", " ".join(str(error).split())) or type(error).__name__


def sync(path: Path) -> None:
    """Makes a file or the names in a folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
