"""The ceiling on memory: shares of the parts, and what happens near it."""

import pytest

from helios import shares
from helios.crawl.ceiling import Ceiling
from helios.errors import SettingsError
from helios.settings import load
from helios.settings.words import bytes_of
from helios.shares import room_to_wait, within


@pytest.mark.parametrize(
    ("size", "count"), [("500MB", 500_000_000), ("1.5 GB", 1_500_000_000), ("1GiB", 1 << 30), ("7B", 7)]
)
def test_a_size_is_written_as_people_do(size: str, count: int) -> None:
    assert bytes_of(size) == count


def test_without_a_ceiling_nothing_is_lowered() -> None:
    assert within(load()) == load()


def test_parts_get_less_as_the_ceiling_gets_lower_and_never_more_than_they_had() -> None:
    small, large = within(load(memory="500MB")), within(load(memory="800MB"))
    assert small.fetch.max_memory_bytes < large.fetch.max_memory_bytes < load().fetch.max_memory_bytes
    assert small.store.batch_pages < large.store.batch_pages
    assert within(load(memory="64GB")).fetch == load().fetch
    assert within(load(memory="2GB", max_memory_bytes=5)).fetch.max_memory_bytes == 5


def test_a_ceiling_that_no_crawl_can_keep_is_refused() -> None:
    with pytest.raises(SettingsError, match="give 400MB or more"):
        within(load(memory="100MB"))


def test_near_the_ceiling_nothing_more_is_asked_for_until_what_is_there_is_stored() -> None:
    used = 100_000_000
    ceiling = Ceiling("1GB", lambda: used)
    assert ceiling.room(64, 3) == 64
    used = 900_000_000
    assert ceiling.room(64, 3) == 0
    assert ceiling.room(64, 0) == 1  # or it would never go on
    used = 650_000_000
    assert ceiling.room(64, 3) == 64


@pytest.mark.parametrize(("allowed", "kept"), [(5_000, 1_000), (2_256, 1_000), (1_500, 244), (1_000, 0)])
def test_connections_wait_for_visits_only_where_files_are_left_for_them(
    allowed: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "allow_open_files", lambda wanted: min(wanted, allowed))
    assert room_to_wait(load(concurrency=1_000)) == kept
