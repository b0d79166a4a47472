"""The static model: a vector for each token, and for a text their mean. In Rust, on all cores."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from helios._core import StaticModel
from helios.embed.base import Matrix


class StaticEmbedder:
    """Embeds by the model in a file."""

    def __init__(self, file: Path) -> None:
        self._model = StaticModel(str(file))

    @property
    def dimensions(self) -> int:
        """Numbers of one vector."""
        return self._model.dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A row for each text."""
        return np.frombuffer(self._model.embed(texts), dtype=np.float32).reshape(len(texts), self.dimensions)
