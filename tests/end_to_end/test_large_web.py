"""Two thousand hosts: all laws on a hundred thousand pages, by the web's own log; limits that are never exceeded."""

import os
from pathlib import Path

import pytest

from end_to_end.kills import crawl_through, deaths, judged_after
from end_to_end.webs import crawled, judged, stored
from helios.simweb import started

BUDGET = 1_100  # the largest site has fewer pages
WEB = ["--preset=default", "--hosts=2000", "--set=mean_pages=76", "--set=max_pages=1000"]
QUICK = ["--set=latency_ms=5", "--set=stall_ms=[100, 900]"]  # or the largest site alone takes half an hour
# An endless site answers much the same again and again and is therefore asked 16 times less; with a Crawl-delay that
# is 3.2 s a page, so that the usual 1,000 URLs of one shape would take an hour.
CRAWL: dict[str, object] = {"delay_ms": 10, "concurrency": 2_000, "urls_per_shape": 60}
KILLS = int(os.environ.get("HELIOS_KILLS", "100"))


@pytest.mark.sim
@pytest.mark.timeout(1_800)
def test_the_laws_hold_on_a_hundred_thousand_pages(tmp_path: Path) -> None:
    with started([*WEB, *QUICK]) as web:
        summary = judged(web, tmp_path / "out", budget=BUDGET, **CRAWL)
    assert summary.pages > 100_000


@pytest.mark.sim
@pytest.mark.timeout(3_600)
def test_the_laws_hold_on_a_hundred_thousand_pages_with_a_hundred_kills(tmp_path: Path) -> None:
    more = {**CRAWL, "max_pages_per_site": BUDGET, "publish_ms": 1_000}
    with started([*WEB, *QUICK]) as web:
        died = crawl_through(web, tmp_path / "out", deaths(KILLS, seed=3, longest=6), **more)
        assert died.total() == KILLS
        judged_after(web, tmp_path / "out", KILLS, **more)
    assert len(stored(tmp_path / "out")) > 100_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("limit", [1, 10, 999, pytest.param(10_000, marks=pytest.mark.sim)])
def test_not_one_page_more_is_stored_than_was_asked_for_with_thousands_in_flight(limit: int, tmp_path: Path) -> None:
    with started(["--preset=fast", "--hosts=2000", "--set=mean_pages=20", "--set=seeds=2000"]) as web:
        summary = crawled(web, tmp_path / "out", max_pages=limit, concurrency=2_000, delay_ms=0, address_connections=0)
    assert (summary.pages, summary.ended) == (limit, "pages")
    assert len(set(stored(tmp_path / "out"))) == len(stored(tmp_path / "out")) == limit
