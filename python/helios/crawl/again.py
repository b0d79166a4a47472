"""Whether a crawl can go on: nobody is at it, and what its folder is made of is not to be changed."""

from pathlib import Path

from helios.control.client import channel
from helios.errors import SettingsError, StorageError
from helios.settings import Settings

# What is on disk depends on these. The frontier guards what its own records depend on: [urls], split_sites.
FIXED: dict[str, tuple[str, ...]] = {
    "embed": (),  # all of it: vectors of two models lie in two spaces, nothing can be found among them
    "seen": ("mode",),
    "store": ("url",),  # or the pages would be in two places, and neither complete
}


def require_idle(out: Path) -> None:
    """One crawl at a time goes into a folder; who runs it twice may want to see the first, or to give it more."""
    if (running := channel(out)) is not None:
        raise StorageError(
            f"the crawl in {out} is running (in use by process {running.who.pid}): see how it goes with helios status "
            f"{out}, give it more with helios add {out} SEED, end it with helios stop {out}"
        )


def require_unchanged(then: Settings, now: Settings) -> None:
    """Some settings are for the whole life of a crawl."""
    if now.crawl.scope == "list" != then.crawl.scope:
        raise SettingsError(
            '[crawl] scope cannot become "list" once a crawl has begun, for what waits was not given but found: set it '
            "back, or begin a crawl in another folder"
        )
    for name, keys in FIXED.items():
        before, after = getattr(then, name), getattr(now, name)
        changed = [key for key in keys or after.__struct_fields__ if getattr(before, key) != getattr(after, key)]
        if changed:
            raise SettingsError(
                f"[{name}] {', '.join(changed)} cannot change once a crawl has begun: set it back, or begin a crawl in "
                "another folder"
            )
