"""Seeds go into the frontier: a write at a time, and all of them, also when the crawl is killed in between."""

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from helios.crawl.stop import Stop
from helios.errors import FolderError, SeedError
from helios.seeds import Seeds
from helios.stages import Stages

FILE = "seeds.pending"  # of a crawl's folder: seeds of which not all are known to be in the frontier
AT_ONCE = 20_000  # seeds in one write of the frontier
REFUSALS = 1_000  # that are remembered


async def take_in(
    stages: Stages, seeds: Seeds | list[str], out: Path, stop: Stop, each: Callable[[], None]
) -> list[tuple[str, str]]:
    """Hands over seeds that an earlier run left, then these; which were refused, and why. `each` write is told."""
    left = out / FILE
    refused: list[tuple[str, str]] = []
    if left_over(out):
        await _all(stages, left, stop, each, refused)
    if len(seeds) > AT_ONCE and stop.reason is None:
        _keep(seeds, left)
        await _all(stages, left, stop, each, refused)
    elif seeds and stop.reason is None:
        refused += await asyncio.to_thread(stages.frontier.seed, stages.clock.now(), list(seeds))
        if len(refused) == len(seeds):
            url, reason = refused[0]
            raise SeedError(f"no seed can be crawled; {url}: {reason}")
    return refused


def left_over(out: Path) -> bool:
    """Did a run end before all its seeds were taken in?"""
    return (out / FILE).exists()


async def _all(
    stages: Stages, left: Path, stop: Stop, each: Callable[[], None], refused: list[tuple[str, str]]
) -> None:
    """All of a file. When the crawl is stopped first, the file stays for the next run; what is known costs nothing."""
    with left.open(encoding="utf-8", newline="\n") as file:
        for some in chunks((line[:-1] for line in file), AT_ONCE):
            if stop.reason is not None:
                return
            more = await asyncio.to_thread(stages.frontier.seed, stages.clock.now(), some)
            refused += more[: REFUSALS - len(refused)]
            each()
    _forget(left)


def _forget(path: Path) -> None:
    path.unlink()


def _keep(seeds: Iterable[str], path: Path) -> None:
    """Writes them down, whole or not at all: killed before that, the crawl has taken none, and says so when resumed."""
    aside = path.with_suffix(".new")
    try:
        with aside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{seed}\n" for seed in seeds)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise FolderError(f"the seeds cannot be kept in {path.parent}: {error.strerror}") from error


def chunks(items: Iterable[str], size: int, most_bytes: int | None = None) -> Iterator[list[str]]:
    """Lists of up to `size` of them, in order; with `most_bytes`, of about so many bytes at most."""
    rest = iter(items)
    if most_bytes is None:
        while some := list(islice(rest, size)):
            yield some
        return
    some, weight = [], 0
    for item in rest:
        if some and (len(some) == size or weight + len(item) > most_bytes):
            yield some
            some, weight = [], 0
        some.append(item)
        weight += len(item) + 3  # quotes and a comma
    if some:
        yield some
