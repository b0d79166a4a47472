"""The log: what is in it, and that it stays small and keeps secrets, whatever happens."""

import dataclasses
import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

import helios
from doubles import FakeClock, World, line_of
from helios._core import Done
from helios.errors import FolderError, SeedError
from helios.folder import Folder
from helios.observe.journal import Journal, written
from helios.observe.log import MOST, LogFile
from helios.settings import Settings, load
from sites import Site, served


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "logs" / "helios.jsonl").read_text("utf-8").splitlines()]


def crawled(site: Site, out: Path, **more: object) -> helios.Summary:
    return helios.crawl(site.at("/"), out, config=None, extract=None, **site.settings(**more))


def test_a_run_is_written_down_from_beginning_to_end(tmp_path: Path) -> None:
    with served({"/": "<a href='/a'>a</a>", "/a": "text"}) as site:
        summary = crawled(site, tmp_path / "x", max_depth=3)
        helios.resume(tmp_path / "x", extract=None, seeds=site.at("/b"))
    told = lines(tmp_path / "x")
    assert [line["event"] for line in told if line["logger"] == "helios.crawl"] == ["started", "ended"] * 2
    first, ended = told[0], next(line for line in told if line["event"] == "ended")
    assert first["settings"]["crawl"] == {"max_depth": 3}
    assert (first["seeds"], first["version"]) == (1, helios.__version__)
    assert first["machine"]["processors"] >= 1
    assert (ended["pages"], ended["ended"]) == (summary.pages, "finished")
    assert sum(line["rows"] for line in told if line["event"] == "published") == 2
    (failed,) = [line for line in told if line["event"] == "failed"]
    assert (failed["logger"], failed["kind"], failed["url"]) == ("helios.fetch", "missing", site.at("/b"))
    assert "404" in failed["reason"]
    assert all(line["time"].endswith("Z") and line["level"] for line in told)


def test_a_crawl_that_breaks_off_says_why(tmp_path: Path) -> None:
    stages = dataclasses.replace(World(line_of(1)).stages(), folder=Folder(tmp_path))
    with pytest.raises(SeedError), written(stages, 1):
        raise SeedError("no seed can be crawled")
    last = lines(tmp_path)[-1]
    assert (last["event"], last["level"], last["kind"]) == ("broke off", "error", "SeedError")


def test_a_log_for_people_is_one_line_each(tmp_path: Path) -> None:
    with served({"/": "text"}) as site:
        crawled(site, tmp_path / "x", log={"format": "human"})
    text = (tmp_path / "x" / "logs" / "helios.log").read_text("utf-8")
    assert " info    crawl    started version=" in text
    assert " info    publish  published batches=1 rows=1\n" in text


def test_without_a_log_there_is_none(tmp_path: Path) -> None:
    with served({"/": "text"}) as site:
        crawled(site, tmp_path / "x", log={"level": "off"})
    assert not (tmp_path / "x" / "logs").exists()


def test_secrets_are_not_written(tmp_path: Path) -> None:
    with served({"/": "text"}) as site:
        pools = {"p": {"proxies": ["http://hush:hush@127.0.0.1:9"]}}
        proxy = {"pools": pools, "rules": [{"pattern": "*.invalid", "pool": "p"}]}
        crawled(site, tmp_path / "x", proxy=proxy, auth={"a.org": "me:hush"}, headers={"X-Key": "hush"})
    text = (tmp_path / "x" / "logs" / "helios.jsonl").read_text("utf-8")
    assert "hush" not in text
    assert "http://***@127.0.0.1:9" in text


@dataclass
class Failed:
    """A batch of which nothing came."""

    told: list[tuple[str, str, str]] = field(default_factory=list)

    def failures(self) -> list[tuple[str, str, str]]:
        return self.told


def batch(*told: tuple[str, str, str]) -> Done:
    return cast("Done", Failed(list(told)))


def journal(folder: Path, clock: FakeClock, **log: object) -> tuple[Journal, LogFile]:
    settings = load(log=log)
    file = LogFile(folder / "logs", settings.log)
    return Journal(file, settings, clock), file


