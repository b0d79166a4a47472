"""Sitemaps, feeds, structured data and facts of pages: Helios beside the library that others would use, on the same files.

`python benches/metadata.py`. The files come from `shared/data`, beside the project or above it. The others are measured if they
are installed: `pip install ultimate-sitemap-parser feedparser extruct trafilatura`.
"""
# ruff: noqa: INP001, S603, T201, PLC0415 - a program of its own, which runs ours, prints, and imports what may be missing

import base64
import gzip
import importlib.util
import json
import logging
import lzma
import os
import re
import resource
import subprocess
import tarfile
import tempfile
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = TARGET / "release/examples/page_facts"
PAGE = "http://www.example.com/index.html"

Row = dict[str, Any]


def data(name: str) -> Path | None:
    """The folder of a data set."""
    found = next((p / "shared/data" / name for p in ROOT.parents if (p / "shared/data" / name).is_dir()), None)
    if found is None:
        print(f"{name} is left out: there is no shared/data/{name} above this project")
    return found


def rows(file: Path) -> list[Row]:
    """The lines of a file of JSON lines."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def ours(kind: str, files: Iterable[tuple[Path, str, str]]) -> list[Any]:
    """What our program reads from files; each comes with its charset and its URL."""
    asked = "".join(f"{path}\t{charset}\t{url}\n" for path, charset, url in files)
    done = subprocess.run([PROGRAM, kind], input=asked, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def installed(module: str) -> bool:
    """Whether a library is there to be measured."""
    there = importlib.util.find_spec(module) is not None
    if not there:
        print(f"{module} is left out: it is not installed")
    return there


def folded(text: object) -> str:
    """For comparing: case, marks and white space aside."""
    text = ", ".join(text) if isinstance(text, list) else str(text or "")
    return re.sub(r"[^\w]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def names(value: object) -> set[str]:
    """A set of names, out of a list or a text with marks between them."""
    parts = re.split(r"[;,]| und | and ", value) if isinstance(value, str) else list(value or [])  # type: ignore[call-overload]
    return {folded(part) for part in parts if folded(part)}


class Table:
    """Scores of one data set: for each line how often who was right, or found how much of what was wanted."""

    def __init__(self, title: str) -> None:
        """An empty table."""
        self.title = title
        self.lines: dict[str, dict[str, list[int]]] = {}

    def right(self, line: str, who: str, right: bool) -> None:
        """Counts one answer."""
        cell = self.lines.setdefault(line, {}).setdefault(who, [0, 0])
        cell[0] += right
        cell[1] += 1

    def sets(self, line: str, who: str, found: set[str], wanted: set[str]) -> None:
        """Counts one answer that is a set."""
        cell = self.lines.setdefault(line, {}).setdefault(who, [0, 0, 0])
        cell[0] += len(found & wanted)
        cell[1] += len(found)
        cell[2] += len(wanted)

    def show(self) -> None:
        """Prints it."""
        print(f"\n{self.title}")
        for line, cells in self.lines.items():
            shown = [f"{who} {self.cell(cell)}" for who, cell in cells.items()]
            print(f"  {line:34}", "   ".join(shown))

    @staticmethod
    def cell(cell: list[int]) -> str:
        """A share of right answers, or an F1."""
        if len(cell) == 2:  # noqa: PLR2004 - right and asked
            return f"{cell[0] / max(1, cell[1]):.3f} of {cell[1]}"
        precision, recall = cell[0] / max(1, cell[1]), cell[0] / max(1, cell[2])
        return f"F1 {2 * precision * recall / max(1e-9, precision + recall):.3f}"


def sitemaps(folder: Path) -> None:
    """Locations that are found, against what crawler-commons and trafilatura's tests expect."""
    source = data("sitemaps")
    if source is None:
        return
    table, cases = Table("sitemaps: the same set of locations"), rows(source / "cases.jsonl.xz")
    for case in cases:
        raw = base64.b64decode(case["b64"])
        case["raw"] = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
        (folder / case["name"]).write_bytes(case["raw"])
    found = ours("sitemap", [(folder / case["name"], "", "") for case in cases])
    others = usp if installed("usp") else None
    for case, own in zip(cases, found, strict=True):
        if "error" in case:
            continue
        wanted = {url["loc"] for url in case["urls"]}
        answers = {"helios": [url["loc"] for url in own["urls"]]}
        if others:
            answers["ultimate-sitemap-parser"] = others(case["raw"])
        for who, urls in answers.items():
            got = {urldefrag(urljoin(case["url"], url))[0] for url in urls}
            if case.get("strict_location") and not case["is_index"]:
                got = {url for url in got if url.startswith(urljoin(case["url"], "."))}
            table.right("locations", who, got == wanted)
    table.show()


