"""SHARES: what each part of a crawl may take of the memory that the settings allow, and of the files that may be open.

In: settings. Out: the same, with the values lowered that would go beyond `[crawl] memory`. Always: what a person set
lower stays lower; the rest is watched while the crawl runs (`crawl/ceiling.py`).
"""

from typing import TypeVar

import msgspec

from helios.errors import SettingsError
from helios.measure.machine import allow_open_files
from helios.settings import Settings
from helios.settings.words import bytes_of

BASE = 300_000_000  # Python, Arrow, Lance, the models of text and language, write buffers of the database
LEAST = 400_000_000
# Parts of what is left: bodies, and four tables. What remains is for trees, rows and files being written.
BODIES, HEADS, SEEN, NAMES = 0.12, 0.05, 0.05, 0.03
HEAD_BYTES, SEEN_BYTES, NAME_BYTES = 300, 35, 150  # of one entry
VISIT_BYTES = 200_000  # of what a visit that is being served needs, or visits wait for each other
SPARE_FILES = 256  # the database, the table, and what Python has open, beside connections
PAGE_BYTES = 300_000  # of a large body, so that a batch of them is bounded, too

Table = TypeVar("Table", bound=msgspec.Struct)


def within(settings: Settings) -> Settings:
    """The settings with every part at most at its share."""
    if settings.crawl.memory is None:
        return settings
    total = bytes_of(settings.crawl.memory)
    if total < LEAST:
        raise SettingsError(
            f'[crawl] memory = "{settings.crawl.memory}" is not enough: give {LEAST // 1_000_000}MB or more'
        )
    left = total - BASE
    bodies = min(settings.fetch.max_memory_bytes, int(left * BODIES))
    return msgspec.structs.replace(
        settings,
        fetch=_at_most(
            msgspec.structs.replace(settings.fetch, max_memory_bytes=bodies), "concurrency", bodies // VISIT_BYTES
        ),
        frontier=_at_most(settings.frontier, "heads_in_memory", int(left * HEADS / HEAD_BYTES)),
        seen=_at_most(settings.seen, "memtable", int(left * SEEN / SEEN_BYTES)),
        dns=_at_most(settings.dns, "cache_entries", int(left * NAMES / NAME_BYTES)),
        store=_at_most(settings.store, "batch_pages", max(16, bodies // PAGE_BYTES)),
    )


def room_to_wait(settings: Settings) -> int:
    """Connections that may wait for the next visit of their site: one for each visit, if so many files may be open.

    Lets this process open so many, as far as the machine allows it.
    """
    visits = settings.fetch.concurrency
    allowed = allow_open_files(2 * visits + SPARE_FILES)
    return max(0, min(visits, allowed - visits - SPARE_FILES))


def _at_most(table: Table, key: str, most: int) -> Table:
    return msgspec.structs.replace(table, **{key: min(getattr(table, key), most)})
