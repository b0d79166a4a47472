"""The tables of what a person and their tools see of a crawl."""

from typing import Annotated

from msgspec import Meta, Struct


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers for Prometheus while the crawl runs (docs/metrics.md)."""

    listen: (
        Annotated[
            str,
            Meta(
                pattern=r"^(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):[0-9]{1,5}$",
                description='"address:port" that answers GET /metrics, such as "127.0.0.1:9464"; port 0: any; '
                "none: nothing listens. Whoever can reach it can read it",
            ),
        ]
        | None
    ) = None
