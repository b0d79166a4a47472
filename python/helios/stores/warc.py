"""An archive: WARC 1.1 files with a CDXJ index each, as every replay and research tool reads them.

Each batch is staged as a WARC file of its own, one compressed member per record. Members can be joined as they are, so
publishing copies them to the end of the file that is growing, until that has about `warc_bytes`; then a new file is
begun. See `files.py` for what happens when the process dies in between.

The index of a file that is growing is a log in the order of writing (`.cdxj.log`, as long as the manifest says). From
it the sorted `.cdxj` is made anew when it has doubled, when the file is full and when the store is closed, so that
sorting costs little however often is published. A log outlives a crash; the sorted index follows from it.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from helios._core import Pages, WarcWriter, __version__
from helios.settings.keeping import Store as StoreSettings
from helios.stores.base import ArrowStream, Batch, Expression, Reader
from helios.stores.files import OURS, File, FileStore, Manifest, append, cut, join, replace
from helios.stores.told import answers, millis

LOG = ".cdxj.log"
INDEX = ".cdxj"
SMALL = 1 << 16  # bytes of a log that are sorted at every publish
ROWS = 4_096  # of one batch of a scan
# Of bodies as the web sends them, within 2 % of the size that others write (docs/decisions/0017-warc.md).
LEVELS = {"gzip": 1, "zstd": 1, "plain": 1}

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


class WarcStore(FileStore):
    """Answers and requests as they went over the wire, if [store] keeps them; else pages as answers."""

    def __init__(self, folder: Path, staged: Path, settings: StoreSettings | None = None) -> None:
        settings = settings or StoreSettings()
        originals = settings.warc_originals if settings.warc_revisits else 0
        level = settings.warc_level or LEVELS[settings.warc_packing]
        self._writer = WarcWriter(settings.warc_packing, level, settings.warc_digest, originals)
        super().__init__(folder, staged, self._writer.suffix)
        self._most = settings.warc_bytes
        self._sorted: dict[str, int] = {}  # bytes of each log that its index was last made of

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """The index: a row per answer."""
        with self._plainly("reading the index"):
            manifest = self._read()
            if not manifest.files:
                return pa.schema([]).empty_table().to_reader()
        schema = COLUMNS if columns is None else pa.schema([COLUMNS.field(name) for name in columns])
        return pa.RecordBatchReader.from_batches(schema, self._batches(manifest, columns, where))

    def close(self) -> None:
        """Sorts the last index."""
        if self._repaired:
            with self._plainly("sorting the index"):
                for file in self._read().files[-1:]:
                    self._sort(file)

    def _write(self, path: Path, pages: ArrowStream) -> int:
        pages = pages.source if isinstance(pages, Batch) else pages
        if isinstance(pages, Pages):
            lines = self._writer.write(str(path), pages)
        else:
            lines = self._writer.write_told(str(path), list(answers(pages)))
        if lines:
            replace(self._lines_of(path), "".join(f"{line}\n" for line in lines).encode())
        return len(lines)

    def _add(self, manifest: Manifest, staged: Sequence[Path]) -> tuple[list[File], int, int]:
        files, following, rows = list(manifest.files), manifest.next, 0
        for path in staged:
            lines = self._lines_of(path).read_text(encoding="utf-8").splitlines()
            if not files or files[-1].bytes >= self._most:
                files.append(self._begun(following, lines[0]))
                following += 1
            file = files[-1]
            end = join(self._folder / file.name, file.bytes, path)
            moved = "".join(f"{_moved(line, file)}\n" for line in lines).encode()
            log = append(self._log_of(file), file.index_bytes, iter([moved]))
            files[-1] = File(file.name, end, file.rows + len(lines), log)
            rows += len(lines)
        return files, following, rows

    def _begun(self, number: int, line: str) -> File:
        """A new file with its first record, dated as the first line of its index: so it is the same if made again."""
        name = f"{OURS}{number:05}{self._suffix}"
        fields = [
            ("software", f"Helios/{__version__}"),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("robots", "obey"),
        ]
        info = self._writer.warcinfo(name, millis(line.split(" ")[1]), fields)
        return File(name, append(self._folder / name, 0, iter([info])))

    def _repair(self) -> Manifest:
        was_repaired = self._repaired
        manifest = super()._repair()
        if not was_repaired:
            for file in manifest.files:
                if file is manifest.files[-1] or not self._index_of(file).exists():
                    cut(self._log_of(file), file.index_bytes)
        return manifest

    def _unlisted(self, path: Path, manifest: Manifest) -> bool:
        ours = {file.name.removesuffix(self._suffix) for file in manifest.files}
        return path.name.split(".")[0] not in ours

    def _after(self, manifest: Manifest) -> None:
        for file in manifest.files[:-1]:
            if self._log_of(file).exists():  # it is full: its index is made for good
                self._sort(file)
                self._log_of(file).unlink()
        for file in manifest.files[-1:]:
            if file.index_bytes <= SMALL or file.index_bytes >= 2 * self._sorted.get(file.name, 0):
                self._sort(file)

    def _forget(self, names: Sequence[str]) -> None:
        for name in names:
            self._lines_of(self._place_of(name)).unlink(missing_ok=True)
        super()._forget(names)

    def _halves(self) -> list[Path]:
        lines = [path for path in self._staged.glob(f"*{INDEX}") if path.stem not in self._names()]
        return [*super()._halves(), *lines, *self._staged.glob(f"*{INDEX}.new")]

    def _sort(self, file: File) -> None:
        if self._sorted.get(file.name) == file.index_bytes:
            return
        with self._log_of(file).open("rb") as log:
            lines = log.read(file.index_bytes).splitlines(keepends=True)
        replace(self._index_of(file), b"".join(sorted(lines)))
        self._sorted[file.name] = file.index_bytes

    def _lines_of(self, staged: Path) -> Path:
        """The index of a staged file."""
        return staged.with_name(staged.name.removesuffix(".new").removesuffix(self._suffix) + INDEX)

    def _log_of(self, file: File) -> Path:
        return self._folder / (file.name.removesuffix(self._suffix) + LOG)

    def _index_of(self, file: File) -> Path:
        return self._folder / (file.name.removesuffix(self._suffix) + INDEX)

    def _batches(
        self, manifest: Manifest, columns: Sequence[str] | None, where: Expression | None
    ) -> Iterator[pa.RecordBatch]:
        with self._plainly("reading the index"):
            for file in manifest.files:
                log = self._log_of(file)
                lines = _lines(log, file.index_bytes) if log.exists() else _lines(self._index_of(file))
                for rows in _groups(lines):
                    table = pa.Table.from_pylist([_row(line) for line in rows], COLUMNS)
                    table = table if where is None else table.filter(where)
                    yield from (table if columns is None else table.select(list(columns))).to_batches()


def _moved(line: str, file: File) -> str:
    """A line of a staged file's index, as it is in the file that it was copied to: its last two fields are others."""
    before, _, last = line.rpartition(', "offset": "')
    offset = int(last.partition('"')[0]) + file.bytes
    return f'{before}, "offset": "{offset}", "filename": "{file.name}"}}'


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


def _groups(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    group: list[bytes] = []
    for line in lines:
        group.append(line)
        if len(group) == ROWS:
            yield group
            group = []
    if group:
        yield group
