"""`helios resume`."""

from pathlib import Path

import click

from helios.cli.crawl import exit_code, show, summary_goes
from helios.cli.words import Duration, Setting, err, helios, out


@click.command("resume")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("seeds", nargs=-1, metavar="[SEED...]")
@click.option("--max-pages", type=int, help="Store at most so many pages in all, those of earlier runs included.")
@click.option("--max-pages-per-site", type=int, help="Store at most so many pages of one site in all.")
@click.option("--time", "duration", type=Duration(), help="Ask for nothing more after 30s, 10m, 2h of this run.")
@click.option("--delay", type=Duration(), help="Pause between two requests to one site.")
@click.option("--concurrency", type=int, help="Visits at once.")
@click.option("--set", "given", type=Setting(), multiple=True, metavar="TABLE.KEY=VALUE", help="Any other setting.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary, or that a pause is ended, as JSON.")
@click.pass_context
def command(
    ctx: click.Context, /, folder: Path, seeds: tuple[str, ...], quiet: bool, as_json: bool, **words: object
) -> None:
    """Go on with the crawl in FOLDER: after a pause, or from where Ctrl-C, a limit or a crash ended it.

    \b
    helios resume example
    helios resume example --max-pages 5000 https://example.org/more
    helios resume example --set crawl.max_pages=none

    What was stored is not fetched again, what was in flight is. Options change the settings of the crawl.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    from helios.crawl.begin import blocking, resumed  # noqa: PLC0415  # --help is quick without a crawler
    from helios.crawl.progress import shown  # noqa: PLC0415  # same
    from helios.folder import existing  # noqa: PLC0415  # same

    duration = words["duration"]
    changes = {
        "max_pages": words["max_pages"],
        "max_pages_per_site": words["max_pages_per_site"],
        "max_seconds": -(-duration // 1000) if isinstance(duration, int) else None,
        "delay_ms": words["delay"],
        "concurrency": words["concurrency"],
    }
    by_name = Setting.tables(words["given"]) if isinstance(words["given"], tuple) else {}
    given = {**{name: value for name, value in changes.items() if value is not None}, **by_name}
    if not (given or seeds) and _went_on(folder, as_json=as_json):
        return
    with shown(err(), quiet=quiet) as watch:
        summary = blocking(resumed(folder, seeds, given), watch)
    settings = existing(folder).settings()
    show(summary, as_json=as_json, to=summary_goes(settings), again=True, settings=settings)
    ctx.exit(exit_code(summary, again=True))


def _went_on(folder: Path, *, as_json: bool) -> bool:
    """Ends the pause of a crawl that runs; one that is not paused is refused by whoever begins it."""
    from helios.crawl.opened import Crawl  # noqa: PLC0415  # as above

    crawl = Crawl(folder)
    if not crawl.running or not crawl.go_on():
        return False
    if as_json:
        import msgspec  # noqa: PLC0415  # same

        click.echo(msgspec.json.encode({"paused_before": True}))
        return True
    out().print(f"the crawl in {folder} goes on; see how with\n    {helios('status', folder)}", soft_wrap=True)
    return True
