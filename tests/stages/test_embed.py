"""Vectors of pages: cut, embedded, averaged, stored; with a static model of a few words, and with other embedders."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import helios
from helios.embed import models, open_stage
from helios.embed.distil import file_of
from helios.embed.stage import Embed
from helios.embed.static import StaticEmbedder
from helios.errors import SettingsError
from helios.settings import load
from helios.settings.keeping import Embed as EmbedSettings
from sites import Site, served

WORDS = ["[UNK]", "the", "red", "blue", "green", "##ish"]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static model that knows three colours, each a direction of its own."""
    vectors = np.zeros((len(WORDS), 3), np.float32)
    vectors[2:5] = np.eye(3)
    file = tmp_path_factory.mktemp("models") / "colours.embed"
    file.write_bytes(file_of(vectors, WORDS))
    return file


class Counts:
    """An embedder of two numbers: how many words, and 1."""

    dimensions = 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  # an array
        self.texts += texts
        return np.array([[len(text.split()), 1] for text in texts], np.float32)


def pages(*texts: str) -> pa.Table:
    return pa.table({"url": [str(at) for at in range(len(texts))], "text": pa.array(texts, pa.large_string())})


def embedded(stage: Embed, *texts: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pa.table(stage.add(pages(*texts))).to_pylist()
    return rows


def test_a_page_has_the_mean_of_its_chunks_at_length_one() -> None:
    counts = Counts()
    stage = Embed(counts, EmbedSettings(model="x", chunk_words=3, chunks=True))
    (row,) = embedded(stage, "one two\n three  four")
    assert counts.texts == ["one two\n three", "four"]
    chunks = np.array([[3, 1], [1, 1]]) / np.sqrt([[10], [2]])
    assert np.allclose(row["chunks"], chunks)
    assert np.allclose(row["vector"], chunks.mean(0) / np.linalg.norm(chunks.mean(0)))


def test_pages_keep_their_own_vectors_in_their_order() -> None:
    stage = Embed(Counts(), EmbedSettings(model="x", chunk_words=2))
    rows = embedded(stage, "a b c d", "", "a")
    assert np.allclose(rows[0]["vector"], np.array([2, 1]) / np.sqrt(5))
    assert rows[1]["vector"] is None
    assert np.allclose(rows[2]["vector"], np.array([1, 1]) / np.sqrt(2))
    assert embedded(stage) == []


def test_a_long_page_is_embedded_up_to_its_bound() -> None:
    counts = Counts()
    embedded(Embed(counts, EmbedSettings(model="x", chunk_words=2, max_chunks=3)), "w " * 100)
    assert counts.texts == ["w w"] * 3


class Odd(Counts):
    """Gives numbers that are none."""

    def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  # an array
        return np.array([[np.nan, 1], [np.inf, 0], [0, 0]][: len(texts)], np.float32)


def test_numbers_that_are_none_give_no_vector() -> None:
    assert [row["vector"] for row in embedded(Embed(Odd(), EmbedSettings(model="x")), "a", "b", "c")] == [None] * 3


def test_the_static_model_embeds_on_all_cores(model: Path) -> None:
    static = StaticEmbedder(model)
    texts = ["red", "Blue!", "the red blue", "nothing known", "greenish"] * 50
    vectors = static.embed(texts)
    assert vectors.shape == (250, 3)
    half = np.sqrt(0.5)
    assert np.allclose(vectors[-5:], [[1, 0, 0], [0, 1, 0], [half, half, 0], [0, 0, 0], [0, 0, 1]], atol=0.01)
    assert static.embed([]).shape == (0, 3)


@pytest.fixture
def site() -> Iterator[Site]:
    home = "<title>home</title><p>The red one, as red as red can be, is here.</p><a href=/b>b</a>"
    with served({"/": home, "/b": "<p>All of this is blue, blue and blue again, and nothing else.</p>"}) as site:
        yield site


def test_a_crawl_stores_vectors_that_a_search_can_use(site: Site, tmp_path: Path, model: Path) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/"), out, **site.settings(embed={"model": str(model)}))
    table = helios.open(out).pages(["url", "vector"]).read_all()
    assert table.schema.field("vector").type == pa.list_(pa.float32(), 3)
    vectors = dict(zip(table["url"].to_pylist(), table["vector"].to_pylist(), strict=True))
    assert np.allclose(vectors[site.at("/")], [1, 0, 0], atol=0.01)
    assert np.allclose(vectors[site.at("/b")], [0, 1, 0], atol=0.01)


@pytest.mark.parametrize("change", [{"model": None}, {"chunks": True}, {"chunk_words": 9}])
def test_vectors_cannot_change_once_a_crawl_has_begun(
    site: Site, tmp_path: Path, model: Path, change: dict[str, object]
) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/"), out, **site.settings(embed={"model": str(model)}, max_pages=1))
    with pytest.raises(SettingsError, match=rf"\[embed\] {next(iter(change))} cannot change once a crawl has begun"):
        helios.resume(out, max_pages=5, embed=change)
    assert helios.resume(out, max_pages=5).ended == "finished"


def test_a_table_without_vectors_is_not_given_any(model: Path) -> None:
    settings = load(embed={"model": str(model)}).embed
    open_stage(settings, pa.schema([]))
    open_stage(settings, pa.schema([("url", pa.string()), ("vector", pa.list_(pa.float32(), 3))]))
    with pytest.raises(SettingsError, match="its table has no vectors, and the settings ask for vector"):
        open_stage(settings, pa.schema([("url", pa.string())]))


MODULE = """
class Ones:
    dimensions = 4
    def embed(self, texts):
        return [[1, 1, 1, 1]] * len(texts)

def nothing():
    return 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "embedders_of_a_test.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    yield "embedders_of_a_test"
    sys.modules.pop("embedders_of_a_test", None)


def test_an_embedder_of_ones_own_goes_through_the_same_seam(site: Site, tmp_path: Path, module: str) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(embed={"model": f"{module}:Ones"}))
    vectors = helios.open(tmp_path / "out").pages(["vector"]).read_all()["vector"].to_pylist()
    assert vectors == [[0.5] * 4] * 2


def test_models_that_are_not_there_are_told_with_the_way_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setenv("HELIOS_MODELS", str(tmp_path))
    (tmp_path / "text.embed").write_text("no model")
    for name, words in {
        "static": "helios model build",
        "transformer": "helios model build --transformer",
        "no/such.embed": "no/such.embed",
        str(tmp_path / "text.embed"): "is no embedding model of this version",
        "nowhere:Model": r'\[embed\] model = "nowhere:Model" cannot be used',
        f"{module}:nothing": "gave no Embedder",
    }.items():
        with pytest.raises(SettingsError, match=words):
            open_stage(load(embed={"model": name}).embed, pa.schema([]))
    with pytest.raises(SettingsError, match=r"text\.embed is no wheel"):
        models.build(tmp_path / "text.embed")


def test_the_transformer_knows_what_sentences_mean() -> None:
    """Needs the extra and a built model."""
    pytest.importorskip("onnxruntime")
    graph = models.folder() / models.TRANSFORMER
    if not graph.is_file():
        pytest.skip(f"there is no {graph}; helios model build --transformer makes it")
    embedder = models.open_embedder("transformer")
    texts = ["A cat sat on the mat.", "Taxes rose in May. " * 200, "A kitten was sitting on a rug.", "", "?"]
    cat, taxes, kitten, *_ = (row / np.linalg.norm(row) for row in embedder.embed(texts))
    assert embedder.dimensions == 384
    assert cat @ kitten > 0.5 > cat @ taxes
    (alone,) = embedder.embed(texts[:1])
    assert np.allclose(alone / np.linalg.norm(alone), cat, atol=1e-5), "company does not matter"


def test_a_crawl_is_searched_by_meaning_with_its_own_model(site: Site, tmp_path: Path, model: Path) -> None:
    out = tmp_path / "out"
    helios.crawl(site.at("/"), out, **site.settings(embed={"model": str(model)}))
    crawl = helios.open(out)
    assert crawl.search("something blueish", kind="vector", limit=1).hits[0].url == site.at("/b")
    assert crawl.search("red", kind="vector", limit=1).hits[0].url == site.at("/")
    with pytest.raises(helios.QueryError, match="the model knows none of these words"):
        crawl.search("unheard", kind="vector")
