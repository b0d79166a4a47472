"""A run with everything that looks on: the log is open, metrics are answered."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from helios.observe.journal import Journal, written
from helios.observe.metrics import text
from helios.observe.server import serving
from helios.observe.snapshot import Counted, snapshot
from helios.stages import Stages


@asynccontextmanager
async def observed(stages: Stages, counted: Counted, seeds: int) -> AsyncIterator[Journal]:
    """While inside, the run is seen; what ends it is written down."""
    with written(stages, seeds) as journal:
        async with serving(stages.settings.metrics, lambda: text(snapshot(stages, counted))) as address:
            if address is not None:
                journal.write("info", "metrics", "listening", address=address)
            yield journal
