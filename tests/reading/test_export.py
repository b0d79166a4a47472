"""`helios export`: every format holds every page, whole or not at all."""

import csv
import datetime
import gzip
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import lance
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import helios
from helios._core import WarcReader
from helios.cli import main
from helios.export import jsonl, markdown
from helios.export.names import name_of
from helios.export.run import format_of
from helios.export.warc import packing_of
from helios.folder import existing
from helios.reading.table import require_table
from helios.settings.toml import template
from helios.stores.pin import pinned
from reading.rows import SCHEMA, START, page, store

HARD = 'quotes " and, commas\nlines; tabs\t; \u2028 é 漢字 \x7f'
LATER = START + datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        page("a", title=HARD, authors=["Ann", "Bo"], facts='{"headings":["one"]}'),
        page("b", language="de"),
        page("", site="two.test"),
    ]
    return store(
        tmp_path_factory.mktemp("export") / "crawl", rows, [page("b", language="de", title="again", fetched_at=LATER)]
    )


def run(*words: object) -> Any:  # noqa: ANN401  # click's result
    return CliRunner().invoke(main, ["export", *map(str, words)])


def test_jsonl_holds_every_row_with_its_facts_as_objects(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").split("\n") if line]
    assert [row["url"] for row in rows] == [row["url"] for row in helios.open(folder).pages(["url"])]
    assert (rows[0]["title"], rows[0]["facts"], rows[0]["authors"]) == (HARD, {"headings": ["one"]}, ["Ann", "Bo"])
    assert rows[0]["fetched_at"] == "2026-11-15T00:00:00Z"
    assert "4 pages written" in result.output


def test_csv_holds_every_row(folder: Path, tmp_path: Path) -> None:
    run(folder, "-o", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert (rows[0]["title"], rows[0]["authors"], rows[0]["status"]) == (HARD, "Ann; Bo", "200")


def test_csv_has_words_for_bytes_and_vectors(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table(
        {"raw": pa.array([b"\x00\xff", None]), "vector": pa.array([[0.5, 1.0], None], pa.list_(pa.float32(), 2))}
    )
    monkeypatch.setattr("helios.reading.query.PageQuery.read", lambda *_: table.to_reader())
    run(folder, "-o", tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert list(csv.reader(lines)) == [["raw", "vector"], ["AP8=", "[0.5,1.0]"], ["", ""]]


def test_parquet_is_the_table(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helios.export.parquet.GROUP", 1)
    run(folder, "-o", tmp_path / "out.parquet")
    file = pq.ParquetFile(tmp_path / "out.parquet")
    assert file.read().equals(helios.open(folder).pages().read_all())
    assert file.num_row_groups > 1


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.csv.gz", "OUT.CSV.GZ"])
def test_a_name_that_ends_so_is_compressed(folder: Path, tmp_path: Path, name: str) -> None:
    run(folder, "-o", tmp_path / name)
    assert b"http://two.test/" in gzip.decompress((tmp_path / name).read_bytes())


def test_markdown_is_a_file_a_page_with_its_newest_facts_in_front(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "--format", "markdown", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    files = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.md")}
    assert files == {"one.test/a.md", "one.test/b.md", "two.test/index.md"}
    front = (tmp_path / "out" / "one.test" / "b.md").read_text("utf-8").split("---\n")
    assert 'title: "again"' in front[1].splitlines()
    assert "fetched_at: 2026-11-16T00:00:00Z" in front[1].splitlines()
    assert front[2] == "\n# Page b\n\nThe text of b.\n"


def test_front_matter_is_yaml_whatever_the_page_says() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    row = page("a", title=HARD + "\x85\ufeff---\n: &x *y", authors=["- a"])
    facts = yaml.safe_load(markdown.page(row).split("---\n", 2)[1].rsplit("\n---", 1)[0])
    assert (facts["title"], facts["authors"], facts["url"]) == (row["title"], ["- a"], row["url"])


def test_filters_and_columns_reach_the_export(folder: Path) -> None:
    words = ["--format", "csv", "-o", "-", "--columns", "url,title", "--language", "de", "--latest"]
    result = run(folder, *words)
    assert list(csv.reader(io.StringIO(result.stdout))) == [["url", "title"], ["http://one.test/b", "again"]]
    assert "1 pages written" in result.stderr


def test_the_summary_speaks_json(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "-o", tmp_path / "out.jsonl", "--json", "--since", "2026-11-16")
    said = json.loads(result.stdout)
    assert (said["pages"], said["format"], said["out"]) == (1, "jsonl", str(tmp_path / "out.jsonl"))
    assert said["bytes"] == (tmp_path / "out.jsonl").stat().st_size


def test_python_exports_too(folder: Path, tmp_path: Path) -> None:
    exported = helios.open(folder).export(tmp_path / "out.jsonl.zst", site="two.test")
    assert (exported.pages, exported.format) == (1, "jsonl")


WRONG_IN_PYTHON: list[tuple[dict[str, Any], str]] = [
    ({"sites": "two.test"}, "there is no filter sites (did you mean site?)"),
    ({"forced": True}, "there is no filter forced (did you mean force?)"),
    ({"columns": "url"}, "columns='url' does not do: give a list, ['url']"),
    ({"format": "xlsx"}, "format='xlsx' does not do: give one of jsonl, csv, parquet, warc, markdown"),
]


@pytest.mark.parametrize(("words", "says"), WRONG_IN_PYTHON, ids=[says for _, says in WRONG_IN_PYTHON])
def test_what_python_cannot_mean_is_said_and_nothing_is_written(
    folder: Path, tmp_path: Path, words: dict[str, Any], says: str
) -> None:
    with pytest.raises(helios.QueryError, match=re.escape(says)):
        helios.open(folder).export(tmp_path / "out.jsonl", **words)
    assert not (tmp_path / "out.jsonl").exists()


def test_what_is_there_is_replaced_only_by_force(folder: Path, tmp_path: Path) -> None:
    for words in (["-o", tmp_path / "out.csv"], ["--format", "markdown", "-o", tmp_path / "out"]):
        assert run(folder, *words).exit_code == 0
        result = run(folder, *words, "--site", "two.test")
        assert (result.exit_code, "--force to replace it" in result.stderr) == (2, True)
        assert run(folder, *words, "--site", "two.test", "--force").exit_code == 0
    assert (tmp_path / "out.csv").read_text().count("http://") == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["two.test"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


CRAWLS: list[tuple[list[str], str]] = [
    (["--format", "markdown", "-o", "crawl"], "crawl is the folder of a crawl"),
    (["--format", "markdown", "-o", "other"], "other is the folder of a crawl"),
    (["--format", "markdown", "-o", "crawl/pages.lance"], "lies in the folder of a crawl"),
    (["--format", "markdown", "-o", "link"], "link is the folder of a crawl"),
    (["--format", "markdown", "-o", "deep"], "deep is not replaced: in it is the crawl"),
    (["--format", "markdown", "-o", "crawl/staged/.."], "crawl/staged/.. is the folder of a crawl"),
    (["--format", "csv", "-o", "crawl/helios.toml"], "lies in the folder of a crawl"),
    (["--format", "csv", "-o", "other/new"], "lies in the folder of a crawl"),
    (["-o", "link/pages.lance/new.csv"], "lies in the folder of a crawl"),
]


def test_who_is_in_the_folder_of_a_crawl_may_export_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path / "crawl", [page("a")])
    monkeypatch.chdir(tmp_path / "crawl")
    assert run(".", "-o", "pages.csv").exit_code == 0
    assert run(".", "-o", "pages.csv", "--force").exit_code == 0


@pytest.mark.parametrize(("words", "says"), CRAWLS, ids=[" ".join(words) for words, _ in CRAWLS])
def test_no_crawl_is_ever_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    for path in ("crawl", "other", "deep/down/crawl"):
        store(tmp_path / path, [page("a")])
    (tmp_path / "link").symlink_to("other")
    monkeypatch.chdir(tmp_path)
    before = files(tmp_path)
    result = run("crawl", *words, "--force")
    assert says in result.stderr
    assert result.exit_code == 2
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("thesis.txt", "years of work"),
        ("one.test/notes.md", "# Mine"),
        ("one.test/post.md", '---\ntitle: "Mine"\nurl: "/mine"\ndate: 2026-11-15\n---\n'),
        ("one.test/half.md", '---\nurl: "http://one.test/"\n'),
        (".git/config", ""),
    ],
)
def test_a_folder_with_files_of_others_is_not_replaced(folder: Path, tmp_path: Path, name: str, content: str) -> None:
    out = tmp_path / "out"
    words = ["--format", "markdown", "-o", out, "--force"]
    assert run(folder, *words).exit_code == 0
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text(content)
    before = files(tmp_path)
    result = run(folder, *words)
    assert f"out is not replaced: in it is {out / name}, which no export wrote; give another -o" in result.stderr
    assert result.exit_code == 2
    assert files(tmp_path) == before


def test_what_a_killed_export_left_is_no_hindrance(folder: Path, tmp_path: Path) -> None:
    words = ["--format", "markdown", "--force", "-o"]
    for name in ("out", ".out.old", ".out.part"):
        assert run(folder, *words, tmp_path / name).exit_code == 0
    result = run(folder, *words, tmp_path / "out", "--site", "two.test")
    assert result.exit_code == 0, result.output
    assert set(files(tmp_path)) == {"out/two.test/index.md"}


def test_files_that_come_into_the_folder_during_an_export_are_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    written = markdown.page
    monkeypatch.setattr(markdown, "page", lambda row: (out / "mine.txt").write_text("mine") and written(row))
    assert "which no export wrote" in run(folder, "--format", "markdown", "-o", out).stderr
    assert files(tmp_path) == {"out/mine.txt": b"mine"}


@pytest.mark.parametrize("out", [".", "..", "../here"])
def test_the_folder_that_one_is_in_is_not_replaced(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    result = run(folder, "--format", "markdown", "-o", out, "--force")
    assert (result.exit_code, "is the folder that you are in" in result.stderr) == (2, True)


def test_settings_alone_are_no_crawl(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "helios.toml").write_text(template())
    assert run(folder, "-o", tmp_path / "out.csv").exit_code == 0


@pytest.mark.parametrize(
    "words", [["--format", "csv"], ["--format", "csv", "--force"], ["--format", "parquet"]], ids=" ".join
)
def test_a_pipe_is_written_into_and_stays(folder: Path, tmp_path: Path, words: list[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)  # what a pipe holds is more than these pages
    result = run(folder, *words, "-o", tmp_path / "pipe")
    with os.fdopen(reading, "rb") as pipe:
        got = pipe.read()
    assert result.exit_code == 0, result.output
    assert (tmp_path / "pipe").is_fifo()
    run(folder, *words, "-o", tmp_path / "file", "--force")
    assert got == (tmp_path / "file").read_bytes()


def test_links_are_followed(folder: Path, tmp_path: Path) -> None:
    for name, kind in (("file", "csv"), ("folder", "markdown")):
        (tmp_path / name).symlink_to(f"real-{name}")
        for more in ([], ["--force"]):
            assert run(folder, "--format", kind, "-o", tmp_path / name, *more).exit_code == 0
            assert (tmp_path / name).is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "real-file", "real-folder"]
    assert (tmp_path / "real-file").read_text().count("http://") == 4
    assert len(files(tmp_path / "real-folder")) == 3


@pytest.mark.parametrize("kind", ["jsonl", "markdown"])
def test_an_export_that_fails_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    before = sorted(tmp_path.iterdir())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((jsonl, "write", full) if kind == "jsonl" else (markdown, "page", full)))
    result = run(folder, "--format", kind, "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (
        1,
        f"helios: {tmp_path / 'out'} cannot be written: No space left on device\n",
    )
    assert sorted(tmp_path.iterdir()) == before


def test_files_that_an_export_reads_stay_while_it_reads(tmp_path: Path) -> None:
    """As a crawl does after ten minutes: merges all files, forgets every older version."""
    folder = store(tmp_path / "crawl", *([page(f"{n}")] for n in range(8)))
    reading = require_table(existing(folder))
    lance_files = lance.dataset(folder / "pages.lance")
    with pinned(reading.dataset):
        lance_files.optimize.compact_files()
        newest = lance.dataset(folder / "pages.lance")
        newest.cleanup_old_versions(older_than=datetime.timedelta(0), error_if_tagged_old_versions=False)
        assert sum(batch.num_rows for batch in reading.scan(["text"])) == 8
        assert len(newest.tags.list()) == 1
    assert newest.tags.list() == {}
    newest.cleanup_old_versions(older_than=datetime.timedelta(0))
    with pytest.raises(helios.StoreError, match="merged and removed files meanwhile; read again"):
        reading.scan(["markdown"]).read_all()


def test_the_tag_of_a_reader_that_was_killed_goes_after_a_day(tmp_path: Path) -> None:
    folder = store(tmp_path / "crawl", [page("a")])
    table = require_table(existing(folder))
    table.dataset.tags.create("reading-1000-77", table.dataset.version)
    table.dataset.tags.create("mine", table.dataset.version)
    helios.open(folder).export(tmp_path / "out.jsonl")
    assert set(table.dataset.tags.list()) == {"mine"}


WRONG: list[tuple[list[str], str]] = [
    (["-o", "out.xyz"], "does not tell a format; give one of jsonl, csv, parquet, warc, markdown"),
    (["-o", "-"], "standard output needs a --format"),
    (["-o", "-", "--format", "markdown"], "give its name with -o"),
    (["-o", "out.csv", "--columns", "ulr"], "did you mean 'url'?"),
    (["-o", "out.csv", "--since", "soon"], "'soon' is no time; give one like 2026-11-15"),
    (["-o", "out.csv", "--since", "99999999d"], "'99999999d' is no time; give one like 2026-11-15"),
    (["-o", "out.csv", "--until", "9" * 400 + "d"], "9d' is no time; give one like 2026-11-15"),
    (["-o", "out.csv", "--where", "x ="], "is no SQL"),
    ([], "Missing option '-o'"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_words_are_said(folder: Path, words: list[str], says: str) -> None:
    result = run(folder, *words)
    assert says in result.stderr
    assert result.exit_code == 2


def test_an_archive_is_counted_in_answers(tmp_path: Path) -> None:
    body = pa.compress(b"<p>one", codec="zstd", asbytes=True)
    rows = [page("a", raw=body), page("b", raw=None)]
    folder = store(tmp_path / "crawl", rows, schema=SCHEMA.append(pa.field("raw", pa.large_binary())))
    result = run(folder, "-o", tmp_path / "out.warc.gz")
    assert "1 answers written" in result.output
    [record] = WarcReader(str(tmp_path / "out.warc.gz"))
    assert record["payload"] == b"<p>one"


def test_a_crawl_without_archives_says_so(folder: Path, tmp_path: Path) -> None:
    assert "crawl with --warc, or with --raw" in run(folder, "--format", "warc", "-o", tmp_path / "out").stderr


@pytest.mark.parametrize("name", ["X7.CSV", "Pages.Jsonl.ZST", "PAGES.NDJSON", "pages.Parquet", "pages.WARC.GZ"])
def test_endings_may_be_written_in_large_letters(name: str) -> None:
    assert (format_of(name), packing_of(name)) == (format_of(name.lower()), packing_of(name.lower()))


NAMES: list[tuple[str, str]] = [
    ("http://a.test/", "a.test/index"),
    ("http://a.test/b/", "a.test/b/index"),
    ("http://a.test/b.html", "a.test/b"),
    ("http://a.test:81/b.php?q=tea&n=2", "a.test_81/b.php_q=tea&n=2"),
    ("http://a.test/%2e%2e/%2Fetc%2Fpasswd", "a.test/_/_etc_passwd"),
    ("http://a.test/.ssh/-rf", "a.test/_.ssh/_-rf"),
    ("http://a.test/CON/aux.html", "a.test/_CON/_aux"),
    ("http://a.test/x.md/y", "a.test/x.md_/y"),
    ("http://a.test/a%00b%E2%80%AEc", "a.test/abc"),
    ("http://a.test/%E6%BC%A2%E5%AD%97", "a.test/漢字"),
    ("http://a.test/" + "x" * 300, f"a.test/{'x' * 100}~01234567"),
]


@pytest.mark.parametrize(("url", "name"), NAMES)
def test_a_file_is_called_like_its_page_as_far_as_that_is_safe(url: str, name: str) -> None:
    assert name_of(url, "0123456789abcdef0123456789abcdef") == name


def test_names_stay_short_and_pages_with_one_name_all_have_a_file(tmp_path: Path) -> None:
    deep = "http://a.test/" + "/".join(["folder"] * 100)
    assert len(name_of(deep, "f" * 32).encode()) <= 220
    urls = ["http://a.test/b", "http://a.test/b.html", "http://a.test/b.htm", "http://a.test/b/", deep]
    rows = [page("", url=url) for url in urls]
    assert sum(markdown.write([pa.RecordBatch.from_pylist(rows)], tmp_path)) == len(urls)
    assert len(list(tmp_path.rglob("*.md"))) == len(urls)
