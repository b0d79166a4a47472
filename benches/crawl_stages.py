"""One crawl with its stages in turns, never two at once: so the CPU of the whole process in one turn is that of one stage.

`python benches/crawl_stages.py settings.toml seeds.txt folder` prints pages and CPU seconds by stage as JSON; `benches/crawl.py` runs it
and compares the sum with what the same crawl costs as it really runs.
"""
# ruff: noqa: INP001, T201, SLF001 - a program of its own, which looks into the stores to tell them apart

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helios._core import Done
from helios.clock import SystemClock
from helios.folder import create
from helios.settings import load
from helios.stages import Stages, build
from helios.stores.base import Batch

VISITS = 24  # of one turn: their bodies are held until all of them are there, so they must fit into `max_memory_bytes`
WAIT_MS = 1_000


class Turns:
    """The loop of `helios.crawl.loop`, one thing after the other."""

    def __init__(self, stages: Stages) -> None:
        self.stages = stages
        self.seconds: Counter[str] = Counter()
        self.pages = 0
        for kind, store in stages.store._stores.items():
            store.stage = self._watched(f"store {kind}", store.stage)
            store.publish = self._watched(f"publish {kind}", store.publish)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        before = time.process_time()
        yield
        self.seconds[stage] += time.process_time() - before

    def _watched(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*words: Any) -> Any:
            with self._timed(stage):
                return call(*words)

        return timed

    def run(self, seeds: list[str]) -> None:
        parts = self.stages
        with self._timed("frontier"):
            parts.frontier.seed(parts.clock.now(), seeds)
        while not parts.frontier.finished(parts.clock.now()):
            for done in self.fetched():
                self.commit(done)
            with self._timed("frontier"):
                names = parts.frontier.staged()
            parts.store.publish(names)
            with self._timed("frontier"):
                parts.frontier.published(names)
        parts.fetcher.close()
        parts.store.close()
        parts.frontier.close()

    def fetched(self) -> list[Done]:
        """Everything of some visits."""
        parts, every = self.stages, []
        with self._timed("frontier"):
            visits = parts.frontier.lease(parts.clock.now(), VISITS)
        with self._timed("fetch"):
            parts.fetcher.submit(visits)
            store = parts.settings.store
            while parts.fetcher.in_flight:
                every.append(parts.fetcher.completed(WAIT_MS, store.batch_ms, store.batch_pages))
        return [done for done in every if len(done)]

    def commit(self, done: Done) -> None:
        parts = self.stages
        with self._timed("frontier"):
            parts.frontier.receive(done)
        with self._timed("extract"):
            pages = parts.extractor.extract(done)
        staged = parts.store.stage(Batch(parts.embed(pages), pages))
        with self._timed("frontier"):
            parts.frontier.settle(parts.clock.now(), done, pages, staged)
        with self._timed("extract"):
            parts.extractor.commit()
        self.pages += len(pages)
        with self._timed("letting go"):
            del pages


def main(settings_file: str, seeds: str, folder: str) -> None:
    """One crawl."""
    settings = load(Path(settings_file))
    turns = Turns(build(settings, create(Path(folder), settings), SystemClock()))
    start = time.process_time()
    turns.run(Path(seeds).read_text().split())
    print(json.dumps({"pages": turns.pages, "start": start, "whole": time.process_time(), **turns.seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
