"""The site that stands for example.org where examples of the docs are run: articles, a shop, quotes."""

from collections.abc import Mapping

from sites import Answer

WORDS = [
    "The river runs under the silver bridge and through the forest, past a mill where bread was made till the flood.",
    "Nobody in the village remembers who built the tower, but everyone knows the song about the man who rang its bell.",
    "In winter the road over the pass is closed, and the post comes by boat along the shore twice in each week.",
    "The museum keeps a clock that was repaired so often that no wheel of it is the one that the maker put there.",
    "Bees are kept on the roof of the school, and in summer the children sell the honey at the gate to whoever asks.",
    "A green lamp on the pier tells the boats that the bar can be crossed, a red one that they have to wait outside.",
]
TURNS = 24


def articles() -> dict[str, Answer]:
    """Each leads to those after it; one is there twice, under two addresses."""
    made: dict[str, Answer] = {}
    for number in range(TURNS):
        text = "".join(
            f"<p>{WORDS[(number * turn + turn) % len(WORDS)]} ({number}, {turn})</p>" for turn in range(1, 6)
        )
        links = "".join(f'<a href="/news/{other}">{other}</a> ' for other in range(number + 1, min(number + 12, TURNS)))
        made[f"/news/{number}"] = _page(f"Letter {number}", f"{text}<p>{links}</p>")
    made["/news/copy"] = made["/news/3"]
    return made


def shop() -> dict[str, Answer]:
    """A list of things, and each with its price and what it says of itself as JSON-LD."""
    things = {"tea": "3.20", "mug": "5.00", "kettle": "24.90"}
    made: dict[str, Answer] = {
        f"/shop/{name}": _page(
            name.title(),
            f'<script type="application/ld+json">{{"@type": "Product", "name": "{name.title()}", "sku": "{name}-1"}}'
            f'</script><div class="item"><b>{name.title()}</b> <i class="price">{price}</i>'
            f'<img src="/{name}.png"></div><p>{WORDS[0]}</p><a href="/shop/">all</a>',
        )
        for name, price in things.items()
    }
    links = "".join(f'<li><a href="/shop/{name}">{name}</a>' for name in things)
    pictures: dict[str, Answer] = {
        f"/{name}.png": ("image/png", b"\x89PNG\r\n\x1a\n" + name.encode()) for name in things
    }
    return {**pictures, "/shop/": _page("Shop", f"<ul>{links}</ul><p>{WORDS[1]}</p>"), **made}


def quotes() -> dict[str, Answer]:
    """Three pages of two quotes each; the next one by a link."""
    return {
        f"/quotes/page/{page}": _page(
            "Quotes",
            "".join(
                f'<div class="quote"><span class="text">{WORDS[2 * page + at - 2]}</span><small class="author">'
                f"Author {2 * page + at}</small></div>"
                for at in range(2)
            )
            + (f'<li class="next"><a href="/quotes/page/{page + 1}">Next</a>' if page < 3 else ""),
        )
        for page in range(1, 4)
    }


def everything() -> Mapping[str, Answer]:
    """All of it, with a home page that leads everywhere, and some places that are not there."""
    parts = ("/news/0", "/news/copy", "/shop/", "/quotes/page/1", "/gone")
    links = "".join(f'<li><a href="{path}">{path}</a>' for path in parts)
    home = _page("Example", f"<p>{WORDS[0]}</p><p>{WORDS[5]}</p><ul>{links}</ul>")
    return {"/": home, "/a": home, "/more": home, "/new": home, **articles(), **shop(), **quotes()}


def _page(title: str, body: str) -> str:
    return f'<html lang="en"><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>'
