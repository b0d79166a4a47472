"""Where a run is written down: files in the crawl's folder, turned over by size, so many and no more.

The loggers are called `helios.<stage>`, so that a program which runs crawls can listen to them, too: as it has set up
logging, whatever level the file has.
"""

import datetime
import logging
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import msgspec

from helios.settings.seeing import Log

NAMES = {"json": "helios.jsonl", "human": "helios.log"}
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "off": 100}
MOST = 1_000  # characters of one text

logging.getLogger("helios").addHandler(logging.NullHandler())  # or warnings would go to the terminal


class LogFile(RotatingFileHandler):
    """One file and its predecessors. A disk that is full ends no crawl: what cannot be written is counted."""

    def __init__(self, folder: Path, settings: Log) -> None:
        folder.mkdir(exist_ok=True)
        name = folder / NAMES[settings.format]
        super().__init__(name, maxBytes=settings.max_bytes, backupCount=settings.files - 1, encoding="utf-8")
        if settings.files == 1:
            self.mode = "w"  # a file without predecessors begins again
        self.setLevel(LEVELS[settings.level])
        self.setFormatter(JsonLines() if settings.format == "json" else Plain())
        self.lost = 0

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name in logging
        """Says nothing: the crawl is what matters."""
        del record
        self.lost += 1


class Fields(logging.LogRecord):
    """A record with named values."""

    def __init__(self, name: str, level: int, event: str, fields: Mapping[str, object]) -> None:
        super().__init__(name, level, "", 0, event, None, None)
        self.fields = {key: short(value) for key, value in fields.items() if value is not None}


def short(value: object) -> object:
    """Texts come from the web, too: they are cut, and what a terminal would obey is spelled out by JSON."""
    return value[: MOST - 1] + "…" if isinstance(value, str) and len(value) > MOST else value


class JsonLines(logging.Formatter):
    """One object a line: time, level, logger, event, then what belongs to the event."""

    def format(self, record: logging.LogRecord) -> str:
        """Newlines and control characters are escaped, so that a line is a record."""
        known = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        return msgspec.json.encode({**known, "event": record.getMessage(), **_fields(record)}, enc_hook=str).decode()


class Plain(logging.Formatter):
    """For people: time, level, stage, event, then name=value."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, values as in JSON."""
        fields = " ".join(f"{key}={_word(value)}" for key, value in _fields(record).items())
        stage = record.name.removeprefix("helios.")
        return f"{_time(record)} {record.levelname.lower():<7} {stage:<8} {record.getMessage()} {fields}".rstrip()


def _time(record: logging.LogRecord) -> str:
    at = datetime.datetime.fromtimestamp(record.created, tz=datetime.UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return record.fields if isinstance(record, Fields) else {}


def _word(value: object) -> str:
    encoded = msgspec.json.encode(value, enc_hook=str).decode()
    plain = isinstance(value, str) and value.isprintable() and not set(value) & set(' "\\')
    return str(value) if plain else encoded
