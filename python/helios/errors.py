"""Everything that Helios raises on purpose: one tree, half of it raised by the Rust core.

A message says what was being done, to what, and what to try. What happens to a page is an outcome, never an exception.
"""

from helios._core import FetchError, FrontierError, HeliosError, SettingsError, SimWebError, StorageError, UrlError

__all__ = [
    "ControlError",
    "FetchError",
    "FolderError",
    "FrontierError",
    "HeliosError",
    "QueryError",
    "SeedError",
    "SettingsError",
    "SimWebError",
    "StorageError",
    "StoreError",
    "UrlError",
]


class ControlError(HeliosError):
    """A running crawl that could not be asked or told something."""


class SeedError(HeliosError):
    """A seed that no crawl can start from."""


class FolderError(HeliosError):
    """A folder that cannot hold a crawl, or that holds none."""


class QueryError(HeliosError):
    """A question to a crawl that cannot be answered as it was asked."""


class StoreError(HeliosError):
    """The store could not write or read; nothing that was published is harmed."""
