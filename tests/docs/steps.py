"""What a page of the docs tells its reader to do: commands, programs and files, in their order.

A block of code that begins with a comment that is a file's name (`# shop.py`) is that file; other Python is a program.
Lines of shell, indented or in a block `sh`, are commands; a backslash goes on, `&` leaves it running, what follows a
pipe is left out.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|^((?:    [^\n]+\n)+)", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"(helios|python|make|pip|cargo|curl|ulimit|cat) ")
NAME = re.compile(r"^# ([\w.-]+\.(?:py|toml|txt))\n")


@dataclass(frozen=True, slots=True)
class File:
    """To be written."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Program:
    """Python, to be run."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A line of shell; `beside`: it goes on while the next ones run."""

    words: list[str]
    beside: bool = False


Step: TypeAlias = File | Program | Command


def steps(text: str) -> Iterator[Step]:
    """The steps of a page."""
    for kind, block, indented in BLOCK.findall(text):
        if named := NAME.match(block):
            yield File(named[1], block)
        elif kind == "python":
            yield Program(block)
        elif kind == "sh" or SHELL.match(indented.strip()):
            yield from commands(block or indented)


def commands(block: str) -> Iterator[Command]:
    """The commands of some lines of shell."""
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line.partition(" | ")[0], comments=True)
        if words:
            beside = words[-1] == "&"
            yield Command(words[:-1] if beside else words, beside)


def helios_commands(text: str) -> Iterator[Command]:
    """Those of a page that call us; `helios COMMAND` is none, but the form of all."""
    for step in steps(text):
        if isinstance(step, Command) and step.words[0] == "helios" and step.words[1].islower():
            yield step


def pages(root: Path) -> list[Path]:
    """Every page that a user reads, from the first on."""
    return [
        root / "README.md",
        *sorted((root / "docs").glob("*.md")),
        *sorted((root / "docs" / "recipes").glob("*.md")),
    ]
