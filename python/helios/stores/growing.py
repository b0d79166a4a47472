"""Where the batches of an archive lie: each is a span of a file, at first beyond what is published of that.

What is staged is a note: the span, a line of JSON, and the lines of its index as they will be. Spans follow one upon
the other. One that is thrown away, or published before its turn, leaves a hole: bytes that are never published where
they are. What comes after a hole has to be copied to another file, so nothing is added to a file that has one.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from helios.errors import StoreError
from helios.stores.files import OURS


class Span(msgspec.Struct, frozen=True):
    """A batch in a file: its first byte, and the one after its last."""

    file: str
    start: int
    end: int


def note(span: Span, lines: bytes) -> bytes:
    """What is staged."""
    return msgspec.json.encode(span) + b"\n" + lines


def read(path: Path) -> tuple[Span, bytes]:
    """Span and index of a note."""
    with path.open("rb") as file:
        return _span(path, file.readline()), file.read()


def span_of(path: Path) -> Span:
    """The span alone."""
    with path.open("rb") as file:
        return _span(path, file.readline())


def _span(path: Path, line: bytes) -> Span:
    try:
        return msgspec.json.decode(line, type=Span)
    except msgspec.DecodeError as error:
        raise StoreError(f"{path} is damaged ({error}); restore it from a copy") from error


def needed(published: Mapping[str, int], spans: Iterable[Span]) -> dict[str, int]:
    """How long each file is, with what is staged in it."""
    lengths = dict(published)
    for span in spans:
        lengths[span.file] = max(lengths.get(span.file, 0), span.end)
    return lengths


def reach(file: str, published: int, spans: Iterable[Span]) -> int | None:
    """Where the next batch of a file would begin; None if there is a hole before it."""
    for span in sorted((span for span in spans if span.file == file), key=lambda span: span.start):
        if span.start != published:
            return None
        published = span.end
    return published


def newest(files: Collection[str]) -> str | None:
    """The only one that grows."""
    return max(files, key=number_of, default=None)


def number_of(file: str) -> int:
    """Of a file of the archive."""
    return int(file.removeprefix(OURS).partition(".")[0])
