"""All checks, in the order of a crawl's needs."""

from collections.abc import Iterator
from pathlib import Path

from helios.clock import Clock
from helios.doctor.finding import Finding
from helios.doctor.here import browser, certificates, clock, disk, files, memory, versions
from helios.doctor.there import names, store
from helios.settings import Settings


def examined(settings: Settings, folder: Path, name: str | None, time: Clock) -> Iterator[Finding]:
    """One finding after the other, as they come; `name` is what name servers are asked for."""
    place = existing_part(folder)
    yield versions()
    yield clock(time, place)
    yield files(settings)
    yield memory(settings)
    yield disk(time, place)
    yield names(settings, name, time)
    yield certificates(settings)
    if (found := store(settings)) is not None:
        yield found
    yield browser()


def existing_part(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next((one for one in (folder, *folder.absolute().parents) if one.is_dir()), Path("/"))
