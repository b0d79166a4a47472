"""Whole crawls beside others: pages per second of CPU, at T1 (fetch, decode, links, seen, archive) and T2 (and main text, language, near-duplicates).

T2 lets the others use the fastest library for text, whose texts are worse than ours; T2Q is T2 with text of like quality: ours as at T2,
theirs by trafilatura. The table says who took which text, and what it is worth (mean word F1 on the pages of `content-wcxb`).

`python benches/crawl.py`, or with options: `--rivals PYTHON` is the Python of an environment with benches/rivals/requirements.txt,
`--repeats N`, `--only NAME ...`, `--tiers t1 t2 t2q`, `--parts` (nothing but the table). Real pages (`shared/data/content-wcxb`, beside the project or above it) are served by the synthetic
web in a process of its own, whose CPU is measured apart: no latency, all allowed, politeness off. All crawl the same web to its end;
slow ones a smaller one with the same mix. The web's own log says whether each asked for every page, once. The CPU is that of the
whole process tree, start included. Who is not installed is left out.

Then what each stage of ours costs (`crawl_stages.py`: the same crawl, one stage at a time), what the whole costs beyond their sum, and
how much faster two cores are than one, beside what two processes that share nothing gain on the same cores. The web is held to the same
cores, else it would have one for itself beside the slow crawl and take from the fast one's. For that the machine must have nothing else
to do, for it goes by the clock on the wall.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import argparse
import http.client
import json
import lzma
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helios.simweb import Served, get, started
from machine import gain, timed

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("HELIOS_DATA", ROOT.parent / "shared/data"))
RIVALS = Path(__file__).resolve().parent / "rivals"
HOSTS = 400
LARGE, SMALL = 60, 4  # mean pages of a host, for the fast and for the slow: a start of half a second is nothing to either
RUDE = {"delay_ms": 0, "fetch_time_factor": 0, "site_connections": 8, "address_connections": 0}  # for the test web only
ALL = {
    "crawl": {"scope": "any"},
    "frontier": RUDE,
    "fetch": {"contact": "bench@localhost", "allow": ["loopback"]},
}
HELIOS = {
    "t1": {
        "extract": {"text": "none", "markdown": False, "facts": False, "duplicates": "ignore"},
        "store": {"kinds": ["warc"]},
    },
    # Markdown and facts are what nobody else here makes.
    "t2": {"extract": {"markdown": False, "facts": False}, "store": {"kinds": ["lance", "warc"]}},
}
HELIOS["t2q"] = HELIOS["t2"]
TEXTS = {"t2": "resiliparse 1.1.0 main", "t2q": "trafilatura 2.3.1"}  # of the others, as peer-scores.json calls them
OURS = ("helios, sites not seen in training", 0.905)  # tools/content_model/README.md, "wcxb, all"
SCRIPTS = {
    "afternoon": (LARGE, ("uvloop", "aiohttp", "selectolax", "resiliparse", "rensa", "brotli")),
    "scrapy": (SMALL, ("scrapy", "warcio", "resiliparse", "rensa", "uvloop", "brotli")),
    "crawlee": (SMALL, ("crawlee", "warcio", "selectolax", "resiliparse", "rensa", "uvloop")),
}
SLOW = ("t2q",)  # tiers at which everyone else crawls the small web
GLUE, SCALE = 0.15, 1.8  # goals
TICK = os.sysconf("SC_CLK_TCK")
# Packages have their bytecode beside them; our own files, which are not installed here, are to have it, too.
AS_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Run:
    """One crawl, measured."""

    pages: int  # distinct pages that the web's log has
    missing: int  # of those that all could find
    again: int  # asked more than once
    cpu_s: float
    wall_s: float
    rss_mb: float
    web_s: float  # CPU of the web
    archive_mb: float

    @property
    def per_cpu(self) -> float:
        return self.pages / self.cpu_s


class Web:
    """A synthetic web that is warm: every body has been made once."""

    def __init__(self, served: Served) -> None:
        self.served = served
        lines = get(served.http, "/__expected").splitlines()
        self.expected = {json.loads(line)["url"] for line in lines}
        self._warm()

    def _warm(self) -> None:
        """Bodies are packed when they are first asked for; everything is, once, before anyone is measured."""
        connection = http.client.HTTPConnection("127.1.0.1", int(self.served.http.split(":")[1]))
        for url in self.expected:
            host, _, path = url.removeprefix("http://").partition("/")
            connection.request("GET", f"/{path}", headers={"Host": host, "Accept-Encoding": "gzip, br"})
            connection.getresponse().read()
        connection.close()

    def forget(self) -> None:
        """Empties the log."""
        connection = http.client.HTTPConnection(self.served.http)
        connection.request("POST", "/__reset")
        connection.getresponse().read()
        connection.close()

    def asked(self) -> Counter[str]:
        """Pages that were answered since, by how often."""
        lines = map(json.loads, get(self.served.http, "/__log?limit=1000000").splitlines())
        return Counter(line["url"] for line in lines if line["url"] in self.expected)

    def keep_to(self, cores: set[int]) -> None:
        words = ["--all-tasks", "--pid", "--cpu-list", listed(cores), str(self.served.pid)]
        subprocess.run(["taskset", *words], check=True, stdout=subprocess.DEVNULL)

    def cpu_s(self) -> float:
        user, system = Path(f"/proc/{self.served.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / TICK


def listed(cores: set[int]) -> str:
    return ",".join(map(str, cores))


def corpus_of(folder: Path) -> Path:
    """Real pages, unpacked into a folder."""
    packed = DATA / "content-wcxb" / "pages.tar.xz"
    if not packed.exists():
        sys.exit(f"there is no {packed}: nothing to serve")
    with lzma.open(packed) as pages, Path(folder, "pages.tar").open("wb") as tar:
        shutil.copyfileobj(pages, tar)
    return folder


@contextmanager
def web(corpus: Path, mean: int) -> Iterator[Web]:
    """Plain HTTP on addresses without names: not everyone can be given a name server. No zstd: not all read several frames."""
    options = {"names": "ip", "seeds": HOSTS // 10, "mean_pages": mean, "zstd": 0, "gzip": 0.53}
    words = [f"--set={name}={value}" for name, value in options.items()]
    with started(["--preset=fast", f"--hosts={HOSTS}", f"--corpus={corpus}", *words]) as served:
        yield Web(served)


def measured(place: Path, of: Web, command: list[str], out: Path, cores: set[int] | None = None) -> Run:
    """Runs one crawler on the web to its end, both on all cores or on some."""
    if cores:
        command = ["taskset", "--cpu-list", listed(cores), *command]
    of.keep_to(cores or os.sched_getaffinity(0))
    of.forget()
    before, began = of.cpu_s(), time.perf_counter()
    with (place / "said").open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, cwd=place, env=AS_INSTALLED)
        _, status, used = os.wait4(process.pid, 0)  # its own CPU, and that of children it waited for
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{(place / 'said').read_text()[-2000:]}")
    asked = of.asked()
    return Run(
        pages=len(asked),
        missing=len(of.expected) - len(asked),
        again=sum(asked.values()) - len(asked),
        cpu_s=used.ru_utime + used.ru_stime,
        wall_s=wall,
        rss_mb=used.ru_maxrss / 1e3,
        web_s=of.cpu_s() - before,
        archive_mb=sum(path.stat().st_size for path in out.rglob("*.warc*")) / 1e6,
    )


def helios_command(place: Path, tier: str, seeds: Path, out: Path) -> list[str]:
    tables = {**ALL, **HELIOS[tier]}
    lines = [f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()) for name, table in tables.items()]
    (place / "bench.toml").write_text("".join(lines))
    words = ["--seeds", str(seeds), "--config", str(place / "bench.toml"), "--out", str(out), "--json"]
    return [sys.executable, "-m", "helios", "crawl", *words]


def once(name: str, tier: str, of: Web, python: str, cores: set[int] | None = None) -> Run:
    """One crawl in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place, seeds, out = Path(folder), Path(folder, "seeds.txt"), Path(folder, "out")
        seeds.write_text("\n".join(of.served.seeds))
        if name == "helios":
            return measured(place, of, helios_command(place, tier, seeds, out), out, cores)
        out.mkdir()
        script = RIVALS / (f"{name}.py" if name == "afternoon" else f"{name}_crawler.py")
        return measured(place, of, [python, str(script), tier, str(seeds), str(out)], out)


