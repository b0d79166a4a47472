"""`helios stop`."""

from pathlib import Path

import click
import msgspec

from helios.cli.words import helios, out
from helios.crawl.opened import Crawl


@click.command("stop")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--now", is_flag=True, help="Do not wait for what is in flight; it is asked for again after a resume.")
@click.option("--wait", is_flag=True, help="Return when the crawl has ended.")
@click.option("--json", "as_json", is_flag=True, help="Print whether it has ended already as JSON.")
def command(folder: Path, now: bool, wait: bool, as_json: bool) -> None:
    """End the running crawl in FOLDER as Ctrl-C does; --now as Ctrl-C twice. Nothing that was stored is lost.

    \b
    helios stop example --wait
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    Crawl(folder).stop(now=now, wait=wait)
    if as_json:
        click.echo(msgspec.json.encode({"ended": wait}))
        return
    said = "has ended" if wait else "ends"
    out().print(f"the crawl in {folder} {said}; go on with", markup=False, soft_wrap=True)
    out().print(f"    {helios('resume', folder)}", markup=False, soft_wrap=True)
