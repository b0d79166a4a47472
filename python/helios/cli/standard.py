"""Standard output while a command runs: what cannot be written is said in a sentence, no character is too odd."""

import io
import os
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


class Closed(io.TextIOBase):
    """Stands for a standard output that a shell has closed (`>&-`), which Python has none for."""

    encoding = "utf-8"

    def write(self, some: str, /) -> int:
        """Anything at all is too much."""
        if some == "":
            return 0
        raise StoreError("standard output cannot be written: it is closed")


@contextmanager
def standard_output() -> Iterator[None]:
    """Stands in for `sys.stdout`; one that is no file is left as it is.

    Text of pages that the terminal's encoding lacks is shown with backslashes. Forms for programs are bytes already.
    """
    _take_free_numbers()
    before = sys.stdout
    if before is None:
        sys.stdout = Closed()
        try:
            yield
        finally:
            sys.stdout = before
        return
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
        line_buffering=before.isatty() or getattr(before, "write_through", False),  # the second: python -u
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


def _take_free_numbers() -> None:
    """A file that is opened later must not become number 1 or 2: libraries write what they log there, into the file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest one that is free
