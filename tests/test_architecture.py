"""ARCHITECTURE.md is a way through the code; it must not lead to files that are gone."""

import re
from pathlib import Path

import pytest

NAMED = re.compile(r"`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)`")
STEP = re.compile(r"^(\d+)\. ", re.MULTILINE)


@pytest.fixture
def text(root: Path) -> str:
    return (root / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_file_it_names_exists(root: Path, text: str) -> None:
    named = NAMED.findall(text)
    assert named, "it names no file"
    assert [name for name in named if not (root / name).exists()] == []


def test_its_steps_are_numbered_from_one_without_a_gap(text: str) -> None:
    numbers = [int(number) for number in STEP.findall(text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 8


def test_every_step_names_a_file(text: str) -> None:
    steps = STEP.split(text)[2::2]
    assert [step[:60] for step in steps if not NAMED.search(step)] == []
