"""Every page of the docs does what it says: its commands and programs run, in their order; its links lead somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import ROOT
from docs.example import everything
from docs.reader import Reader
from docs.steps import Command, File, pages, steps
from helios.settings import load
from sites import Site, served

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPOKEN = re.compile(r"`((?:make|python|cargo) [^`]+)`")
# These need more than a site, and have tests of their own.
OWN = {
    "commands.md": "test_commands.py: a crawl must run beside",
    "reading.md": "test_reading.py: chosen rows",
    "embed.md": "test_others.py, tests/stages: a model must be built",
}
READ = [page for page in pages(ROOT) if page.name not in OWN]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with served(everything()) as site:
        yield site


@pytest.mark.timeout(60)
@pytest.mark.parametrize("page", READ, ids=name)
def test_what_the_page_says_can_be_done(
    page: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.html").write_text("<title>One</title><p>A page of yours.")
    (tmp_path / "seeds.txt").write_text(f"# places\n{site.at('/news/0')}\n{site.at('/shop/')}\n")
    reader = Reader(site, tmp_path, monkeypatch)
    try:
        for step in steps(page.read_text(encoding="utf-8")):
            reader.do(step)
    finally:
        reader.close()


@pytest.mark.parametrize("page", pages(ROOT), ids=name)
def test_its_links_lead_to_files_that_are_there(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", pages(ROOT), ids=name)
def test_other_commands_name_what_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    files = {step.name for step in steps(text) if isinstance(step, File)}
    said = [step.words for step in steps(text) if isinstance(step, Command)] + [w.split() for w in SPOKEN.findall(text)]
    for words in said:
        match words:
            case ["make", target, *_]:
                assert target in targets, words
            case ["python", file, *_] if not file.startswith("-"):
                assert file in files or (ROOT / file).exists(), words


@pytest.mark.parametrize("page", READ, ids=name)
def test_every_file_of_a_page_is_used_by_a_later_step(page: Path) -> None:
    found = list(steps(page.read_text(encoding="utf-8")))
    for at, step in enumerate(found):
        if isinstance(step, File):
            stem = step.name.removesuffix(".py")
            assert any(stem in str(later) for later in found[at + 1 :]), step.name


@pytest.mark.parametrize("page", pages(ROOT), ids=name)
def test_its_settings_are_ones_that_can_be_used(page: Path, tmp_path: Path) -> None:
    for block in TOML.findall(page.read_text(encoding="utf-8")):
        file = tmp_path / "settings.toml"
        file.write_text(block, encoding="utf-8")
        load(file)
