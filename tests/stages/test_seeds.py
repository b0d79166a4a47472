"""Seeds: what a crawl may start from."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import helios.seeds
from helios.errors import SeedError
from helios.seeds import LONGEST_LINE, lines_in, lines_of, seeds_from

REFUSED = [
    ("", "an empty seed"),
    ("   ", "an empty seed"),
    ("example.org", "did you mean https://example.org?"),
    ("example.org/a b", "did you mean https://example.org/a b?"),
    ("localhost:8000", "did you mean https://localhost:8000?"),
    ("ftp://example.org/", "only http:// and https:// can"),
    ("mailto:me@example.org", "only http:// and https:// can"),
    ("file:///etc/passwd", "only http:// and https:// can"),
    ("javascript:alert(1)", "only http:// and https:// can"),
    ("http://", "cannot be crawled"),
    ("http://\0/", "control characters"),
    ("/etc/passwd", "not a whole URL"),
]


@pytest.mark.parametrize(("word", "why"), REFUSED)
def test_a_seed_that_cannot_be_crawled_is_refused_with_the_reason(word: str, why: str) -> None:
    with pytest.raises(SeedError) as raised:
        seeds_from([word])
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "seeds", [None, 7, b"https://example.org/", Path("seeds.txt"), [None], [b"https://a.example/"]]
)
def test_what_is_no_text_is_refused_as_a_seed(seeds: Any) -> None:  # noqa: ANN401  # wrong ones
    with pytest.raises(SeedError, match="a seed is a URL as text"):
        seeds_from(seeds)


def test_seeds_are_canonical_once_each_and_in_order() -> None:
    seeds = seeds_from(["HTTP://B.example/", "http://a.example", " http://b.example/ "])
    assert list(seeds) == list(seeds) == ["http://b.example/", "http://a.example/"]
    assert len(seeds) == 2


def test_no_seed_at_all_is_an_error() -> None:
    with pytest.raises(SeedError, match="name at least one URL"):
        seeds_from([])


def test_a_long_seed_is_shortened_in_the_message() -> None:
    with pytest.raises(SeedError) as raised:
        seeds_from(["x" * 5000])
    assert len(str(raised.value)) < 400


def test_a_file_of_seeds_may_have_comments_blank_lines_and_a_byte_order_mark() -> None:
    content = b"\xef\xbb\xbf# mine\nhttp://a.example/\r\n\n  http://b.example/  \n"
    assert list(lines_in(io.BytesIO(content), "seeds.txt")) == ["http://a.example/", "http://b.example/"]


def test_what_follows_a_space_and_a_number_sign_is_a_comment() -> None:
    content = b"http://a.example/ # mine\nhttp://b.example/#part\t# and yours\n \t# nothing\nhttp://c.example/a#b\n"
    assert list(lines_in(io.BytesIO(content), "seeds.txt")) == [
        "http://a.example/",
        "http://b.example/#part",
        "http://c.example/a#b",
    ]


BAD_FILES = [
    (
        b"# a\nhttp://a.example/ http://b.example/\n",
        "seeds.txt, line 2: http://a.example/ http://b.example/ has a space",
    ),
    (b"http://a.example/ http://me:hush@b.example/\n", "line 1: http://a.example/ http://***@b.example/ has a space"),
    (b"http://me:hush@a.example/\tmine\n", "seeds.txt, line 1: http://***@a.example/\tmine has a space inside"),
    (b"", "seeds.txt holds no seed"),
    (b"# nothing\n\n", "seeds.txt holds no seed"),
    (b"\x7fELF\0\0", "not a text file"),
    (b"http://a.example/\n\xff\xfe\n", "seeds.txt, line 2: not UTF-8"),
    (b"http://a.example/\n" + b"x" * LONGEST_LINE, "seeds.txt, line 2: longer than 65,536 bytes"),
]


@pytest.mark.parametrize(("content", "why"), BAD_FILES)
def test_a_file_that_is_no_list_of_seeds_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(SeedError) as raised:
        list(lines_in(io.BytesIO(content), "seeds.txt"))
    assert why in str(raised.value)
    assert "hush" not in str(raised.value)


def test_a_standard_input_that_is_closed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SeedError, match=r"standard input is closed: .*--seeds FILE"):
        list(lines_of("-"))


SECRET = [
    "http://me:hush@a.example:x/",
    "ftp://me:hush@a.example/",
    "http://me:hush@x:hush@a.example:x/",
    "http://me:a hush@a.example:x/",
    "http://me:hush@/",
    "me:hush@a.example",
    "me:hush@a.example:80/",
    "http://me:hush@a.example/\x01",
    "http:me:hush@a.example:x/",
    "http:/me:hush@a.example:x/",
    "http:\\\\me:hush@a.example:x/",
    "//me:hush@a.example/",
    "https://me:hush@a.example/" + "x" * 70_000,
]


@pytest.mark.parametrize("word", SECRET, ids=lambda word: word[:40])
def test_no_message_repeats_a_password(word: str) -> None:
    with pytest.raises(SeedError) as raised:
        seeds_from([word])
    assert "hush" not in str(raised.value)


def test_a_folder_is_no_file_of_seeds(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="cannot be read: Is a directory"):
        list(lines_of(str(tmp_path)))


def test_a_bad_line_among_many_is_named_and_nothing_is_taken(tmp_path: Path) -> None:
    lines = [f"http://a.example/{number}" for number in range(5_000)]
    lines[4_321] = "example.org"
    (tmp_path / "many.txt").write_text("\n".join(lines))
    with pytest.raises(SeedError, match=r"many\.txt, line 4322: example\.org is not a whole URL"):
        seeds_from(lines_of(str(tmp_path / "many.txt")))


def test_many_seeds_wait_in_a_file_and_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helios.seeds, "KEPT", 100)
    urls = [f"http://a.example/{number}" for number in range(1_000)]
    seeds = seeds_from(iter(urls))
    assert list(seeds) == list(seeds) == urls
    assert len(seeds) == 1_000


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match=r"none\.txt cannot be read: No such file"):
        list(lines_of(str(tmp_path / "none.txt")))


@given(st.binary(max_size=200))
def test_no_file_of_any_bytes_breaks_the_reading_of_seeds(content: bytes) -> None:
    try:
        words = list(lines_in(io.BytesIO(content), "seeds.txt"))
    except SeedError:
        return
    assert words


@given(st.text(max_size=80) | st.text(max_size=40).map("http://".__add__))
def test_no_text_breaks_the_checking_of_seeds(word: str) -> None:
    try:
        seeds = seeds_from([word])
    except SeedError:
        return
    assert list(seeds_from(seeds)) == list(seeds)
