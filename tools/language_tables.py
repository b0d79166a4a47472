"""Makes crates/helios-page/src/language/grams.bin: how much each group of letters speaks for each language.

Run it where `pip install wordfreq` has been done:

    python tools/language_tables.py crates/helios-page/src/language/grams.bin

The counts are those of the word lists of wordfreq 3.1.1 (Robyn Speer, data CC BY-SA 4.0). Serbian in Cyrillic is its
Serbo-Croatian list, which is in Latin letters, written back.

For each script one table, little-endian: u8 number of languages; for each a code of 3 bytes and a u16, the mean weight
of a group in that language times 256; u32 number of rows; for each the u32 hash of a group and one weight per language.
"""

import math
import re
import struct
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import wordfreq

WORDS = 30_000
LONGEST = 4
FLOOR = 1e-6
LETTERS = re.compile(r"[^\W\d_]+")

LATIN = re.findall(r"\w+", "ca cs da de en es fi tl fr hu id is it lt lv nb nl pl pt ro hr sk sl sv tr vi")
CYRILLIC = ["bg", "mk", "ru", "uk", "sr"]
ARABIC = ["ar", "fa", "ur"]
TABLES = [
    (LATIN, 8_000, r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"),
    (CYRILLIC, 4_000, r"\u0400-\u04ff"),
    (ARABIC, 2_000, r"\u0600-\u06ff"),
]
SOURCES = {"tl": "fil", "hr": "sh", "sr": "sh"}
CYRILLIC_OF = {"dž": "џ", "lj": "љ", "nj": "њ"} | dict(
    zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True)
)


def words(language: str, script: str) -> Iterator[tuple[str, float]]:
    """Frequent words and their frequencies, in small letters of the script."""
    frequencies = wordfreq.get_frequency_dict(SOURCES.get(language, language), wordlist="best")
    fits = re.compile(f"[{script}]+")
    for word, frequency in sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))[:WORDS]:
        spelled = word
        if language == "sr":
            for latin, cyrillic in CYRILLIC_OF.items():
                spelled = spelled.replace(latin, cyrillic)
        for part in LETTERS.findall(spelled):
            if fits.fullmatch(part):
                yield part, frequency


def groups(word: str) -> Iterator[str]:
    """All groups of 2 to 4 letters, with a space at both ends of the word; and the word, where it is longer."""
    padded = f" {word} "
    for length in range(2, LONGEST + 1):
        for start in range(len(padded) - length + 1):
            yield padded[start : start + length]
    if len(padded) > LONGEST:
        yield padded


def digest(group: str) -> int:
    """The hash that language/grams.rs uses."""
    value = 0x811C9DC5
    for letter in group:
        value = ((value ^ ord(letter)) * 0x01000193) & 0xFFFFFFFF
    return value


def weight(share: float) -> int:
    """16 for each doubling above the floor."""
    return min(255, round(16 * math.log2((share + FLOOR) / FLOOR)))


def worth(shares: list[float]) -> float:
    """A group is worth keeping if it is frequent somewhere and rare elsewhere."""
    raised = [share + FLOOR for share in shares]
    mean = sum(math.log(share) for share in raised) / len(raised)
    return max(raised) * (math.log(max(raised)) - mean)


def table(languages: list[str], rows: int, script: str) -> bytes:
    """One script."""
    counts = []
    for language in languages:
        count: Counter[str] = Counter()
        for word, frequency in words(language, script):
            for group in groups(word):
                count[group] += frequency
        total = sum(count.values())
        counts.append({group: value / total for group, value in count.items()})
    frequent = {group for shares in counts for group, share in shares.items() if share > 10 * FLOOR}
    kept = {group: [shares.get(group, 0.0) for shares in counts] for group in frequent}
    best = sorted(kept, key=lambda group: (-worth(kept[group]), group))[:rows]
    weights = {group: [weight(share) for share in kept[group]] for group in best}
    out = bytearray([len(languages)])
    for place, language in enumerate(languages):
        mean = sum(share * weights[group][place] for group, share in counts[place].items() if group in weights)
        out += language.encode().ljust(3, b"\0") + struct.pack("<H", round(mean * 256))
    hashed = sorted((digest(group), row) for group, row in weights.items())
    out += struct.pack("<I", len(hashed))
    for value, row in hashed:
        out += struct.pack("<I", value) + bytes(row)
    return bytes(out)


def main() -> None:
    """Writes all tables into the file that is named."""
    Path(sys.argv[1]).write_bytes(b"".join(table(*settings) for settings in TABLES))


if __name__ == "__main__":
    main()
