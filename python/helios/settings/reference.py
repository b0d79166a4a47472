"""docs/settings.md, made from the tables: `python -m helios.settings.reference > docs/settings.md`."""

import sys

import msgspec

from helios.settings.assemble import TABLES, form_of, meaning
from helios.settings.toml import inline

UNITS = {"_ms": "ms", "_s": "s", "_seconds": "s", "bytes": "bytes", "_per_second": "1/s"}  # by how a name ends
LONG = 60  # characters of a default, in a table

HEAD = """# Settings

Made from the code by `python -m helios.settings.reference > docs/settings.md`; a test compares.

One TOML file, one table per stage. `helios config init` writes one with every key as a comment,
`helios config check FILE` finds what is wrong with it, `helios config show` tells which values are in use and where
they come from. An unknown key is refused, with the one that was probably meant.

## What comes on top of what

1. the defaults below,
2. the file: `--config FILE`; for a crawl that goes on, the `helios.toml` in its folder,
3. the environment: `HELIOS_<TABLE>_<KEY>`, such as `HELIOS_FETCH_CONCURRENCY=64`; lists with commas
   (`HELIOS_DNS_SERVERS=9.9.9.9:53,1.1.1.1:53`) or as in TOML. `HELIOS_CONTACT` is short for `HELIOS_FETCH_CONTACT`,
4. options: `--concurrency 64`, or for any setting `--set fetch.concurrency=64`; in Python what is given by name.

`none` takes a value away where the default is none: `--set crawl.max_pages=none`, in Python `max_pages=None`.

The settings in use are kept in the crawl's folder, in `helios.toml`, which can be given to another crawl. Where they
hold passwords, only the owner can read that file; no message, log or `helios config show` repeats them.
"""


def markdown() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, kind in TABLES.items():
        parts.append(f"\n## [{name}]\n\n{(kind.__doc__ or '').strip()}\n")
        parts.append("| key | default | unit | takes | meaning |\n|---|---|---|---|---|")
        parts += [_row(kind, key) for key in kind.__struct_fields__]
    return "\n".join(parts) + "\n"


def _row(kind: type[msgspec.Struct], key: str) -> str:
    unit = next((unit for end, unit in UNITS.items() if key.endswith(end)), "")
    cells = (f"`{key}`", _default(kind, key), unit, form_of(kind, key), meaning(kind, key))
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _default(kind: type[msgspec.Struct], key: str) -> str:
    value = msgspec.to_builtins(getattr(kind(), key))
    if value is None:
        return "none"
    shown = inline(value)
    return f"`{shown}`" if len(shown) <= LONG else f"{len(value)} of them: `{inline(value[:2])[1:-1]}`, …"


if __name__ == "__main__":
    sys.stdout.write(markdown())
