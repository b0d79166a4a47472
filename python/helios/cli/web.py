"""What kind of synthetic web: the options that `helios simweb` and `helios demo` share."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
import msgspec

SEEDS = {"demo": 20, "default": 20, "calm": 3, "fast": 200}  # of each preset
NAMED = ("seed", "hosts", "corpus")  # settings of the web with options of their own

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Assignment(click.ParamType[tuple[str, object]]):
    """NAME=VALUE, the value as JSON; what is no JSON is a text."""

    name = "assignment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, object]:
        """Name and value."""
        name, equals, text = str(value).partition("=")
        if not (name and equals):
            self.fail(f"{value!r} is not NAME=VALUE; give one like mean_pages=200", param, ctx)
        try:
            return name.strip().replace("-", "_"), msgspec.json.decode(text)
        except msgspec.DecodeError:
            return name.strip().replace("-", "_"), text


def web_options(command: _Command) -> _Command:
    """Adds the options."""
    options = (
        click.option(
            "--preset", type=click.Choice(list(SEEDS)), default="demo", show_default=True, help="What kind of web."
        ),
        click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Another seed makes another web."),
        click.option("--hosts", type=click.IntRange(1, 10_000_000), help="How many hosts the web has."),
        click.option(
            "--corpus", metavar="DIR", help="Serve the real pages in DIR (*.html, *.html.gz, *.tar of those)."
        ),
        click.option(
            "--set",
            "assignments",
            type=Assignment(),
            multiple=True,
            metavar="NAME=VALUE",
            help="Any other setting of the web, the value as JSON; may be repeated. An unknown NAME lists them all.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def web_settings(preset: str, words: Mapping[str, Any]) -> dict[str, object]:
    """The settings that were given, under the names that the web has for them. A web of few hosts has as few seeds."""
    named = {key: words[key] for key in NAMED if words[key] is not None}
    hosts = named.get("hosts", SEEDS[preset])
    few = {"seeds": hosts} if 0 < hosts < SEEDS[preset] else {}
    return {**few, **dict(words["assignments"]), **named}


def as_words(words: Mapping[str, Any]) -> list[str]:
    """The same options for another command."""
    given = {"preset": words["preset"], **{key: words[key] for key in NAMED if words[key] is not None}}
    return [
        *(f"--{key}={value}" for key, value in given.items()),
        *(f"--set={name}={msgspec.json.encode(value).decode()}" for name, value in words["assignments"]),
    ]
