"""Where an export goes: written aside, made durable, then renamed. Whatever interrupts it leaves nothing behind."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from helios.errors import QueryError, StoreError

Sink: TypeAlias = Any  # anything with write(bytes), as pyarrow takes it
CODECS = {".gz": "gzip", ".zst": "zstd"}


@contextmanager
def file(target: Path, *, force: bool, packed: bool = False) -> Iterator[Sink]:
    """A file, compressed if its name ends like that, unless what comes is packed already."""
    _refuse(target, force=force)
    if target.is_dir():
        raise QueryError(f"{target} is a folder; give the name of a file with -o")
    aside = target.with_name(f".{target.name}.part")
    with _plainly(target):
        try:
            with aside.open("wb") as raw, _compressed(raw, None if packed else CODECS.get(target.suffix)) as sink:
                yield sink
            _sync(aside)
            aside.replace(target)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


@contextmanager
def standard() -> Iterator[Sink]:
    """Standard output; a terminal is no place for a binary form, which the caller knows."""
    out = sys.stdout.buffer
    yield out
    out.flush()


@contextmanager
def folder(target: Path, *, force: bool) -> Iterator[Path]:
    """A folder of files."""
    if target.is_file():
        raise QueryError(f"{target} is a file; give the name of a folder with -o")
    if target.is_dir() and any(target.iterdir()):
        _refuse(target, force=force)
    aside = target.with_name(f".{target.name}.part")
    with _plainly(target):
        try:
            shutil.rmtree(aside, ignore_errors=True)  # of an export that was killed
            aside.mkdir(parents=True)
            yield aside
            _swap(aside, target)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise


def _swap(aside: Path, target: Path) -> None:
    old = target.with_name(f".{target.name}.old")
    if target.exists():
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


def _refuse(target: Path, *, force: bool) -> None:
    if target.exists() and not force:
        raise QueryError(f"{target} is there already; give another -o, or --force to replace it")


@contextmanager
def _plainly(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror or error}") from error
