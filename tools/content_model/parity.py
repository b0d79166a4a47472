"""Do the trainer and the shipped code see the same? Compares the scores of the first look.

python parity.py FOLDER, after `train.py` (it writes whole.npy) and `content_features FOLDER looks` (looks.jsonl).
"""
# ruff: noqa: INP001, T201 - a program of its own, which prints

import json
import sys
from pathlib import Path

import numpy as np

APART = 3e-3  # the code stops early where it is sure that a block is none: below 0.0025
ALLOWED = 1e-3


def main(folder: Path) -> None:
    """Fails when more than one block in a thousand differs."""
    python = np.load(folder / "whole.npy")
    rust = np.array([value for line in (folder / "looks.jsonl").open() for value in json.loads(line)[0]], np.float32)
    apart = np.abs(python - rust)
    print(f"blocks {len(rust)}, greatest difference {apart.max():.6f}, apart {np.mean(apart > APART):.6f}")
    if len(python) != len(rust) or np.mean(apart > APART) > ALLOWED:
        raise SystemExit("the trainer and the code disagree")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
