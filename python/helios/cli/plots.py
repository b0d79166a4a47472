"""Small plots for a terminal: bars beside their numbers, a line of blocks."""

from collections.abc import Sequence
from typing import TypedDict

from rich.table import Table
from rich.text import Text

from helios.cli.words import safe

EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = " ▁▂▃▄▅▆▇█"
NUMBERS = 15  # columns of a count, a share and the space between
SHORT = 6  # columns that a bar should have before names are cut short


def bar(share: float, width: int) -> str:
    """A horizontal bar; anything above nothing is seen."""
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


class Room(TypedDict):
    """Columns of a name and of a bar."""

    label: int
    width: int


def fitting(columns: int, *, label: int, width: int) -> Room:
    """As much as is wanted, or less, so that the numbers of `bars` are never cut off: bars give way first."""
    room = max(columns - NUMBERS, 2)
    label = min(label, max(room - SHORT, 1))
    return {"label": label, "width": max(min(width, room - label), 1)}


def bars(title: str, rows: Sequence[tuple[str, int]], *, label: int, width: int, total: int) -> Table:
    """A row for each value: its name, a bar as long as its share of the largest, its count and its share of all."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=label, no_wrap=True, overflow="ellipsis")
    table.add_column(width=width, no_wrap=True)
    table.add_column(justify="right", no_wrap=True, min_width=7)
    table.add_column(justify="right", no_wrap=True, min_width=5, style="dim")
    largest = max((count for _, count in rows), default=0) or 1
    table.add_row(Text(title, style="bold"))
    for name, count in rows:
        share = f"{100 * count / total:.0f} %" if total else ""
        table.add_row(
            Text(safe(name) or "(none)"), Text(bar(count / largest, width), style="cyan"), f"{count:,}", share
        )
    return table


def sparkline(values: Sequence[int]) -> str:
    """A character for each value, as high as its share of the largest; anything above nothing is seen."""
    largest = max(values, default=0) or 1
    return "".join(HEIGHTS[max(round(8 * value / largest), 1 if value else 0)] for value in values)
