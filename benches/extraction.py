"""Main text: our scores beside those of others, on five sets of pages with known main text, and pages per second of one core.

`python benches/extraction.py`, or with `--held-out FILE`: `held_out.json`, which `tools/content_model/train.py` writes, each page read by a
model that saw no page of its site. The shipped model was trained on these pages, so its line says only that the code does what the
trainer saw. The pages come from `shared/data`, beside the project or above it. Peers are used where they can be imported: trafilatura,
resiliparse, readability-lxml, rs-trafilatura; dom_smoothie is built from `benches/decisions`, if it is asked for.
Helios has two rows: the main text (`text = "main"`, learned), and what a reader view shows (`text = "reader"`, rules, nothing learned).
Time is processor time of one thread, parse included, file reading excluded.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DATA = Path(os.environ.get("HELIOS_DATA", ROOT.parent / "shared/data"))

sys.path.insert(0, str(ROOT / "tools" / "content_model"))
import prepare
import score

Extract = Callable[[str, str], str]


def trafilatura() -> Extract:
    from trafilatura import extract

    return lambda html, url: extract(html, url=url or None, include_comments=False) or ""


def resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html, _: extract_plain_text(html, main_content=True)


def readability() -> Extract:
    from lxml.html import fromstring
    from readability import Document

    def read(html: str, _: str) -> str:
        summary = Document(html).summary()
        return " ".join(fromstring(summary).itertext())

    return read


def rs_trafilatura() -> Extract:
    from rs_trafilatura import extract

    return lambda html, url: extract(html, url=url or None).main_content or ""


PEERS = {
    "trafilatura": trafilatura,
    "resiliparse": resiliparse,
    "readability-lxml": readability,
    "rs-trafilatura": rs_trafilatura,
}
SMOOTHIE = "dom_smoothie"


def run(extract: Extract, pages: list[dict], htmls: list[str]) -> tuple[list[str], float]:
    """The texts, and pages per second of processor time."""
    texts, start = [], time.process_time()
    for page, html in zip(pages, htmls, strict=True):
        try:
            texts.append(extract(html, page["url"]))
        except Exception:  # noqa: BLE001 a page that a peer cannot read gives nothing
            texts.append("")
    return texts, len(pages) / (time.process_time() - start)


def spent(command: list[str]) -> float:
    """Processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def program(binary: Path, folder: Path, written: str, count: int, *way: str) -> tuple[list[str], float]:
    """Texts and speed of a program: the shipped code, or a peer in Rust."""
    subprocess.run([binary, folder, "0", *way], check=True)
    read = [json.loads(line) for line in (folder / written).open(encoding="utf-8")]
    loading = spent([str(binary), str(folder), "1", *way])
    rate = 2 * count / max(1e-9, spent([str(binary), str(folder), "3", *way]) - loading)
    return [page["text"] for page in read], rate


def table(rows: dict[str, tuple[dict[str, float], float]]) -> str:
    """Markdown."""
    columns = list(next(iter(rows.values()))[0])
    lines = ["| | " + " | ".join([*columns, "pages/s/core"]) + " |", "|---" * (len(columns) + 2) + "|"]
    for name, (scores, rate) in rows.items():
        lines.append(f"| {name} | " + " | ".join(f"{scores[column]:.3f}" for column in columns) + f" | {rate:.0f} |")
    return "\n".join(lines)


def built(folder: Path, target: Path, *asked: str) -> Path:
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(target), *asked]
    subprocess.run(command, cwd=folder, check=True)
    return target / "release"


def ours(folder: Path, count: int) -> tuple[list[str], float]:
    """The shipped code."""
    place = built(ROOT, TARGET, "-p", "helios-page", "--example", "content_read")
    return program(place / "examples/content_read", folder, "read.jsonl", count)


def reader(folder: Path, count: int) -> tuple[list[str], float]:
    """The shipped code, as a reader view. Built by `ours`."""
    return program(TARGET / "release/examples/content_read", folder, "reader.jsonl", count, "reader")


def dom_smoothie(folder: Path, count: int) -> tuple[list[str], float]:
    """A port of Readability.js in Rust."""
    asked = ["--no-default-features", "--features", "content", "--bin", "main_text"]
    place = built(ROOT / "benches/decisions", TARGET / "decisions", *asked)
    return program(place / "main_text", folder, "dom_smoothie.jsonl", count)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--folder", type=Path, default=TARGET / "extraction", help="for scratch")
    parser.add_argument("--held-out", type=Path)
    parser.add_argument("--peers", default=",".join([*PEERS, SMOOTHIE]))
    asked = parser.parse_args()
    if not (asked.data / "content-wcxb").is_dir():
        sys.exit(f"there is no {asked.data / 'content-wcxb'}: nothing to measure")
    if not (asked.folder / "pages.jsonl").exists():
        prepare.main(asked.data, asked.folder)
    pages = score.load(asked.folder)
    htmls = [(asked.folder / page["path"]).read_text(encoding="utf-8") for page in pages]
    rows: dict[str, tuple[dict[str, float], float]] = {}
    texts, rate = ours(asked.folder, len(pages))
    rows['helios, text = "main", shipped (trained on these pages)'] = score.score(pages, texts), rate
    if asked.held_out:
        rows = {'helios, text = "main", held-out folds': (score.score(pages, json.loads(asked.held_out.read_text())), rate)} | rows
    texts, rate = reader(asked.folder, len(pages))
    rows['helios, text = "reader"'] = score.score(pages, texts), rate
    for name in filter(None, asked.peers.split(",")):
        try:
            peer = dom_smoothie(asked.folder, len(pages)) if name == SMOOTHIE else run(PEERS[name](), pages, htmls)
        except ImportError:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        texts, speed = peer
        rows[name] = score.score(pages, texts), speed
        print(f"{name} done", file=sys.stderr)
    print(table(rows))


if __name__ == "__main__":
    main()
