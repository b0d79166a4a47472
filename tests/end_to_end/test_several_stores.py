"""A crawl that writes everything at once: table, archive, Parquet and JSONL agree, also after it died."""

import json
from collections import Counter
from pathlib import Path

import pytest

import helios
from archives import as_pywb, cdxj_indexes, fastwarc_reads, lines_of, pywb_indexes, warcio_checks
from end_to_end.agreement import ALL, agree, archived
from end_to_end.kills import Death, again, crawl_through, dies, helios_process, judged_after
from end_to_end.webs import crawled, settings_for
from helios._core import WarcReader
from helios.errors import QueryError, StoreError
from helios.settings import load, to_toml
from helios.simweb import started


@pytest.mark.timeout(60)
def test_table_archive_parquet_and_jsonl_agree(tmp_path: Path) -> None:
    with started(["--preset=calm", "--hosts=6", "--seed=3"]) as web:
        summary = crawled(web, tmp_path / "out", kinds=ALL, raw=True, publish_ms=200, batch_ms=50, compact_files=3)
        rows = agree(tmp_path / "out")
        assert rows.total() == summary.pages > 10
    index = [line for path in (tmp_path / "out/warc").glob("*.cdxj") for line in path.read_text().splitlines()]
    assert index == sorted(index)
    assert {line.split(" ")[0] for line in index if "robots.txt" in line}, "robots.txt is archived, too"
    assert list((tmp_path / "out/staged").glob("*.warc*")) == []


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a web with every kind of answer."""
    out = tmp_path_factory.mktemp("crawl") / "out"
    with started(["--preset=demo", "--seed=3", "--set=https=0.5"]) as web:
        crawled(web, out, kinds=["lance", "warc"], raw=True, max_pages=120)
    [path] = (out / "warc").glob("*.warc.gz")
    return path


@pytest.mark.timeout(60)
def test_other_tools_read_the_archive_of_a_web_with_every_kind_of_answer(archive: Path) -> None:
    kinds = Counter(record["kind"] for record in WarcReader(str(archive)))
    assert min(kinds[kind] for kind in ("warcinfo", "request", "response", "metadata", "revisit")) > 0
    index = archive.with_name("helios-00000.cdxj").read_text().splitlines()
    assert len(index) == kinds["response"] + kinds["revisit"] == kinds["request"]
    warcio_checks(archive)
    assert len(fastwarc_reads(archive)) > 100
    assert lines_of(index) == cdxj_indexes(archive)


def test_pywb_indexes_the_archive_of_a_web_with_every_kind_of_answer(archive: Path) -> None:
    index = archive.with_name("helios-00000.cdxj").read_text().splitlines()
    assert as_pywb(lines_of(index)) == pywb_indexes(archive)


@pytest.mark.timeout(120)
def test_all_stores_agree_after_deaths_at_each_step_of_a_commit(tmp_path: Path) -> None:
    more: dict[str, object] = {"kinds": ALL, "delay_ms": 150, "publish_ms": 100, "batch_ms": 50, "compact_files": 3}
    # Each store passes each point: the count says which of them it dies in.
    others = ("stage.listed:3", "publish.read:7")
    archive = ("stage.written:6", "stage.listed:6", "settle.settled:2", "publish.read:6", "publish.committed:10")
    ends = [Death(20, point) for point in (*others, *archive, "publish.forgotten:6")]
    with started(["--preset=calm", "--hosts=12", "--seed=5"]) as web:
        died = crawl_through(web, tmp_path / "out", ends, **more)
        assert died.total() == len(ends)
        agree(tmp_path / "out")
        judged_after(web, tmp_path / "out", died.total(), **more)


@pytest.mark.timeout(60)
def test_a_store_that_pages_wait_for_cannot_be_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(["--preset=calm", "--hosts=3"]) as web:
        settings = load(None, **settings_for(web, kinds=["lance", "warc"], publish_ms=60_000))
        folder.with_suffix(".toml").write_text(to_toml(settings))
        assert dies(again(web, folder, fault="settle.settled:2"), Death(20, "settle.settled:2"))
        with pytest.raises(StoreError, match=r'waits to be published in warc.* kinds = \["lance", "warc"\]'):
            helios.resume(folder, kinds=["lance"])
        helios.resume(folder, kinds=["lance", "warc"])
        table = helios.open(folder).pages(["url"]).read_all()
        assert {url for url, _ in archived(folder)} >= set(table["url"].to_pylist())


@pytest.mark.timeout(60)
def test_lines_of_json_go_to_standard_output_alone(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(["--preset=calm", "--hosts=3"]) as web:
        folder.with_suffix(".toml").write_text(to_toml(load(None, **settings_for(web, max_pages=5))))
        words = ["crawl", *web.seeds, "--config", str(folder.with_suffix(".toml")), "--out", str(folder)]
        said, _ = helios_process(*words, "--jsonl", "-").communicate()
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["status"] for line in lines] == [200] * 5


@pytest.mark.timeout(60)
def test_the_archive_is_exported_whole_and_chosen_pages_from_the_table(tmp_path: Path) -> None:
    with started(["--preset=calm", "--hosts=3"]) as web:
        crawled(web, tmp_path / "out", kinds=["lance", "warc"], raw=True, max_pages=12, warc_bytes=20_000)
    crawl = helios.open(tmp_path / "out")
    crawl.export(tmp_path / "all.warc.gz", format="warc")
    files = sorted((tmp_path / "out/warc").glob("*.warc.gz"))
    assert (tmp_path / "all.warc.gz").read_bytes() == b"".join(path.read_bytes() for path in files)
    assert len(files) > 1
    crawl.export(tmp_path / "some.warc.zst", format="warc", where="status = 200")
    records = {
        dict(record["fields"])["WARC-Target-URI"]: record for record in WarcReader(str(tmp_path / "some.warc.zst"))
    }
    assert len(records) == 12
    for row in crawl.pages(["url", "raw", "body_hash"]).read_all().to_pylist():
        assert b"<" in records[row["url"]]["payload"]
    with pytest.raises(QueryError, match="give OUT the same ending"):
        crawl.export(tmp_path / "all.warc.zst", format="warc")
