"""The tables of what a person and their tools see of a crawl."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Struct

from helios.settings.words import least, like, says

Level: TypeAlias = Literal["debug", "info", "warning", "error", "off"]
LogFormat: TypeAlias = Literal["json", "human"]


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers for Prometheus while the crawl runs (docs/metrics.md)."""

    listen: (
        Annotated[
            str,
            like(
                r"^(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):[0-9]{1,5}$",
                'an address with its port, such as "127.0.0.1:9464"',
                '"address:port" that answers GET /metrics, such as "127.0.0.1:9464"; port 0: any; '
                "none: nothing listens. Whoever can reach it can read it",
            ),
        ]
        | None
    ) = None


class Log(Struct, frozen=True, forbid_unknown_fields=True):
    """What is written down of a run, in the folder's logs (docs/logs.md)."""

    level: Annotated[Level, says("what is written at least; off: no log")] = "info"
    format: Annotated[LogFormat, says('"json": an object a line, in helios.jsonl; "human": plain, in helios.log')] = (
        "json"
    )
    max_bytes: Annotated[int, least(4_096, "bytes of one file; then a new one is begun")] = 10_000_000
    files: Annotated[int, least(1, "files kept, the oldest is removed: disk use is files times max_bytes")] = 5
    lines_per_minute: Annotated[int, least(1, "lines of each kind and minute; the others are only counted")] = 20
    slow_ms: Annotated[int, least(1, "milliseconds from which on a step of storing a batch is called slow")] = 10_000
