"""Files of a store, as the disk sees them."""

import errno
import os
from pathlib import Path

import pytest

from helios.stores.files import join


@pytest.mark.parametrize("system", ["copies", "stops early", "refuses", "cannot"])
def test_a_file_is_joined_to_another_on_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    copy = os.copy_file_range
    copied = iter([copy])  # once, then no more

    def stops_early(source: int, target: int, _: int) -> int:
        return next(copied, lambda *_: 0)(source, target, 1_000)

    def refuses(*_: int) -> int:
        raise OSError(errno.EXDEV, "from another device")

    if system == "cannot":
        monkeypatch.delattr(os, "copy_file_range")
    elif system != "copies":
        monkeypatch.setattr(os, "copy_file_range", stops_early if system == "stops early" else refuses)
    grown, other = tmp_path / "grown", tmp_path / "other"
    grown.write_bytes(b"kept, and what a crash left")
    other.write_bytes(bytes(range(256)) * 9_000)
    assert join(grown, 4, other) == 4 + 256 * 9_000
    assert grown.read_bytes() == b"kept" + other.read_bytes()
