"""The metrics of the five sets of pages, over blocks that are kept or not, or over texts."""
# ruff: noqa: INP001 - a program of its own

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

TYPES = ["article", "service", "forum", "listing", "documentation", "product", "collection"]
WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Words as content-wcxb counts them."""
    return WORD.findall(text.lower())


def word_f1(found: str, truth: str) -> float:
    """F1 over words as multisets."""
    have, want = Counter(words(found)), Counter(words(truth))
    if not want:
        return 0.0 if have else 1.0
    common = sum((have & want).values())
    return 2 * common / (have.total() + want.total())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Runs of four words, as content-aeb counts them."""
    found = words(text)
    return Counter(tuple(found[at : at + 4]) for at in range(max(1, len(found) - 3))) if found else Counter()


def mean(values: Iterable[float]) -> float:
    """The mean, or zero of nothing."""
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score(pages: list[dict], texts: list[str]) -> dict[str, float]:
    """The scores of one extractor: a text for each page."""
    result: dict[str, float] = {}
    f1 = [word_f1(text, page["truth"]) for page, text in zip(pages, texts, strict=True)]

    def of(name: str, fits: Callable[[dict], bool] = lambda _: True) -> float:
        return mean(f for f, page in zip(f1, pages, strict=True) if page["set"] == name and fits(page))

    result["wcxb"] = of("wcxb")
    result["wcxb, not drafted"] = of("wcxb", lambda page: not page["draft"])
    for kind in TYPES:
        result[f"wcxb {kind}"] = of("wcxb", lambda page, kind=kind: page["type"] == kind)
    result["aeb"] = aeb(
        [(page["truth"], text) for page, text in zip(pages, texts, strict=True) if page["set"] == "aeb"]
    )
    result["fundus"] = of("fundus")
    result["readability"] = of("readability")
    result["trafilatura"] = segments(
        [(page, text) for page, text in zip(pages, texts, strict=True) if page["set"] == "trafilatura"]
    )
    return result


def aeb(pairs: list[tuple[str, str]]) -> float:
    """F1 of the mean precision and the mean recall over shingles."""
    precisions, recalls = [], []
    for truth, text in pairs:
        want, have = shingles(truth), shingles(text)
        common = (want & have).total()
        precisions.append(common / max(1, have.total()))
        recalls.append(common / max(1, want.total()))
    return harmonic(mean(precisions), mean(recalls))


def segments(pairs: list[tuple[dict, str]]) -> float:
    """F1 over wanted and unwanted segments."""
    found, wrong, missed = 0, 0, 0
    for page, text in pairs:
        flat = " ".join(text.split())
        hits = sum(" ".join(segment.split()) in flat for segment in page["with"])
        found, missed = found + hits, missed + len(page["with"]) - hits
        wrong += sum(" ".join(segment.split()) in flat for segment in page["without"])
    return harmonic(found / max(1, found + wrong), found / max(1, found + missed))


def load(folder: Path) -> list[dict]:
    """The pages that `prepare.py` wrote."""
    return [json.loads(line) for line in (folder / "pages.jsonl").open(encoding="utf-8")]


def show(name: str, scores: dict[str, float]) -> str:
    """A line."""
    return f"{name}: " + ", ".join(f"{key} {value:.4f}" for key, value in scores.items())
