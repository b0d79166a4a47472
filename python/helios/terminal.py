"""What pages say, fit for a terminal: it obeys control characters, and marks that turn the line round."""

import codecs
import re
from typing import BinaryIO

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def safe(text: str) -> str:
    """What a page says, without what a terminal would obey."""
    return _OBEYED.sub("", text)


class Screen:
    """A terminal that is written to in bytes of UTF-8, cut anywhere."""

    closed = False  # as pyarrow asks

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, some: bytes) -> int:
        """Writes what is safe of it."""
        self._terminal.write(safe(self._decoder.decode(some)).encode())
        return len(some)

    def flush(self) -> None:
        """Shows it."""
        self._terminal.flush()
