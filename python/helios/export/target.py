"""What an export may be written over: nothing of a crawl, and no folder with anything but what an export wrote."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from helios.errors import QueryError
from helios.folder import Folder, holds_crawl

HARMLESS = {".jsonl", ".csv", ".parquet", ".gz", ".zst"}  # endings that no file of a crawl beside its folders has


def real(target: Path) -> Path:
    """The file or folder itself: what a link leads to, without dots."""
    return Path(os.path.realpath(target))


def is_stream(target: Path) -> bool:
    """A pipe or a device: it takes what is written, and nothing in it can be lost."""
    return target.exists() and not (target.is_file() or target.is_dir())


def refuse_crawl(target: Path) -> None:
    """A crawl's own files are written by the crawl alone."""
    path = real(target)
    crawl = next((one for one in (path, *path.parents) if _is_crawl(one)), None)
    if crawl is not None and not (path.parent == crawl and path.suffix.lower() in HARMLESS):
        lies = "is the folder of a crawl" if crawl == path else f"lies in the folder of a crawl, {crawl}"
        raise QueryError(f"{target} {lies}; give another -o")


def refuse_there(target: Path, *, force: bool) -> None:
    """What is there is kept unless asked for."""
    if target.exists() and not force:
        raise QueryError(f"{target} is there already; give another -o, or --force to replace it")


def refuse_foreign(target: Path, ours: Callable[[Path], bool]) -> None:
    """A folder is replaced with all that is in it: not one that anybody else keeps files in."""
    path = real(target)
    foreign = next((one for one in _things(path) if one.is_symlink() or not ours(one)), None)
    if foreign is None:
        return
    crawl = next((one for one in foreign.parents if one.is_relative_to(path) and _is_crawl(one)), None)
    what = f"{foreign}, which no export wrote" if crawl is None else f"the crawl {crawl}"
    raise QueryError(f"{target} is not replaced: in it is {what}; give another -o")


def _things(folder: Path) -> Iterator[Path]:
    """Everything in it but folders."""
    if not folder.exists():
        return
    for path, folders, files in os.walk(folder, onerror=_raise):
        links = [name for name in folders if (Path(path) / name).is_symlink()]
        yield from (Path(path) / name for name in sorted([*links, *files]))


def _raise(error: OSError) -> None:
    raise error


def _is_crawl(path: Path) -> bool:
    """Settings with a part of a crawl beside them; alone they may be a file for crawls to come."""
    folder = Folder(path)
    return holds_crawl(path) and any(part.exists() for part in (folder.staged, folder.frontier, folder.pages))
