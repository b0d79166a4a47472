"""`helios letters`."""

from pathlib import Path

import click
import msgspec
from rich.text import Text

from helios.cli.words import helios, out
from helios.crawl.opened import Crawl
from helios.crawl.summary import gather

MOST = 10_000  # letters that are looked at


@click.command("letters")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--replay", is_flag=True, help="Put them back into their queues; helios resume asks again.")
@click.option("--site", help="Replay only those of one site.")
@click.option("--reason", help="Replay only those whose reason contains this.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(folder: Path, replay: bool, site: str | None, reason: str | None, as_json: bool) -> None:
    """Show the dead letters of the crawl in FOLDER: URLs that used up their attempts, by reason. Or replay them.

    The crawl must not be running.
    """
    if (site or reason) and not replay:
        raise click.UsageError("--site and --reason choose what to replay: add --replay")
    if site and reason:
        raise click.UsageError("give --site or --reason, not both")
    crawl = Crawl(folder)
    console = out()
    if replay:
        count = crawl.replay(site=site, reason=reason)
        console.print(f"{count:,} dead letters wait again; go on with", markup=False)
        console.print(f"    {helios()} resume {folder}", markup=False, soft_wrap=True)
        return
    letters = crawl.dead_letters(MOST)
    if as_json:
        rows = [{"url": url, "reason": why, "attempts": attempts} for url, why, attempts in letters]
        click.echo(msgspec.json.encode(rows))
        return
    if not letters:
        console.print("there are no dead letters")
    if len(letters) == MOST:
        console.print(f"of the first {MOST:,}:")
    for group in gather(letters):
        console.print(Text(f"{group.count:,}  {group.reason}"), soft_wrap=True)
        console.print(Text(f"    such as {group.example}", style="dim"), soft_wrap=True)