def stages(tier: str, of: Web) -> dict[str, float]:
    """Microseconds of CPU a page, by stage."""
    with tempfile.TemporaryDirectory() as folder:
        place, seeds = Path(folder), Path(folder, "seeds.txt")
        seeds.write_text("\n".join(of.served.seeds))
        helios_command(place, tier, seeds, place / "out")
        words = [str(place / "bench.toml"), str(seeds), str(place / "out")]
        command = [sys.executable, str(Path(__file__).with_name("crawl_stages.py")), *words]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=AS_INSTALLED).stdout)
    return {name: 1e6 * seconds / found["pages"] for name, seconds in found.items() if name != "pages"}


def show_stages(tier: str, turns: list[tuple[Run, dict[str, float]]]) -> None:
    """Stages, their sum, and what the whole costs beyond it: in each turn, for the machine changes from minute to minute."""
    names = [name for name in turns[0][1] if name not in {"start", "whole"}]
    costs = {name: [found.get(name, 0) for _, found in turns] for name in names}
    start = statistics.median(found["start"] for _, found in turns)
    print(f"\n{tier.upper()}, us of CPU a page by stage, one at a time; start of the process {start:.0f}")
    for name, cost in costs.items():
        print(f"    {name:20}{statistics.median(cost):8.0f}  {min(cost):.0f}..{max(cost):.0f}")
    sums = [sum(column) for column in zip(*costs.values(), strict=True)]
    wholes = [1e6 / run.per_cpu - found["start"] for run, found in turns]
    more = [whole / total - 1 for whole, total in zip(wholes, sums, strict=True)]
    print(f"    {'sum':20}{statistics.median(sums):8.0f}\n    {'the crawl itself':20}{statistics.median(wholes):8.0f}")
    print(f"    overhead {statistics.median(more):.1%}, by turn {', '.join(f'{one:.1%}' for one in more)} (goal: {GLUE:.0%} or less)")