def test_errors_are_limited_by_kind_and_minute_and_the_others_counted(tmp_path: Path) -> None:
    clock = FakeClock()
    clock.time = 60_000 * 100
    writer, file = journal(tmp_path, clock, lines_per_minute=3)
    for number in range(50):
        writer.batch(batch((f"http://a.test/{number}", "timed_out", "too slow")))
    writer.batch(batch(("http://a.test/", "broken", "half of it")))
    clock.time += 60_000
    writer.batch(batch(("http://a.test/last", "timed_out", "too slow")))
    writer.ended(helios.Summary("x", 1, 1, 1.0, "finished", 0, 0, {}, 0, [], []))
    file.close()
    told = lines(tmp_path)
    kinds = [line.get("kind") for line in told if line["event"] == "failed"]
    assert kinds == ["timed_out"] * 3 + ["broken", "timed_out"]
    (left_out,) = [line for line in told if line["event"] == "left out"]
    assert (left_out["kind"], left_out["count"]) == ("timed_out", 47)
    assert told[0]["url"] == "http://a.test/0"
    assert told[0]["reason"] == "too slow"


def test_what_is_left_out_at_the_end_is_counted_too(tmp_path: Path) -> None:
    writer, file = journal(tmp_path, FakeClock(), lines_per_minute=1)
    for _ in range(5):
        writer.published(1, 1)
    writer.broke(KeyboardInterrupt())
    file.close()
    assert [line.get("count") for line in lines(tmp_path) if line["event"] == "left out"] == [4]


@pytest.mark.parametrize("files", [1, 3])
def test_disk_use_is_bounded(tmp_path: Path, files: int) -> None:
    writer, file = journal(tmp_path, FakeClock(), max_bytes=4_096, files=files, lines_per_minute=10**9)
    for number in range(500):
        writer.batch(batch((f"http://a.test/{number}", "broken", "x" * 10**5)))
    file.close()
    found = sorted((tmp_path / "logs").iterdir())
    assert len(found) == files
    assert all(one.stat().st_size <= 4_096 for one in found)
    assert lines(tmp_path)[-1]["url"] == "http://a.test/499", "the newest is kept"


def test_what_the_web_says_cannot_make_lines_or_move_the_cursor(tmp_path: Path) -> None:
    for kind, name in (("json", "helios.jsonl"), ("human", "helios.log")):
        writer, file = journal(tmp_path, FakeClock(), format=kind)
        writer.batch(batch(("http://a.test/", "broken", "bad\n\x1b[2Jline " + "é" * 5_000)))
        file.close()
        (line,) = (tmp_path / "logs" / name).read_text("utf-8").splitlines()
        assert "\x1b" not in line
        assert len(line) < MOST + 300


def test_slow_steps_and_failed_ones_are_said(tmp_path: Path) -> None:
    writer, file = journal(tmp_path, FakeClock(), slow_ms=1_000)
    writer.took("publish", 999)
    writer.took("publish", 1_500)
    writer.failed("stage", OSError(28, "No space left on device"))
    file.close()
    slow, failed = lines(tmp_path)
    assert (slow["logger"], slow["level"], slow["event"], slow["seconds"]) == ("helios.publish", "warning", "slow", 1.5)
    assert (failed["logger"], failed["level"], failed["kind"]) == ("helios.stage", "error", "OSError")


def test_a_level_leaves_out_what_is_below(tmp_path: Path) -> None:
    writer, file = journal(tmp_path, FakeClock(), level="warning", slow_ms=1)
    writer.published(1, 1)
    writer.took("settle", 5)
    file.close()
    assert [line["event"] for line in lines(tmp_path)] == ["slow"]


def test_a_disk_that_takes_nothing_ends_no_crawl(tmp_path: Path) -> None:
    writer, file = journal(tmp_path, FakeClock())
    file.close()
    file.stream = open("/dev/full", "w", encoding="utf-8")  # noqa: PTH123, SIM115  # closed with the file
    writer.published(1, 1)
    assert file.lost == 1
    with pytest.raises(OSError, match="No space"):
        file.stream.close()
    file.stream = None
    file.close()


def test_a_folder_that_cannot_hold_a_log_is_said(tmp_path: Path) -> None:
    with served({"/": "text"}) as site:
        crawled(site, tmp_path / "x", log={"level": "off"})
        (tmp_path / "x" / "logs").touch()
        with pytest.raises(FolderError, match=r"logs cannot be written: .*\[log\] level"):
            helios.resume(tmp_path / "x", extract=None, seeds=site.at("/b"), log={"level": "info"})


def test_a_program_hears_the_same_as_it_has_set_up_logging(caplog: pytest.LogCaptureFixture) -> None:
    writer = Journal(None, Settings(), FakeClock())
    with caplog.at_level(logging.INFO, "helios.publish"):
        writer.published(2, 7)
    with caplog.at_level(logging.ERROR, "helios.publish"):
        writer.published(3, 8)
    (record,) = caplog.records
    assert (record.name, record.getMessage(), cast("Any", record).fields) == (
        "helios.publish",
        "published",
        {"batches": 2, "rows": 7},
    )
