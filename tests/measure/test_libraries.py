"""What is mapped of libraries is let go, and they go on working."""

import sys

import pyarrow as pa
import pytest

from helios.measure import libraries


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_libraries_are_let_go_and_go_on_working(monkeypatch: pytest.MonkeyPatch) -> None:
    import lance  # noqa: F401, PLC0415  # a large one

    monkeypatch.setattr(libraries, "MUCH", 0)
    before = libraries._mapped()
    libraries.let_go()
    assert libraries._mapped() < before / 2
    assert pa.table({"a": [1, 2, 3]}).to_pydict() == {"a": [1, 2, 3]}


def test_only_what_is_as_its_file_has_it_is_let_go() -> None:
    parts = list(libraries._unchanged())
    assert parts
    for line in (libraries.PROC / "maps").read_text().splitlines():
        begin, end = (int(place, 16) for place in line.split()[0].split("-"))
        if any(begin < last and first < end for first, last in parts):
            assert line.split()[1] in ("r-xp", "r--p")
            assert ".so" in line
