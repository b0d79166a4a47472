"""STORE: where pages go. In: pages as Arrow columns. Out: a table that anyone can read.

Always: what is staged is invisible until published; what is published is there once, also when publishing is repeated.

* `base.py`: the `Store` seam and what each method promises
* `memory.py`: the reference; it defines the meaning
* `lance.py`: the default: a Lance dataset in the crawl's folder
* `place.py`, `objects.py`: where its table is: a disk, an object store; `credentials.py`: for the latter
* `upkeep.py`: merges files, forgets versions, finds what a crash left
* `indexes.py`: the search index, made and added to
* `files.py`: what stores of files have in common: a manifest, and what a crash leaves
* `warc.py`, `parquet.py`, `jsonl.py`: such stores; `told.py`: rows as answers, `columns.py`: their columns
* `growing.py`, `cdxj.py`: where batches of an archive lie, and its index
* `several.py`: gives names; the stores of a crawl as one
"""

import os
from typing import TYPE_CHECKING

from helios.stores.place import Disk

if TYPE_CHECKING:
    from helios.folder import Folder
    from helios.settings.keeping import Store as StoreSettings
    from helios.settings.keeping import StoreKind
    from helios.stores.base import Store
    from helios.stores.place import Place
    from helios.stores.several import Stores


def open_store(folder: "Folder", settings: "StoreSettings", *, writing: bool = False) -> "Stores":
    """The stores of a crawl's folder. Who writes must be the only one, and is told at once when that cannot be."""
    from helios.stores.several import Stores  # noqa: PLC0415

    return Stores(**{kind: _opened(kind, folder, settings, writing=writing) for kind in settings.kinds})


def _opened(kind: "StoreKind", folder: "Folder", settings: "StoreSettings", *, writing: bool) -> "Store":
    # Here, not above: importing lance takes half a second, which `helios --help` must not wait for.
    match kind:
        case "lance":
            from helios.stores.lance import LanceStore  # noqa: PLC0415

            place = place_of(folder, settings)
            if writing:
                place.claim(folder.id())
            return LanceStore(place, settings)
        case "warc":
            from helios.stores.warc import WarcStore  # noqa: PLC0415

            return WarcStore(folder.store(kind), folder.staged, settings)
        case "parquet":
            from helios.stores.parquet import ParquetStore  # noqa: PLC0415

            return ParquetStore(folder.store(kind), folder.staged, settings)
        case "jsonl":
            from helios.stores.jsonl import JsonlStore  # noqa: PLC0415

            return JsonlStore(folder.store(kind), folder.staged, settings)


def place_of(folder: "Folder", settings: "StoreSettings") -> "Place":
    """Where the page table of a crawl is: in its folder, or in an object store. Other stores are in the folder."""
    if settings.url is None:
        return Disk(folder.pages, folder.staged)
    from helios.stores.objects import Bucket  # noqa: PLC0415  # an extra

    return Bucket(settings, os.environ)
