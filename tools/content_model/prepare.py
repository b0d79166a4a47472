"""Unpacks the five sets of pages with known main text into one folder, for `train.py` and `benches/extraction.py`.

python prepare.py SHARED_DATA FOLDER
"""
# ruff: noqa: INP001, PLR2004 - a program of its own

import json
import lzma
import re
import sys
import tarfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

SETS = ["aeb", "fundus", "readability", "trafilatura", "wcxb"]
CHARSET = re.compile(rb"charset=[\"']?([\w-]+)", re.IGNORECASE)


class Text(HTMLParser):
    """The text of a page without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.skip = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Enters."""
        self.skip += tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        """Leaves."""
        self.skip -= tag in {"script", "style"} and self.skip > 0

    def handle_data(self, data: str) -> None:
        """Notes."""
        if not self.skip:
            self.parts.append(data)


def text_of(html: str) -> str:
    """All text."""
    parser = Text()
    parser.feed(html)
    return " ".join(parser.parts)


def decode(page: bytes) -> str:
    """UTF-8, or what the page says."""
    try:
        return page.decode("utf-8")
    except UnicodeDecodeError:
        said = CHARSET.search(page[:4000])
        try:
            return page.decode(said.group(1).decode() if said else "windows-1252", "replace")
        except LookupError:
            return page.decode("windows-1252", "replace")


def site(address: str) -> str:
    """Pages of one site belong to one fold. The last two labels, three where the second is short (co.uk)."""
    labels = (urlsplit(address).hostname or "").removeprefix("www.").split(".")
    return ".".join(labels[-2:] if len(labels) > 2 and len(labels[-2]) > 3 else labels[-3:])


def row(name: str, truth: dict, pages: dict[str, bytes]) -> dict:
    """One page in the form that all sets share."""
    known = {"set": name, "id": truth["id"], "url": truth.get("url") or "", "type": "article", "draft": False}
    known |= {"with": [], "without": [], "truth": "", "site": site(truth.get("url") or "")}
    if name == "aeb":
        known["truth"] = truth["articleBody"]
    elif name == "fundus":
        body = truth["body"] or {"summary": [], "sections": []}
        sections = [part for section in body["sections"] for part in section["headline"] + section["paragraphs"]]
        known["truth"] = "\n".join(body["summary"] + sections)
    elif name == "readability":
        known["truth"] = text_of(pages[f"{truth['id']}.expected.html"].decode("utf-8", "replace"))
        known["site"] = "readability " + re.sub(r"-\d+$", "", truth["id"])
    elif name == "trafilatura":
        known |= {"with": truth["with"], "without": truth["without"], "type": ""}
    else:
        known |= {"truth": truth["main_content"], "type": truth["page_type"]}
        known["draft"] = truth["gt_source"] == "rs-trafilatura-draft"
    return known


def main(data: Path, folder: Path) -> None:
    """Writes pages.jsonl and the pages."""
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as out:
        for name in SETS:
            source = data / f"content-{name}"
            with tarfile.open(source / "pages.tar.xz") as tar:
                pages = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}
            with lzma.open(source / "truth.jsonl.xz", "rt", encoding="utf-8") as file:
                lines = file.readlines()
            for line in lines:
                truth = json.loads(line)
                known = row(name, truth, pages)
                known["path"] = f"pages/{name}-{re.sub(r'[^A-Za-z0-9_.-]', '_', truth['id'])}.html"
                page = decode(pages[f"{truth['id']}.html"])
                (folder / known["path"]).write_text(page, encoding="utf-8", errors="replace", newline="")
                out.write(json.dumps(known) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
