"""`helios search`."""

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from helios.cli.choice import choice_of, choice_options
from helios.cli.words import err, helios, out, print_json, safe
from helios.crawl.opened import Crawl
from helios.search.run import KINDS, Found, Hit
from helios.search.snippet import places
from helios.search.words import parse


@click.command("search")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, metavar="WORDS...")
@click.option("-n", "--limit", type=click.IntRange(1, 1_000), default=10, show_default=True, help="Hits at most.")
@click.option("--kind", type=click.Choice(KINDS), help="By word, by meaning, or both. [default: keyword]")
@choice_options
@click.option("--index", "index_only", is_flag=True, help="Bring the index up to date, without looking for anything.")
@click.option("--no-index", is_flag=True, help="Do not bring the index up to date first.")
@click.option("--json", "as_json", is_flag=True, help="Print the hits, or how far the index is, as JSON.")
def command(
    folder: Path, words: tuple[str, ...], limit: int, kind: str | None, as_json: bool, **options: object
) -> None:
    """Find pages of the crawl in FOLDER by their words, the best first.

    \b
    helios search example green tea
    helios search example '"green tea" +ceremony -bag' --language en
    helios search example tea --site example.org --since 7d --json

    "Words in quotes" must follow each other, +words must be there, -words must not. Only the newest row of a URL
    counts. The first search of a crawl makes an index, later ones add what is new; it may run beside the crawl.
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    crawl, remarks = Crawl(folder), err()
    if options["index_only"]:
        state = crawl.index(watch=lambda doing: remarks.print(doing, markup=False))
        if as_json:
            print_json({"rows": state.rows, "indexed": state.rows - state.waiting})
            return
        out().print(f"{state.rows - state.waiting:,} of {state.rows:,} pages are indexed", markup=False)
        return
    typed = " ".join(words)
    with remarks.status("searching") as status:
        found = crawl.search(
            typed,
            kind=None if kind is None else KINDS[KINDS.index(kind)],
            limit=limit,
            update=not options["no_index"],
            watch=lambda doing: status.update(Text(doing)),
            **choice_of(options),
        )
    if as_json:
        print_json(found)
        return
    show(found, folder, out())


def show(found: Found, folder: Path, console: Console) -> None:
    """The hits for a terminal."""
    terms = parse(found.words).wanted()
    for number, hit in enumerate(found, start=1):
        console.print(_title(number, hit, terms))
        console.print(Text(f"    {hit.url}", style="cyan"), soft_wrap=True)
        for line in _snippet(hit).wrap(console, max(console.width - 4, 20)):
            console.print(Text("    ").append_text(line))
        facts = (hit.site, hit.language, f"{hit.fetched_at:%Y-%m-%d}", f"{hit.score:.2f}")
        console.print(Text("    " + " · ".join(fact for fact in facts if fact), style="dim"))
        console.print()
    if not found.hits:
        console.print(f"nothing found in {found.pages:,} pages", markup=False)
        return
    took = f"{len(found)} of {found.pages:,} pages, {found.kind}, {found.seconds * 1000:.0f} ms"
    console.print(Text(f"{took}; one of them: {helios('show', folder, 'URL')}", style="dim"), soft_wrap=True)


def _title(number: int, hit: Hit, terms: list[str]) -> Text:
    shown = safe(" ".join(hit.title.split())) or "(no title)"
    words = Text(shown, style="bold")
    for start, end, _ in places(shown, terms):
        words.stylize("yellow", start, end)
    title = Text(f"{number:>2}  ").append_text(words)
    title.no_wrap, title.overflow = True, "ellipsis"
    return title


def _snippet(hit: Hit) -> Text:
    """Put together piece by piece: what is not safe to show moves the marks."""
    text, done = Text(), 0
    for start, end in hit.snippet.marks:
        text.append(safe(hit.snippet.text[done:start]))
        text.append(safe(hit.snippet.text[start:end]), style="bold yellow")
        done = end
    return text.append(safe(hit.snippet.text[done:]))
