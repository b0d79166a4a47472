"""Where an export goes: written aside, made durable, then renamed. Whatever interrupts it leaves nothing behind.

A link is followed to what it leads to. What is no file (a pipe, a device) is written straight into.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from helios.errors import QueryError, StoreError
from helios.export.target import is_stream, real, refuse_crawl, refuse_foreign, refuse_there
from helios.terminal import Screen

Sink: TypeAlias = Any  # anything with write(bytes), as pyarrow takes it
CODECS = {".gz": "gzip", ".zst": "zstd"}


@contextmanager
def file(target: Path, *, force: bool, packed: bool = False) -> Iterator[Sink]:
    """A file, compressed if its name ends like that, unless what comes is packed already."""
    codec = None if packed else CODECS.get(target.suffix.lower())
    with _plainly(target):
        if is_stream(target):
            there = os.open(target, os.O_WRONLY)  # nothing is made: systems forbid that with other people's pipes
            with os.fdopen(there, "wb") as raw, _compressed(raw, codec) as sink:
                yield sink
            return
        refuse_crawl(target)
        if target.is_dir():
            raise QueryError(f"{target} is a folder; give the name of a file with -o")
        refuse_there(target, force=force)
        path = real(target)
        aside = path.with_name(f".{path.name}.part")
        try:
            with aside.open("wb") as raw, _compressed(raw, codec) as sink:
                yield sink
            _sync(aside)
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


@contextmanager
def standard() -> Iterator[Sink]:
    """Standard output; a terminal is no place for a binary form, which the caller knows, nor for what it would obey."""
    out = getattr(sys.stdout, "buffer", None)
    if out is None:
        raise StoreError("standard output cannot be written: it is closed, or takes no bytes")
    try:
        yield Screen(out) if out.isatty() else out
        out.flush()
    except BrokenPipeError:  # whoever read it has had enough
        raise
    except OSError as error:
        raise StoreError(f"standard output cannot be written: {error.strerror or error}") from error


@contextmanager
def folder(target: Path, *, force: bool, ours: Callable[[Path], bool]) -> Iterator[Path]:
    """A folder of files; `ours` knows those that an earlier export wrote, which are all that is ever replaced."""
    with _plainly(target):
        refuse_crawl(target)
        if target.exists() and not target.is_dir():
            raise QueryError(f"{target} is no folder; give the name of one with -o")
        path = real(target)
        if Path.cwd().is_relative_to(path):  # whoever is in it would be left in one that is gone
            raise QueryError(f"{target} is the folder that you are in; give a new one with -o")
        if target.is_dir() and any(target.iterdir()):
            refuse_there(target, force=force)
        aside, old = (path.with_name(f".{path.name}.{end}") for end in ("part", "old"))
        for replaced in (target, old):
            refuse_foreign(replaced, ours)
        try:
            shutil.rmtree(aside, ignore_errors=True)  # of an export that was killed
            aside.mkdir(parents=True)
            yield aside
            refuse_foreign(target, ours)  # an export takes its time
            _swap(aside, path, old)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise


def _swap(aside: Path, target: Path, old: Path) -> None:
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)  # of an export that was killed here
        target.rename(old)
    aside.rename(target)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _compressed(raw: Any, codec: str | None) -> Iterator[Sink]:  # noqa: ANN401  # a binary file
    if codec is None:
        yield raw
        return
    import pyarrow as pa  # noqa: PLC0415  # a tenth of a second that `helios --help` need not wait for

    with pa.CompressedOutputStream(pa.PythonFile(raw, "w"), codec) as sink:
        yield sink


def _sync(path: Path) -> None:
    with path.open("rb") as written:  # anew: a compressor closes what it wrote to
        os.fsync(written.fileno())


@contextmanager
def _plainly(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror or error}") from error
