"""Trains the model of `content` on what `content_features` wrote, reports it by cross-validation, writes model.bin.

python train.py FOLDER OUT
"""
# ruff: noqa: INP001, T201, PLR2004 - a program of its own, which prints

import json
import os
import sys
import zlib
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import export
import lightgbm as lgb
import numpy as np
import score

FOLDS = 5
SET_WEIGHT = {"wcxb": 1.0, "aeb": 1.6, "fundus": 0.8, "readability": 1.4, "trafilatura": 0.5}
OTHER_TYPES = 1.6  # pages that are no articles are fewer and harder
WORDS_POWER = 0.6  # a block of four times the words weighs 2.3 times as much
MOST_BLOCKS = 250  # of one page; more are drawn by chance
PRIOR = 3.0  # sites that know nothing of a name, for the mean of those that do
FEWEST_SITES = 3
FIRST, SECOND, KINDS = 130, 80, 60  # trees
SETTINGS = {
    "objective": "cross_entropy", "learning_rate": 0.08, "num_leaves": 31, "min_data_in_leaf": 80,
    "feature_fraction": 0.3, "bagging_fraction": 0.6, "bagging_freq": 1, "lambda_l2": 20, "min_sum_hessian_in_leaf": 5,
    "max_bin": 63, "use_missing": False,
    "force_col_wise": True, "num_threads": 1, "verbose": -1, "seed": 1, "deterministic": True,
}  # fmt: skip
KIND_SETTINGS = {
    "objective": "multiclass", "num_class": len(score.TYPES), "learning_rate": 0.08, "num_leaves": 8,
    "min_data_in_leaf": 12, "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 3,
    "use_missing": False,
    "num_threads": 1, "verbose": -1, "seed": 1, "deterministic": True,
}  # fmt: skip


class Data:
    """Blocks, elements and pages as arrays."""

    def __init__(self, folder: Path) -> None:
        def read(name: str, width: int, kind: type = np.uint32) -> np.ndarray:
            return (
                np.fromfile(folder / name, dtype=kind).reshape(-1, width)
                if width > 1
                else np.fromfile(folder / name, kind)
            )

        self.pages = score.load(folder)
        self.features = json.loads((folder / "features.json").read_text())
        self.rows = read("rows", len(self.features), np.float32)
        self.page, self.element, self.path, self.look = read("blocks", 4).T.astype(np.int64)
        self.label = read("labels", 1, np.float32)
        self.parent, self.depth, ends = read("elements", 3).T.astype(np.int64)
        self.names, self.name = np.unique(read("names", 1), return_inverse=True)
        self.named = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))  # the element of each name
        self.element_page = np.searchsorted(np.flatnonzero(self.depth == 0), np.arange(len(ends)), side="right") - 1
        self.known = self.label >= 0
        self.label = np.clip(self.label, 0, 1)
        self.words = np.maximum(self.column("words"), 0.5)
        self.set = np.array([page["set"] for page in self.pages])
        self.type = np.array([page["type"] for page in self.pages])
        site = [page["site"] or page["id"] for page in self.pages]
        self.site = np.unique(site, return_inverse=True)[1]
        self.fold = np.array([zlib.crc32(name.encode()) % FOLDS for name in site])
        self.start = np.searchsorted(self.page, np.arange(len(self.pages)))
        self.stop = np.searchsorted(self.page, np.arange(len(self.pages)), side="right")
        self.levels = [np.flatnonzero(self.depth == depth) for depth in range(self.depth.max() + 1)]
        self.texts = [json.loads(line) for line in (folder / "texts.jsonl").open(encoding="utf-8")]
        self.weight = self.weights()
        chance = np.random.default_rng(0).random(len(self.page))
        share = (MOST_BLOCKS / np.maximum(self.stop - self.start, 1))[self.page]
        self.drawn = self.known & (chance < np.where(self.label > 0.3, 2 * share, share))

    def column(self, name: str) -> np.ndarray:
        """The numbers of one feature."""
        return self.rows[:, self.features.index(name)]

    def per_page(self, values: np.ndarray) -> np.ndarray:
        """Sums over the blocks of each page."""
        return np.bincount(self.page, values, minlength=len(self.pages))

    def weights(self) -> np.ndarray:
        """Every page weighs the same, but for its set and type."""
        weight = np.power(np.maximum(self.column("words"), 1), WORDS_POWER) * self.known
        weight /= np.maximum(self.per_page(weight), 1e-9)[self.page]
        others = np.isin(self.type, score.TYPES[1:])
        page = np.array([SET_WEIGHT[name] for name in self.set]) * np.where(others, OTHER_TYPES, 1.0)
        return weight * page[self.page] * 1000

    def climb(self, values: np.ndarray) -> np.ndarray:
        """Sums over all blocks below each element."""
        sums = np.bincount(self.element, values, minlength=len(self.parent)).astype(np.float64)
        for level in reversed(self.levels[1:]):
            np.add.at(sums, self.parent[level], sums[level])
        return sums


