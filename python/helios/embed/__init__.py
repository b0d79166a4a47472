"""EMBED: pages in, pages with vectors out. An optional stage: without `[embed] model` pages pass through.

In: the columns of a batch. Out: the same with `vector`, one for each page, and `chunks` if wanted. Always: a vector has
length 1; a page without text has none.

* `base.py`: the seam, `Embedder`: texts in, a row of numbers for each out
* `stage.py`: cuts texts into chunks, asks the embedder, builds the columns
* `static.py`: the static model in Rust; `transformer.py`: MiniLM by onnxruntime (extra `transformer`)
* `models.py`: where the model files are, and how they are made: `helios model build`
* `distil.py`, `graph.py`: how, in detail
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from helios.embed.base import Embedder
from helios.errors import SettingsError
from helios.settings.keeping import Embed as EmbedSettings
from helios.stores.base import ArrowStream

__all__ = ["Embedder", "Embeds", "open_stage"]

Embeds: TypeAlias = Callable[[ArrowStream], ArrowStream]
Schema: TypeAlias = Any  # pyarrow.Schema


def open_stage(settings: EmbedSettings, schema: Schema) -> Embeds:
    """The stage of a crawl whose table has this schema: none yet, or one that cannot change any more."""
    if settings.model is None:
        wanted: dict[str, str] = {}
        stage: Embeds = unchanged
    else:
        # numpy and the model take time, which only those who want vectors need wait for.
        from helios.embed.models import open_embedder  # noqa: PLC0415
        from helios.embed.stage import Embed  # noqa: PLC0415

        embed = Embed(open_embedder(settings.model), settings)
        wanted, stage = embed.columns, embed.add
    known = {name: str(schema.field(name).type) for name in ("vector", "chunks") if name in schema.names}
    if schema.names and known != wanted:
        raise SettingsError(
            f"[embed] cannot change once a crawl has begun: its table has {_said(known)}, and the settings ask for "
            f"{_said(wanted)}; set it back, or begin a crawl in another folder"
        )
    return stage


def unchanged(pages: ArrowStream) -> ArrowStream:
    """The stage of a crawl that wants no vectors."""
    return pages


def _said(columns: dict[str, str]) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in columns.items()) or "no vectors"
