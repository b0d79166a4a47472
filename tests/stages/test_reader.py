"""`[extract] text = "reader"`: the text that a reader view shows, from the site to the table."""

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
