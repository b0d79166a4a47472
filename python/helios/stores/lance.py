"""The default store: a Lance dataset, in the crawl's folder or in an object store.

Stage writes data files that no manifest names and then, whole or not at all, a list of them. Publish commits them with
`Update`, which keeps indexes and costs the same however large the table is. Each publish also names the oldest file as
touched: so two that start from the same version collide, and the second is refused. A plain Append would double rows
when repeated, with no warning (seen, pylance 14).

How a repeated publish is recognised: the files are in the manifest already (killed between commit and mark), or the
list is gone and the name is at or below the mark. The mark is written after the commit and before the lists go, and
files are merged only after that.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import lance
import pyarrow as pa
from lance.fragment import FragmentMetadata, write_fragments
from lance.lance import _Session as Session

from helios.errors import StoreError
from helios.faults import passed
from helios.settings.keeping import Store as StoreSettings
from helios.stores.base import ArrowStream, Expression, Reader
from helios.stores.indexes import Indexing
from helios.stores.place import Place
from helios.stores.upkeep import Upkeep, manifest, preempted

MARK = "published"  # the small file that holds the highest name published
LIST = ".json"
TRIES = 5  # of a commit that somebody's index or merge came before
METADATA_BYTES = 16 << 20  # of files and versions, kept in memory
INDEX_BYTES = 16 << 20  # of indexes: a writer needs none


class LanceStore:
    """Pages in a Lance dataset. One writer at a time: a second one's commit is refused, not mixed in."""

    def __init__(self, place: Place, settings: StoreSettings | None = None) -> None:
        self._place = place
        self._settings = settings or StoreSettings()
        self._indexing = Indexing(self._settings.index_rows)
        self._upkeep = Upkeep(place, self._settings.rows_per_file, self._settings.compact_files)
        self._session = Session(index_cache_size_bytes=INDEX_BYTES, metadata_cache_size_bytes=METADATA_BYTES)
        self._table: lance.LanceDataset | None = None  # as of our last commit
        self._last = ""  # the highest name that this process staged
        self._mark: str | None = None  # the highest name published
        self._fresh: set[str] = set()  # staged by this process and never tried: no manifest can hold their files

    def last(self) -> str:
        """The highest of: published, listed, staged by this process."""
        with self._plainly("reading what is stored"):
            return max([self._last, self._published(), *self._names()])

    def stage(self, name: str, pages: ArrowStream) -> bool:
        """Writes data files, then their list."""
        reader = pa.RecordBatchReader.from_stream(pages)
        with self._plainly("storing pages"):
            if (table := self._opened()) is None:
                table = self._created(reader.schema)  # the first batch fixes the columns, even when it has no rows
            fragments = write_fragments(reader, table, mode="append", max_rows_per_file=self._settings.rows_per_file)
            if sum(fragment.num_rows for fragment in fragments) == 0:
                return False
            self._place.keep(_files(fragments))
            passed("stage.written")
            self._place.put(name + LIST, _encoded(fragments))
            passed("stage.listed")
        self._last = max(self._last, name)
        self._fresh.add(name)
        return True

    def publish(self, names: Sequence[str]) -> int:
        """Commits what is not committed yet, in one step, then forgets the lists."""
        if not names:
            return 0
        with self._plainly("making pages visible"):
            self._opened()
            lists = {name: self._list(name) for name in dict.fromkeys(names)}
            passed("publish.read")
            new = self._committed(lists)
            passed("publish.committed")
            if max(names) > self._published():
                self._place.put(MARK, max(names).encode())
                self._mark = max(names)
            passed("publish.marked")
            self._place.remove(name + LIST for name in lists)
            passed("publish.forgotten")
            if self._table is not None and new:
                self._table = self._upkeep.after_publish(self._table, new)
                rows = sum(fragment.num_rows for fragment in new)
                self._indexing.published(self._place.uri, self._place.options, rows)
        return sum(fragment.num_rows for fragment in new)

    def collect(self, keep: Sequence[str]) -> int:
        """Lists that nobody will publish, then every file that neither a version nor a list names.

        Call it when nobody else writes: a file that is being staged has no list yet.
        """
        with self._plainly("clearing away what was not committed"):
            if (table := self._opened()) is None:
                return 0
            strangers = [name for name in self._names() if name not in keep]
            self._last = max([self._last, *strangers])  # before they are gone
            present = _present(table)
            orphans = [name for name in strangers if not present.issuperset(_files(self._list(name)))]
            self._place.remove(name + LIST for name in strangers)
            passed("collect.lists")
            staged = {file for name in self._names() for file in _files(self._list(name))}
            for file in self._upkeep.orphans(table, staged):
                self._place.delete([file])
                passed("collect.files")
        return len(orphans)

    def scan(self, columns: Sequence[str] | None = None, where: Expression | None = None) -> Reader:
        """Published rows of the newest version."""
        with self._plainly("reading pages"):
            self._table = None  # another process may have published since
            if (table := self._opened()) is None:
                return pa.schema([]).empty_table().to_reader()
            names = None if columns is None else list(columns)
            reader = table.scanner(columns=names, filter=where).to_reader()
        return pa.RecordBatchReader.from_batches(reader.schema, self._batches(reader))

    def _batches(self, reader: Reader) -> Iterator[pa.RecordBatch]:
        """Data files are opened while the rows are read: what is wrong with them is said then."""
        with self._plainly("reading pages"):
            yield from reader

    def close(self) -> None:
        """Nothing is held open between calls but what was read, and an index that is being made."""
        self._indexing.close()
        self._table = None

    def _opened(self) -> lance.LanceDataset | None:
        """The table; None before the first commit."""
        if self._table is None and self._place.exists():
            self._table = self._open()
        return self._table

    def _open(self) -> lance.LanceDataset:
        return lance.dataset(self._place.uri, storage_options=self._place.options, session=self._session)

    def _created(self, schema: pa.Schema) -> lance.LanceDataset:
        """An empty table. Row ids are stable: an index outlives the merging of files."""
        self._commit(self._place.uri, lance.LanceOperation.Overwrite(schema, []), 0)
        self._table = self._open()  # with our memory, not Lance's, which is 7 GB
        return self._table

    def _committed(self, lists: dict[str, list[FragmentMetadata]]) -> list[FragmentMetadata]:
        """The compare-and-swap: refused when another crawl published, repeated when an index or a merge came first."""
        sure = self._fresh.issuperset(lists)
        self._fresh.difference_update(lists)  # from now on a manifest may hold them, whatever we hear
        tried: list[FragmentMetadata] = []
        for attempt in range(TRIES):
            if (table := self._opened()) is None:
                return []
            present = set() if sure and attempt == 0 else _present(table)
            new = [one for listed in lists.values() for one in listed if not present.issuperset(_files([one]))]
            if not new:
                return tried  # ours after all: the answer was lost, and asked for again
            tried = new
            try:
                self._commit(table, _addition(table, new), table.version)
            except (OSError, RuntimeError, ValueError) as error:
                if not preempted(error):
                    raise
                self._table = None
                if attempt == TRIES - 1 or self._taken(lists):
                    raise StoreError(
                        f"{self._place.name} was written by someone else meanwhile; one crawl per folder"
                    ) from error
            else:
                return new
        raise AssertionError("unreachable")

    def _taken(self, lists: dict[str, list[FragmentMetadata]]) -> bool:
        """Has somebody else published? Then what we know of the table is not ours to build on."""
        before, self._mark = self._published(), None
        return self._published() != before and bool(lists)

    def _commit(
        self, base: str | lance.LanceDataset, operation: lance.LanceOperation.BaseOperation, version: int
    ) -> lance.LanceDataset:
        self._table = lance.LanceDataset.commit(
            base,
            operation,
            read_version=version,
            max_retries=0,
            storage_options=self._place.options,
            enable_stable_row_ids=True,
        )
        self._place.keep([manifest(self._table.version)])
        return self._table

    def _published(self) -> str:
        """The mark."""
        if self._mark is None:
            self._mark = (self._place.get(MARK) or b"").decode()
        return self._mark

    def _names(self) -> list[str]:
        return [name.removesuffix(LIST) for name in self._place.names() if name.endswith(LIST)]

    def _list(self, name: str) -> list[FragmentMetadata]:
        listed = self._place.get(name + LIST)
        if listed is None and name > self._published():
            raise StoreError(f"{name} was never staged in {self._place.name}")
        return [FragmentMetadata.from_json(json.dumps(one)) for one in json.loads(listed or b"[]")]

    @contextmanager
    def _plainly(self, doing: str) -> Iterator[None]:
        """Turns what the disk, the object store and Lance say into one sentence."""
        try:
            yield
        except (OSError, ValueError, RuntimeError) as error:  # the last two are Lance's, for a table that is damaged
            raise StoreError(self._place.explained(doing, error)) from error


def _encoded(fragments: Sequence[FragmentMetadata]) -> bytes:
    return json.dumps([fragment.to_json() for fragment in fragments]).encode()


def _files(fragments: Iterable[FragmentMetadata]) -> list[str]:
    return [f"data/{file.path}" for fragment in fragments for file in fragment.files]


def _present(table: lance.LanceDataset) -> set[str]:
    return set(_files(fragment.metadata for fragment in table.get_fragments()))


def _addition(table: lance.LanceDataset, new: list[FragmentMetadata]) -> lance.LanceOperation.BaseOperation:
    """What collides with every other publish of the same version, and with nothing that only builds an index."""
    oldest = min(table.fragment_ids(), default=None)
    fragment = None if oldest is None else table.get_fragment(oldest)
    if fragment is None:
        return lance.LanceOperation.Overwrite(table.schema, new)  # an empty table has no file to collide on
    return lance.LanceOperation.Update(updated_fragments=[fragment.metadata], new_fragments=new)
