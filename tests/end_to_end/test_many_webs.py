"""Many synthetic webs, one after the other: the laws hold on each. `make sim`; a failure names its seed."""

import os
from pathlib import Path

import pytest

from end_to_end.webs import judged
from helios.simweb import started

SEEDS = range(1, int(os.environ.get("HELIOS_SEEDS", "5")) + 1)


@pytest.mark.sim
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_laws_hold_on_web(seed: int, tmp_path: Path) -> None:
    with started(["--preset=demo", f"--seed={seed}", "--set=https=0.5"]) as web:
        judged(web, tmp_path / "out")
