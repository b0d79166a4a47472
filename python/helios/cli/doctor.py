"""`helios doctor`."""

import os
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from helios.cli.group import FAILED
from helios.cli.words import out, print_json, whole
from helios.clock import SystemClock
from helios.doctor.finding import Finding
from helios.doctor.run import examined
from helios.folder import existing, holds_crawl
from helios.settings import load

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red", "skip": "dim"}


@click.command("doctor")
@click.argument("folder", type=click.Path(path_type=Path), default="crawls", metavar="[FOLDER]")
@click.option("--config", type=click.Path(path_type=Path), help="TOML file with the settings of the crawl to come.")
@click.option("--name", help="A name that the name servers are asked for, such as example.org.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def command(ctx: click.Context, folder: Path, config: Path | None, name: str | None, as_json: bool) -> None:
    """Tell whether this machine is fit for a crawl, and how to put right what is not.

    \b
    helios doctor
    helios doctor example --name example.org
    helios doctor --config crawl.toml --json

    FOLDER is where the crawl is or will be; one that is there brings its settings. Looks at clock, open files, memory,
    disk, name servers, certificates and object store. Without --name, no other machine is asked anything but an object
    store that the settings name. Exit code 1: something fails.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    own = existing(folder).settings_file if holds_crawl(folder) else None
    settings = load(own, config, os.environ)
    findings = []
    for finding in examined(settings, folder, name, SystemClock()):
        findings.append(finding)
        if not as_json:
            _show(finding)
    failed = [finding.check for finding in findings if finding.state == "fail"]
    if as_json:
        print_json({"ok": not failed, "findings": findings})
    ctx.exit(FAILED if failed else 0)


def _show(finding: Finding) -> None:
    line = Table.grid(padding=(0, 2))
    line.add_column(width=4)
    line.add_column(width=12, style="bold")
    line.add_column(overflow="fold")
    line.add_row(Text(finding.state, style=STYLES[finding.state]), finding.check, Text(finding.says))
    if finding.fix:
        line.add_row("", "", Text(f"-> {finding.fix}", style="cyan" if finding.state != "skip" else "dim"))
    whole(out(), line)
