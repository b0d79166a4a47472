"""What the machine itself gains from a second core: the same work in one process, and in two at once that share nothing.

`python benches/machine.py` prints it. Nothing that runs on two cores can be expected to gain more; cores that are two threads of one, or
that somebody else uses too, gain less than twice.
"""
# ruff: noqa: INP001, T201 - a program of its own, which prints

import multiprocessing
import os
import random
import time
import zlib
from collections.abc import Sequence

TURNS = 5
PIECES = 60  # of work: about a second
PIECE = random.Random(1).choices(range(64), k=1 << 19)  # noqa: S311 - chance by seed


def work(core: int, ready: "multiprocessing.Barrier", seconds: "multiprocessing.SimpleQueue[float]") -> None:
    """A fixed work on one core, timed from when all are ready."""
    os.sched_setaffinity(0, {core})
    piece = bytes(PIECE)
    ready.wait()
    began = time.perf_counter()
    for _ in range(PIECES):
        zlib.compress(piece, 6)
    seconds.put(time.perf_counter() - began)


def wall_s(cores: Sequence[int]) -> float:
    """Until the last has done its work, each core the same."""
    context = multiprocessing.get_context("fork")
    ready, seconds = context.Barrier(len(cores)), context.SimpleQueue()
    workers = [context.Process(target=work, args=(core, ready, seconds)) for core in cores]
    for worker in workers:
        worker.start()
    last = max(seconds.get() for _ in workers)
    for worker in workers:
        worker.join()
    return last


def timed(cores: Sequence[int]) -> tuple[float, float]:
    """Seconds of the work on the first core, and of as much on each at once."""
    return wall_s(cores[:1]), wall_s(cores)


def gain(cores: Sequence[int], turns: Sequence[tuple[float, float]]) -> float:
    """How many times the work of the first core the cores do together, by the best of each: what disturbs only makes slower."""
    return len(cores) * min(alone for alone, _ in turns) / min(together for _, together in turns)


if __name__ == "__main__":
    few = sorted(os.sched_getaffinity(0))[:2]
    print(f"{len(few)} cores do {gain(few, [timed(few) for _ in range(TURNS)]):.2f} x the work of one")
