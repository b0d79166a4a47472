"""A folder tree with one markdown file for each page, its facts as YAML front matter."""

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from helios.export.names import name_of

if TYPE_CHECKING:
    from helios.stores.base import Reader

FACTS = (
    "title",
    "url",
    "site",
    "site_name",
    "fetched_at",
    "status",
    "language",
    "page_type",
    "description",
    "authors",
    "published",
    "modified",
    "canonical",
)
COLUMNS = ("id", *FACTS, "markdown", "text")
FENCE = b"---\n"  # before and after the facts
# What JSON leaves as it is and YAML does not allow or reads as an end of line.
ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write(reader: "Reader", root: Path) -> Iterator[int]:
    """Writes a file for each row; yields how many, now and then."""
    for batch in reader:
        rows = batch.to_pylist()
        for row in rows:
            _write_page(root, row)
        yield len(rows)


def is_ours(path: Path) -> bool:
    """Did `write` make this file? Nobody else opens with these names, in this order, a URL and a time among them."""
    if path.suffix != ".md" or not path.is_file():
        return False
    names = iter(FACTS)
    found: set[str] = set()
    with path.open("rb") as file:
        if file.readline(len(FENCE)) != FENCE:
            return False
        for line in file:
            if line == FENCE:
                return {"url", "fetched_at"} <= found
            name = line.partition(b": ")[0].decode(errors="replace")
            if name not in names:  # those that follow the last
                return False
            found.add(name)
    return False


def page(row: dict[str, Any]) -> str:
    """Front matter and text of one page."""
    facts = [f"{name}: {_yaml(row[name])}" for name in FACTS if row.get(name) not in (None, "", [])]
    body = (row.get("markdown") or row.get("text") or "").strip()
    return "\n".join(["---", *facts, "---", "", body, ""])


def _write_page(root: Path, row: dict[str, Any]) -> None:
    """Names that another page has already, also on file systems to which A is a, get the fingerprint."""
    name = name_of(row["url"], row["id"])
    content = page(row)
    for candidate in (name, f"{name}~{row['id'][:8]}", f"{name}~{row['id']}"):
        path = root / f"{candidate}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8", errors="replace") as file:
                file.write(content)
        except FileExistsError:
            continue
        return


def _yaml(value: object) -> str:
    """JSON is YAML, but for some characters."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    return ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.encode(value).decode())
