"""The words of a question as a vector, by the model that made the vectors of the pages."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from helios.errors import QueryError
from helios.settings import Settings

Embedder: TypeAlias = Callable[[str], Sequence[float]]


def embedder(settings: Settings) -> Embedder:
    """What embeds words as the pages of a crawl with these settings were embedded."""
    if settings.embed.model is None:
        raise QueryError("there is no model here that embeds words; give the vector of your question yourself")
    # numpy and the model take time, which only those who search by meaning need wait for.
    from helios.embed.models import open_embedder  # noqa: PLC0415
    from helios.embed.stage import unit  # noqa: PLC0415

    model = open_embedder(settings.embed.model)

    def embed(words: str) -> Sequence[float]:
        vector: list[float] = unit(model.embed([words]))[0].tolist()
        if not any(vector):
            raise QueryError("the model knows none of these words; search with --kind keyword")
        return vector

    return embed
