"""`helios demo`: a whole crawl on this machine: synthetic web, crawl, audit."""

from pathlib import Path

import click
import msgspec
from rich.rule import Rule

from helios.cli.crawl import exit_code, show
from helios.cli.group import CONVICTED
from helios.cli.simweb import ONE_ADDRESS
from helios.cli.web import as_words, web_options
from helios.cli.words import Duration, err, out
from helios.clock import SystemClock, stamp
from helios.crawl.begin import begun, blocking
from helios.crawl.progress import shown
from helios.errors import SimWebError
from helios.settings import load
from helios.simweb import Served, Verdict, audit, promises, started


@click.command("demo")
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), help="New folder for the crawl. [default: crawls/TIME]"
)
@web_options
@click.option("--delay", type=Duration(), default="1s", show_default=True, help="Pause between requests to one site.")
@click.option("--max-pages", type=int, help="Store at most so many pages.")
@click.option(
    "--max-pages-per-site",
    type=int,
    default=30,
    show_default=True,
    help="Store at most so many pages of one site: some sites are endless.",
)
@click.option("--time", "duration", type=Duration(), help="Stop after 30s, 2m.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print summary and audit as JSON.")
@click.pass_context
def command(ctx: click.Context, /, folder: Path | None, quiet: bool, as_json: bool, **words: object) -> None:
    """Crawl a synthetic web on this machine, then ask its auditor for a verdict.

    \b
    helios demo
    helios demo --seed 7 --hosts 500 --delay 200ms --time 1m

    The web runs in a process of its own, on loopback, with names, certificates and troubles like the real one's.
    Exit code 3: the auditor found a promise broken.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    target = folder or Path("crawls") / stamp(SystemClock().now())
    with started(as_words(words)) as served:
        if not served.all_addresses:
            raise SimWebError(f"the demo needs all of 127.0.0.0/8, but {ONE_ADDRESS}")
        settings = load(None, **_settings(served, words))
        with shown(err(), quiet=quiet) as watch:
            summary = blocking(begun(settings, served.seeds, target), watch)
        verdict = audit(served.http, promises(settings, complete=summary.ended == "finished"))
    if as_json:
        click.echo(msgspec.json.encode({"summary": summary, "audit": verdict.report}))
    else:
        show(msgspec.structs.replace(summary, pending=0), as_json=False)  # its web is gone: it cannot go on
        _show_verdict(verdict)
    ctx.exit(exit_code(summary) if verdict.innocent else CONVICTED)


def _settings(served: Served, words: dict[str, object]) -> dict[str, object]:
    duration = words["duration"]
    return {
        "scope": "any",
        "max_pages": words["max_pages"],
        "max_pages_per_site": words["max_pages_per_site"],
        "max_seconds": duration // 1000 if isinstance(duration, int) else None,
        "delay_ms": words["delay"],
        "contact": "demo@localhost",
        "allow": ["loopback"],
        "servers": [served.dns],
        "extra_ca": served.ca,
    }


def _show_verdict(verdict: Verdict) -> None:
    console = out()
    console.print(Rule("the auditor, by the web's own log", align="left"))
    console.print(verdict.text, markup=False, soft_wrap=True)
