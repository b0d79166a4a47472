"""The `helios` command: finds its commands, and says every error in one sentence."""

import difflib
import importlib
import sys
from typing import IO, Any

import click

from helios._core import __version__
from helios.cli.standard import standard_output
from helios.errors import FolderError, HeliosError, QueryError, SeedError, SettingsError, StoreError, UrlError
from helios.shown import without_users

DONE, FAILED, USAGE, CONVICTED, INTERRUPTED = EXIT_CODES = 0, 1, 2, 3, 130  # docs/commands.md says what they mean

COMMANDS = {  # each in the file of its name, which is imported when it is used
    "crawl": "Crawl from URLs into a folder; a crawl in it goes on.",
    "status": "Show how a crawl goes, or how its last run left it.",
    "pause": "Have a running crawl ask for nothing more until resume.",
    "resume": "Go on after a pause, Ctrl-C, a limit or a crash.",
    "stop": "End a running crawl as Ctrl-C does.",
    "add": "Give more seeds to a crawl, whether it runs or not.",
    "why": "Tell why a URL was fetched, or not.",
    "dead": "Dead letters: URLs that used up their attempts.",
    "stats": "Show what is in a crawl, with small plots.",
    "show": "Show one stored page.",
    "search": "Find pages by their words, the best first.",
    "export": "Write the pages of a crawl for other programs.",
    "sql": "Ask a crawl a question in SQL.",
    "config": "Settings: a file to begin with, what is in use, what is wrong.",
    "doctor": "Tell whether this machine is fit for a crawl.",
    "completion": "Print what makes a shell complete commands and options.",
    "model": "Embedding models: where they are, how they are made.",
    "simweb": "Serve a synthetic web on this machine until Ctrl-C.",
    "demo": "Crawl a synthetic web on this machine, and have it judged.",
}


class Plain(click.ClickException):
    """An error that a person can put right: one sentence, no traceback."""

    def __init__(self, error: HeliosError) -> None:
        super().__init__(without_users(str(error)))
        usage = isinstance(error, (SettingsError, SeedError, FolderError, UrlError, QueryError))
        self.exit_code = USAGE if usage else FAILED  # type: ignore[misc]  # as click itself does

    def show(self, file: IO[Any] | None = None) -> None:
        """Writes the sentence."""
        click.echo(f"helios: {self.format_message()}", file=file, err=True)


class Group(click.Group):
    """Commands that are imported when they are named, so that `helios --help` is quick."""

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401  # click's signature
        """Runs the program; standard output that cannot be written is an error like others, of `--help`, too."""
        try:
            with standard_output():
                return super().main(*args, **extra)
        except StoreError as error:
            said = Plain(error)
            said.show()
            sys.exit(said.exit_code)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """In the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # same
        """The command in the file of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"helios.cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            return None
        command.short_help = COMMANDS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; one that is not there is told beside those that are like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            like = difflib.get_close_matches(args[0], COMMANDS, n=1)
            if like and not args[0].startswith("-"):
                raise click.UsageError(f"there is no command {args[0]!r}; did you mean {like[0]!r}?", ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # same
        """The list in `helios --help`, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's signature
        """Runs a command; errors made on purpose end in a sentence, Ctrl-C in 130."""
        try:
            return super().invoke(ctx)
        except HeliosError as error:
            raise Plain(error) from error
        except click.UsageError as error:
            error.message = without_users(error.message)  # type: ignore[misc]  # click repeats the word that is wrong
            raise
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="helios")
def main() -> None:
    """Helios crawls the web: politely, exactly, fast.

    \b
    helios demo                                   crawl a synthetic web on this machine
    helios crawl https://example.org/ \\
        --contact you@example.org --out example   crawl a site
    helios status example                         how it goes; from another terminal, too: pause, stop, add
    helios resume example                         go on with it after a pause, Ctrl-C or a crash
    helios stats example                          what is in it
    helios search example green tea               find pages in it
    helios export example -o example.parquet      for other programs
    helios why example URL                        why a page was fetched, or not
    helios config init                            every setting, explained
    helios doctor                                 is this machine fit for a crawl?

    Exit codes: 0 done, 1 it failed, 2 wrong words or settings, 3 the auditor convicts, 130 Ctrl-C.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
