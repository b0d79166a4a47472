"""`helios export`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from helios.cli.choice import choice_of, choice_options
from helios.cli.words import err, out
from helios.crawl.opened import Crawl
from helios.crawl.summary import size
from helios.export.run import FORMATS, STANDARD, Exported, Watch, format_of


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(FORMATS), help="[default: as the name of OUT ends]")
@click.option("-o", "--out", "target", required=True, metavar="OUT", help="New file or folder; - is standard output.")
@click.option("--columns", metavar="A,B,...", help="Only these columns. [default: all but raw and vector]")
@choice_options
@click.option("--latest", is_flag=True, help="Only the newest row of each URL, as of --until.")
@click.option("--force", is_flag=True, help="Replace the file, or the folder of an export, that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(folder: Path, target: str, as_json: bool, **words: object) -> None:
    """Write the pages of the crawl in FOLDER for other programs.

    \b
    helios export example -o example.parquet
    helios export example -o pages.jsonl.gz --language en --where "words > 200"
    helios export example --format markdown -o pages/
    helios export example -o example.warc.gz
    helios export example --format csv -o - --columns url,title,fetched_at | head

    Memory stays small whatever the size; the file appears when it is whole. jsonl and csv are compressed when the name
    ends in .gz or .zst. It may run beside the crawl.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    kind = words["kind"] or (None if target == STANDARD else format_of(target))
    if kind is None:
        raise click.UsageError(f"standard output needs a --format: one of {', '.join(FORMATS)}")
    if target == STANDARD and kind in {"parquet", "warc"} and sys.stdout.isatty():
        raise click.UsageError(f"{kind} is no text to look at; give a file with -o, or pipe it")
    columns = [name.strip() for name in str(words["columns"]).split(",")] if words["columns"] else None
    with _shown(_counted(kind)) as watch:
        exported = Crawl(folder).export(
            target,
            format=FORMATS[FORMATS.index(kind)],
            columns=columns,
            latest=bool(words["latest"]),
            force=bool(words["force"]),
            watch=watch,
            **choice_of(words),
        )
    _say(exported, as_json=as_json)


def _say(exported: Exported, *, as_json: bool) -> None:
    """On standard error when the pages went to standard output."""
    if as_json:
        click.echo(msgspec.json.encode(exported), err=exported.out == STANDARD)
        return
    console = err() if exported.out == STANDARD else out()
    written = "" if exported.bytes is None else f", {size(exported.bytes)}"
    to = "" if exported.out == STANDARD else f" to {exported.out}"
    what = f"{exported.pages:,} {_counted(exported.format)}"
    said = f"{what} written{to} ({exported.format}{written}, {exported.seconds:.1f} s)"
    console.print(said, markup=False, soft_wrap=True)


def _counted(kind: object) -> str:
    """An archive also has what is no page: robots.txt, redirects, errors."""
    return "answers" if kind == "warc" else "pages"


@contextmanager
def _shown(counted: str) -> Iterator[Watch]:
    """A bar in a terminal, nothing in a pipe."""
    console = err()
    columns = (TextColumn("exporting"), BarColumn(), MofNCompleteColumn(), TextColumn(counted), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda pages, total: bar.update(task, completed=pages, total=total)