def show_cores(tier: str, one: list[Run], two: list[Run], machine: float) -> None:
    """The best of each: what disturbs only makes slower."""
    slow, fast = min(run.wall_s for run in one), min(run.wall_s for run in two)
    word = "met" if slow / fast >= SCALE else "below the goal"
    print(f"\n{tier.upper()} on one core {slow:.1f} s, on two {fast:.1f} s: {slow / fast:.2f} x, goal {SCALE} x: {word}")
    print(f"    two processes that share nothing gain {machine:.2f} x on these cores, in the same minutes")
    for run in (min(one, key=lambda run: run.wall_s), min(two, key=lambda run: run.wall_s)):
        print(f"    busy {run.cpu_s / run.wall_s:.2f} cores, {1e6 / run.per_cpu:.0f} us a page, the web {run.web_s / run.wall_s:.2f} cores")


def installed(python: str, modules: tuple[str, ...]) -> bool:
    return not subprocess.run([python, "-c", f"import {', '.join(modules)}"], capture_output=True, check=False).returncode


def chosen(given: argparse.Namespace) -> dict[tuple[str, str], int]:
    """Who takes part at which tier, and the mean pages of a host of the web that they crawl there."""
    sizes = {(tier, "helios"): LARGE for tier in given.tiers if not given.only or "helios" in given.only}
    for name, (mean, modules) in SCRIPTS.items():
        for tier in given.tiers:
            needed = (*modules, "trafilatura") if tier == "t2q" else modules
            if given.only and name not in given.only:
                continue
            if installed(given.rivals, needed):
                sizes[tier, name] = SMALL if tier in SLOW else mean
            else:
                print(f"{tier} {name} is left out: {given.rivals} lacks some of {', '.join(needed)} (benches/rivals/requirements.txt)")
    return sizes