def name_values(data: Data, train: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What names are worth: on each element where they stand, learned without its site; and for the file.

    The worth of a name is how much more of the text below it is kept than of its page, a mean over sites.
    """
    weight = np.sqrt(data.column("words")) * data.known
    kept, whole = data.climb(weight * data.label), data.climb(weight)
    of_page = np.clip(data.per_page(weight * data.label) / np.maximum(data.per_page(weight), 1), 0.02, 0.98)
    gain = np.where(whole > 0, kept / np.maximum(whole, 1e-9), 0) - of_page[data.element_page]
    sites = int(data.site.max()) + 1
    key = data.name * sites + data.site[data.element_page[data.named]]
    learns = train[data.element_page[data.named]] & (whole[data.named] > 0)
    keys, place = np.unique(key[learns], return_inverse=True)
    means = np.bincount(place, gain[data.named[learns]]) / np.bincount(place)
    total = np.bincount(keys // sites, means, minlength=len(data.names))
    count = np.bincount(keys // sites, minlength=len(data.names))
    at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    own = keys[at] == key
    others = count[data.name] - own
    value = (total[data.name] - np.where(own, means[at], 0)) / (others + PRIOR)
    table = np.where(count > FEWEST_SITES, total / (count + PRIOR), 0)
    return rounded(np.where(others >= FEWEST_SITES, value, 0)), rounded(table)


def rounded(values: np.ndarray) -> np.ndarray:
    """As the file stores them."""
    return np.round(np.clip(values, -1.27, 1.27), 2)


def name_rows(data: Data, value: np.ndarray) -> np.ndarray:
    """The numbers of `worth.rs`."""
    least, most, total = (np.zeros(len(data.parent)) for _ in range(3))
    np.minimum.at(least, data.named, value)
    np.maximum.at(most, data.named, value)
    np.add.at(total, data.named, value)
    all_least, all_most, all_total, fading = least.copy(), most.copy(), total.copy(), total.copy()
    for level in data.levels[1:]:
        above = data.parent[level]
        all_least[level] = np.minimum(all_least[level], all_least[above])
        all_most[level] = np.maximum(all_most[level], all_most[above])
        all_total[level] += all_total[above]
        fading[level] = total[level] + 0.7 * fading[above]
    parent, grand = data.parent, data.parent[data.parent]
    columns = [least, most, total, least[parent], most[parent], total[parent], least[grand], most[grand]]
    columns += [all_least, all_most, all_total, fading, fading[parent]]
    return np.stack([column[data.element] for column in columns], 1).astype(np.float32)


def shifted(data: Data, values: np.ndarray, by: int) -> np.ndarray:
    """The value of another block of the page, below zero where there is none."""
    at = np.arange(len(values)) + by
    fits = (at >= data.start[data.page]) & (at < data.stop[data.page])
    return np.where(fits, values[np.clip(at, 0, len(values) - 1)], -1)


def context_rows(data: Data, first: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """The numbers of `context.rs`."""
    words, kept = data.words.astype(np.float64), data.words * first.astype(np.float64)
    columns = [first] + [shifted(data, first, by) for near in (1, 2, 3) for by in (-near, near)]
    all_words, all_kept = np.r_[0, np.cumsum(words)], np.r_[0, np.cumsum(kept)]
    at, start, stop = np.arange(len(first)), data.start[data.page], data.stop[data.page]
    for width in (4, 12):
        low, high = np.maximum(at - width, start), np.minimum(at + width + 1, stop)
        columns.append((all_kept[high] - all_kept[low]) / (all_words[high] - all_words[low]))
    below_words, below_kept = data.climb(words), data.climb(kept)
    element = data.element
    for _ in range(6):
        columns += [below_kept[element] / np.maximum(below_words[element], 1e-9), np.log1p(below_kept[element])]
        element = data.parent[element]
    for group in (data.path, data.look):
        place = np.unique(data.page * (1 << 32) + group, return_inverse=True)[1]
        columns.append((np.bincount(place, kept) / np.bincount(place, words))[place])
    page_words, page_kept = data.per_page(words), data.per_page(kept)
    columns += [(page_kept / np.maximum(page_words, 1e-9))[data.page], np.log1p(page_kept)[data.page]]
    columns.append((data.per_page(kept * (1 - first)) / np.maximum(page_kept, 1))[data.page])
    columns += list(kinds[data.page].T)
    columns.append((all_kept[1:] - all_kept[start]) / np.maximum(page_kept, 1e-9)[data.page])
    return np.stack(columns, 1).astype(np.float32)


def page_rows(data: Data, first: np.ndarray) -> np.ndarray:
    """The numbers of a page: those of `features::whole`, then those of `keep.rs`."""
    whole = [at for at, name in enumerate(data.features) if name.startswith(("p_", "u_"))]
    kept = data.words * first
    total, count = data.per_page(kept), np.maximum(data.per_page(first), 0.1)

    def share(part: np.ndarray | float) -> np.ndarray:
        return data.per_page(kept * part) / np.maximum(total, 1)

    heading = data.per_page(first * data.column("in_heading_element")) / count
    columns = [
        total / np.maximum(data.per_page(data.words), 1),
        np.log1p(total),
        share(1 - first),
        share(data.column("link")),
    ]
    columns += [
        share(data.column("item")),
        share(data.column("paragraph")),
        total / count,
        share(data.column("in_link")),
    ]
    columns += [heading, share(data.column("alike_share"))]
    rows = np.zeros((len(data.pages), len(whole)), np.float32)
    filled = data.stop > data.start
    rows[filled] = data.rows[np.ix_(data.start[filled], whole)]
    return np.concatenate([rows, np.stack(columns, 1)], 1).astype(np.float32)


def wide(parts: list[np.ndarray], at: np.ndarray) -> np.ndarray:
    """Some rows of several tables side by side."""
    return np.concatenate([part[at] for part in parts], 1)


def fit(data: Data, parts: list[np.ndarray], train: np.ndarray, trees: int) -> lgb.Booster:
    """A forest over the drawn blocks of the training pages."""
    at = np.flatnonzero(data.drawn & train[data.page])
    known = lgb.Dataset(wide(parts, at), data.label[at], weight=data.weight[at], params=SETTINGS)
    return lgb.train(SETTINGS, known, trees)


def held_out(data: Data, tables: list[list[np.ndarray]], trees: int) -> np.ndarray:
    """Each block's probability from a forest that saw no page of its fold."""
    result = np.zeros(len(data.page), np.float32)
    for fold, parts in enumerate(tables):
        at = np.flatnonzero(data.fold[data.page] == fold)
        result[at] = fit(data, parts, data.fold != fold, trees).predict(wide(parts, at))
        print("fold", fold, flush=True)
    return result


def fit_kinds(data: Data, rows: np.ndarray, train: np.ndarray) -> lgb.Booster:
    """A forest for each kind of page."""
    at = np.flatnonzero(train & (data.type != ""))
    kind = np.array([score.TYPES.index(name) for name in data.type[at]])
    weight = np.where(data.set[at] == "wcxb", 1.0, 0.25) * np.where(np.isin(kind, [3, 4, 5, 6]), 1.5, 1.0)
    return lgb.train(KIND_SETTINGS, lgb.Dataset(rows[at], kind, weight=weight), KINDS)


def choose(data: Data, probability: np.ndarray, article: np.ndarray) -> np.ndarray:
    """The choice of `keep.rs`."""
    bound = np.zeros(len(data.pages))
    for page, (start, stop, is_article) in enumerate(zip(data.start, data.stop, article, strict=True)):
        if start == stop:
            continue
        likely, words = probability[start:stop], data.words[start:stop]
        order = np.argsort(-likely)
        right = np.cumsum((likely * words)[order])
        best = (2 * right / (np.cumsum(words[order]) + right[-1])).max()
        other = np.clip(0.48 + 0.65 * (best - 0.9), 0.18, 0.6)
        bound[page] = is_article * 0.58 + (1 - is_article) * other
    inside = in_heart(data, np.where(probability >= bound[data.page], probability, 0))
    number = np.arange(len(probability))
    first = np.full(len(data.pages), len(probability))
    np.minimum.at(first, data.page[inside], number[inside])
    more = np.where(inside, 0, np.where(number < first[data.page], 0.15, 0.3))
    return probability >= bound[data.page] + more * article[data.page]


def in_heart(data: Data, wanted: np.ndarray) -> np.ndarray:
    """Is each block inside the innermost element that holds most of what its page wants?"""
    held = data.climb(wanted * data.words)
    roots = np.flatnonzero(data.depth == 0)
    holds = np.flatnonzero(held >= 0.6 * held[roots][data.element_page])
    inside = np.zeros(len(held), bool)
    inside[holds[np.searchsorted(data.element_page[holds], np.arange(len(roots)), side="right") - 1]] = True
    for level in data.levels[1:]:
        inside[level] |= inside[data.parent[level]]
    return inside[data.element]


def blend(data: Data, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Both looks, as `look.rs` weighs them."""
    odds = [np.log(np.clip(look, 1e-6, None) / np.clip(1 - look, 1e-6, None)) for look in (first, second)]
    found = np.where(first < 0.02, first, 1 / (1 + np.exp(-0.4 * odds[0] - 0.6 * odds[1])))
    whole = (data.column("article_found") > 0.6) & (data.column("article_found") < 1.5)
    told = whole & (data.column("in_article") > 0.8) & (data.words >= 6) & (found > 0.15)
    return np.where(told, np.maximum(found, 0.9), found)


def kept_texts(data: Data, kept: np.ndarray) -> list[str]:
    """The text of each page."""
    spans = zip(data.texts, data.start, data.stop, strict=True)
    return [
        "\n".join(np.array(blocks, dtype=object)[kept[start:stop]]) if blocks else "" for blocks, start, stop in spans
    ]


def report(data: Data, kinds: np.ndarray, texts: list[str]) -> str:
    """Cross-validated scores."""
    truth = np.array([score.TYPES.index(kind) if kind else -1 for kind in data.type])
    right = (kinds.argmax(1) == truth)[data.set == "wcxb"].mean()
    return score.show("cross-validated", score.score(data.pages, texts) | {"kinds": right})


def main(folder: Path, out: Path) -> None:
    """Folds first, then the model of all pages."""
    data = Data(folder)
    names = [name_rows(data, name_values(data, data.fold != fold)[0]) for fold in range(FOLDS)]
    first = held_out(data, [[data.rows, part] for part in names], FIRST)
    pages, kinds = page_rows(data, first), np.zeros((len(data.pages), len(score.TYPES)))
    for fold in range(FOLDS):
        held = data.fold == fold
        kinds[held] = fit_kinds(data, pages, ~held).predict(pages[held])
    context = context_rows(data, first, kinds)
    second = held_out(data, [[data.rows, part, context] for part in names], SECOND)
    np.savez(folder / "held_out.npz", first=first, second=second, kinds=kinds)
    texts = kept_texts(data, choose(data, blend(data, first, second), kinds[:, 0]))
    (folder / "held_out.json").write_text(json.dumps(texts))
    print(report(data, kinds, texts), flush=True)
    everything = np.ones(len(data.pages), bool)
    value, table = name_values(data, everything)
    parts = [data.rows, name_rows(data, value)]
    block, kind = fit(data, parts, everything, FIRST), fit_kinds(data, pages, everything)
    shipped = np.concatenate([data.rows, name_rows(data, table[data.name])], 1)
    np.save(folder / "whole.npy", block.predict(shipped).astype(np.float32))
    export.write(out, (data.names, table), block, fit(data, [*parts, context], everything, SECOND), kind)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
