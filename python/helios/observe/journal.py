"""What is written down of a run: how it began and ended, what failed and how often, what was slow.

However much goes wrong on the web, the log does not grow with it: so many lines of a kind and minute are written, the
others are counted, and the count is written when the minute is over.
"""

import logging
import platform
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from helios._core import Done, __version__
from helios.clock import Clock
from helios.errors import FolderError
from helios.folder import Folder
from helios.measure.machine import memory_limit, memory_of_machine, open_files, processors
from helios.observe.log import LEVELS, Fields, LogFile
from helios.observe.server import is_public
from helios.settings import Settings
from helios.settings.secrets import hidden
from helios.settings.seeing import Log
from helios.stages import Stages

MINUTE_MS = 60_000
REASONS = 8  # of dead letters, in the last line


class Limiter:
    """So many of a kind a minute."""

    def __init__(self, clock: Clock, most: int) -> None:
        self._clock = clock
        self._most = most
        self._minute = 0
        self._counts: Counter[str] = Counter()  # of this minute

    def allows(self, kind: str) -> bool:
        """May one more be written? It counts either way."""
        self._counts[kind] += 1
        return self._counts[kind] <= self._most

    def left_out(self, *, at_last: bool = False) -> dict[str, int]:
        """When a minute is over: what was not written in it."""
        minute = self._clock.now() // MINUTE_MS
        if minute == self._minute and not at_last:
            return {}
        self._minute, counts, self._counts = minute, self._counts, Counter()
        return {kind: count - self._most for kind, count in counts.items() if count > self._most}


class Journal:
    """Listens to the parts, and writes. Called by whichever thread does the work."""

    def __init__(self, file: logging.Handler | None, settings: Settings, clock: Clock) -> None:
        self._file = file
        self._settings = settings
        self._limiter = Limiter(clock, settings.log.lines_per_minute)

    def write(self, level: str, stage: str, event: str, **fields: object) -> None:
        """To the file, and to whoever else listens to `helios.<stage>`."""
        logger = logging.getLogger(f"helios.{stage}")
        record = Fields(logger.name, LEVELS[level], event, fields)
        if self._file is not None and record.levelno >= self._file.level:
            self._file.handle(record)
        if logger.isEnabledFor(record.levelno):
            logger.handle(record)

    def _often(self, level: str, stage: str, event: str, of: str, **fields: object) -> None:
        """As `write`, of a kind of thing that may happen often."""
        for other, count in self._limiter.left_out().items():
            self.write("info", "log", "left out", kind=other, count=count)
        if self._limiter.allows(of):
            self.write(level, stage, event, **fields)

    def batch(self, done: Done) -> None:
        """Pages that could not be had."""
        for url, kind, reason in done.failures():
            self._often("info", "fetch", "failed", kind, kind=kind, url=url, reason=reason)

    def took(self, stage: str, milliseconds: int) -> None:
        """A step that was slow."""
        if milliseconds >= self._settings.log.slow_ms:
            self._often("warning", stage, "slow", f"slow {stage}", seconds=milliseconds / 1000)

    def failed(self, stage: str, error: BaseException) -> None:
        """The crawl ends of it."""
        self.write("error", stage, "failed", kind=type(error).__name__, reason=str(error))

    def published(self, batches: int, rows: int) -> None:
        """Rows are visible."""
        self._often("info", "publish", "published", "published", batches=batches, rows=rows)

    def started(self, seeds: int) -> None:
        """With what, and on what machine; values of settings that are not the defaults, without secrets."""
        mine, defaults = hidden(self._settings), hidden(Settings())
        changed = {
            table: own
            for table, keys in mine.items()
            if (own := {key: value for key, value in keys.items() if value != defaults[table][key]})
        }
        machine = {
            "system": platform.platform(),
            "python": platform.python_version(),
            "processors": processors(),
            "memory": memory_of_machine(),
            "memory_limit": memory_limit(),
            "open_files": open_files()[0],
        }
        self.write("info", "crawl", "started", version=__version__, seeds=seeds, settings=changed, machine=machine)
        if not self._settings.fetch.verify_tls:
            self.write("warning", "fetch", "certificates are not verified", setting="[fetch] verify_tls = false")
        if is_public(self._settings.metrics):
            self.write("warning", "metrics", "others can read the metrics", listen=self._settings.metrics.listen)

    def ended(self, summary: msgspec.Struct) -> None:
        """The last word."""
        facts = msgspec.to_builtins(summary)
        facts["dead_reasons"] = facts.get("dead_reasons", [])[:REASONS]
        refused = facts.pop("refused_seeds", [])
        for url, reason in refused[:REASONS]:
            self.write("warning", "seeds", "refused", url=url, reason=reason)
        self._count_left_out()
        self.write("info", "crawl", "ended", **facts, refused_seeds=len(refused))

    def broke(self, error: BaseException) -> None:
        """The crawl ended of something else than itself."""
        self._count_left_out()
        self.write("error", "crawl", "broke off", kind=type(error).__name__, reason=str(error))

    def _count_left_out(self) -> None:
        for kind, count in self._limiter.left_out(at_last=True).items():
            self.write("info", "log", "left out", kind=kind, count=count)


def _opened(folder: Folder, settings: Log) -> LogFile:
    try:
        return LogFile(folder.logs, settings)
    except OSError as error:
        raise FolderError(
            f'the log in {folder.logs} cannot be written: {error.strerror}; [log] level = "off" goes without'
        ) from error


@contextmanager
def written(stages: Stages, seeds: int) -> Iterator[Journal]:
    """While inside, the run is written down in the crawl's folder, if it has one and the settings want it."""
    settings = stages.settings
    wanted = stages.folder is not None and settings.log.level != "off"
    file = _opened(stages.folder, settings.log) if wanted and stages.folder is not None else None
    journal = Journal(file, settings, stages.clock)
    stages.measures.listener = journal
    journal.started(seeds)
    try:
        yield journal
    except BaseException as error:
        journal.broke(error)
        raise
    finally:
        if file is not None:
            with suppress(OSError):  # of a full disk; what ended the run is what a person must hear
                file.close()
