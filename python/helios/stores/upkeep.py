"""What keeps a table quick while it grows: few files, few versions, nothing that nobody needs.

Small files are merged in tiers, as a log-structured tree does: a row is rewritten once per tier, never once per merge.
Row ids are stable, so indexes need no rewriting; files of which an index covers one and not another stay apart.
Small merges encode their rows anew, so that a file does not come to consist of crumbs; larger ones copy what is encoded
already, page by page, which takes an eighth of the work and a tenth of the memory.
"""

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import lance
import pyarrow as pa
from lance.commit import CommitConflictError
from lance.fragment import FragmentMetadata
from lance.optimize import Compaction, CompactionOptions, RewriteResult

from helios.clock import Clock, SystemClock
from helios.faults import passed
from helios.stores.pin import being_indexed, despite_others, forget_stale
from helios.stores.place import Place

FILE_BYTES = 256 << 20  # a data file of this size is large enough, however few rows it has
REWRITE_BYTES = 8 << 20  # encoding so much anew takes 68 MB; 48 MB take 120, and 12 when they are copied
BATCH_BYTES = 8 << 20  # read at once while merging
IO_BYTES = 64 << 20  # read ahead while merging
# A commit lists all versions: at 500 of them it costs twice what it does at 50. Readers need only the files.
KEEP_VERSIONS = 32
KEEP_MS = 600_000  # and those before a merge so long: readers may be in the files that were merged away
KEEP_MERGES = 8  # of these at most
CLEAN_EVERY = 64  # publishes
GRACE_MS = 3_600_000  # files of an index that somebody may be building


@dataclass(frozen=True, slots=True)
class Piece:
    """A data file as the policy sees it."""

    id: int
    rows: int
    bytes: int


def worth_merging(pieces: Sequence[Piece], rows_per_file: int, fan: int) -> list[int]:
    """The files at the end of the table that are to become one: as soon as `fan` of them are of one tier.

    A file of tier k is between 1/fan^(k+1) and 1/fan^k of a full one; tier 0 is large enough.
    """
    tiers = [_tier(piece, rows_per_file, fan) for piece in pieces]
    for tier in range(max(tiers, default=0), 0, -1):
        start = len(tiers)
        while start and tiers[start - 1] >= tier:
            start -= 1
        if tiers[start:].count(tier) >= fan:
            return [piece.id for piece in pieces[start:]]
    return []


def preempted(error: Exception) -> bool:
    """Did another commit come first? Lance says so in two ways (seen, pylance 14: an index before a merge)."""
    return isinstance(error, CommitConflictError) or "commit conflict" in str(error)


def _piece(fragment: FragmentMetadata) -> Piece:
    return Piece(fragment.id, fragment.num_rows, sum(file.file_size_bytes or 0 for file in fragment.files))


def _tier(piece: Piece, rows_per_file: int, fan: int) -> int:
    share = max(piece.rows / rows_per_file, piece.bytes / FILE_BYTES)
    tier = 0
    while share * fan <= 1 and tier < 64:  # noqa: PLR2004  # an empty file has no size
        share *= fan
        tier += 1
    return tier


