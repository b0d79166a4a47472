"""Words that the commands have in common: durations, and where output goes."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from helios.terminal import safe as safe  # noqa: PLC0414  # the commands take it from here

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDEST = 1_000_000  # columns of a table that is piped

_DURATION = re.compile(r"^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$")
_MILLISECONDS = {"ms": 1, None: 1_000, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Duration(click.ParamType[int]):
    """A length of time: 500ms, 2s, 10m, 1h; a bare number is in seconds. Becomes milliseconds."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Milliseconds."""
        if isinstance(value, int):
            return value
        if (found := _DURATION.match(str(value).strip())) and (number := float(found[1])) != inf:
            return round(number * _MILLISECONDS[found[2]])
        return self.fail(f"{value!r} is not a length of time; give one like 500ms, 2s, 10m or 1h", param, ctx)


class Setting(click.ParamType[tuple[str, str, object]]):
    """Any setting by name: frontier.attempts=2. Becomes its table, its key and its value."""

    name = "setting"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str, object]:
        """The value is checked with the others."""
        from helios.settings.assemble import TABLES  # noqa: PLC0415  # --help needs no settings
        from helios.settings.environment import value_of  # noqa: PLC0415  # same

        name, equals, text = str(value).partition("=")
        table, dot, key = name.strip().partition(".")
        if not (equals and dot):
            return self.fail(f"{value!r} is no setting; give one like frontier.attempts=2", param, ctx)
        known = table in TABLES and key in TABLES[table].__struct_fields__
        return table, key, value_of(table, key, text) if known else text

    @staticmethod
    def tables(given: Iterable[tuple[str, str, object]]) -> dict[str, object]:
        """As `load` takes them."""
        tables: dict[str, dict[str, object]] = {}
        for table, key, value in given:
            tables.setdefault(table, {})[key] = value
        return dict(tables)


def several(count: int, name: str) -> str:
    """The name of one thing, or of several."""
    return name if count == 1 else f"{name}s"


def helios(*words: object) -> str:
    """How this program was called, with words after it, so that a hint can be typed as it stands."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        name = "python -m helios"
    else:
        name = "helios" if shutil.which("helios") or called.name != "helios" else shlex.quote(sys.argv[0])
    return " ".join([name, *(shlex.quote(str(word)) for word in words)])


seeds_option = click.option(
    "--seeds",
    "files",
    multiple=True,
    metavar="FILE|-",
    help="File with one seed per line; - is standard input. May be given several times.",
)


def out() -> "Console":
    """Results go to standard output."""
    return _console(stderr=False)


def err() -> "Console":
    """Progress and remarks go to standard error, so that results can be piped."""
    return _console(stderr=True)


def whole(console: "Console", shown: "RenderableType") -> None:
    """Prints a table; where no terminal needs it narrow, as wide as it is: no URL or command is broken at its edge."""
    from rich.measure import Measurement  # noqa: PLC0415  # as above
    from rich.text import Text  # noqa: PLC0415  # as above

    if console.is_terminal:
        console.print(shown)
        return
    wanted = Measurement.get(console, console.options.update(width=WIDEST), shown).maximum
    options = console.options.update(width=max(wanted, console.width))
    for line in console.render_lines(shown, options, pad=False):
        console.print(Text("".join(part.text for part in line).rstrip()), soft_wrap=True)


def print_json(value: object, to: IO[Any] | None = None) -> None:
    """Prints a line of JSON to standard output, or there: every byte to a program, nothing that a terminal obeys."""
    import msgspec  # noqa: PLC0415  # as above

    stream, line = to or sys.stdout, msgspec.json.encode(value, enc_hook=str)
    click.echo(safe(line.decode()).encode() if stream.isatty() else line, file=stream)


def _console(*, stderr: bool) -> "Console":
    """Takes every text as it stands: [x] in the name of a folder is no style, :x: no picture."""
    from rich.console import Console  # noqa: PLC0415  # --help needs none

    room = shutil.get_terminal_size()
    return Console(
        stderr=stderr,
        highlight=False,
        markup=False,
        emoji=False,
        width=room.columns if _unknown("COLUMNS") else None,
        height=room.lines if _unknown("LINES") else None,
    )


def _unknown(name: str) -> bool:
    """Does a shell say 0 because it does not know? Nothing at all would be shown in no column."""
    said = os.environ.get(name, "")
    return said != "" and not said.strip("0")
