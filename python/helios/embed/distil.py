"""Makes the static embedding model of a transformer, with numpy alone.

As model2vec does it: every token of the vocabulary is embedded alone, the vectors are cut to 256 dimensions by
principal components, and weighted so that frequent tokens count little. Takes four minutes of CPU. The layout of the
file stands in `crates/helios-embed/src/model.rs`.
"""

import io
import json
import struct
import unicodedata

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

MAGIC, VERSION = b"heliembd", 1
LAYERS, HEADS, EPSILON = 6, 12, 1e-12
CLS, SEP = 101, 102
LETTER, DROPPED, SPACE, ALONE = range(4)
# The share of all text at which a token counts half.
RARE = 3e-4
PRIME, BITS = 0x100000001B3, (1 << 64) - 1


def erf(x: Matrix) -> Matrix:
    """Abramowitz and Stegun 7.1.26: off by at most 1.5e-7."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.asarray(np.sign(x) * (1 - poly * np.exp(-x * x)), dtype=np.float32)


class Transformer:
    """BERT, forwards only, for rows of tokens of one length."""

    def __init__(self, safetensors: bytes) -> None:
        """The layout of safetensors: the length of a JSON header, the header, the numbers."""
        (length,) = struct.unpack_from("<Q", safetensors)
        self.weights: dict[str, Matrix] = {}
        for name, entry in json.loads(safetensors[8 : 8 + length]).items():
            if name != "__metadata__" and entry["dtype"] == "F32":
                begin, end = entry["data_offsets"]
                numbers = np.frombuffer(safetensors[8 + length + begin : 8 + length + end], dtype="<f4")
                self.weights[name] = numbers.reshape(entry["shape"])

    def linear(self, name: str, x: Matrix) -> Matrix:
        """A layer of weights and bias."""
        return np.asarray(x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"], dtype=np.float32)

    def norm(self, name: str, x: Matrix) -> Matrix:
        """A layer norm."""
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        return np.asarray(x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"], dtype=np.float32)

    def attention(self, layer: str, x: Matrix) -> Matrix:
        """What the tokens of a row tell each other."""
        rows, tokens, width = x.shape

        def heads(name: str) -> Matrix:
            y = self.linear(f"{layer}.attention.self.{name}", x)
            return y.reshape(rows, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.sqrt(width / HEADS)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores / scores.sum(-1, keepdims=True) @ heads("value")
        flat = mixed.transpose(0, 2, 1, 3).reshape(rows, tokens, width).astype(np.float32)
        return self.linear(f"{layer}.attention.output.dense", flat)

    def embed(self, tokens: NDArray[np.int64]) -> Matrix:
        """The mean of the last layer for each row."""
        name = "embeddings"
        x: Matrix = self.weights[f"{name}.word_embeddings.weight"][tokens]
        x = x + self.weights[f"{name}.position_embeddings.weight"][: tokens.shape[1]]
        x = self.norm(f"{name}.LayerNorm", x + self.weights[f"{name}.token_type_embeddings.weight"][0])
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            x = self.norm(f"{layer}.attention.output.LayerNorm", x + self.attention(layer, x))
            y = self.linear(f"{layer}.intermediate.dense", x)
            y = np.asarray(y * (1 + erf(y / np.float32(np.sqrt(2)))) / 2, dtype=np.float32)
            x = self.norm(f"{layer}.output.LayerNorm", x + self.linear(f"{layer}.output.dense", y))
        return np.asarray(x.mean(1), dtype=np.float32)


def distilled(model: Transformer, vocabulary: list[str], dimensions: int) -> Matrix:
    """One vector for each token; of length zero for those that stand for no text."""
    rows = [[CLS, token, SEP] for token in range(len(vocabulary))]
    parts = [model.embed(np.array(rows[at : at + 256])) for at in range(0, len(rows), 256)]
    vectors = np.concatenate(parts)
    vectors = vectors - vectors.mean(0)
    values, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    principal = axes[:, np.argsort(values)[::-1][:dimensions]]
    # An axis has no sign of its own; this one makes the file the same everywhere.
    principal = principal * np.sign(principal[np.abs(principal).argmax(0), range(dimensions)])
    return weighted((vectors @ principal).astype(np.float32), vocabulary)


def weighted(vectors: Matrix, vocabulary: list[str]) -> Matrix:
    """Vectors whose mean stands for a text.

    The first axes spread most and would decide alone: each is divided by the root of its spread. The vocabulary is
    ordered by frequency from its first word on, so Zipf's law tells how often a token occurs (SIF weighting); the
    single characters before that word count as little as it does.
    """
    vectors = vectors / np.sqrt(vectors.std(0))
    first = vocabulary.index("the")
    share = 1 / (np.maximum(np.arange(len(vocabulary)) - first, 0) + 2)
    weights = RARE / (RARE + share / share[first:].sum())
    weights[[token.startswith("[") and len(token) > 1 for token in vocabulary]] = 0
    return np.asarray(vectors * weights[:, None], dtype=np.float32)


def is_chinese(code: int) -> bool:
    """The ranges that BERT puts spaces around."""
    ranges = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F))
    more = ((0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
    return any(first <= code <= last for first, last in ranges + more)


def kind(letter: str) -> int:
    """What a normalised letter does to the word it is in."""
    category = unicodedata.category(letter)
    if letter in "\t\n\r" or letter.isspace():
        return SPACE
    if category[0] == "P" or (letter.isascii() and not letter.isalnum() and letter.isprintable()):
        return ALONE
    return LETTER


def letters() -> list[tuple[int, int, str]]:
    """The letters that are not simply part of a word: code, kind, and what takes their place (BERT, uncased).

    Letters for private use, all of which are dropped, and Chinese ones are known by their ranges.
    """
    table = []
    for code in range(0x110000):
        letter = chr(code)
        category = unicodedata.category(letter)
        if letter in "\t\n\r" or category == "Zs":
            table.append((code, SPACE, " "))
        elif category in {"Cc", "Cf"} or letter == "\ufffd":
            table.append((code, DROPPED, ""))
        elif category not in {"Cn", "Co", "Cs"}:
            plain = "".join(c for c in unicodedata.normalize("NFD", letter) if unicodedata.category(c) != "Mn")
            plain = "".join(c.lower() for c in plain)
            own = ALONE if is_chinese(code) else kind(plain) if len(plain) == 1 else LETTER
            if plain == "":
                table.append((code, DROPPED, ""))
            elif own != LETTER or plain != letter:
                table.append((code, own, plain))
    return table


def checksum(data: bytes) -> int:
    """FNV-1a over words of eight bytes: simple enough to be written twice."""
    words = np.frombuffer(data + bytes(-len(data) % 8), dtype="<u8").tolist()
    total = 0xCBF29CE484222325
    for word in words:
        total = (total ^ word) * PRIME & BITS
    return total


def file_of(vectors: Matrix, vocabulary: list[str]) -> bytes:
    """The bytes of the model file."""
    largest = np.abs(vectors).max(1)
    scales = (largest / 127).astype("<f4")
    rows = np.round(vectors / np.where(scales == 0, 1, scales)[:, None]).astype("i1")
    out = io.BytesIO()
    table = [entry for entry in letters() if not is_chinese(entry[0]) or entry[2] != chr(entry[0])]
    out.write(struct.pack("<IIII", vectors.shape[1], len(vocabulary), len(table), vocabulary.index("[UNK]")))
    for code, own, plain in table:
        text = plain.encode()
        out.write(struct.pack("<IBB", code, own, len(text)) + text)
    for token in vocabulary:
        text = token.encode()
        out.write(struct.pack("<B", len(text)) + text)
    out.write(scales.tobytes() + rows.tobytes())
    body = out.getvalue()
    return MAGIC + struct.pack("<QQQ", VERSION, len(body), checksum(body)) + body
