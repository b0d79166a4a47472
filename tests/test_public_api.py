"""The public surface is this list; a name that comes or goes is a decision."""

import inspect

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
    names = {name for name, value in vars(helios).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert names == PUBLIC - {"__version__"}


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
