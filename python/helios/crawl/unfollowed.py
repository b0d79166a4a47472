"""Links that a crawl did not take in: counted by why, each time that one was met, and kept nowhere."""

from collections.abc import Mapping

# As the frontier counts them, with the words that follow a number.
WHY = {
    "out_of_scope": "out of scope",
    "unwanted": "unlike include or like exclude",
    "too_deep": "deeper than max_depth",
    "trapped": "of what looks endless",
}


def unfollowed(counts: Mapping[str, int]) -> dict[str, int]:
    """Of the frontier's counts those that are of links not taken in."""
    return {name: counts[name] for name in WHY if counts.get(name)}


def unfollowed_words(links: Mapping[str, int]) -> str:
    """For people: 1,203 out of scope, 12 deeper than max_depth."""
    return ", ".join(f"{links[name]:,} {words}" for name, words in WHY.items() if links.get(name))
