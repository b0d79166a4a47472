"""`helios add`."""

from itertools import chain
from pathlib import Path

import click
import msgspec

from helios.cli.group import FAILED
from helios.cli.words import err, helios, out, seeds_option, several
from helios.crawl.opened import Crawl
from helios.crawl.progress import counted
from helios.seeds import lines_of


@click.command("add")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("seeds", nargs=-1, metavar="[SEED...]")
@seeds_option
@click.option("--json", "as_json", is_flag=True, help="Print what became of them as JSON.")
@click.pass_context
def command(ctx: click.Context, /, folder: Path, seeds: tuple[str, ...], files: tuple[str, ...], as_json: bool) -> None:
    """Give more seeds to the crawl in FOLDER, whether it runs or not.

    \b
    helios add example https://example.org/new
    helios add example --seeds more.txt

    All of them are checked before the first is added. Those that the crawl knows already cost nothing.
    For the open web, a crawl that has no contact and does not run takes the one in HELIOS_CONTACT, and keeps it.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    lines = counted(chain.from_iterable(map(lines_of, files)), err())
    added = Crawl(folder).add(chain(seeds, lines if files else ()))
    if as_json:
        click.echo(msgspec.json.encode(added))
    else:
        console = out()
        console.print(f"{added.seeds:,} {several(added.seeds, 'seed')} added")
        if added.waits and added.seeds:
            wait = "it waits" if added.seeds == 1 else "they wait"
            console.print(f"{wait}; go on with\n    {helios('resume', folder)}", markup=False, soft_wrap=True)
    for url, reason in added.refused:
        err().print(f"seed not added: {url}: {reason}", markup=False, soft_wrap=True)
    ctx.exit(0 if added.seeds else FAILED)
