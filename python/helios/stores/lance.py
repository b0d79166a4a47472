"""The default store: a Lance dataset in the crawl's folder.

Stage writes data files that no manifest names and, atomically, a list of them: staged/<name>.json. Publish commits
`Overwrite(current files + new files)` at the version it read, without retries: a compare-and-swap. A plain Append
would double the rows when repeated, with no warning (seen, pylance 14).

How a repeated publish is recognised: the files are in the manifest already (killed between commit and clean-up), or
the list is gone and the name is at or below the mark that rides in the schema metadata of the same commit.
"""

import datetime
import errno
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import lance
import pyarrow as pa
from lance.commit import CommitConflictError
from lance.fragment import FragmentMetadata, write_fragments

from helios.errors import StoreError
from helios.settings.tables import Store as StoreSettings
from helios.stores.base import ArrowStream, Expression, Reader

MARK = b"helios.published"  # schema metadata: the highest name published
OURS = {"_versions", "_transactions"}  # what a first commit makes before there is a manifest
LANCE_SOURCE = re.compile(r",? (?:location: )?/\S+\.rs:\d+:\d+")
KEEP = datetime.timedelta(minutes=10)  # readers of an older version have this long to finish


class LanceStore:
    """Pages in a Lance dataset. One writer at a time: a second one's commit is refused, not mixed in."""

    def __init__(self, pages: Path, staged: Path, settings: StoreSettings | None = None) -> None:
        self._pages = pages
        self._staged = staged
        self._settings = settings or StoreSettings()
        self._last = ""  # the highest name that this process staged

    def last(self) -> str:
        """The highest of: published, listed, staged by this process."""
        with self._plainly("reading what is stored"):
            return max([self._last, _mark(self._dataset()), *self._lists()])

    def stage(self, name: str, pages: ArrowStream) -> bool:
        """Writes data files, then their list."""
        reader = pa.RecordBatchReader.from_stream(pages)
        with self._plainly("storing pages"):
            if not self._exists():  # the first batch fixes the columns, even when it has no rows
                self._commit(reader.schema, [], 0, "")
            fragments = write_fragments(
                reader, self._pages, mode="append", max_rows_per_file=self._settings.rows_per_file
            )
            if sum(fragment.num_rows for fragment in fragments) == 0:
                return False
            self._write_list(name, fragments)
        self._last = max(self._last, name)
        return True

    def publish(self, names: Sequence[str]) -> int:
        """Commits what is not committed yet, in one step, then forgets the lists."""
        if not names:
            return 0
        with self._plainly("making pages visible"):
            dataset = self._dataset()
            mark = _mark(dataset)
            current = [fragment.metadata for fragment in dataset.get_fragments()] if dataset else []
            present = {path for fragment in current for path in _paths(fragment)}
            new = [
                fragment
                for name in dict.fromkeys(names)
                for fragment in self._read_list(name, mark)
                if not present.issuperset(_paths(fragment))
            ]
            if dataset is not None and new:
                self._commit(dataset.schema, [*current, *new], dataset.version, max(mark, *names))
            for name in names:
                self._list_of(name).unlink(missing_ok=True)
            _sync(self._staged)  # a list that came back after its files were merged would double their rows
            self._compact()
        return sum(fragment.num_rows for fragment in new)

    def collect(self, keep: Sequence[str]) -> int:
        """Lists that nobody will publish, and the files that they name. Files of no list go when Lance cleans up."""
        with self._plainly("clearing away what was not committed"):
            dataset = self._dataset()
            current = [fragment.metadata for fragment in dataset.get_fragments()] if dataset else []
            present = {path for fragment in current for path in _paths(fragment)}
            orphans = [name for name in self._lists() if name not in keep and name > _mark(dataset)]
            self._last = max([self._last, *orphans])
            for name in orphans:
                for fragment in self._read_list(name, ""):
                    for path in set(_paths(fragment)) - present:
                        (self._pages / "data" / path).unlink(missing_ok=True)
                self._list_of(name).unlink(missing_ok=True)
        return len(orphans)

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows of the newest version."""
        with self._plainly("reading pages"):
            dataset = self._dataset()
            if dataset is None:
                return pa.schema([]).empty_table().to_reader()
            names = None if columns is None else list(columns)
            reader = dataset.scanner(columns=names, filter=where).to_reader()
        return pa.RecordBatchReader.from_batches(reader.schema, self._batches(reader))

    def _batches(self, reader: Reader) -> Iterator[pa.RecordBatch]:
        """Data files are opened while the rows are read: what is wrong with them is said then."""
        with self._plainly("reading pages"):
            yield from reader

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _dataset(self) -> lance.LanceDataset | None:
        """The table as it is now; None before the first commit."""
        return lance.dataset(self._pages) if self._exists() else None

    def _exists(self) -> bool:
        """Is there a table? Not when the first commit failed half-way (a full disk): that leaves a folder."""
        if any((self._pages / "_versions").glob("*.manifest")):
            return True
        if self._pages.exists() and (strange := {path.name for path in self._pages.iterdir()} - OURS):
            raise StoreError(
                f"{self._pages} is no page table: it has no manifest, but holds {min(strange)}; use another folder"
            )
        return False

    def _commit(self, schema: pa.Schema, fragments: list[FragmentMetadata], version: int, mark: str) -> None:
        """The compare-and-swap: refused when anyone committed since `version`."""
        marked = schema.with_metadata({**(schema.metadata or {}), MARK: mark.encode()})
        operation = lance.LanceOperation.Overwrite(marked, fragments)
        try:
            lance.LanceDataset.commit(self._pages, operation, read_version=version, max_retries=0)
        except CommitConflictError as error:
            raise StoreError(f"{self._pages} was written by someone else meanwhile; one crawl per folder") from error
        # Lance does not; and who is told that pages are visible forgets that they were staged.
        versions = self._pages / "_versions"
        for manifest in sorted(versions.glob("*.manifest"), key=lambda path: path.stat().st_mtime_ns)[-1:]:
            _sync(manifest)
        _sync(versions)

    def _compact(self) -> None:
        """Merges small files; staged lists of published files are gone by now, so paths may change."""
        dataset = self._dataset()
        if dataset is None:
            return
        target = self._settings.rows_per_file
        small = [fragment for fragment in dataset.get_fragments() if fragment.metadata.num_rows < target]
        if len(small) >= self._settings.compact_files:
            dataset.optimize.compact_files(target_rows_per_fragment=target)
            # Files of no version that are younger than a week may be staged ones: Lance leaves those alone.
            lance.dataset(self._pages).cleanup_old_versions(older_than=KEEP)

    def _lists(self) -> list[str]:
        return sorted(path.stem for path in self._staged.glob("*.json"))

    def _list_of(self, name: str) -> Path:
        return self._staged / f"{name}.json"

    def _write_list(self, name: str, fragments: Sequence[FragmentMetadata]) -> None:
        """Whole or not at all: written aside, made durable, then renamed; the data files are made durable first."""
        for fragment in fragments:
            for path in _paths(fragment):
                _sync(self._pages / "data" / path)
        self._staged.mkdir(parents=True, exist_ok=True)
        aside = self._staged / f"{name}.new"
        aside.write_text(json.dumps([fragment.to_json() for fragment in fragments]), encoding="utf-8")
        _sync(aside)
        aside.replace(self._list_of(name))
        _sync(self._staged)

    def _read_list(self, name: str, mark: str) -> list[FragmentMetadata]:
        try:
            listed = json.loads(self._list_of(name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            if name <= mark:
                return []  # published before
            raise StoreError(f"{name} was never staged in {self._staged}") from None
        return [FragmentMetadata.from_json(json.dumps(fragment)) for fragment in listed]

    @contextmanager
    def _plainly(self, doing: str) -> Iterator[None]:
        """Turns what the disk and Lance say into one sentence."""
        try:
            yield
        except OSError as error:
            if error.errno == errno.ENOSPC or "No space left" in str(error) or "os error 28" in str(error):
                raise StoreError(
                    f"the disk is full ({doing} in {self._pages.parent}): free some space, or crawl into another "
                    "folder with --out; pages published so far are safe"
                ) from error
            raise StoreError(f"{doing} in {self._pages.parent} failed: {error.strerror or _said(error)}") from error
        except (ValueError, RuntimeError) as error:  # Lance's, for a table that is damaged or not as it was
            raise StoreError(f"{doing} in {self._pages} failed: {_said(error)}") from error


def _said(error: Exception) -> str:
    """What Lance says, on one line and without the places in its source."""
    return LANCE_SOURCE.sub("", " ".join(str(error).split())) or type(error).__name__


def _mark(dataset: lance.LanceDataset | None) -> str:
    metadata = (dataset.schema.metadata or {}) if dataset else {}
    return str(metadata.get(MARK, b"").decode())


def _paths(fragment: FragmentMetadata) -> list[str]:
    return [file.path for file in fragment.files]


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