def usp(raw: bytes) -> list[str]:
    """The locations that ultimate-sitemap-parser finds."""
    from usp.objects.sitemap import IndexXMLSitemap
    from usp.tree import sitemap_from_str

    logging.disable(logging.CRITICAL)
    found = sitemap_from_str(raw.decode("utf-8", "replace"))
    if isinstance(found, IndexXMLSitemap):
        return [sub.url for sub in found.sub_sitemaps]
    return [page.url for page in found.all_pages()]


def feeds(folder: Path) -> None:
    """Entries, against what feedparser gives: its own score is 1 by definition."""
    source = data("feeds")
    if source is None:
        return
    with tarfile.open(source / "files.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    cases = [row for row in rows(source / "reference.jsonl.xz") if row["expect_holds_in_feedparser_6_0_14"]]

    def charset(case: Row) -> str:
        kind = (case["http_headers"] or {}).get("content-type", "")
        return kind.split("charset=")[1].strip(' "') if "charset=" in kind else ""

    table = Table("feeds: as feedparser 6.0.14 gives them")
    found = ours("feed", [(folder / case["name"], charset(case), "") for case in cases])
    for case, own in zip(cases, found, strict=True):
        base = (case["http_headers"] or {}).get("content-location", "")
        entries = own["entries"] if own else []
        table.right("number of entries", "helios", len(entries) == len(case["reference"]["entries"]))
        for entry, other in zip(entries, case["reference"]["entries"], strict=False):
            table.right("link", "helios", (resolved(entry["link"], base) or None) == (other["link"] or None))
            for field in ("title", "id", "published", "updated"):
                table.right(field, "helios", (entry[field] or None) == (other[field] or None))
    table.show()


def resolved(link: Row | None, base: str) -> str:
    """A link made absolute by the bases that apply to it."""
    for step in link["bases"] if link else []:
        base = urljoin(base, step)
    return urljoin(base, link["href"]) if link else ""


def types(value: object) -> set[str]:
    """The last part of every type in a value."""
    if isinstance(value, list):
        return set().union(*map(types, value))
    if not isinstance(value, dict):
        return set()
    own = [value.get(name) for name in ("@type", "type")]
    own = [name for names in own for name in (names if isinstance(names, list) else [names]) if isinstance(name, str)]
    return {re.split(r"[/#:]", name)[-1] for name in own}.union(*map(types, value.values()))


def structured(folder: Path) -> None:
    """JSON-LD exactly, and the types that other syntaxes name."""
    source = data("structured-data")
    if source is None:
        return
    asked: list[tuple[str, Any, Path]] = []
    for case in rows(source / "cases.jsonl.xz"):
        wanted = case["expected"].get("jsonld")
        if wanted is None:
            continue
        if isinstance(wanted, dict) and "items" in wanted:
            wanted = [one for items in wanted["items"] for one in (items if isinstance(items, list) else [items])]
        for field, syntax in (("html", "json-ld"), ("microdata_html", "microdata"), ("rdfa_html", "rdfa")):
            if case.get(field):
                path = folder / f"{len(asked)}.html"
                path.write_text(case[field])
                asked.append((syntax, wanted, path))
    table = Table("structured data: JSON-LD exactly, other syntaxes by the types they name")
    found = ours("facts", [(path, "utf-8", PAGE) for _, _, path in asked])
    with_extruct = installed("extruct")
    for (syntax, wanted, path), own in zip(asked, found, strict=True):
        answers = {"helios": own[syntax.replace("-", "_")] or []}
        if with_extruct:
            answers["extruct"] = extruct(path, syntax)
        for who, got in answers.items():
            listed = wanted if isinstance(wanted, list) else [wanted]
            right = got == listed if syntax == "json-ld" else types(got) == types(wanted)
            table.right(syntax, who, right)
    table.show()


def extruct(path: Path, syntax: str) -> list[Any]:
    """What extruct finds."""
    import extruct as library

    try:
        return list(library.extract(path.read_text(), base_url=PAGE, syntaxes=[syntax])[syntax])
    except Exception:  # noqa: BLE001 - a page that it cannot read has nothing
        return []


def trafilatura(path: Path, url: str | None) -> Row:
    """The metadata that trafilatura finds, under our names."""
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(path.read_bytes(), default_url=url)
    own = found.as_dict() if found else {}
    return {
        "title": own.get("title"),
        "authors": (own.get("author") or "").split("; "),
        "published": own.get("date"),
        "description": own.get("description"),
        "site_name": own.get("sitename"),
        "categories": own.get("categories"),
        "tags": own.get("tags"),
        "license": own.get("license"),
        "language": own.get("language"),
    }


def charset_of(path: Path) -> str:
    """The charset that a page declares, unless it is UTF-8."""
    page = path.read_bytes()
    try:
        page.decode()
    except UnicodeDecodeError:
        declared = re.search(rb"charset=[\"']?([\w-]+)", page[:4096])
        return declared.group(1).decode() if declared else "windows-1252"
    return "utf-8"


def same(field: str) -> Callable[[Row, object], bool]:
    """Whether a field says the same."""
    return lambda found, wanted: folded(found[field]) == folded(wanted)


def same_start(found: Row, wanted: object) -> bool:
    """Whether a description is the same, or the beginning of it."""
    got, want = folded(found["description"]), folded(wanted)
    return got == want or (len(got) > 30 and (got.startswith(want[:80]) or want.startswith(got[:80])))  # noqa: PLR2004


def same_people(found: Row, wanted: object) -> bool:
    """Whether the same people are named, as one text or one by one."""
    joined = " ".join(folded(name) for name in found["authors"])
    text = re.sub("^by ", "", wanted, flags=re.IGNORECASE) if isinstance(wanted, str) else wanted
    return folded(text) == joined or names(text) == names(found["authors"])


def same_day(found: Row, wanted: object) -> bool:
    """Whether the day is the same."""
    return found["published"] == str(wanted)[:10]


PAGES: dict[str, dict[str, tuple[str, Callable[[Row, object], bool] | str]]] = {
    "content-trafilatura": {
        "title": ("title", same("title")),
        "author": ("author", same_people),
        "date": ("date", same_day),
        "description": ("description", same_start),
        "sitename": ("sitename", same("site_name")),
        "license": ("license", same("license")),
        "categories": ("categories", "categories"),
        "tags": ("tags", "tags"),
    },
    "content-fundus": {
        "title": ("title", same("title")),
        "authors": ("authors", same_people),
        "date": ("publishing_date", same_day),
        "topics": ("topics", "tags"),
    },
    "content-readability": {
        "title": ("title", same("title")),
        "byline": ("byline", same_people),
        "siteName": ("siteName", same("site_name")),
        "publishedTime": ("publishedTime", same_day),
        "excerpt": ("excerpt", same("description")),
        "lang": ("lang", same("language")),
    },
}


def pages(folder: Path) -> None:
    """Facts of pages whose truth somebody wrote down."""
    everything: list[Path] = []
    for name, fields in PAGES.items():
        source = data(name)
        if source is None:
            continue
        with tarfile.open(source / "pages.tar.xz") as archive:
            archive.extractall(folder / name, filter="data")
        truth = rows(source / "truth.jsonl.xz")
        paths = [folder / name / f"{row['id']}.html" for row in truth]
        everything += paths
        urls = [row.get("url", "http://fakehost/test/") for row in truth]
        found = {"helios": ours("facts", [(path, charset_of(path), url) for path, url in zip(paths, urls, strict=True)])}
        if installed("trafilatura"):
            found["trafilatura"] = [trafilatura(path, url) for path, url in zip(paths, urls, strict=True)]
        table = Table(f"{name}: facts where the truth has one")
        for who, answers in found.items():
            for row, answer in zip(truth, answers, strict=True):
                wanted = row.get("expected_metadata", row)
                for line, (field, judge) in fields.items():
                    if not wanted.get(field):
                        continue
                    if isinstance(judge, str):
                        table.sets(line, who, names(answer[judge]), names(wanted[field]))
                    else:
                        table.right(line, who, judge(answer, wanted[field]))
        table.show()
    speed(everything)


def speed(paths: list[Path]) -> None:
    """Processor time a page for reading and its tree, and for its facts."""
    if not paths:
        return
    asked = "".join(f"{path}\n" for path in paths)

    def user_seconds(times: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([PROGRAM, f"cost{times}"], input=asked, text=True, check=True, capture_output=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    none, one, many = (min(user_seconds(times) for _ in range(3)) for times in (0, 1, 11))
    mean = sum(path.stat().st_size for path in paths) / len(paths)
    each = (many - one) / 10 / len(paths) * 1e6
    print(f"\nspeed: {len(paths)} pages, {mean / 1e3:.0f} kB each; reading and tree {none / len(paths) * 1e6:.0f} µs, facts {each:.0f} µs")


def main() -> None:
    """Measures all and prints it."""
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET), "-p", "helios-page"]
    subprocess.run([*build, "--example", "page_facts"], cwd=ROOT, check=True)
    for measure in (sitemaps, feeds, structured, pages):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


if __name__ == "__main__":
    main()
