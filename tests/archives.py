"""WARC files as other tools see them. The tools are for tests alone; without one, who asks for it is skipped."""

import importlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

Line = tuple[str, str, dict[str, str]]  # key, time and fields of an index


def tool(name: str) -> Any:  # noqa: ANN401  # whatever it is
    package = name.partition(".")[0].replace("_", "-")
    return pytest.importorskip(name, reason=f"{package} is not installed: pip install {package}")


def warcio_checks(path: Path) -> None:
    """`warcio check`: every digest is right."""
    tool("warcio")
    readers = importlib.import_module("warcio.bufferedreaders")
    readers.BufferedReader.DECOMPRESSORS.pop("br", None)  # warcio 1.8 cannot use the Brotli of today
    said = io.StringIO()
    with redirect_stdout(said):
        command = type("Command", (), {"inputs": [str(path)], "verbose": True})
        code = importlib.import_module("warcio.checker").Checker(command()).process_all()
    assert code in {0, None}, said.getvalue()
    assert "digest pass" in said.getvalue()
    assert "fail" not in said.getvalue().lower()


def fastwarc_reads(path: Path) -> dict[str, bytes]:
    """Payloads of the responses, by URL; every digest is right."""
    warc = tool("fastwarc.warc")
    found = {}
    with path.open("rb") as file:
        for record in warc.ArchiveIterator(file, parse_http=False):
            assert record.verify_block_digest(), record.headers
            if record.record_type == warc.WarcRecordType.response:
                record.parse_http()
                assert record.verify_payload_digest(), record.headers
                found[record.headers["WARC-Target-URI"]] = record.reader.read()
    return found


def cdxj_indexes(path: Path) -> list[Line]:
    """The index that cdxj-indexer, which pywb uses, makes of a file."""
    indexer = tool("cdxj_indexer.main")
    out = io.StringIO()
    indexer.CDXJIndexer(out, [str(path)], sort=True).process_all()
    return lines_of(out.getvalue().splitlines())


def pywb_indexes(path: Path) -> list[Line]:
    """The index that pywb's own indexer makes of a file. A command: it has packages that not all can live with."""
    beside = Path(sys.executable).with_name("cdx-indexer")
    command = str(beside) if beside.exists() else shutil.which("cdx-indexer")
    if command is None:
        pytest.skip("cdx-indexer is not on the path: pip install pywb, in an environment of its own")
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}  # no PYTHONPATH of ours: it has its own packages
    words = [command, "--cdxj", "--sort", str(path)]
    done = subprocess.run(words, env=environment, capture_output=True, check=False, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    return lines_of(done.stdout.splitlines())


def as_pywb(lines: Iterable[Line]) -> list[Line]:
    """As pywb writes them: digests do not say how they were made, revisits have no status."""
    found = []
    for key, time, rest in lines:
        fields = {**rest, "digest": rest["digest"].removeprefix("sha1:")}
        if fields["mime"] == "warc/revisit":
            fields.pop("status", None)
        found.append((key, time, fields))
    return found


def lines_of(lines: Iterable[str]) -> list[Line]:
    """Lines of an index, whatever the order of their fields."""
    found = []
    for line in lines:
        key, time, rest = line.split(" ", 2)
        fields = json.loads(rest)
        if fields["filename"].endswith(".warc"):  # plain: some count the empty lines after a record, some do not
            del fields["length"]
        found.append((key, time, fields))
    return found
