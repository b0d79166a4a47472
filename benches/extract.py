"""Pages per second of one core: links and facts, and everything; beside lexbor (selectolax) and lxml doing links, title and metas.

`python benches/extract.py`. The pages are those of `shared/data/content-wcxb`, beside the project or above it: all of them, and the larger
ones whose mean is that of the web (about 280 KB). The others are measured if they are installed: `pip install selectolax lxml`.
"""
# ruff: noqa: INP001, S603, T201, PLC0415 - a program of its own, which runs ours, prints, and imports what may be missing

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DATA = Path(os.environ.get("HELIOS_DATA", ROOT.parent / "shared/data"))
MEAN = 280_000


def pages() -> dict[str, bytes]:
    """All pages by name."""
    with tarfile.open(DATA / "content-wcxb" / "pages.tar.xz") as archive:
        return {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}


def large(every: dict[str, bytes]) -> dict[str, bytes]:
    """Without the smallest ones, so many that the mean is that of the web."""
    left = sorted(every, key=lambda name: len(every[name]))
    total = sum(map(len, every.values()))
    while left and total / len(left) < MEAN:
        total -= len(every[left.pop(0)])
    return {name: every[name] for name in left}


def lexbor() -> Callable[[bytes], object]:
    from selectolax.lexbor import LexborHTMLParser

    def read(page: bytes) -> object:
        tree = LexborHTMLParser(page)
        links = [one.attributes.get("href") for one in tree.css("a[href], area[href], link[href]")]
        return links, tree.css_first("title"), [one.attributes for one in tree.css("meta")]

    return read


def lxml() -> Callable[[bytes], object]:
    from lxml.html import fromstring

    def read(page: bytes) -> object:
        tree = fromstring(page)
        links = tree.xpath("//a/@href | //area/@href | //link/@href")
        return links, tree.findtext(".//title"), [dict(one.attrib) for one in tree.iter("meta")]

    return read


def peers(every: dict[str, bytes]) -> None:
    """Links, title and metas by others."""
    for name, made in (("lexbor from Python", lexbor), ("lxml", lxml)):
        try:
            read = made()
        except ImportError:
            print(f"{name} is left out: it is not installed (pip install selectolax lxml)")
            continue
        before = time.process_time()
        for page in every.values():
            try:
                read(page)
            except ValueError:  # lxml: an empty document
                continue
        seconds = time.process_time() - before
        print(f"{name + ': links, title, metas':34}{len(every) / seconds:9.0f} pages/s")


def main() -> None:
    """Measures all and prints it."""
    if not (DATA / "content-wcxb").is_dir():
        sys.exit(f"there is no {DATA / 'content-wcxb'}: nothing to measure")
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET), "-p", "helios-core"]
    subprocess.run([*build, "--example", "extract_cost"], cwd=ROOT, check=True)
    every = pages()
    for chosen in (every, large(every)):
        with tempfile.TemporaryDirectory() as folder:
            for name, page in chosen.items():
                Path(folder, name).write_bytes(page)
            subprocess.run([str(TARGET / "release/examples/extract_cost"), folder], check=True)
        peers(chosen)


if __name__ == "__main__":
    main()
