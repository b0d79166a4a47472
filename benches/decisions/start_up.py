"""Start-up time of settings and command-line libraries, each in fresh interpreters with warm bytecode.

Usage: python start_up.py [turns]     CPU milliseconds (user + system of the child), median [least .. most]
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = ["crawl", "status", "search", "export", "serve"]

CLICK = """
import click
@click.group()
def main():
    "Helios crawls the web."
{commands}
main()
"""
CLICK_COMMAND = """
@main.command()
@click.argument("seed")
@click.option("--delay", default=1.0, help="Seconds between requests.")
@click.option("--pages", default=1000, help="Most pages.")
@click.option("--depth", default=5, help="Most hops.")
def {name}(seed, delay, pages, depth):
    "Run {name}."
"""
TYPER = """
from typing import Annotated
import typer
main = typer.Typer(help="Helios crawls the web.")
{commands}
main()
"""
TYPER_COMMAND = """
@main.command()
def {name}(seed: str, delay: Annotated[float, typer.Option(help="Seconds between requests.")] = 1.0,
           pages: Annotated[int, typer.Option(help="Most pages.")] = 1000,
           depth: Annotated[int, typer.Option(help="Most hops.")] = 5):
    "Run {name}."
"""
CYCLOPTS = """
from typing import Annotated
import cyclopts
main = cyclopts.App(help="Helios crawls the web.")
{commands}
main()
"""
CYCLOPTS_COMMAND = """
@main.command
def {name}(seed: str, *, delay: Annotated[float, cyclopts.Parameter(help="Seconds between requests.")] = 1.0,
           pages: Annotated[int, cyclopts.Parameter(help="Most pages.")] = 1000,
           depth: Annotated[int, cyclopts.Parameter(help="Most hops.")] = 5):
    "Run {name}."
"""
ARGPARSE = """
import argparse
main = argparse.ArgumentParser(description="Helios crawls the web.")
sub = main.add_subparsers(required=True)
{commands}
main.parse_args()
"""
ARGPARSE_COMMAND = """
{name} = sub.add_parser("{name}", help="Run {name}.")
{name}.add_argument("seed")
{name}.add_argument("--delay", type=float, default=1.0, help="Seconds between requests.")
{name}.add_argument("--pages", type=int, default=1000, help="Most pages.")
{name}.add_argument("--depth", type=int, default=5, help="Most hops.")
"""
PROGRAMS = {
    "argparse": (ARGPARSE, ARGPARSE_COMMAND),
    "click": (CLICK, CLICK_COMMAND),
    "typer": (TYPER, TYPER_COMMAND),
    "cyclopts": (CYCLOPTS, CYCLOPTS_COMMAND),
}


def child_cpu_ms(command: list[str]) -> float:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    with tempfile.TemporaryDirectory() as folder:
        cases = {"bare interpreter": [sys.executable, "-c", "pass"]}
        for name in ("dataclasses", "msgspec", "pydantic", "pydantic_settings", "argparse", "click", "typer", "cyclopts"):
            # pydantic and cyclopts import lazily: touch what a program would use
            touch = {
                "pydantic": "from pydantic import BaseModel, Field",
                "pydantic_settings": "from pydantic_settings import BaseSettings",
                "cyclopts": "from cyclopts import App, Parameter",
                "typer": "from typer import Typer, Option",
            }.get(name, f"import {name}")
            cases[f"import {name}"] = [sys.executable, "-c", touch]
        for name, (frame, command) in PROGRAMS.items():
            file = Path(folder) / f"with_{name}.py"
            file.write_text(frame.format(commands="".join(command.format(name=c) for c in COMMANDS)))
            cases[f"{name} --help"] = [sys.executable, str(file), "--help"]
            cases[f"{name} crawl --help"] = [sys.executable, str(file), "crawl", "--help"]
        seen = {name: [] for name in cases}
        for turn in range(turns + 1):
            for name, command in cases.items():
                took = child_cpu_ms(command)
                if turn:  # the first turn writes the bytecode
                    seen[name].append(took)
    for name, times in seen.items():
        print(f"{name:28} {statistics.median(times):6.0f}  [{min(times):.0f} .. {max(times):.0f}]")


if __name__ == "__main__":
    main()
