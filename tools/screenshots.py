"""Pictures of the terminal for the docs, from a real crawl of the synthetic web: `python tools/screenshots.py`.

Each is what a person would see in a terminal of 80 columns, as SVG, without fonts from elsewhere. Progress is one frame
of the live view, from the middle of the crawl.
"""

import argparse
import contextlib
import importlib
import io
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import helios
from helios.cli import main
from helios.crawl.begin import begun, blocking
from helios.crawl.progress import LiveView, seldom
from helios.observe.snapshot import Snapshot
from helios.settings import load
from helios.simweb import Served, started

ROOT = Path(__file__).resolve().parent.parent
NAME = "example"  # of the crawl's folder, as pictures show it
WIDTH = 80
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
GREY, WHITE, DARK = (140, 140, 140), (224, 224, 224), (24, 26, 32)
COLOURS = [DARK, (229, 104, 104), (120, 190, 120), (222, 184, 90), (98, 151, 222), (186, 127, 207), (85, 187, 191)]
THEME = TerminalTheme(DARK, WHITE, [*COLOURS, WHITE], [GREY, *COLOURS[1:], (255, 255, 255)])


def recorder() -> Console:
    """A terminal that remembers."""
    return Console(
        record=True, width=WIDTH, force_terminal=True, color_system="truecolor", file=io.StringIO(), highlight=False
    )


def save(console: Console, title: str, file: Path) -> None:
    """What was shown, as SVG; the same text makes the same file."""
    svg = console.export_svg(title=title, theme=THEME, unique_id=file.stem)
    file.write_text(FONT_FACE.sub("", svg), encoding="utf-8")
    sys.stdout.write(f"wrote {file}\n")


def shot(words: list[str], file: Path) -> None:
    """What a command shows."""
    console, module = recorder(), importlib.import_module(f"helios.cli.{words[0]}")
    module.__dict__["out"] = lambda: console
    main(words, standalone_mode=False)
    save(console, "helios " + " ".join(words), file)


def crawl(web: Served, seconds: int) -> tuple[list[Snapshot], helios.Summary]:
    """A crawl of the synthetic web, and how it looked on the way."""
    settings = load(
        None,
        scope="any",
        contact="you@example.org",
        allow=["loopback"],
        servers=[web.dns],
        extra_ca=web.ca,
        delay_ms=500,
        max_pages_per_site=30,
        max_pages=5_000,
        max_seconds=seconds,
    )
    seen: list[Snapshot] = []
    return seen, blocking(begun(settings, web.seeds, Path(NAME)), seldom(seen.append))


def progress(seen: list[Snapshot], file: Path) -> None:
    """The live view, in the middle of the time."""
    view, console = LiveView(), recorder()
    upto = seen[: max(len(seen) // 2, 1)]
    drawn = [view.drawn(now) for now in upto]
    console.print(drawn[-1])
    save(console, f"helios crawl https://example.org/ --out {NAME} --max-pages 5000 --time 20s", file)


def summed_up(summary: helios.Summary, file: Path) -> None:
    """What a crawl says at its end."""
    shown, console = importlib.import_module("helios.cli.crawl"), recorder()
    shown.show(summary, as_json=False, to=console)
    save(console, f"helios crawl https://example.org/ --out {NAME} --max-pages 5000 --time 20s", file)


def one_page() -> dict[str, str]:
    """A page to look for; in English, if there is one."""
    pages = helios.open(NAME).pages
    wanted = ("language = 'en' AND depth > 0 AND words > 50", "words > 0")
    return next(dict(row) for where in wanted for row in pages(["url", "title"], where=where))


def pictures(web: Served, seconds: int, out: Path) -> None:
    """All of them."""
    seen, summary = crawl(web, seconds)
    progress(seen, out / "progress.svg")
    summed_up(summary, out / "summary.svg")
    shot(["stats", NAME], out / "stats.svg")
    row = one_page()
    words = sorted(row["title"].split(), key=len)[-2:]  # the long ones tell pages apart
    shot(["search", NAME, *words, "-n", "3"], out / "search.svg")
    shot(["why", NAME, row["url"]], out / "why.svg")


def run() -> None:
    """In a folder of its own, so that pictures show no path of this machine."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    words.add_argument("--seconds", type=int, default=20, help="how long to crawl")
    words.add_argument("--hosts", type=int, default=800)
    given = words.parse_args()
    out = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        started(["--hosts", str(given.hosts)]) as web,
    ):
        pictures(web, given.seconds, out)


if __name__ == "__main__":
    run()
