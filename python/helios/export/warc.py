"""Web archives: the exchange as it was, which the page table does not keep."""

from helios.errors import StoreError
from helios.folder import Folder


def refuse(folder: Folder) -> None:
    """Says that there is nothing to make an archive of."""
    raise StoreError(
        f"the crawl in {folder.path} kept no WARC: archives hold answers as they were sent, and those are "
        "kept only when the crawl is told so"
    )
