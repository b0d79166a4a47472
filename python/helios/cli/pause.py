"""`helios pause`."""

from pathlib import Path

import click
import msgspec

from helios.cli.words import helios, out
from helios.crawl.opened import Crawl


@click.command("pause")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print whether it was paused before as JSON.")
def command(folder: Path, as_json: bool) -> None:
    """Have the running crawl in FOLDER ask for nothing more until `helios resume FOLDER`.

    \b
    helios pause example

    Visits that are under way come home and are stored. The process stays; a limit of time (--time) goes on, and Ctrl-C
    and `helios stop` work. A pause does not outlive the process.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    before = Crawl(folder).pause()
    if as_json:
        click.echo(msgspec.json.encode({"paused_before": before}))
        return
    said = "was paused before" if before else "pauses"
    out().print(f"the crawl in {folder} {said}; it goes on with", markup=False, soft_wrap=True)
    out().print(f"    {helios('resume', folder)}", markup=False, soft_wrap=True)