class Upkeep:
    """Of one table, by its one writer."""

    def __init__(self, place: Place, rows_per_file: int, fan: int, clock: Clock | None = None) -> None:
        self._place = place
        self._rows = rows_per_file
        self._fan = fan
        self._clock = clock or SystemClock()
        self._tail: list[Piece] | None = (
            None  # small files at the end of the table; so a publish need not read them all
        )
        self._since_clean = CLEAN_EVERY  # an earlier process may have left much
        self._replaced: dict[int, int] = {}  # version whose files were merged away in the next one -> when
        self._begun = self._clock.now()
        self._inherited: int | None = None  # the newest version of an earlier process, which may have merged just now

    def after_publish(self, table: lance.LanceDataset, new: Sequence[FragmentMetadata]) -> lance.LanceDataset:
        """At most one merge and one cleaning; returns the table as it is then."""
        if self._inherited is None:
            self._inherited = table.version - 1
        if self._tail is None:
            self._tail = self._read_tail(table)
        else:
            self._tail += [_piece(fragment) for fragment in new]
        if worth_merging(self._tail, self._rows, self._fan):
            table = self._merge(table)
        self._since_clean += 1
        if self._since_clean >= CLEAN_EVERY:
            self._since_clean = 0
            despite_others(lambda: self._clean(table))
        return table

    def _read_tail(self, table: lance.LanceDataset) -> list[Piece]:
        tail: list[Piece] = []
        for fragment in reversed(table.get_fragments()):
            piece = _piece(fragment.metadata)
            if _tier(piece, self._rows, self._fan) == 0:
                break
            tail.insert(0, piece)
        return tail

    def _merge(self, table: lance.LanceDataset) -> lance.LanceDataset:
        """Rewrites the chosen files as one, and puts that in their place."""
        tail, held = self._read_tail(table), self._held(table)
        free = [piece for piece in tail if piece.id > held]
        chosen = set(worth_merging(free, self._rows, self._fan))
        if not chosen:
            self._tail = free
            return table
        self._tail = []  # if an index covers some of them and not others, look again at what comes later only
        options = self._options([piece for piece in tail if piece.id in chosen])
        options["excluded_fragment_ids"] = [one for one in table.fragment_ids() if one not in chosen]
        done = [_bare(task.execute(table)) for task in Compaction.plan(table, options).tasks]
        files = [file.path for result in done for fragment in result.new_fragments for file in fragment.files]
        self._place.keep(f"data/{path}" for path in files)
        passed("compact.written")
        if not done or self._held(table) >= min(chosen):
            return table  # of the latter, because somebody began an index meanwhile: ours are files of no version now
        before = table.version
        try:
            Compaction.commit(table, done, options)
        except (OSError, RuntimeError, ValueError) as error:
            if not preempted(error):
                raise
            return table  # somebody indexed, merged or deleted meanwhile; ours are files of no version now
        self._tail = None
        merged = lance.dataset(self._place.uri, storage_options=self._place.options, session=table.session())
        self._place.keep([manifest(merged.version)])
        self._replaced[before] = self._clock.now()
        passed("compact.committed")
        return merged

    def _held(self, table: lance.LanceDataset) -> int:
        """Files up to this one are not merged now: an index is being made of them."""
        return being_indexed(table, self._clock.now())

    def _options(self, pieces: Sequence[Piece]) -> CompactionOptions:
        """Memory is bounded by bytes, whatever a row holds.

        Lance copies only files of one form, of which no row was deleted; it encodes others anew, whatever we say.
        """
        size = sum(piece.bytes for piece in pieces)
        width = max(size // max(sum(piece.rows for piece in pieces), 1), 1)
        return CompactionOptions(
            compaction_mode="try_binary_copy" if size > REWRITE_BYTES else None,
            binary_copy_read_batch_bytes=BATCH_BYTES,
            target_rows_per_fragment=self._rows,
            max_bytes_per_file=2 * FILE_BYTES,
            batch_size=min(max(BATCH_BYTES // (4 * width), 8), 8192),  # on disk they are packed, to about a quarter
            io_buffer_size=IO_BYTES,
            num_threads=1,
        )

    def _clean(self, table: lance.LanceDataset) -> None:
        """Removes versions beyond the newest, and files that only those use. Staged files are not of them."""
        now = self._clock.now()
        forget_stale(table, now)
        kept = sorted(self._replaced.items())[-KEEP_MERGES:]
        self._replaced = {version: at for version, at in kept if now - at < KEEP_MS}
        least = (self._inherited or 0) if now - self._begun < KEEP_MS else 0
        versions = sorted(int(one["version"]) for one in table.version_refs())
        too_many = [one for one in versions[:-KEEP_VERSIONS] if one not in self._replaced and one > least]
        if too_many:
            table.cleanup_old_versions(versions=too_many, error_if_tagged_old_versions=False)
        passed("clean.done")

    def orphans(self, table: lance.LanceDataset, staged: set[str]) -> list[str]:
        """Files of no version and of no list: what a crash left."""
        known = staged | {str(path) for batch in table.tracked_files() for path in batch["path"].to_pylist()}
        fresh = datetime.datetime.fromtimestamp((self._clock.now() - GRACE_MS) / 1000, datetime.UTC)
        found: list[str] = []
        for batch in table.all_files():
            there = pa.table(batch).select(["path", "last_modified"]).to_pylist()
            found += [
                row["path"]
                for row in there
                if row["path"] not in known
                and not row["path"].startswith("_versions/")
                and not (row["path"].startswith("_indices/") and row["last_modified"] > fresh)
            ]
        return found


def _bare(result: RewriteResult) -> RewriteResult:
    """Without the version in which each row came: 20 bytes for every publish there ever was, in every manifest."""
    whole: Any = result  # its stub knows neither json nor from_json
    told = json.loads(whole.json())
    for fragment in told["new_fragments"]:
        fragment["created_at_version_meta"] = fragment["last_updated_at_version_meta"] = None
    bare: RewriteResult = whole.from_json(json.dumps(told))
    return bare


def manifest(version: int) -> str:
    """Where the manifest of a version is: numbered from above, so that the newest is listed first."""
    return f"_versions/{2**64 - 1 - version:020}.manifest"
