"""`[extract] text = "reader"`: the text that a reader view shows, from the site to the table."""

import re
import tarfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest

import helios
from helios.errors import SettingsError
from sites import served

SENTENCES = (
    "The river rose by two metres during the night, and by the morning, as many had feared, the lower part of the "
    "town stood under water. Nobody was hurt, the mayor said, but forty families had to leave their houses."
)
PAGE = f"""<html><head><title>River floods the town</title></head><body>
<ul class="menu"><li><a href="/">Home</a></li></ul>
<div class="story"><h1>River floods the town</h1><p>{SENTENCES}</p><p>{SENTENCES}</p>
<figure><img src="a.png" alt=""><figcaption>The bridge at noon</figcaption></figure><p>{SENTENCES}</p>
<aside><p>Read more, and more, and more.</p></aside><p>{SENTENCES}</p></div></body></html>"""


def row(out: Path, **settings: object) -> dict[str, Any]:
    with served({"/": PAGE}) as site:
        helios.crawl(site.at("/"), out, **site.settings(**settings))
    (found,) = helios.open(out).pages(["text", "markdown", "words", "page_type"]).read_all().to_pylist()
    return cast("dict[str, Any]", found)


def test_reader_text_has_captions_and_neither_menus_nor_the_title_again(tmp_path: Path) -> None:
    page = row(tmp_path / "out", text="reader")
    assert page["text"] == f"{SENTENCES}\n{SENTENCES}\nThe bridge at noon\n{SENTENCES}\n{SENTENCES}"
    assert page["markdown"] == page["text"].replace("\n", "\n\n").replace("The b", "![](a.png)\n\nThe b") + "\n"
    assert page["words"] == len(page["text"].split())
    assert page["page_type"] == "article"


def test_a_text_that_nobody_knows_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="reader"):
        row(tmp_path / "out", text="redear")


class Texts(HTMLParser):
    """The texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def f1(found: str, wanted: str) -> float:
    """Words in common, as a part of both."""
    have, want = (Counter(re.findall(r"\w+", text.lower())) for text in (found, wanted))
    return 2 * (have & want).total() / max(1, have.total() + want.total())


def test_pages_by_which_readability_is_tested_are_stored_as_it_shows_them(tmp_path: Path) -> None:
    places = (above / "shared/data/content-readability" for above in Path(__file__).resolve().parents)
    data = next(filter(Path.is_dir, places), None)
    if data is None:
        pytest.skip("there is no shared/data/content-readability above this project")
    with tarfile.open(data / "pages.tar.xz") as tar:
        files = {member.name: file.read() for member in tar if (file := tar.extractfile(member)) is not None}
    truths = {name.removesuffix(".expected.html"): text for name, text in files.items() if ".expected." in name}
    pages = {f"/{name}": ("text/html; charset=utf-8", files[f"{name}.html"]) for name in truths}
    with served(pages) as site:
        seeds = [site.at(path) for path in pages]
        helios.crawl(seeds, tmp_path / "out", **site.settings(text="reader", max_depth=0, duplicates="ignore"))
    rows = helios.open(tmp_path / "out").pages(["url", "text"]).read_all().to_pylist()
    truth = {site.at(f"/{name}"): " ".join(Texts(text.decode()).texts) for name, text in truths.items()}
    scores = {row["url"]: f1(row["text"], truth[row["url"]]) for row in rows if truth[row["url"]].strip()}
    assert len(scores) > 70, "a few ask not to be stored"
    assert sum(scores.values()) / len(scores) > 0.99, sorted(scores.items(), key=lambda known: known[1])[:5]
