"""STORE: where pages go. In: pages as Arrow columns. Out: a table that anyone can read.

Always: what is staged is invisible until published; what is published is there once, also when publishing is repeated.

* `base.py`: the `Store` seam and what each method promises
* `memory.py`: the reference; it defines the meaning
* `lance.py`: the default: a Lance dataset in the crawl's folder
* `several.py`: gives names; the stores of a crawl as one
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helios.folder import Folder
    from helios.settings.tables import Store as StoreSettings
    from helios.stores.several import Stores


def open_store(folder: "Folder", settings: "StoreSettings") -> "Stores":
    """The stores of a crawl's folder."""
    # Here, not above: importing lance takes half a second, which `helios --help` must not wait for.
    from helios.stores.lance import LanceStore  # noqa: PLC0415
    from helios.stores.place import Disk  # noqa: PLC0415
    from helios.stores.several import Stores  # noqa: PLC0415

    return Stores(LanceStore(Disk(folder.pages, folder.staged), settings))
