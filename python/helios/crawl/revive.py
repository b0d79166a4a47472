"""Recrawl, switched on for a crawl that was made without: every page in its table gets its next time."""

from typing import Any

from helios._core import Frontier, seen_hash
from helios.folder import Folder
from helios.reading.filters import filters
from helios.reading.query import PageQuery

COLUMNS = ["url", "depth", "fetch_number", "fetched_at", "etag", "last_modified"]
SEEN = ["title", "text", "page_type", "body_hash", "duplicate_of"]  # what tells whether a page has changed


def revive(frontier: Frontier, folder: Folder) -> int:
    """Tells the frontier what was fetched so far; how many pages that are. Again, after a crash, it changes nothing."""
    told = 0
    for batch in PageQuery(folder, [*COLUMNS, *SEEN], filters({}), latest=True).arrow():
        rows = zip(*(batch.column(name).to_pylist() for name in COLUMNS), strict=True)
        pages = [
            (url, depth, number + 1, int(at.timestamp() * 1000), etag, modified, _seen(page))
            for (url, depth, number, at, etag, modified), page in zip(rows, batch.select(SEEN).to_pylist(), strict=True)
        ]
        told += frontier.revive(pages)
    return told


def _seen(page: dict[str, Any]) -> int | None:
    """The hash of what a reader saw of it, as the extractor made it; None: that is not in the table."""
    if page["text"]:
        return seen_hash(page["title"], page["text"])
    if page["duplicate_of"] is not None:
        return None
    return page["body_hash"] if page["page_type"] in {"", "file"} else seen_hash(page["title"], "")
