"""Two thousand hosts: all laws on a hundred thousand pages, by the web's own log; limits that are never exceeded."""

from pathlib import Path

import pytest

from end_to_end.webs import crawled, judged, stored
from helios.simweb import started

BUDGET = 1_100  # the largest site has fewer pages, unless it is endless
WEB = ["--preset=default", "--hosts=2000", "--set=mean_pages=70", "--set=max_pages=1000"]
QUICK = ["--set=latency_ms=5", "--set=stall_ms=[100, 900]"]  # or the largest site alone takes half an hour


@pytest.mark.sim
@pytest.mark.timeout(1_800)
def test_the_laws_hold_on_a_hundred_thousand_pages(tmp_path: Path) -> None:
    with started([*WEB, *QUICK]) as web:
        summary = judged(web, tmp_path / "out", budget=BUDGET, delay_ms=10, concurrency=2_000)
    assert summary.pages > 90_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("limit", [1, 10, 999, pytest.param(10_000, marks=pytest.mark.sim)])
def test_not_one_page_more_is_stored_than_was_asked_for_with_thousands_in_flight(limit: int, tmp_path: Path) -> None:
    with started(["--preset=fast", "--hosts=2000", "--set=mean_pages=20", "--set=seeds=2000"]) as web:
        summary = crawled(web, tmp_path / "out", max_pages=limit, concurrency=2_000, delay_ms=0, address_connections=0)
    assert (summary.pages, summary.ended) == (limit, "pages")
    assert len(set(stored(tmp_path / "out"))) == len(stored(tmp_path / "out")) == limit
