"""Web archives: the crawl's own WARC files joined into one, or records made of the bodies in the page table.

Members of gzip and frames of zstd may be joined as they are. What is chosen by filters comes from the table, which has
bodies without their content coding and only the headers that it has columns for.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from helios.errors import QueryError, StoreError
from helios.export.output import Sink
from helios.folder import Folder
from helios.reading.table import PageTable, no_pages
from helios.stores.files import pieces, published

if TYPE_CHECKING:
    from helios.stores.base import Reader

PACKINGS = {".gz": "gzip", ".zst": "zstd", ".warc": "plain"}
GROUP_BYTES = 16 << 20  # of bodies that are unpacked at once
COLUMNS = ("url", "fetch_number", "fetched_at", "status", "content_type", "etag", "last_modified", "server", "raw")


def packing_of(out: str) -> str:
    """How a file of this name is packed; standard output is gzip."""
    return next((packing for ending, packing in PACKINGS.items() if out.lower().endswith(ending)), "gzip")


def archived(folder: Folder, out: str, sink: Sink) -> Iterator[int]:
    """Joins the files of the crawl's archive, as far as they are published."""
    packing = packing_of(out)
    for path, length, rows in published(folder.store("warc")):
        if packing_of(path.name) != packing:
            raise QueryError(f"the crawl's archive is packed as {path.name} is; give OUT the same ending")
        for piece in pieces(path, length):
            sink.write(piece)
        yield rows


def has_archive(folder: Folder) -> bool:
    """Did the crawl write WARC files?"""
    return bool(published(folder.store("warc")))


def is_archived(folder: Folder) -> bool:
    """Is all of the crawl in its archive? One that keeps nothing else has no table to make another of."""
    if not has_archive(folder) and "lance" not in (kinds := folder.settings().store.kinds) and "warc" in kinds:
        raise StoreError(no_pages(folder))
    return has_archive(folder)


def answers_of(folder: Folder) -> int:
    """How many are in the archive."""
    return sum(rows for _, _, rows in published(folder.store("warc")))


def require_bodies(folder: Folder, table: PageTable) -> None:
    """Says what to do when there is nothing to make an archive of."""
    if "raw" not in table.columns or table.scan(["id"], "raw IS NOT NULL", limit=1).read_all().num_rows == 0:
        if has_archive(folder):
            raise StoreError(
                f"a part of the archive in {folder.path} is made of bodies in the table, and there are none: export "
                f"all of it, or crawl with --raw"
            )
        raise StoreError(
            f"the crawl in {folder.path} kept no WARC and no bodies to make one of; crawl with --warc, or with --raw"
        )


def write(reader: "Reader", out: str, sink: Sink) -> Iterator[int]:
    """A record for each row that has its body; yields how many, now and then."""
    from helios._core import WarcWriter  # noqa: PLC0415
    from helios.stores.told import answers, in_groups  # noqa: PLC0415  # brings pyarrow
    from helios.stores.warc import LEVELS  # noqa: PLC0415

    packing = packing_of(out)
    writer = WarcWriter(packing, LEVELS[packing])
    for batch in reader:
        for told in in_groups(answers(batch.filter(batch["raw"].is_valid())), GROUP_BYTES):
            sink.write(writer.told(told))
            yield len(told)
