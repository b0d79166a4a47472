"""Many synthetic webs, one after the other: the laws hold on each. `make sim`; a failure names its seed."""

import os
from collections import Counter
from pathlib import Path

import pytest

from end_to_end.webs import crawled, must_be_stored, stored, verdict_on
from helios.simweb import started

SEEDS = range(1, int(os.environ.get("HELIOS_SEEDS", "5")) + 1)


@pytest.mark.sim
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_laws_hold_on_web(seed: int, tmp_path: Path) -> None:
    with started(["--preset=demo", f"--seed={seed}"]) as web:
        summary = crawled(web, tmp_path / "out")
        verdict = verdict_on(web)
        assert verdict.innocent, verdict.text
        rows = Counter(stored(tmp_path / "out"))
        assert must_be_stored(web) - set(rows) == set()
        assert set(rows.values()) == {1}
        assert summary.ended == "finished"
