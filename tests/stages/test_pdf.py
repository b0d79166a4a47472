"""PDF files: their text, their metadata, and what the hostile ones cannot do."""

import datetime
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import helios
from helios.pdf.reader import PdfReader, Worker
from pdfs import pdf
from sites import Answer, Site, served

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")

STORY = "The quick brown fox jumps over the lazy dog,\nwhile all the others are only watching from afar."
TOLD = {
    "Title": "Microsoft Word - A Story.docx",
    "Author": "Ann Lee; Bo Li",
    "CreationDate": "D:20240305100000+01'00'",
    "ModDate": "D:20240306",
}


@pytest.fixture
def reader() -> Iterator[PdfReader]:
    reader = PdfReader(limit_ms=20_000, most_pages=3, most_bytes=10_000)
    yield reader
    reader.close()


def read(reader: PdfReader, *files: bytes) -> list[dict[str, Any]]:
    answers = reader.read(enumerate(files))
    assert list(answers) == list(range(len(files)))
    return [json.loads(answer) for answer in answers.values()]


def facts(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer["facts"])["pdf"]
    return found


def test_text_and_metadata_are_read(reader: PdfReader) -> None:
    (answer,) = read(reader, pdf(STORY, "The end.", **TOLD))
    assert answer["text"] == f"{STORY}\n\nThe end."
    assert (answer["title"], answer["authors"]) == ("A Story", ["Ann Lee", "Bo Li"])
    at = datetime.datetime(2024, 3, 5, 9, tzinfo=datetime.UTC)
    assert answer["published"] == at.timestamp() * 1000
    assert answer["modified"] == datetime.datetime(2024, 3, 6, tzinfo=datetime.UTC).timestamp() * 1000
    assert facts(answer)["pages"] == 2


def test_pages_and_bytes_are_bounded(reader: PdfReader) -> None:
    many, long = read(reader, pdf(*[f"page {at}" for at in range(9)]), pdf("x" * 30_000))
    assert many["text"].split("\n\n") == ["page 0", "page 1", "page 2"]
    assert facts(many)["pages"] == 9
    assert len(long["text"]) <= 10_000


def test_what_cannot_be_read_is_said_and_the_next_file_is_read(reader: PdfReader) -> None:
    whole = pdf(STORY)
    files = [b"", b"%PDF-1.7 and nothing else", whole[: len(whole) // 2], os.urandom(0) + b"\0" * 50_000, whole]
    *broken, last = read(reader, *files)
    assert all("error" in facts(answer) or answer["text"] == "" for answer in broken[:2] + broken[3:])
    assert last["text"] == STORY


def test_a_reader_that_takes_too_long_is_ended_and_replaced() -> None:
    hasty = Worker(limit_ms=1, most_pages=9, most_bytes=9_999)  # Python alone takes longer to start
    assert "took longer than 1 ms" in hasty.read(pdf(STORY))
    hasty.close()
    patient = Worker(limit_ms=20_000, most_pages=9, most_bytes=9_999)
    try:
        assert STORY.split("\n", maxsplit=1)[0] in patient.read(pdf(STORY))
        process = patient._process
        assert process is not None
        process.send_signal(signal.SIGKILL)  # as a crash, or the kernel when memory is short
        process.wait()
        assert "its reader died" in patient.read(pdf(STORY))
        assert STORY.split("\n", maxsplit=1)[0] in patient.read(pdf(STORY))
    finally:
        patient.close()


def test_no_process_is_left(reader: PdfReader) -> None:
    read(reader, *[pdf(STORY)] * 4)
    processes = [worker._process for worker in reader._workers if worker._process]
    assert processes
    reader.close()
    assert all(process.poll() is not None for process in processes)


HOME = '<a href="/a.pdf">a</a> <a href="/b.pdf">b</a> <a href="/broken.pdf">c</a>'


@pytest.fixture
def site() -> Iterator[Site]:
    pages: dict[str, Answer] = {
        "/": HOME,
        "/a.pdf": ("application/pdf", pdf(STORY, **TOLD)),
        "/b.pdf": ("application/octet-stream", pdf("b")),
        "/broken.pdf": ("application/pdf", b"%PDF-1.4 broken"),
    }
    with served(pages) as site:
        yield site


def rows(out: Path) -> dict[str, dict[str, Any]]:
    table = helios.open(out).pages().read_all().to_pylist()
    return {"/" + row["url"].split("/", 3)[3]: row for row in table}


def test_a_crawl_reads_pdfs_if_it_is_told_to(site: Site, tmp_path: Path) -> None:
    helios.crawl(site.at("/"), tmp_path / "out", **site.settings(pdf=True))
    found = rows(tmp_path / "out")
    assert set(found) == {"/", "/a.pdf", "/broken.pdf"}
    story = found["/a.pdf"]
    assert (story["page_type"], story["title"], story["text"]) == ("pdf", "A Story", STORY)
    assert (story["authors"], story["language"], story["words"]) == (["Ann Lee", "Bo Li"], "en", 18)
    assert story["published"] == datetime.datetime(2024, 3, 5, 9, tzinfo=datetime.UTC)
    assert found["/broken.pdf"]["text"] == ""
    assert "error" in json.loads(found["/broken.pdf"]["facts"])["pdf"]


def test_a_crawl_does_not_ask_for_pdfs_unless_told(site: Site, tmp_path: Path) -> None:
    summary = helios.crawl(site.at("/"), tmp_path / "out", **site.settings())
    assert set(rows(tmp_path / "out")) == {"/"}
    assert summary.outcomes["unwanted_type"] == 3
