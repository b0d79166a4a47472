"""Crawls that die, as processes, at moments and at fault points; and what must hold afterwards."""

import os
import signal
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec

import helios
from end_to_end.webs import Asked, acquitted, must_be_stored, settings_for, stored, whole_log
from helios.faults import POINTS
from helios.folder import existing
from helios.settings import load, to_toml
from helios.simweb import Served, audit, get, promises
from helios.stores import place_of
from helios.stores.lance import LanceStore

RARE = ("collect", "clean")  # passed once by a process, if at all
ASKS_FOR_MORE = {408, 425, 429, 500, 502, 503, 504}  # as the auditor sees it
PATIENCE = 20  # seconds more, for a process to come to its fault point


@dataclass(frozen=True)
class Death:
    """How a process ends: so many seconds after its start, or at a fault point."""

    seconds: float
    point: str = ""


def helios_process(*words: str, fault: str = "") -> subprocess.Popen[bytes]:
    environment = {**os.environ, **({"HELIOS_FAULT": fault} if fault else {})}
    command = [sys.executable, "-m", "helios", *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def deaths(count: int, seed: int, longest: float = 2.0) -> list[Death]:
    """Every other one at a fault point, each point as often; the rest spread over start, crawl and commit.

    Before a death while clearing away, one that leaves something to clear away.
    """
    found = []
    for number in range(count):
        chance = zlib.crc32(f"{seed} {number}".encode())
        turn = number // 2 % len(POINTS)
        times = 1 if POINTS[turn].startswith(RARE) else 1 + chance % 3
        before = "stage.listed" if POINTS[turn].startswith("collect") else ""
        point = f"{POINTS[turn]}:{times}" if number % 2 else before
        found.append(Death(0.4 + chance % 1_600 / 1_600 * (longest - 0.4) + (PATIENCE if point else 0), point))
    return found


def dies(process: subprocess.Popen[bytes], death: Death) -> str | None:
    """The fault point at which the process ended; "" when it was killed from outside, None when it ended well."""
    try:
        said, wrong = process.communicate(timeout=death.seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return ""
    assert process.returncode in {0, -signal.SIGKILL}, (said + wrong).decode()
    return death.point.partition(":")[0] if process.returncode else None


def crawl_through(web: Served, folder: Path, ends: Iterable[Death], **more: object) -> Counter[str]:
    """Crawls a web, dying each of these deaths, then to its end; returns the deaths that it died, by point."""
    config = folder.with_suffix(".toml")
    config.write_text(to_toml(load(None, **settings_for(web, **more))))
    died: Counter[str] = Counter()
    begun: list[int] = []  # requests that the web had seen when each process had begun
    for death in ends:
        process = again(web, folder, fault=death.point)
        begun.append(requests(web))
        end = dies(process, death)
        if end is None:
            break
        died[end] += 1
    process = again(web, folder)
    begun.append(requests(web))
    _, said = process.communicate(timeout=900)
    assert process.returncode == 0, said.decode()
    assert asked_again(whole_log(web), begun) == [], "a crash excuses what was in flight, and nothing else"
    return died


def requests(web: Served) -> int:
    """So many the web has seen. A process has not asked for anything in its first milliseconds."""
    count: int = msgspec.json.decode(get(web.http, "/__stats"))["requests"]
    return count


def asked_again(log: Sequence[Asked], begun: Sequence[int]) -> list[str]:
    """What one and the same process asked for again after a final answer: stricter than law E with many crashes."""
    found = []
    for first, end in pairwise([*begun, len(log)]):
        answered: set[str] = set()
        for asked in log[first:end]:
            if asked.url in answered:
                found.append(asked.url)
            if asked.ending == "complete" and asked.status not in ASKS_FOR_MORE:
                answered.add(asked.url)
    return found


def again(web: Served, folder: Path, fault: str = "") -> subprocess.Popen[bytes]:
    """The next process of a crawl. Killed before its seeds were durable, it must be told them again."""
    if (folder / "helios.toml").exists():
        return helios_process("resume", str(folder), *web.seeds, fault=fault)
    config = folder.with_suffix(".toml")
    return helios_process("crawl", *web.seeds, "--config", str(config), "--out", str(folder), fault=fault)


def judged_after(web: Served, folder: Path, kills: int, **more: object) -> None:
    """Web, table and disk agree that nothing was lost, doubled, hurried or left behind."""
    promised = promises(load(None, **settings_for(web, **more)), complete=True)
    acquitted(web, audit(web.http, {**promised, "crashes": kills}), folder)
    rows = Counter(stored(folder))
    assert set(rows.values()) == {1}, "stored once"
    assert must_be_stored(web, **more) <= set(rows), "nothing is lost"
    assert leftovers(folder) == []


def leftovers(folder: Path) -> list[str]:
    """Files that nothing names, after one more run that has nothing to do but to collect."""
    assert helios.resume(folder).pages == 0
    crawl = existing(folder)
    place = place_of(crawl, crawl.settings().store)
    store = LanceStore(place)
    table = store._opened()
    assert table is not None
    small = [path.name for path in (folder / "staged").iterdir()] + place.names()
    return store._upkeep.orphans(table, set()) + [name for name in small if name != "published"]
