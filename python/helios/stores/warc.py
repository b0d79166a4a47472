"""An archive: WARC 1.1 files with a CDXJ index each, as every replay and research tool reads them.

Batches are written where they will stay: at the end of the file that is growing, beyond the length that the manifest
says and readers go by. What is staged is a note that says where (`growing.py`), so publishing moves that length and
adds to the index (`cdxj.py`); only what lies behind a hole is copied. A file that has `warc_bytes` grows no more: the
next batch begins another. See `files.py` for what happens when the process dies in between: here bytes after a file's
length are cut off only if no note is about them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from helios._core import Pages, WarcWriter, __version__
from helios.errors import StoreError
from helios.settings.keeping import Store as StoreSettings
from helios.stores.base import ArrowStream, Batch, Expression, Reader
from helios.stores.cdxj import COLUMNS, INDEX, Index, moved
from helios.stores.files import OURS, File, FileStore, Manifest, append, cut, join, replace
from helios.stores.growing import Span, needed, newest, note, number_of, reach, read, span_of
from helios.stores.place import sync
from helios.stores.told import answers, millis

NOTE = ".warc.note"
# Of bodies as the web sends them, within 2 % of the size that others write (docs/decisions/0017-warc.md).
LEVELS = {"gzip": 1, "zstd": 1, "plain": 1}
ABOUT = [
    ("software", f"Helios/{__version__}"),
    ("format", "WARC File Format 1.1"),
    ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
    ("robots", "obey"),
]


class WarcStore(FileStore):
    """Answers and requests as they went over the wire, if [store] keeps them; else pages as answers."""

    def __init__(self, folder: Path, staged: Path, settings: StoreSettings | None = None) -> None:
        super().__init__(folder, staged, NOTE)
        settings = settings or StoreSettings()
        originals = settings.warc_originals if settings.warc_revisits else 0
        level = settings.warc_level or LEVELS[settings.warc_packing]
        self._writer = WarcWriter(settings.warc_packing, level, settings.warc_digest, originals)
        self._most = settings.warc_bytes
        self._index = Index(folder)
        self._waiting: dict[str, Span] = {}  # staged and not published; known once repaired
        self._is_ragged = False  # bytes are left that nobody will publish

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """The index: a row per answer."""
        with self._plainly("reading the index"):
            manifest = self._read()
            if not manifest.files:
                return pa.schema([]).empty_table().to_reader()
        schema = COLUMNS if columns is None else pa.schema([COLUMNS.field(name) for name in columns])
        return pa.RecordBatchReader.from_batches(schema, self._batches(manifest, columns, where))

    def close(self) -> None:
        """Sorts the indexes that may still grow."""
        if self._repaired:
            with self._plainly("sorting the index"):
                for file in self._read().files:
                    if self._index.grows(file.name):
                        self._index.sort(file)

    # stage

    def _write(self, path: Path, pages: ArrowStream) -> int:
        pages = pages.source if isinstance(pages, Batch) else pages
        file, at = self._spot(self._repair())
        place = str(self._folder / file)
        if isinstance(pages, Pages):
            end, lines = self._writer.write(place, at, ABOUT, pages)
        else:
            end, lines = self._writer.write_told(place, at, ABOUT, list(answers(pages)))
        if lines:
            if at == 0:
                sync(self._folder)
            span = Span(file, at, end)
            append(path, 0, iter([note(span, "".join(f"{line}\n" for line in lines).encode())]))
            self._waiting[path.name.removesuffix(f"{NOTE}.new")] = span
        return len(lines)

    def _spot(self, manifest: Manifest) -> tuple[str, int]:
        """Where the next batch goes: the file, and how long that is by then."""
        published = _published(manifest)
        files = self._needed(manifest)
        if (file := newest(files)) is not None:
            end = reach(file, published.get(file, 0), self._waiting.values())
            if end is not None and end < self._most and (file not in published or self._index.grows(file)):
                return file, end
        return self._name(_following(manifest, files)), 0

    # publish

    def _add(self, manifest: Manifest, staged: Sequence[Path]) -> tuple[list[File], int, int]:
        files = {file.name: file for file in manifest.files}
        added: defaultdict[str, list[bytes]] = defaultdict(list)
        aside = None  # the file that is copied to
        for path in sorted(staged):
            span, lines = read(path)
            if span.start != (files[span.file].bytes if span.file in files else 0):
                if aside is None or files[aside].bytes >= self._most:
                    aside = self._name(_following(manifest, {*files, *self._needed(manifest)}))
                at = files[aside].bytes if aside in files else 0
                span, lines = self._copied(self._folder / span.file, span, lines, aside, at)
            file = files.get(span.file, File(span.file, 0))
            files[span.file] = msgspec.structs.replace(file, bytes=span.end, rows=file.rows + lines.count(b"\n"))
            added[span.file].append(lines)
        for name, parts in added.items():
            files[name] = msgspec.structs.replace(files[name], index_bytes=self._index.add(files[name], parts))
        rows = sum(part.count(b"\n") for parts in added.values() for part in parts)
        return list(files.values()), _following(manifest, files), rows

    def _copied(self, source: Path, span: Span, lines: bytes, file: str, at: int) -> tuple[Span, bytes]:
        """Copies records to a file, which begins with them if `at` is 0; where they are then, and their index."""
        start = at
        if at == 0:
            first = millis(lines.split(b" ", 2)[1].decode())
            start = append(self._folder / file, 0, iter([self._writer.warcinfo(file, first, ABOUT)]))
        end = join(self._folder / file, start, source, span.start, span.end)
        return Span(file, at, end), moved(lines, file, start - span.start)

    def _after(self, manifest: Manifest) -> None:
        if self._is_ragged:
            self._level(manifest)
        waited_for = {span.file for span in self._waiting.values()}
        growing = newest(self._needed(manifest))
        for file in manifest.files:
            if self._index.grows(file.name):
                is_done = file.name not in {growing, *waited_for}
                (self._index.finish if is_done else self._index.tend)(file)

    def _forget(self, names: Sequence[str]) -> None:
        published = _published(self._read())
        for name in names:
            span = self._waiting.pop(name, None)
            if span is not None and span.end > published.get(span.file, 0):  # thrown away, or copied
                self._is_ragged = True
        super()._forget(names)

    # what a crash leaves

    def _mend(self, manifest: Manifest) -> None:
        staged = [name for name in super()._names() if name not in manifest.recent]
        self._waiting = {name: span_of(self._place_of(name)) for name in staged}
        for name in self._needed(manifest):
            if not name.endswith(self._writer.suffix):
                raise StoreError(
                    f"the archive in {self._folder} is packed as {name} is: set [store] warc_packing back, or crawl "
                    "into another folder"
                )
        self._level(manifest)
        for file in manifest.files:
            self._index.mend(file)
        self._adopt(manifest)

    def _level(self, manifest: Manifest) -> None:
        """Removes and cuts off what is neither published nor staged."""
        self._sweep(manifest)
        for name, length in self._needed(manifest).items():
            cut(self._folder / name, length)
        self._is_ragged = False

    def _needed(self, manifest: Manifest) -> dict[str, int]:
        """How long each file is, with what is staged in it."""
        return needed(_published(manifest), self._waiting.values())

    def _halves(self) -> list[Path]:
        suffix = self._writer.suffix  # this and indexes: of a version that staged files
        endings = (f"{NOTE}.new", f"{suffix}.new", INDEX, f"{INDEX}.new")
        return [path for ending in endings for path in self._staged.glob(f"*{ending}")]

    def _names(self) -> list[str]:
        return sorted({*super()._names(), *self._files()})

    def _files(self) -> dict[str, Path]:
        """What a version that staged each batch as a file of its own left, by name."""
        suffix = self._writer.suffix
        return {path.name.removesuffix(suffix): path for path in self._staged.glob(f"*{suffix}")}

    def _adopt(self, manifest: Manifest) -> None:
        """Stages such files anew, as it is done now."""
        if not (files := self._files()):
            return
        for name, path in sorted(files.items()):
            if name not in manifest.recent and name not in self._waiting:
                lines = path.with_name(name + INDEX).read_bytes()
                file, at = self._spot(manifest)
                span, lines = self._copied(path, Span("", 0, path.stat().st_size), lines, file, at)
                sync(self._folder)
                replace(self._place_of(name), note(span, lines))
                self._waiting[name] = span
            path.unlink()
        sync(self._staged)

    # inside

    def _name(self, number: int) -> str:
        return f"{OURS}{number:05}{self._writer.suffix}"

    def _batches(
        self, manifest: Manifest, columns: Sequence[str] | None, where: Expression | None
    ) -> Iterator[pa.RecordBatch]:
        with self._plainly("reading the index"):
            yield from self._index.batches(manifest.files, columns, where)


def _published(manifest: Manifest) -> dict[str, int]:
    """How long each file is to its readers."""
    return {file.name: file.bytes for file in manifest.files}


def _following(manifest: Manifest, files: Collection[str]) -> int:
    """The number of the next file."""
    return max([manifest.next, *(number_of(file) + 1 for file in files)])
