"""Writes the model as `model.rs` reads it."""
# ruff: noqa: INP001, PLR2004 - a program of its own

import struct
from pathlib import Path

import lightgbm as lgb
import numpy as np

MARK = 0x4C45_4448


def tree(root: dict) -> tuple[bytes, bytes]:
    """Nodes in the order in which they are reached, and leaves."""
    if "leaf_value" in root:  # a tree that asks nothing becomes one that asks in vain
        leaf = struct.pack("<f", root["leaf_value"])
        return struct.pack("<fHhh", 0.0, 0, -1, -2), leaf + leaf
    nodes, leaves, queue = [], [], [root]
    for node in queue:
        goes = []
        for side in ("left_child", "right_child"):
            child = node[side]
            if "leaf_value" in child:
                goes.append(-1 - len(leaves))
                leaves.append(struct.pack("<f", child["leaf_value"]))
            else:
                goes.append(len(queue))
                queue.append(child)
        if node["decision_type"] != "<=":
            raise ValueError(node["decision_type"])
        nodes.append(struct.pack("<fHhh", bound(node["threshold"]), node["split_feature"], *goes))
    return b"".join(nodes), b"".join(leaves)


def bound(threshold: float) -> float:
    """The greatest number of 32 bits that is not above the threshold: the same values stay below it."""
    near = np.float32(threshold)
    return float(near if float(near) <= threshold else np.nextafter(near, np.float32(-np.inf)))


def forest(trees: list[dict]) -> bytes:
    """Counts, where trees begin, nodes, leaves."""
    starts, nodes, leaves = b"", b"", b""
    for one in trees:
        starts += struct.pack("<II", len(nodes) // 10, len(leaves) // 4)
        more_nodes, more_leaves = tree(one["tree_structure"])
        nodes, leaves = nodes + more_nodes, leaves + more_leaves
    return struct.pack("<III", len(trees), len(nodes) // 10, len(leaves) // 4) + starts + nodes + leaves


def write(
    out: Path, names: tuple[np.ndarray, np.ndarray], block: lgb.Booster, context: lgb.Booster, kinds: lgb.Booster
) -> None:
    """The whole file."""
    hashes, worth = names
    told = np.abs(worth) >= 0.01
    hashes, worth = hashes[told], np.round(worth[told] * 100).astype(np.int8)
    all_kinds = kinds.dump_model()["tree_info"]
    count = kinds.num_model_per_iteration()
    parts = [struct.pack("<III", MARK, len(hashes), count), hashes.astype("<u4").tobytes(), worth.tobytes()]
    parts += [forest(model.dump_model()["tree_info"]) for model in (block, context)]
    parts += [forest(all_kinds[kind::count]) for kind in range(count)]
    out.write_bytes(b"".join(parts))
