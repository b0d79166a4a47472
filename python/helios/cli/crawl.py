"""`helios crawl`."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from helios.cli.group import FAILED, INTERRUPTED
from helios.cli.standard import Closed
from helios.cli.words import Duration, Setting, err, helios, out, print_json, safe, seeds_option, whole
from helios.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from helios.crawl.summary import Summary
    from helios.settings import Settings

# Of a run that stored nothing, by what became of its pages.
HINTS = {
    Outcome.NOT_MODIFIED: "what was looked at again is as it was",
    Outcome.DENIED: "robots.txt does not allow it",
    Outcome.REDIRECTED: "it is somewhere else, out of scope or in a circle; helios why tells where: begin there, or "
    "widen --scope",
    Outcome.MISSING: "nothing is there (4xx); is the URL spelled right?",
    Outcome.UNWANTED_TYPE: "what is there is no page; [fetch] accept says which types are read",
}

LEFT_OUT = "left out by the settings"  # so begins, in the core, the reason of what waited and does not fit any more


class NamedFolder(click.Path):
    """A folder with a name: no name at all would be the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  # click's
        """As click does."""
        if value == "":
            self.fail("is empty; give the name of a folder", param, ctx)
        return super().convert(value, param, ctx)


@click.command("crawl")
@click.argument("seeds", nargs=-1, metavar="SEED...")
@click.option(
    "--out",
    "folder",
    type=NamedFolder(path_type=Path),
    help="Folder for the crawl; a crawl in it goes on. [default: crawls/TIME]",
)
@click.option("--max-pages", type=int, help="Store at most so many pages, exactly.")
@click.option("--max-pages-per-site", type=int, help="Store at most so many pages of one site.")
@click.option("--max-depth", type=int, help="Follow links at most so far from a seed.")
@click.option("--time", "duration", type=Duration(), help="Ask for nothing more after 30s, 10m, 2h.")
@click.option(
    "--scope",
    type=click.Choice(["host", "site", "list", "any"]),
    help="Which links to follow. host: to the seeds' hosts; site: to their other hosts (www., blog.), too; list: none, "
    "the seeds alone; any: all. [default: host]",
)
@click.option("--include", multiple=True, metavar="PATTERN", help="Follow only these: '/news/*', '*.html', 're:REGEX'.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Never follow these.")
@click.option("--delay", type=Duration(), help="Pause between two requests to one site: 500ms, 2s. [default: 1s]")
@click.option("--concurrency", type=int, help="Visits at once. [default: 512]")
@click.option("--memory", metavar="SIZE", help="Stay under so much memory: 500MB, 2GB.")
@click.option("--recrawl", is_flag=True, help="Keep the pages fresh: fetch them again as they change, until stopped.")
@click.option("--contact", help="Your e-mail or web address, sent with every request. [env: HELIOS_CONTACT]")
@click.option("--user-agent", help="Sent instead of Helios/VERSION (+CONTACT).")
@click.option("--allow-loopback", is_flag=True, help="Allow addresses of this machine.")
@click.option("--allow-private", is_flag=True, help="Allow addresses of private networks.")
@click.option("--dns", "servers", multiple=True, metavar="ADDRESS:PORT", help="Name server, not the machine's own.")
@click.option("--extra-ca", metavar="FILE", help="PEM file of certificate authorities to trust as well.")
@click.option("--hook", metavar="MODULE:FUNCTION", help="A Python function that gets each page and adds fields.")
@click.option("--embed", metavar="MODEL", help="Make vectors of pages: static, transformer, or a file.")
@click.option(
    "--store",
    "kinds",
    multiple=True,
    type=click.Choice(["lance", "warc", "parquet", "jsonl"]),
    help="Where pages go; may be given several times. Other commands read lance. [default: lance]",
)
@click.option("--warc", is_flag=True, help="Keep requests and answers as they are, too, in WARC files.")
@click.option(
    "--jsonl", type=click.Choice(["-"]), metavar="-", help="- writes pages as lines of JSON to standard output, too."
)
@click.option("--raw", is_flag=True, help="Keep the body of each page in the table, too.")
@seeds_option
@click.option(
    "--metrics", is_flag=False, flag_value="127.0.0.1:9464", metavar="[HOST:PORT]", help="Answer Prometheus there."
)
@click.option("--config", type=click.Path(path_type=Path), help="TOML file with settings; options come on top.")
@click.option("--set", "given", type=Setting(), multiple=True, metavar="TABLE.KEY=VALUE", help="Any other setting.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    seeds: tuple[str, ...],
    files: tuple[str, ...],
    quiet: bool,
    as_json: bool,
    **words: object,
) -> None:
    """Crawl from one or more URLs into a folder; what is there already goes on.

    \b
    helios crawl https://example.org/ --contact you@example.org --max-pages 100
    helios crawl --seeds seeds.txt --scope site --time 10m --out news --contact you@example.org
    helios crawl http://127.0.0.1:8000/ --allow-loopback --delay 0s
    helios crawl https://example.org/ --config crawl.toml --set frontier.attempts=2 --metrics

    robots.txt is obeyed, one request at a time goes to a site, and a contact is needed for the open web. Ctrl-C ends
    the crawl and keeps what is stored (the same command again goes on with it); twice: at once.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    from helios.crawl.begin import blocking, started  # noqa: PLC0415  # --help is quick without a crawler
    from helios.crawl.progress import counted, shown  # noqa: PLC0415  # same
    from helios.folder import existing, holds_crawl, out_folder  # noqa: PLC0415  # same
    from helios.seeds import lines_of  # noqa: PLC0415  # same

    chosen, config = words.pop("folder"), words.pop("config")
    given = chosen if isinstance(chosen, Path) else None
    file, changes = config if isinstance(config, Path) else None, _settings(words)
    lines = chain.from_iterable(map(lines_of, files))
    all_seeds = chain(seeds, counted(lines, None if quiet else err()) if files else ())
    with out_folder(given) as folder, shown(err(), quiet=quiet) as watch:
        again = holds_crawl(folder)
        summary = blocking(started(folder, all_seeds, changes, config=file), watch)
        settings = existing(folder).settings()
    show(summary, as_json=as_json, to=summary_goes(settings), again=again, settings=settings)
    ctx.exit(exit_code(summary, again=again))


def summary_goes(settings: "Settings") -> "Console":
    """To standard output, unless pages go there."""
    return err() if settings.store.jsonl == "-" else out()


def show(
    summary: "Summary",
    *,
    as_json: bool,
    to: "Console | None" = None,
    again: bool = False,
    settings: "Settings | None" = None,
) -> None:
    """The summary, and where to look next; `again`: there were runs before; `settings`: of the crawl."""
    from helios.crawl.summary import render  # noqa: PLC0415  # after a crawl it is there

    console = to or out()
    if isinstance(console.file, Closed):  # nobody wants to hear how it went: that is no failure of the crawl
        return
    if as_json:
        print_json(summary, console.file)
        return
    whole(console, render(summary))
    console.print()
    if again and nothing_left(summary):
        console.print(_nothing_more(summary), markup=False, soft_wrap=True)
        return
    if summary.pages:
        console.print(
            _where(summary.out, settings.store.kinds if settings else ["lance"]), markup=False, soft_wrap=True
        )
    else:
        console.print("no page was stored in this run" + _hint(summary, again=again), markup=False, soft_wrap=True)
        if summary.held_up:
            console.print(safe(summary.held_up), markup=False, soft_wrap=True)
    if more := _more(summary, settings.crawl.max_pages if settings else None):
        console.print(more, markup=False, soft_wrap=True)


def _nothing_more(summary: "Summary") -> str:
    """Of a run that had nothing to do: where more comes from, and where it does not."""
    from helios.crawl.unfollowed import unfollowed_words  # noqa: PLC0415  # after a crawl it is there

    typed = ("dead", "retry", summary.out) if summary.dead_letters else ("add", summary.out, "URL")
    misfits = [letters for letters in summary.dead_reasons if letters.reason.startswith(LEFT_OUT)]
    wider = ", when the settings are wider again," if misfits and len(misfits) == len(summary.dead_reasons) else ""
    said = f"nothing was left to crawl; more comes{wider} from\n    {helios(*typed)}"
    if not summary.unfollowed:
        return said
    links = unfollowed_words(summary.unfollowed)
    return f"{said}\nlinks that were left out ({links}) are not kept: for those, begin a crawl in another folder"


def _where(out: str, kinds: Sequence[str]) -> str:
    """Where the pages are; what reads them wants the table."""
    if "lance" not in kinds:
        return f"the pages are in {out}, as {' and '.join(kinds)}"
    read = f"    {helios('stats', out)}\nor in Python with helios.open({out!r}).pages().read_all()"
    return f"the pages are in {out}; look at them with\n{read}"


def _more(summary: "Summary", max_pages: int | None) -> str:
    """How to have more than this run brought, if there is more."""
    resume = f"    {helios('resume', summary.out)}"
    if summary.ended == "pages":
        return f"go on beyond the limit with\n{resume} --max-pages {2 * max_pages if max_pages else 'N'}"
    if summary.ended == "bytes":
        return "go on beyond the limit with the same command and a higher --set crawl.max_bytes=BYTES"
    if summary.pending and summary.ended != "finished":
        return f"go on with\n{resume}"
    if not summary.pages and summary.dead_letters:
        retry = f"    {helios('dead', 'retry', summary.out)}"
        return f"when that is put right, have it tried again with\n{retry}\nand the same command"
    return ""


def _hint(summary: "Summary", *, again: bool) -> str:
    """What may help a crawl that stored nothing. A site whose robots.txt failed has no outcomes, only dead letters."""
    reasons = " ".join([*(letters.reason for letters in summary.dead_reasons), summary.held_up or ""])
    if summary.outcomes.get(Outcome.FORBIDDEN_ADDRESS) or "address not allowed" in reasons:
        return ": addresses of this machine and of private networks need --allow-loopback or --allow-private"
    if summary.outcomes.get(Outcome.UNRESOLVED) or "no address for its name" in reasons:
        return ": is the name spelled right, and does this machine have a name server (--dns ADDRESS:PORT)?"
    if summary.outcomes.get(Outcome.UNREACHABLE) or "no connection" in reasons:
        return ": nobody answers there; is the address right, and is this machine on the network?"
    if summary.held_up:
        return ""
    for outcome, hint in HINTS.items():
        if summary.outcomes.get(outcome):
            return f": {hint}"
    return _unasked(summary, again=again)


def _unasked(summary: "Summary", *, again: bool) -> str:
    """Of a crawl that heard nothing at all."""
    if summary.ended == "bytes" and not again:
        return ": what is there is longer than max_bytes allows"
    if summary.ended in {"pages", "bytes"}:
        return ": earlier runs had reached the limit already"
    if not summary.pending or summary.robots_read or summary.outcomes:
        return ""
    return ": nothing was due, or no site has answered yet" if again else ": no site has answered yet"


def nothing_left(summary: "Summary") -> bool:
    """Did a run find nothing to do? One that asked for a robots.txt did."""
    return summary.ended == "finished" and not (summary.pages or summary.outcomes or summary.robots)


def exit_code(summary: "Summary", *, again: bool = False) -> int:
    """0: done; 130: Ctrl-C, SIGTERM or `helios stop`. A first run that stored nothing failed; a later one need not."""
    if summary.ended == "interrupted":
        return INTERRUPTED
    return 0 if summary.pages or again else FAILED


def _settings(words: dict[str, object]) -> dict[str, object]:
    """Options that were given, under the names that settings have."""
    chosen: dict[str, object] = {
        "max_pages": words["max_pages"],
        "max_pages_per_site": words["max_pages_per_site"],
        "max_depth": words["max_depth"],
        "max_seconds": _seconds(words["duration"]),
        "scope": words["scope"],
        "include": list(words["include"]) if isinstance(words["include"], tuple) else None,
        "exclude": list(words["exclude"]) if isinstance(words["exclude"], tuple) else None,
        "memory": words["memory"],
        "delay_ms": words["delay"],
        "concurrency": words["concurrency"],
        "contact": words["contact"],
        "user_agent": words["user_agent"],
        # Whoever goes on with the crawl may be in another folder.
        "extra_ca": str(Path(str(words["extra_ca"])).absolute()) if words["extra_ca"] else None,
        "hook": words["hook"],
        "model": words["embed"],
        "servers": list(words["servers"]) if isinstance(words["servers"], tuple) else None,
        "kinds": _kinds(words),
        "listen": words["metrics"],
        "jsonl": words["jsonl"],
        "raw": words["raw"] or None,
        "allow": [name for name in ("loopback", "private") if words[f"allow_{name}"]],
    }
    given = words["given"] if isinstance(words["given"], tuple) else ()
    set_by_name = Setting.tables([*([("recrawl", "enabled", True)] if words["recrawl"] else []), *given])
    return {**{key: value for key, value in chosen.items() if value is not None and value != []}, **set_by_name}


def _kinds(words: dict[str, object]) -> list[str]:
    """The stores that the options ask for; none: as the settings say."""
    given = list(words["kinds"]) if isinstance(words["kinds"], tuple) else []
    asked = [kind for kind in ("warc", "jsonl") if words[kind]]
    return list(dict.fromkeys([*(given or ["lance"]), *asked])) if given or asked else []


def _seconds(milliseconds: object) -> int | None:
    return -(-milliseconds // 1000) if isinstance(milliseconds, int) else None
