"""Robots: Helios, Protego and Python's own parser, each in a process of its own, on the same files and questions.

`python benches/robots.py`. The files of real sites come from `shared/data/robots-real`, beside the project or above it;
what is made up stands in `crates/helios-core/examples/robots_cost.rs`. Protego is measured if it is installed.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import gzip
import importlib.util
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.robotparser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LIMIT = 512_000

Ask = Callable[[str, str], bool]


def protego(text: str) -> Ask:
    """A file as Protego reads it."""
    from protego import Protego  # noqa: PLC0415 - only this process needs it

    rules = Protego.parse(text)
    return lambda agent, target: rules.can_fetch(target, agent)


def stdlib(text: str) -> Ask:
    """A file as Python reads it."""
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(text.splitlines())
    return rules.can_fetch


READERS = {"protego": protego, "urllib": stdlib}


def laid_out(folder: Path) -> bool:
    """Unpacks the real files and questions; false if there are none."""
    data = next((p / "shared/data/robots-real" for p in ROOT.parents if (p / "shared/data/robots-real").is_dir()), None)
    if data is None:
        return False
    with tarfile.open(data / "files.tar.xz") as archive:
        (folder / "files").mkdir()
        for member in filter(tarfile.TarInfo.isfile, archive):
            content = archive.extractfile(member)
            if content is not None:
                (folder / "files" / Path(member.name).name).write_bytes(content.read())
    with gzip.open(data / "queries.jsonl.gz", "rt") as lines, (folder / "questions.tsv").open("w") as to:
        for line in lines:
            one = json.loads(line)
            url = urlsplit(one["url"])
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            print(one["file"], one["user_agent"], target, sep="\t", file=to)
    return True


def measure(name: str, folder: Path) -> None:
    """Reads all files, asks all questions, and prints what `robots_cost` prints."""
    texts = {path.name: path.read_bytes()[:LIMIT].decode("utf-8", "replace") for path in (folder / "files").iterdir()}
    begin = time.process_time()
    rules = {file: READERS[name](text) for file, text in texts.items()}
    seconds = time.process_time() - begin
    size = sum(min((folder / "files" / file).stat().st_size, LIMIT) for file in texts)
    print(f"real parse: files={len(texts)} bytes={size} mb_per_s={size / seconds / 1e6:.1f}")
    questions = [line.split("\t") for line in (folder / "questions.tsv").read_text().splitlines()]
    begin = time.process_time()
    denied = sum(not rules[file](agent, target) for file, agent, target in questions)
    each = (time.process_time() - begin) * 1e9 / len(questions)
    share = denied / len(questions)
    print(f"real: checks={len(questions)} ns_per_check={each:.0f} checks_per_s={1e9 / each:.0f} denied={share:.2f}")


def run(*command: str) -> str:
    """What a program prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Measures all and prints it."""
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET), "-p", "helios-core"]
    subprocess.run([*build, "--example", "robots_cost"], cwd=ROOT, check=True)
    ours = str(TARGET / "release/examples/robots_cost")
    with tempfile.TemporaryDirectory() as folder:
        if not laid_out(Path(folder)):
            print("real files are left out: there is no shared/data/robots-real above this project")
            print(run(ours))
            return
        print("Helios", run(ours, folder), sep="\n")
        for name in READERS:
            if name == "protego" and importlib.util.find_spec("protego") is None:
                print("Protego is left out: it is not installed (pip install protego)")
                continue
            print(name, run(sys.executable, __file__, name, folder), sep="\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, folder]:
            measure(name, Path(folder))
        case _:
            main()
