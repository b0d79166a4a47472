"""Recrawl, switched on for a crawl that was made without: every page in its table gets its next time."""

from helios._core import Frontier
from helios.folder import Folder
from helios.reading.filters import filters
from helios.reading.query import PageQuery

COLUMNS = ["url", "depth", "fetch_number", "fetched_at", "etag", "last_modified"]


def revive(frontier: Frontier, folder: Folder) -> int:
    """Tells the frontier what was fetched so far; how many pages that are. Again, after a crash, it changes nothing."""
    told = 0
    for batch in PageQuery(folder, COLUMNS, filters({}), latest=True).arrow():
        rows = zip(*(batch.column(name).to_pylist() for name in COLUMNS), strict=True)
        pages = [
            (url, depth, number + 1, int(at.timestamp() * 1000), etag, modified)
            for url, depth, number, at, etag, modified in rows
        ]
        told += frontier.revive(pages)
    return told
