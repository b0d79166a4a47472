"""The process that reads PDFs: a length and a file on standard input, a length and JSON on standard output, and again.

Started as a program of its own, and imports nothing of ours: it is small, and there is nothing in it to harm.
"""

import json
import re
import resource
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

MEMORY = 2 << 30  # bytes of address space
DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?")
MADE_BY = re.compile(r"^(Microsoft (Word|PowerPoint) - )?(.*?)(\.(docx?|pptx?|pdf|tex|dvi|indd))?$", re.IGNORECASE)
SOFT = re.compile("[\ufffe\u0002]\r?\n?")  # how PDFium marks the hyphen at the end of a line


def read(body: bytes, most_pages: int, most_bytes: int) -> dict[str, Any]:
    """What the file says, and what it says of itself."""
    import pypdfium2  # noqa: PLC0415  # after the limits are set

    with pypdfium2.PdfDocument(body) as document:
        told = {key: value.strip() for key, value in document.get_metadata_dict(skip_empty=True).items()}
        count = len(document)
        parts: list[str] = []
        size = 0
        for number in range(min(count, most_pages)):
            text = _text(document, number)
            parts.append(text)
            size += len(text)
            if size > most_bytes:
                break
    facts = {"pages": count, **{key.lower(): value for key, value in told.items() if key in {"Creator", "Producer"}}}
    return {
        "title": _title(told.get("Title", "")),
        "text": "\n\n".join(part for part in parts if part)[:most_bytes],
        "authors": [name for name in re.split(r"\s*(?:;| and )\s*", told.get("Author", "")) if name][:20],
        "published": _millis(told.get("CreationDate", "")),
        "modified": _millis(told.get("ModDate", "")),
        "facts": json.dumps({"pdf": facts}),
    }


def _text(document: Any, number: int) -> str:  # noqa: ANN401  # pypdfium2 has no types
    """The text of a page; a page that cannot be read has none."""
    try:
        page = document[number]
        text: str = page.get_textpage().get_text_range()
        page.close()
    except Exception:  # noqa: BLE001  # the other pages may be well
        return ""
    lines = SOFT.sub("", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.strip() for line in lines).strip()


def _title(told: str) -> str:
    """Without what programs write around it."""
    found = MADE_BY.match(told)
    title = found.group(3) if found else told
    return "" if title.lower() in {"untitled", "document", "slide 1"} else title


def _millis(told: str) -> int | None:
    found = DATE.match(told)
    if found is None:
        return None
    numbers = [int(part) if part else least for part, least in zip(found.groups()[:6], (1, 1, 1, 0, 0, 0), strict=True)]
    sign, hours, minutes = found.groups()[6:]
    away = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        moment = datetime(*numbers, tzinfo=timezone(away))  # type: ignore[arg-type,misc]  # six numbers
        return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
    except (ValueError, OverflowError):
        return None


def main(most_pages: int, most_bytes: int) -> None:
    """Answers until standard input ends."""
    with suppress(ValueError, OSError):  # not every system bounds addresses; time is bounded everywhere
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    files, answers = sys.stdin.buffer, sys.stdout.buffer
    while len(head := files.read(8)) == 8:  # noqa: PLR2004  # bytes of a length
        body = files.read(int.from_bytes(head, "big"))
        try:
            answer = read(body, most_pages, most_bytes)
        except Exception as error:  # noqa: BLE001  # whatever is wrong with the file is said of the file
            answer = {"facts": json.dumps({"pdf": {"error": f"{type(error).__name__}: {error}"[:500]}})}
        content = json.dumps(answer).encode("utf-8", "replace")
        answers.write(len(content).to_bytes(8, "big") + content)
        answers.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
