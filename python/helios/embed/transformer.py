"""MiniLM by onnxruntime, on the CPU or on a GPU (`pip install onnxruntime-gpu`): the same seam as the static model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from helios._core import StaticModel
from helios.embed.base import Matrix
from helios.errors import SettingsError

CLS, SEP = 101, 102
TOKENS = 256  # of one text, the two above included; what the model was trained on
BATCH = 32  # texts at once, of about the same length: short ones are filled up


class TransformerEmbedder:
    """Embeds by an ONNX graph; the static model's file has the vocabulary."""

    def __init__(self, graph: Path, vocabulary: Path) -> None:
        try:
            import onnxruntime  # noqa: PLC0415  # an extra
        except ImportError as error:
            raise SettingsError(
                'the embedding model "transformer" needs onnxruntime: pip install helios-crawler[transformer]'
            ) from error
        wanted = ["CUDAExecutionProvider", "CPUExecutionProvider"]
        usable = [one for one in wanted if one in onnxruntime.get_available_providers()]
        self._session = onnxruntime.InferenceSession(str(graph), providers=usable)
        self._vocabulary = StaticModel(str(vocabulary))
        self.dimensions: int = self._session.get_outputs()[0].shape[-1]

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A row for each text."""
        rows = [[CLS, *tokens[: TOKENS - 2], SEP] for tokens in self._vocabulary.tokens(texts)]
        vectors = np.zeros((len(rows), self.dimensions), np.float32)
        by_length = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        for begin in range(0, len(rows), BATCH):
            places = by_length[begin : begin + BATCH]
            vectors[places] = self._run([rows[at] for at in places])
        return vectors

    def _run(self, rows: list[list[int]]) -> Matrix:
        width = max(len(row) for row in rows)
        tokens = np.zeros((len(rows), width), np.int64)
        mask = np.zeros((len(rows), width), np.float32)
        for at, row in enumerate(rows):
            tokens[at, : len(row)] = row
            mask[at, : len(row)] = 1
        (vectors,) = self._session.run(None, {"tokens": tokens, "mask": mask})
        return vectors
