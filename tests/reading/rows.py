"""A crawl's folder with chosen rows, stored as a crawl stores them."""

import datetime
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa

from helios.folder import create
from helios.settings import load
from helios.stores import open_store

START = datetime.datetime(2026, 11, 15, tzinfo=datetime.UTC)
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        ("site", pa.string()),
        ("fetched_at", pa.timestamp("ms", "UTC")),
        ("status", pa.uint16()),
        ("content_type", pa.string()),
        ("language", pa.string()),
        ("title", pa.string()),
        ("page_type", pa.string()),
        ("text", pa.large_string()),
        ("markdown", pa.large_string()),
        ("words", pa.uint32()),
        ("authors", pa.list_(pa.string())),
        ("facts", pa.large_string()),
        ("duplicate_of", pa.string()),
        ("bytes", pa.uint64()),
    ]
)


def page(path: str, **other: object) -> dict[str, Any]:
    """A row; everything that is not given follows from the path."""
    site = str(other.pop("site", "one.test"))
    url = str(other.pop("url", f"http://{site}/{path}"))
    text = str(other.get("text", f"The text of {path}."))
    return {
        "id": blake2b(url.encode(), digest_size=16).hexdigest(),
        "url": url,
        "site": site,
        "fetched_at": START,
        "status": 200,
        "content_type": "text/html",
        "language": "en",
        "title": f"Page {path}",
        "page_type": "article",
        "text": text,
        "markdown": f"# Page {path}\n\n{text}\n",
        "words": len(text.split()),
        "authors": [],
        "facts": None,
        "duplicate_of": None,
        "bytes": 1_000,
        **other,
    }


def store(path: Path, *batches: Sequence[dict[str, Any]], schema: pa.Schema = SCHEMA, **settings: object) -> Path:
    """A new crawl's folder; each batch is published for itself."""
    loaded = load(None, **settings)
    opened = open_store(create(path, loaded), loaded.store, writing=True)
    for batch in batches:
        name = opened.stage(pa.Table.from_pylist(list(batch), schema=schema))
        assert name is not None
        opened.publish([name])
    return path


def more(path: Path, *batches: Sequence[dict[str, Any]]) -> None:
    """Further batches into a crawl's folder."""
    from helios.folder import existing  # noqa: PLC0415  # beside its only use

    folder = existing(path)
    opened = open_store(folder, folder.settings().store)
    for batch in batches:
        name = opened.stage(pa.Table.from_pylist(list(batch), schema=SCHEMA))
        assert name is not None
        opened.publish([name])
