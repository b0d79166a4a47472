"""The stage: texts are cut into chunks of words, each chunk gets a vector, and a page has the mean of its chunks."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from helios.embed.base import Embedder, Matrix
from helios.settings.keeping import Embed as EmbedSettings
from helios.stores.base import ArrowStream

WORD = re.compile(r"\S+")


class Embed:
    """Adds the column `vector` to pages, and `chunks` if the settings say so."""

    def __init__(self, embedder: Embedder, settings: EmbedSettings) -> None:
        self._embedder = embedder
        self._settings = settings
        self._kind = pa.list_(pa.float32(), embedder.dimensions)

    @property
    def columns(self) -> dict[str, str]:
        """What is added, by name and type."""
        chunks = {"chunks": str(pa.list_(self._kind))} if self._settings.chunks else {}
        return {"vector": str(self._kind), **chunks}

    def add(self, pages: ArrowStream) -> pa.Table:
        """The same pages with their vectors. Blocks."""
        table = pa.RecordBatchReader.from_stream(pages).read_all()
        parts = self._parts(table["text"].to_pylist())
        table = table.append_column(pa.field("vector", self._kind), self._means(parts))
        if self._settings.chunks:
            table = table.append_column(pa.field("chunks", pa.list_(self._kind)), self._lists(parts))
        return table

    def _parts(self, texts: Sequence[str]) -> list[Matrix]:
        """For each text the vectors of its chunks."""
        cut = [list(self._chunks(text)) for text in texts]
        flat = [chunk for chunks in cut for chunk in chunks]
        rows = self._embedder.embed(flat) if flat else self._none()
        ends = np.cumsum([len(chunks) for chunks in cut], dtype=np.int64)
        return np.split(unit(rows), ends[:-1]) if cut else []

    def _chunks(self, text: str) -> Iterator[str]:
        """Parts of so many words, as they stand in the text; what is behind the last of them is left out."""
        places = [match.span() for match in WORD.finditer(text)]
        size = self._settings.chunk_words
        for at in range(0, min(len(places), size * self._settings.max_chunks), size):
            part = places[at : at + size]
            yield text[part[0][0] : part[-1][1]]

    def _means(self, parts: Sequence[Matrix]) -> pa.Array:
        """The mean of each page's chunks; null where there is none, or where it has no direction."""
        means = [part.mean(axis=0, keepdims=True) if len(part) else self._none(1) for part in parts]
        rows = unit(np.concatenate([*means, self._none()]))
        return self._rows(rows, pa.array(~rows.any(axis=1)))

    def _lists(self, parts: Sequence[Matrix]) -> pa.Array:
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), self._rows(np.concatenate([*parts, self._none()])))

    def _rows(self, rows: Matrix, mask: pa.Array | None = None) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), type=self._kind, mask=mask)

    def _none(self, rows: int = 0) -> Matrix:
        return np.zeros((rows, self._embedder.dimensions), np.float32)


def unit(rows: Matrix) -> Matrix:
    """Rows of length 1; those without a direction stay zero."""
    rows = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    return np.where(usable, rows / np.where(usable, lengths, 1), 0).astype(np.float32)
