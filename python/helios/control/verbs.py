"""What a running crawl can be asked. The tag of each is its verb: `{"verb": "stop", "now": true}`."""

from typing import TypeAlias

from msgspec import Struct


class Verb(Struct, frozen=True, forbid_unknown_fields=True, tag_field="verb"):
    """One request."""


class TellStatus(Verb, frozen=True, tag="status"):
    """How it goes. The answer is a `Status`."""


class Pause(Verb, frozen=True, tag="pause"):
    """Lease nothing more until told to go on. The answer: was it paused before?"""


class GoOn(Verb, frozen=True, tag="go_on"):
    """The end of a pause. The answer: was it paused before?"""


class End(Verb, frozen=True, tag="stop"):
    """As Ctrl-C; with `now`, as a second one."""

    now: bool = False


class Add(Verb, frozen=True, tag="add"):
    """More seeds, durably. The answer is an `Added`."""

    seeds: list[str]


class TellWhy(Verb, frozen=True, tag="why"):
    """Everything that the frontier knows of one URL, as `Crawl.why` has it."""

    url: str


class ListDead(Verb, frozen=True, tag="dead_list"):
    """Up to `limit` dead letters: a list of URL, reason, attempts. With `after`, those that follow that URL's."""

    limit: int
    after: str | None = None


class RetryDead(Verb, frozen=True, tag="dead_retry"):
    """Another life for dead letters: of a site, and whose reason contains a text; else all. The answer: how many."""

    site: str | None = None
    reason: str | None = None


Request: TypeAlias = TellStatus | Pause | GoOn | End | Add | TellWhy | ListDead | RetryDead


class Added(Struct, frozen=True):
    """What became of seeds that were added."""

    seeds: int  # that were handed over, those known before included
    refused: list[tuple[str, str]] = []  # seed, reason
    waits: bool = False  # for the next run of the crawl: this one is ending, or there is none


class Failure(Struct, frozen=True):
    """Why a request was not done: the name of an error of `helios.errors`, and its sentence."""

    error: str
    message: str