def text_of(tier: str, name: str) -> str:
    """Whose text it was, and what that is worth."""
    if tier not in TEXTS:
        return ""
    if name == "helios":
        return f"{OURS[0]}, F1 {OURS[1]:.3f}"
    scores = DATA / "content-wcxb" / "peer-scores.json"
    known = json.loads(scores.read_text()).get(TEXTS[tier]) if scores.exists() else None
    return f"{TEXTS[tier]}, F1 {known['dev']['f1']:.3f}" if known else f"{TEXTS[tier]}, F1 not known: there is no {scores}"


def show(tier: str, runs: dict[str, list[Run]]) -> None:
    """The table of one tier."""
    print(
        f"\n{tier.upper()}{'pages':>16}{'per CPU-s':>11}{'least..most':>14}{'per wall-s':>11}{'us a page':>10}{'RSS MB':>8}{'web CPU':>9}{'WARC MB':>9}  {'ours is':9}{'text by' if tier in TEXTS else ''}"
    )
    best = statistics.median(run.per_cpu for run in runs["helios"]) if "helios" in runs else None
    for name, found in runs.items():
        rate = statistics.median(run.per_cpu for run in found)
        run = min(found, key=lambda one: abs(one.per_cpu - rate))
        spread = f"{min(one.per_cpu for one in found):.4g}..{max(one.per_cpu for one in found):.4g}"
        ours = f"{best / rate:.1f} x" if best and name != "helios" else ""
        print(
            f"{name:10}{run.pages:8,}{rate:11.1f}{spread:>14}{max(one.pages / one.wall_s for one in found):11.1f}{1e6 / rate:10,.0f}"
            f"{max(one.rss_mb for one in found):8.0f}{run.web_s / run.wall_s:9.1%}{run.archive_mb:9.0f}  {ours:9}{text_of(tier, name)}"
        )
        for one in found:
            if one.missing or one.again:
                print(f"    {name}: {one.missing} pages not asked for, {one.again} asked for again")


def all_of(given: argparse.Namespace, of: Web, who: list[tuple[str, str]], runs: dict[str, dict[str, list[Run]]]) -> None:
    """Everyone who crawls this web, in turns."""
    for _ in range(given.repeats):
        for tier, name in who:
            runs[tier].setdefault(name, []).append(run := once(name, tier, of, given.rivals))
            print(f"    {tier} {name}: {run.per_cpu:.1f} pages per CPU-second, {run.wall_s:.1f} s", flush=True)


def ours(given: argparse.Namespace, of: Web) -> None:
    """Stages and cores."""
    few = sorted(os.sched_getaffinity(0))[:2]
    for tier in given.tiers:
        if "stages" in given.parts:
            show_stages(tier, [(once("helios", tier, of, ""), stages(tier, of)) for _ in range(given.repeats)])
        if "cores" in given.parts and len(few) > 1:
            machine, turns = [timed(few)], []
            for _ in range(given.repeats):
                turns.append([once("helios", tier, of, "", set(few[:count])) for count in (1, 2)])
                machine += [timed(few) for _ in range(2)]
            show_cores(tier, *map(list, zip(*turns, strict=True)), gain(few, machine))


def main() -> None:
    """Measures all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rivals", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--tiers", nargs="*", default=["t1", "t2", "t2q"], choices=[*HELIOS])
    parser.add_argument("--parts", nargs="*", default=["stages", "cores"])
    given = parser.parse_args()
    sizes = chosen(given)
    runs: dict[str, dict[str, list[Run]]] = {tier: {} for tier in given.tiers}
    with tempfile.TemporaryDirectory() as folder:
        corpus = corpus_of(Path(folder))
        for mean in sorted(set(sizes.values())):
            who = [one for one, size in sizes.items() if size == mean]
            with web(corpus, mean) as of:
                print(f"a web of {len(of.expected):,} pages for {', '.join(f'{name} at {tier}' for tier, name in who)}", flush=True)
                all_of(given, of, who, runs)
                if mean == LARGE and all(runs[tier].get("helios") for tier in given.tiers):
                    ours(given, of)
    for tier, found in runs.items():
        show(tier, found)


if __name__ == "__main__":
    main()
