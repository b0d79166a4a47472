"""Writes the named character references of HTML, as Python's standard library has them, for the tokenizer to look up.

One reference a line, sorted by bytes: the name without its semicolon, then the code points in hexadecimal; a `~` at the end says
that it also counts without a semicolon. Run: python tools/entities.py > crates/helios-page/src/html/token/references.txt
"""

from html.entities import html5


def lines() -> list[str]:
    names = sorted({name.rstrip(";") for name in html5})
    found = []
    for name in names:
        points = " ".join(f"{ord(char):X}" for char in html5[name + ";"])
        found.append(f"{name} {points}{'~' if name in html5 else ''}")
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
