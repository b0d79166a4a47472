"""What the others do at T2: main text, language by resiliparse, a MinHash by rensa.

At `t2` the text is resiliparse's: it reads a page in a fourteenth of the time of trafilatura, and rensa is many times as fast as the
SimHash packages for Python: another choice would only make the others slower. At `t2q` it is trafilatura's, whose text comes nearest to
ours among the libraries for Python. Its `fast` mode would save a quarter of its time and give texts that are hardly better than
resiliparse's (0.819 and 0.807; 0.852 as it is used here, by the scores that come with `content-wcxb`), so it would answer another question.
"""

import logging
from collections.abc import Callable
from typing import Any

from rensa import RMinHash
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree
from resiliparse.parse.lang import detect_fast

PERMUTATIONS = 64
logging.disable(logging.CRITICAL)  # pages without text are no news

Hrefs = set[str | None]


def tree_of(page: bytes) -> Any:
    """The page as resiliparse parses it."""
    return HTMLTree.parse_from_bytes(page, "utf-8")


def text_in(tree: Any) -> str:
    """Main text of what resiliparse parsed."""
    return extract_plain_text(tree, main_content=True)


def by_resiliparse(page: bytes) -> tuple[Hrefs, str]:
    """Links and main text, from one parse."""
    tree = tree_of(page)
    return {node.getattr("href") for node in tree.document.get_elements_by_tag_name("a")}, text_in(tree)


def by_trafilatura(page: bytes) -> tuple[Hrefs, str]:
    """The same: the parse is lxml's, as trafilatura would make it."""
    from trafilatura.utils import load_html

    tree = load_html(page)
    if tree is None:
        return set(), ""
    return {node.get("href") for node in tree.iter("a")}, text_of(tree)


def text_of(tree: Any) -> str:
    """Main text of what lxml parsed, without comments of readers and without metadata, which nobody asked for."""
    from trafilatura import extract

    return extract(tree, include_comments=False) or ""


def reader(tier: str) -> Callable[[bytes], tuple[Hrefs, str]]:
    """The library of a tier."""
    return by_trafilatura if tier == "t2q" else by_resiliparse


def signed(text: str) -> tuple[str, str, list[int]]:
    """Main text, language and signature."""
    sketch = RMinHash(num_perm=PERMUTATIONS, seed=1)
    sketch.update(text.split())
    return text, detect_fast(text)[0], sketch.digest()
