"""Standard output while a command runs: what cannot be written is said in a sentence, no character is too odd."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from helios.errors import StoreError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Written(io.FileIO):
    """The file behind standard output. A pipe whose reader has had enough ends a command quietly, as click does it."""

    failed = False
    over = False  # nobody is told of failures any more

    def write(self, some: "ReadableBuffer", /) -> int:
        """Writes, or raises what a person can put right."""
        if self.over:
            return memoryview(some).nbytes
        try:
            return super().write(some)
        except OSError as error:
            self.failed = True
            if isinstance(error, BrokenPipeError):
                raise
            raise StoreError(f"standard output cannot be written: {error.strerror}") from error


@contextmanager
def standard_output() -> Iterator[None]:
    """Stands in for `sys.stdout`; one that is no file is left as it is.

    Text of pages that the terminal's encoding lacks is shown with backslashes. Forms for programs are bytes already.
    """
    before = sys.stdout
    binary = getattr(before, "buffer", None)
    if not isinstance(getattr(binary, "raw", binary), io.FileIO):
        yield
        return
    before.flush()
    raw = Written(before.fileno(), "w", closefd=False)
    sys.stdout = text = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding,
        errors="backslashreplace",
        line_buffering=before.isatty(),
    )
    try:
        yield
    finally:
        sys.stdout = before
        try:
            if not raw.failed:
                text.flush()
        finally:
            raw.over = True  # or the interpreter tells of what is still in the buffer, when it throws it away
