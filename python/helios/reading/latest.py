"""The newest row of each URL, in memory that does not grow with the table but by one bit a row.

A row is superseded when a newer one of the same URL exists. Narrow columns are read, a share of the URLs at a time
(as many shares as keep the work under a budget), and what is superseded is kept as bits by data file.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from helios.reading.table import ADDRESS, PageTable

BUDGET = 128 << 20  # bytes that one share may take
ROW = 100  # bytes that a row takes while its share is sorted

Numbers = npt.NDArray[np.uint64]


class Superseded:
    """Addresses of rows: data file in the upper 32 bits, place in it in the lower."""

    def __init__(self) -> None:
        self._bits: dict[int, npt.NDArray[np.uint8]] = {}

    def add(self, addresses: Numbers, rows: dict[int, int]) -> None:
        """Notes rows; `rows` tells how many each data file has."""
        for file, places in _by_file(addresses):
            bits = self._bits.setdefault(file, np.zeros((rows[file] + 7) // 8, np.uint8))
            np.bitwise_or.at(bits, places >> np.uint64(3), (1 << (places & np.uint64(7))).astype(np.uint8))

    def kept(self, addresses: Numbers) -> npt.NDArray[np.bool_]:
        """For each row: is it not superseded?"""
        keep = np.ones(len(addresses), np.bool_)
        files = addresses >> np.uint64(32)
        for file, places in _by_file(addresses):
            if (bits := self._bits.get(file)) is not None:
                keep[files == file] = (
                    bits[places >> np.uint64(3)] >> (places & np.uint64(7)).astype(np.uint8)
                ) & 1 == 0
        return keep


def superseded(table: PageTable, within: str | None, budget: int = BUDGET) -> Superseded:
    """Rows that have a newer one of the same URL, among those that `within` chooses."""
    found = Superseded()
    rows = {fragment.fragment_id: fragment.physical_rows for fragment in table.dataset.get_fragments()}
    shares = max(-(-sum(rows.values()) * ROW // budget), 1)
    for share in range(shares):
        found.add(_older(*_share(table, within, share, shares)), rows)
    return found


def _share(table: PageTable, within: str | None, share: int, shares: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """URLs (as two halves of their fingerprint), times and addresses of the rows of one share."""
    parts = []
    for batch in table.scan(["id", table.order], within, with_row_address=True, batch_size=65_536):
        high, low = _halves(batch["id"])
        mine = high % np.uint64(shares) == share
        order = batch[table.order].cast(pa.int64()).to_numpy(zero_copy_only=False).astype(np.uint64)
        address = batch[ADDRESS].to_numpy(zero_copy_only=False).astype(np.uint64)
        parts.append(tuple(column[mine] for column in (high, low, order, address)))
    if not parts:
        none = np.zeros(0, np.uint64)
        return none, none, none, none
    high, low, order, address = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return high, low, order, address


def _older(high: Numbers, low: Numbers, order: Numbers, address: Numbers) -> Numbers:
    """Addresses of all rows but the newest of each URL; of equal times the later place counts as newer."""
    sorting = np.lexsort((address, order, low, high))
    high, low = high[sorting], low[sorting]
    again = (high[:-1] == high[1:]) & (low[:-1] == low[1:])  # the next row is of the same URL, and newer
    older: Numbers = address[sorting[:-1][again]]
    return older


def _halves(ids: Any) -> tuple[Numbers, Numbers]:  # noqa: ANN401  # a pyarrow.Array
    """Fingerprints as hexadecimal digits -> two numbers each."""
    digits = np.frombuffer("".join(ids.to_pylist()).encode(), np.uint8).reshape(len(ids), 32)
    values = np.where(digits >= ord("a"), digits - ord("a") + 10, digits - ord("0")).astype(np.uint8)
    halves = (values[:, ::2] << 4 | values[:, 1::2]).copy().view(">u8").astype(np.uint64)
    return halves[:, 0], halves[:, 1]


def _by_file(addresses: Numbers) -> Iterator[tuple[int, Numbers]]:
    files = addresses >> np.uint64(32)
    for file in np.unique(files):
        yield int(file), addresses[files == file] & np.uint64(0xFFFF_FFFF)
