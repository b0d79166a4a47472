"""`--help` teaches: every command has examples, and they are ones that it understands. Completion works in a shell."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from helios.cli import main
from helios.cli.completion import SHELLS


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = dict(commands(main))
GROUPS = [(), *(path for path, command in ALL.items() if isinstance(command, click.Group))]


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_no_line_of_a_list_of_commands_is_cut_short(path: tuple[str, ...]) -> None:
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(main, [*path, "--help"], terminal_width=80).output
    assert "Commands:" in shown
    assert "..." not in shown.partition("Commands:")[2]


def examples(path: tuple[str, ...]) -> list[list[str]]:
    """The lines of a help text that begin with the command."""
    text = (ALL[path].help or "").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    found = [shlex.split(re.sub(r"^([A-Z_]+=\S+ )+", "", line)) for line in lines if "helios " in f"{line} "]
    return [_alone(words[1:]) for words in found if words[:1] == ["helios"]]


def _alone(words: list[str]) -> list[str]:
    """Without what a shell would do with the output."""
    return next((words[:at] for at, word in enumerate(words) if word in ("|", ">")), words)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_shows_how_it_is_used(path: tuple[str, ...]) -> None:
    assert [words for words in examples(path) if tuple(words[: len(path)]) == path], "no example"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_example_is_understood(path: tuple[str, ...]) -> None:
    for words in examples(path):
        command: click.Command = main
        rest = words
        while isinstance(command, click.Group) and rest and (rest[0] in command.list_commands(click.Context(command))):
            found = command.get_command(click.Context(command), rest[0])
            assert found is not None
            command, rest = found, rest[1:]
        with command.make_context(words[0], list(rest)) as ctx:  # raises for a word that it does not know
            assert ctx.params is not None


# What a program could want to read; the others do something and say a sentence.
SAYS_A_SENTENCE = {("pause",), ("stop",), ("model", "build"), ("model", "path"), ("config", "init"), ("completion",)}


@pytest.mark.parametrize("path", [path for path, one in ALL.items() if path not in SAYS_A_SENTENCE], ids=" ".join)
def test_what_a_program_could_read_comes_as_json_too(path: tuple[str, ...]) -> None:
    options = [name for one in ALL[path].params for name in one.opts]
    group = isinstance(ALL[path], click.Group) and not getattr(ALL[path], "invoke_without_command", False)
    assert group or "--json" in options or path == ("dead", "export"), "its files are for programs"


def test_the_exit_codes_are_told() -> None:
    assert "130 Ctrl-C" in CliRunner().invoke(main, ["--help"]).output


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_its_completion(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("there is no bash")
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert "_HELIOS_COMPLETE" in result.output


TABS: list[tuple[str, set[str]]] = [
    ("helios cra", {"crawl"}),
    ("helios config ", {"init", "show", "check"}),
    ("helios crawl --max-p", {"--max-pages", "--max-pages-per-site"}),
    ("helios crawl --scope h", {"host"}),
    ("helios completion f", {"fish"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(("typed", "offered"), TABS)
def test_bash_completes(tmp_path: Path, typed: str, offered: set[str]) -> None:
    helios = tmp_path / "helios"
    called = "from helios.cli import main; main(prog_name='helios')"
    helios.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{called}" "$@"\n')
    helios.chmod(0o755)
    script = CliRunner().invoke(main, ["completion", "bash"]).output
    words = typed.split(" ")
    line = " ".join(shlex.quote(word) for word in words)
    pressed = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _helios_completion helios"
    press = f'{script}\n{pressed}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    bash = str(shutil.which("bash"))
    done = subprocess.run([bash, "--norc", "-c", press], env=environ, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered
