"""The words of a question as a vector, by the model that made the vectors of the pages."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from helios.errors import QueryError
from helios.settings import Settings

Embedder: TypeAlias = Callable[[str], Sequence[float]]


def embedder(settings: Settings) -> Embedder:  # noqa: ARG001  # the seam: the embed stage tells its model here
    """The model of a crawl."""
    raise QueryError("there is no model here that embeds words; give the vector of your question yourself")
