"""The index of an archive: CDXJ lines, a file of them beside each WARC file.

The index of a file that is growing is a log in the order of publishing (`.cdxj.log`, as long as the manifest says).
From it the sorted `.cdxj` is made anew when it has doubled, when the file is done and when the store is closed, so that
sorting costs little however often is published. A log outlives a crash; the sorted index follows from it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pyarrow as pa

from helios.stores.base import Expression
from helios.stores.files import File, append, cut, replace, stem
from helios.stores.told import millis

LOG = ".cdxj.log"
INDEX = ".cdxj"
SMALL = 1 << 16  # bytes of a log that are sorted at every publish
ROWS = 4_096  # of one batch of a scan

COLUMNS = pa.schema(
    [
        pa.field("url", pa.string(), nullable=False),
        pa.field("fetched_at", pa.timestamp("s", "UTC"), nullable=False),
        pa.field("status", pa.uint16()),
        pa.field("content_type", pa.string(), nullable=False),  # warc/revisit: its payload is in another record
        pa.field("digest", pa.string(), nullable=False),
        pa.field("file", pa.string(), nullable=False),
        pa.field("offset", pa.uint64(), nullable=False),
        pa.field("length", pa.uint64(), nullable=False),
    ]
)


class Index:
    """Of the files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sorted: dict[str, int] = {}  # bytes of each log that its index was last made of
        self._done: set[str] = set()  # files that were seen without a log: none of them gets one again

    def grows(self, file: str) -> bool:
        """Is there a log to add to? A publish asks of every file, and the disk only of those that may still grow."""
        if file in self._done:
            return False
        if self._log_of(file).exists():
            return True
        self._done.add(file)
        return False

    def add(self, file: File, lines: Iterable[bytes]) -> int:
        """Adds lines to the log, durably; how long it is then."""
        return append(self._log_of(file.name), file.index_bytes, iter(lines))

    def mend(self, file: File) -> None:
        """Cuts off what was being added when a process died."""
        self._done.discard(file.name)  # whatever failed before, the disk is asked anew
        if self.grows(file.name) or not self._index_of(file.name).exists():
            cut(self._log_of(file.name), file.index_bytes)

    def tend(self, file: File) -> None:
        """Sorts it if that is worth it by now."""
        if file.index_bytes <= SMALL or file.index_bytes >= 2 * self._sorted.get(file.name, 0):
            self.sort(file)

    def finish(self, file: File) -> None:
        """Sorts it for good."""
        self.sort(file)
        self._log_of(file.name).unlink()

    def sort(self, file: File) -> None:
        """Makes the sorted index of the log."""
        if self._sorted.get(file.name) == file.index_bytes:
            return
        with self._log_of(file.name).open("rb") as log:
            lines = log.read(file.index_bytes).splitlines(keepends=True)
        replace(self._index_of(file.name), b"".join(sorted(lines)))
        self._sorted[file.name] = file.index_bytes

    def batches(
        self, files: Sequence[File], columns: Sequence[str] | None, where: Expression | None
    ) -> Iterator[pa.RecordBatch]:
        """A row for each line."""
        for file in files:
            log = self._log_of(file.name)
            lines = _lines(log, file.index_bytes) if log.exists() else _lines(self._index_of(file.name))
            while rows := list(islice(lines, ROWS)):
                table = pa.Table.from_pylist([_row(line) for line in rows], COLUMNS)
                table = table if where is None else table.filter(where)
                yield from (table if columns is None else table.select(list(columns))).to_batches()

    def _log_of(self, file: str) -> Path:
        return self._folder / (stem(file) + LOG)

    def _index_of(self, file: str) -> Path:
        return self._folder / (stem(file) + INDEX)


def moved(lines: bytes, file: str, by: int) -> bytes:
    """Lines of records that were copied to a file, so many bytes further on: their last two fields are others."""
    return b"".join(_moved(line, file, by) for line in lines.splitlines())


def _moved(line: bytes, file: str, by: int) -> bytes:
    before, _, last = line.decode().rpartition(', "offset": "')
    offset = int(last.partition('"')[0]) + by
    return f'{before}, "offset": "{offset}", "filename": "{file}"}}\n'.encode()


def _row(line: bytes) -> dict[str, object]:
    _, time, rest = line.decode().split(" ", 2)
    fields = json.loads(rest)
    return {
        "url": fields["url"],
        "fetched_at": millis(time) // 1000,
        "status": int(fields["status"]),
        "content_type": fields["mime"],
        "digest": fields["digest"],
        "file": fields["filename"],
        "offset": int(fields["offset"]),
        "length": int(fields["length"]),
    }


def _lines(path: Path, most: int | None = None) -> Iterator[bytes]:
    read = 0
    with path.open("rb") as file:
        for line in file:
            read += len(line)
            if most is not None and read > most:
                return
            yield line
