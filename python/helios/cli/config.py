"""`helios config`."""

import os
from pathlib import Path

import click
import msgspec
from rich.table import Table
from rich.text import Text

from helios.cli.group import USAGE
from helios.cli.words import Setting, out
from helios.errors import FolderError, SettingsError
from helios.folder import existing
from helios.settings.assemble import TABLES, assembled
from helios.settings.load import layers
from helios.settings.secrets import hidden
from helios.settings.tables import Settings
from helios.settings.toml import inline, template
from helios.stages import tried


@click.group("config")
def command() -> None:
    """Settings: a file to begin with, what is in use, what is wrong.

    \b
    helios config init crawl.toml
    helios config check crawl.toml
    helios crawl https://example.org/ --config crawl.toml --contact you@example.org
    helios config show crawls/20261115-021534

    docs/settings.md lists every setting. A file is overridden by the environment (HELIOS_FETCH_CONCURRENCY=64), both by
    options (--concurrency 64, --set fetch.concurrency=64).
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped


@command.command("init", short_help="Write every setting, explained, to a file.")
@click.argument("file", type=click.Path(path_type=Path), default="helios.toml", metavar="[FILE]")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def init_command(file: Path, force: bool) -> None:
    """Write every setting with its default and meaning to FILE (helios.toml), as comments.

    \b
    helios config init
    helios config init - | less
    """  # noqa: D301  # as above
    if str(file) == "-":
        click.echo(template(), nl=False)
        return
    try:
        with file.open("w" if force else "x", encoding="utf-8") as opened:
            opened.write(template())
    except FileExistsError as error:
        raise FolderError(f"{file} is there already; give another name, or --force to replace it") from error
    except OSError as error:
        raise FolderError(f"{file} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {file}; take the # from lines that you want to change, then: helios crawl --config {file} ...")


@command.command("show", short_help="Show the settings in use and where each comes from.")
@click.argument("folder", type=click.Path(path_type=Path), required=False, metavar="[FOLDER]")
@click.option("--config", type=click.Path(path_type=Path), help="TOML file with settings.")
@click.option("--set", "given", type=Setting(), multiple=True, metavar="TABLE.KEY=VALUE", help="As for helios crawl.")
@click.option("--changed", is_flag=True, help="Only what differs from the defaults.")
@click.option("--json", "as_json", is_flag=True, help="Print values and where they come from as JSON.")
def show_command(
    folder: Path | None, config: Path | None, given: tuple[tuple[str, str, object], ...], changed: bool, as_json: bool
) -> None:
    """Show the settings that a crawl would use, or that the crawl in FOLDER goes on with, and where they come from.

    \b
    helios config show --config crawl.toml --changed
    helios config show example --json
    HELIOS_FETCH_CONCURRENCY=64 helios config show
    """  # noqa: D301  # as above
    if folder is not None and config is not None:
        raise click.UsageError("give a FOLDER or --config, not both")
    file = config if folder is None else existing(folder).settings_file
    found = assembled(layers(file, os.environ, **Setting.tables(given)))
    if found.problems:
        raise SettingsError(found.problems[0])
    values, defaults = hidden(found.settings), hidden(Settings())
    rows = [
        (table, key, value, found.origins.get((table, key), "default") if value != defaults[table][key] else "default")
        for table, keys in values.items()
        for key, value in keys.items()
    ]
    rows = [row for row in rows if row[3] != "default" or not changed]
    if as_json:
        told: dict[str, dict[str, object]] = {name: {} for name in TABLES}
        for table, key, value, source in rows:
            told[table][key] = {"value": value, "from": source}
        click.echo(msgspec.json.encode({name: keys for name, keys in told.items() if keys}))
        return
    _show(rows)


def _show(rows: list[tuple[str, str, object, str]]) -> None:
    console = out()
    for name in dict.fromkeys(table for table, *_ in rows):
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_column(overflow="fold")
        for table, key, value, source in rows:
            if table == name:
                shown = "none" if value is None else inline(value)
                own = source != "default"
                grid.add_row(key, Text(shown, style="" if own else "dim"), Text(source, style="cyan" if own else "dim"))
        console.print(Text(f"[{name}]", style="bold"))
        console.print(grid)
        console.print()
    if not rows:
        console.print("all settings have their defaults")


@command.command("check", short_help="Tell whether a settings file can be used.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON.")
@click.pass_context
def check_command(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Tell whether FILE can be used: ok, or everything that is wrong with it. Exit code 2: something is.

    \b
    helios config check crawl.toml

    The parts of a crawl are tried with it, too: patterns, selectors, proxies, and whether a hook is found.
    """  # noqa: D301  # as above
    problems = _problems(file)
    if as_json:
        click.echo(msgspec.json.encode({"file": str(file), "ok": not problems, "problems": problems}))
    else:
        for problem in problems:
            click.echo(problem, err=True)
        click.echo(f"{file}: ok" if not problems else f"{file}: {len(problems)} wrong", err=bool(problems))
    ctx.exit(USAGE if problems else 0)


def _problems(file: Path) -> list[str]:
    try:
        found = assembled(layers(file))
        if not found.problems:
            tried(found.settings)
    except SettingsError as error:
        return [str(error)]
    return found.problems
