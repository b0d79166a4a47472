"""A reader who does what a page of the docs says, in an empty folder, with a small site in the place of example.org."""

import os
import runpy
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import helios
from crawl.steering import is_running, until
from docs.steps import Command, File, Program, Step
from helios.cli import main
from helios.errors import HeliosError
from sites import Site

# Options that make a command quick; the last of an option counts.
QUICK = {
    "crawl": ["--allow-loopback", "--delay=0s", "--set=frontier.fetch_time_factor=0", "--set=store.batch_ms=20", "-q"],
    "simweb": ["--hosts=20"],
    "demo": ["--preset=calm", "--hosts=3", "--delay=10ms", "--time=5s", "-q"],
}
HASTE = {
    "--metrics": "--metrics=127.0.0.1:0",
    "frontier.max_requests_per_second=2": "frontier.max_requests_per_second=500",
}
FOREVER = "simweb"


class Reader:
    """Does steps one by one; whatever fails is an error of the docs. What it left running ends with it."""

    def __init__(self, site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._site = site
        self._folder = folder
        self._last = ExitStack()
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self.said: list[str] = []  # by commands
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "path", [*sys.path])
        for name in ("crawl", "stream"):
            monkeypatch.setattr(helios, name, partial(getattr(helios, name), **site.settings()))

    def close(self) -> None:
        """Ends what runs, and forgets the modules of this page."""
        self._last.close()
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(str(self._folder)):
                del sys.modules[name]

    def do(self, step: Step) -> None:
        """One step."""
        match step:
            case File(name, text):
                Path(name).write_text(self._here(text), encoding="utf-8")
            case Program(text):
                if find_spec("duckdb") or "duckdb" not in text:
                    exec(self._here(text), self._names)  # noqa: S102  # our own docs
            case Command(["helios", *words], beside):
                self._helios([self._here(word) for word in words], beside=beside)
            case Command(["python", name]) if Path(name).is_file():
                runpy.run_path(name, run_name="__main__")
            case _:
                pass  # `make`, `pip` and other programs: test_pages.py looks that they name what is there

    def _here(self, text: str) -> str:
        """The text with our site in the place of that in the docs."""
        return text.replace("https://example.org", self._site.url)

    def _helios(self, words: list[str], *, beside: bool) -> None:
        words = ["127.0.0.1" if word == "example.org" else word for word in words]
        words = [HASTE.get(word, word) for word in words] + QUICK.get(words[0], [])
        if words[0] == FOREVER and "audit" not in words:
            self._served(words)
        elif beside:
            self._begin([*words, "--delay=300ms"])  # or it has ended before the next step
        elif words[0] != "sql" or find_spec("duckdb"):
            result = CliRunner().invoke(main, words)
            assert result.exit_code == 0, f"helios {' '.join(words)}\n{result.output}"
            self.said.append(result.output)

    def _begin(self, words: list[str]) -> None:
        """A crawl in a process of its own, which has begun."""
        process = self._started(words)
        folder = Path(words[words.index("--out") + 1])
        until(lambda: process.poll() is not None or (_is_crawl(folder) and helios.open(folder).status().pages > 0))
        assert process.poll() is None, f"helios {' '.join(words)} ended"

    def _served(self, words: list[str]) -> None:
        """A synthetic web, until it answers; Ctrl-C ends it."""
        process = self._started(words)
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130), "".join(lines)

    def _started(self, words: list[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "helios", *words],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE if words[0] == FOREVER else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._last.callback(_end, process)
        return process


def _is_crawl(folder: Path) -> bool:
    with suppress(HeliosError):
        return is_running(folder)
    return False


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
