"""`helios dead`: list, retry, export."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.text import Text

from helios.cli.words import err, helios, out, print_json, safe, several
from helios.crawl.letters import FORMATS, Letter, chosen, export
from helios.crawl.opened import Crawl
from helios.crawl.summary import size
from helios.export.run import STANDARD

EXAMPLES = 3  # shown of each reason
REASONS = 50  # shown
MOST_REASONS = 10_000  # told apart: some name a host or an address
OTHERS = "(other reasons)"
NONE = "there are no dead letters"
NO_SUCH = "there are no such dead letters"  # none that the filters let through

_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group("dead")
def command() -> None:
    """Dead letters: URLs that used up their attempts. List, retry or export them, whether the crawl runs or not.

    \b
    helios dead list example
    helios dead retry example --site example.org
    helios dead export example -o dead.csv
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped


def filters(command: _Command) -> _Command:
    """Adds the options that choose letters."""
    options = (
        click.argument("folder", type=click.Path(path_type=Path)),
        click.option("--site", help="Only those of this site."),
        click.option("--reason", help="Only those whose reason contains this."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@command.command("list", short_help="Show dead letters by reason, the most frequent first.")
@filters
@click.option("--limit", type=click.IntRange(min=1), help="Look at so many at most. [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print each as a line of JSON.")
def list_(folder: Path, site: str | None, reason: str | None, limit: int | None, as_json: bool) -> None:
    """Show dead letters by reason, the most frequent first, with examples.

    \b
    helios dead list example --reason "timed out" --limit 1000
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    letters = chosen(Crawl(folder).each_dead_letter(), site=site, reason=reason, limit=limit)
    if as_json:
        for letter in letters:
            print_json(letter)
        return
    _show(letters, limit, NO_SUCH if (site, reason) != (None, None) else NONE)


@command.command("retry", short_help="Give dead letters another life.")
@filters
@click.option("--json", "as_json", is_flag=True, help="Print how many as JSON.")
def retry(folder: Path, site: str | None, reason: str | None, as_json: bool) -> None:
    """Give dead letters another life: all, those of a site, those whose reason contains a text, or both.

    \b
    helios dead retry example --reason "timed out"
    helios dead retry example --site example.org --reason "answered 500"
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    crawl = Crawl(folder)
    count = crawl.replay(site=site, reason=reason)
    if as_json:
        print_json({"retried": count, "running": crawl.running})
        return
    said = f"{count:,} dead {several(count, 'letter')} {'waits' if count == 1 else 'wait'} again"
    if not count:
        out().print(NO_SUCH if site is not None or reason is not None else NONE)
    elif crawl.running:
        out().print(said)
    else:
        out().print(f"{said}; go on with\n    {helios('resume', folder)}", markup=False, soft_wrap=True)


@command.command("export")
@filters
@click.option("-o", "--out", "target", required=True, metavar="OUT", help="New file; - is standard output.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="[default: as the name of OUT ends, else jsonl]")
@click.option("--force", is_flag=True, help="Replace the file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print how many as JSON.")
def export_(folder: Path, target: str, kind: str | None, force: bool, as_json: bool, **words: str | None) -> None:
    """Write all dead letters to a file: URL, reason, attempts.

    \b
    helios dead export example -o dead.jsonl.gz
    helios dead export example -o - --format csv | head
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    letters = chosen(Crawl(folder).each_dead_letter(), site=words["site"], reason=words["reason"])
    count = export(letters, target, kind, force=force)
    if as_json:
        print_json({"out": target, "letters": count}, err().file if target == STANDARD else None)
        return
    console = err() if target == STANDARD else out()
    written = Path(target)
    large = f" ({size(written.stat().st_size)})" if written.is_file() else ""  # no pipe
    to = "" if target == STANDARD else f" to {target}{large}"
    console.print(f"{count:,} dead {several(count, 'letter')} written{to}", markup=False, soft_wrap=True)


def _show(letters: Iterable[Letter], limit: int | None, none: str) -> None:
    """By reason; memory is that of the reasons, not of the letters."""
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for letter in letters:
        reason = letter.reason if letter.reason in counts or len(counts) < MOST_REASONS else OTHERS
        counts[reason] += 1
        if len(some := examples.setdefault(reason, [])) < EXAMPLES:
            some.append(letter.url)
    console = out()
    if not counts:
        console.print(none)
        return
    first = " looked at" if limit == counts.total() else ""
    letters_, reasons = several(counts.total(), "letter"), several(len(counts), "reason")
    console.print(f"{counts.total():,} dead {letters_}{first}, {len(counts):,} {reasons}\n")
    for reason, count in counts.most_common(REASONS):
        console.print(Text(safe(f"{count:,}  {reason}")), soft_wrap=True)
        for url in examples[reason]:
            console.print(Text(safe(f"    {url}"), style="dim"), soft_wrap=True)
    if len(counts) > REASONS:
        console.print(f"… and {len(counts) - REASONS:,} more reasons")
