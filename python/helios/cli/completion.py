"""`helios completion`."""

import click
from click.shell_completion import get_completion_class

from helios.cli.group import main

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_HELIOS_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print what makes SHELL complete commands and options of helios on Tab.

    \b
    helios completion bash > ~/.local/share/bash-completion/completions/helios
    helios completion zsh > ~/.zfunc/_helios
    helios completion fish > ~/.config/fish/completions/helios.fish

    For zsh, ~/.zfunc must be in fpath before compinit; then begin a new shell.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    kind = get_completion_class(shell)
    if kind is None:  # click may drop a shell one day
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(kind(main, {}, "helios", VARIABLE).source())
