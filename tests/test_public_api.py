"""The public surface is this list; a name that comes or goes is a decision."""

import inspect
import subprocess
import sys

import pytest

import helios

PUBLIC = {
    "Added",
    "Letter",
    "Status",
    "ControlError",
    "Crawl",
    "DeadLetters",
    "Element",
    "Failure",
    "FetchError",
    "FolderError",
    "Found",
    "FrontierError",
    "HeliosError",
    "Hit",
    "Outcome",
    "Page",
    "PageQuery",
    "QueryError",
    "SeedError",
    "Settings",
    "SettingsError",
    "SimWebError",
    "Snippet",
    "Stats",
    "StopCrawl",
    "Stream",
    "StoreError",
    "Summary",
    "StorageError",
    "UrlError",
    "__version__",
    "crawl",
    "open",
    "resume",
    "stream",
}


def test_the_public_names_are_these() -> None:
    assert set(helios.__all__) == PUBLIC
    assert all(hasattr(helios, name) for name in PUBLIC)


def test_nothing_else_looks_public() -> None:
    shown = {name: getattr(helios, name) for name in dir(helios) if not name.startswith("_")}
    assert {name for name, value in shown.items() if not inspect.ismodule(value)} == PUBLIC - {"__version__"}


def test_a_name_that_is_not_there_is_missed_as_anywhere() -> None:
    with pytest.raises(AttributeError, match="module 'helios' has no attribute 'crawls'"):
        helios.crawls  # type: ignore[attr-defined]  # noqa: B018  # the point


HEAVY = ("asyncio", "lance", "msgspec", "numpy", "pyarrow", "rich")


@pytest.mark.parametrize("words", ["--version", "--help", "crawl --help", "resume --help"])
def test_help_waits_for_nothing_that_only_a_crawl_needs(words: str) -> None:
    code = f"import sys; from helios.cli import main; main({words.split()!r}, standalone_mode=False); "
    code += f"print('heavy:', [name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_an_open_crawl_is_steered_without_what_only_tables_need() -> None:
    tables = ("lance", "numpy", "pyarrow")
    code = f"import sys, helios; helios.open; print([name for name in {tables!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_crawl_that_is_called_is_a_function_whatever_was_imported_first() -> None:
    code = "import helios.crawl.loop, helios; print(callable(helios.crawl), callable(helios.open))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True True"


def test_every_error_is_a_helios_error() -> None:
    errors = [getattr(helios, name) for name in PUBLIC if name.endswith("Error")]
    assert all(issubclass(error, helios.HeliosError) for error in errors)


def test_crawl_is_called_as_documented() -> None:
    assert list(inspect.signature(helios.crawl).parameters) == [
        *("seeds", "out", "config"),
        *("extract", "follow", "on_page", "on_error"),
        "settings",
    ]


def test_every_outcome_has_a_meaning() -> None:
    from helios.outcome import MEANING  # noqa: PLC0415  # not public

    assert set(MEANING) == set(helios.Outcome)
