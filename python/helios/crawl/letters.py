"""Dead letters one by one: chosen, counted, written to a file."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from helios._core import site_of
from helios.export import output
from helios.export.run import STANDARD

FORMATS = ("jsonl", "csv")
AT_ONCE = 1_000  # letters written at once


class Letter(Struct, frozen=True):
    """A URL that used up its attempts."""

    url: str
    reason: str
    attempts: int


def chosen(
    letters: Iterable[Letter], *, site: str | None = None, reason: str | None = None, limit: int | None = None
) -> Iterator[Letter]:
    """Those of a site, those whose reason contains a text, the first so many of them."""
    those = (
        letter
        for letter in letters
        if (site is None or site_of(letter.url) == site) and (reason is None or reason in letter.reason)
    )
    return islice(those, limit)


def export(letters: Iterable[Letter], out: str, kind: str | None = None, *, force: bool = False) -> int:
    """Writes them to the new file `out` ("-": standard output), whole or not at all; how many."""
    csv_meant = kind == "csv" or (kind is None and _named_csv(out))
    opened = output.standard() if out == STANDARD else output.file(Path(out), force=force)
    count, rest = 0, iter(letters)
    with opened as sink:
        if csv_meant:
            sink.write(_rows([Letter.__struct_fields__]))
        while some := list(islice(rest, AT_ONCE)):
            rows = _rows(msgspec.structs.astuple(one) for one in some) if csv_meant else _lines(some)
            sink.write(rows)
            count += len(some)
    return count


def _named_csv(out: str) -> bool:
    """Does the name end so, in small letters or large, compressed or not?"""
    path = Path(out.lower())
    return (Path(path.stem) if path.suffix in output.CODECS else path).suffix == ".csv"


def _lines(letters: list[Letter]) -> bytes:
    return b"".join(msgspec.json.encode(letter) + b"\n" for letter in letters)


def _rows(rows: Iterable[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()
