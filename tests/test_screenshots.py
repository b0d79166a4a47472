"""The pictures in the docs are made by a script, from a real crawl."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = ["progress", "search", "stats", "summary", "why"]
NAMED = re.compile(r"docs/images/(\w+)\.svg|\]\(images/(\w+)\.svg\)")


@pytest.mark.timeout(90)
def test_the_script_makes_every_picture(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "tools/screenshots.py", "--out", str(tmp_path), "--seconds", "4", "--hosts", "20"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(file.stem for file in tmp_path.iterdir()) == NAMES
    for file in tmp_path.iterdir():
        text = file.read_text(encoding="utf-8")
        assert "helios" in text
        assert "@font-face" not in text, "nothing is fetched to show it"


def test_every_picture_that_the_docs_name_is_there(root: Path) -> None:
    pages = [root / "README.md", *(root / "docs").glob("*.md")]
    named = {"".join(found) for page in pages for found in NAMED.findall(page.read_text(encoding="utf-8"))}
    assert named == set(NAMES)
    assert {file.stem for file in (root / "docs" / "images").iterdir()} == set(NAMES)
