"""The seam between a crawl and whatever makes vectors of texts."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

Matrix: TypeAlias = Any  # numpy.ndarray of float32: numpy is imported only where vectors are made


class Embedder(Protocol):
    """Makes vectors of texts. Called from one thread at a time; may use as many as it likes itself."""

    @property
    def dimensions(self) -> int:
        """Numbers of one vector; never changes."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A row for each text, as float32. Of any length: the stage scales them to 1. Zeros: it has no meaning."""
