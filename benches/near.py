"""Near-duplicates: what is found beside plain SimHash and MinHash LSH, and what look-ups cost with millions of pages.

`python benches/near.py`, or with numbers of pages (`1000000 10000000` takes four minutes of CPU). The first table needs
`shared/data/near-duplicate` above the project, and `pip install datasketch` for MinHash LSH in it.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import importlib.util
import itertools
import json
import lzma
import os
import re
import subprocess
import sys
import time
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SIMILAR = 0.8

Pairs = set[tuple[int, int]]


def program() -> str:
    """Our program, built."""
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET)]
    subprocess.run([*command, "-p", "helios-near", "--example", "near_cost"], cwd=ROOT, check=True)
    return str(TARGET / "release/examples/near_cost")


def documents(folder: Path) -> tuple[list[str], Pairs]:
    """The texts, and which of them are alike."""
    with lzma.open(folder / "docs.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    place = {row["id"]: at for at, row in enumerate(rows)}
    pairs = json.loads((folder / "pairs.json").read_text())
    alike = [(place[pair["a"]], place[pair["b"]]) for pair in pairs if pair["jaccard"] >= SIMILAR]
    return [row["text"] for row in rows], {(min(pair), max(pair)) for pair in alike}


def helios(near: str, texts: list[str]) -> Pairs:
    """What our index finds."""
    lines = subprocess.run([near, "pairs"], input=framed(texts), capture_output=True, check=True).stdout.decode()
    return {(int(one), int(two)) for one, two, *_ in map(str.split, lines.splitlines())}


def framed(texts: list[str]) -> bytes:
    """As the program reads them."""
    return b"".join(b"%d\n" % len(text) + text for text in map(str.encode, texts))


def words(text: str) -> list[str]:
    """Words as the data set has them."""
    return re.findall(r"\w+", text.lower())


def simhash(texts: list[str]) -> Pairs:
    """Plain SimHash: 64 bits over words, each occurrence one vote, distance at most 3."""
    known: dict[str, list[int]] = {}
    hashes = []
    for text in texts:
        sums = [0] * 64
        for word in words(text):
            if word not in known:
                number = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
                known[word] = [number >> bit & 1 for bit in range(64)]
            sums = [total + bit for total, bit in zip(sums, known[word], strict=True)]
        half = len(words(text)) / 2
        hashes.append(sum((total > half) << bit for bit, total in enumerate(sums)))
    pairs = itertools.combinations(range(len(texts)), 2)
    return {(one, two) for one, two in pairs if (hashes[one] ^ hashes[two]).bit_count() <= 3}  # noqa: PLR2004


def minhash(texts: list[str]) -> Pairs:
    """MinHash LSH of datasketch: 128 permutations, five-word shingles."""
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415 - may not be there

    index, found = MinHashLSH(threshold=SIMILAR, num_perm=128), set()
    for at, text in enumerate(texts):
        row = words(text)
        sketch = MinHash(num_perm=128)
        sketch.update_batch({" ".join(row[begin : begin + 5]).encode() for begin in range(len(row) - 4)})
        found |= {(int(other), at) for other in index.query(sketch)}
        index.insert(str(at), sketch)
    return found


def found(near: str) -> None:
    """The table of what is found."""
    folders = [up / "shared/data/near-duplicate" for up in ROOT.parents]
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        print("there is no shared/data/near-duplicate above this project: what is found is left out")
        return
    texts, truth = documents(folder)
    finders = {"helios": lambda texts: helios(near, texts), "SimHash, distance 3": simhash}
    if importlib.util.find_spec("datasketch"):
        finders["MinHash LSH (datasketch)"] = minhash
    print(f"{len(texts):,} documents, {len(truth):,} pairs with a similarity of at least {SIMILAR}")
    print(f"{'':26}{'recall':>8}{'precision':>11}{'CPU s':>8}")
    for name, finder in finders.items():
        begin = time.process_time() + sum(os.times()[2:4])
        pairs = finder(texts)
        cpu = time.process_time() + sum(os.times()[2:4]) - begin
        right = len(pairs & truth)
        print(f"{name:26}{right / len(truth):8.3f}{right / max(1, len(pairs)):11.3f}{cpu:8.2f}")
    speed = subprocess.run([near, "speed", "20"], input=framed(texts), capture_output=True, check=True).stdout.decode()
    print(f"fingerprints: {speed}")


def main(sizes: list[str]) -> None:
    """Measures all."""
    near = program()
    found(near)
    for pages in sizes:
        print(subprocess.run([near, "index", pages], capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    main(sys.argv[1:] or ["1000000"])
