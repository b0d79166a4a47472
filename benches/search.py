"""Search and export: time to index, latency, CPU and resident memory, each step in a process of its own.

`python benches/search.py` (20,000 rows, about a minute), or with a number of rows and of bytes of body in each
(`1000000 5000` makes 8 GB in a temporary folder and takes ten minutes of CPU), or with a folder that is there already.
Needs `shared/data/content-*` above the project.
"""
# ruff: noqa: INP001, S311, S603, T201 - a program of its own: chance by seed, runs itself, prints

import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import table

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = 200


def index(folder: Path) -> dict[str, object]:
    """Makes the index."""
    import helios  # noqa: PLC0415 - only in the process that is measured

    state = helios.open(folder).index()
    sizes = [file.stat().st_size for file in (folder / "pages.lance" / "_indices").rglob("*") if file.is_file()]
    return {"rows": state.rows - state.waiting, "MB": round(sum(sizes) / 1e6)}


def search(folder: Path, **choice: str) -> dict[str, object]:
    """Words of real texts, one to four at once, in one process."""
    import helios  # noqa: PLC0415 - as above

    chance = random.Random(2)
    words = sorted({word for _, text in table.texts(ROOT) for word in re.findall(r"[a-z]{4,}", text)})
    crawl, times, found = helios.open(folder), [], 0
    for number in range(QUESTIONS):
        typed = " ".join(chance.choices(words, k=1 + number % 4))
        started = time.perf_counter()
        found += len(crawl.search(typed, update=False, **choice))
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return {"p50 ms": round(times[QUESTIONS // 2]), "p95 ms": round(times[QUESTIONS * 95 // 100]), "hits": found}


def one_site(folder: Path) -> dict[str, object]:
    """The same within a site."""
    return search(folder, site="site-3.test")


def first(folder: Path) -> dict[str, object]:
    """One search by the command, as a person types it."""
    subprocess.run([sys.executable, "-m", "helios", "search", str(folder), "climate", "change"], check=True, stdout=-3)
    return {}


def latest(folder: Path) -> dict[str, object]:
    """The newest row of each URL, counted."""
    import helios  # noqa: PLC0415 - as above

    return {"rows": helios.open(folder).pages(latest=True).count()}


def stats(folder: Path) -> dict[str, object]:
    """The summary."""
    import helios  # noqa: PLC0415 - as above

    return {"rows": helios.open(folder).stats().pages}


def exported(form: str) -> Callable[[Path], dict[str, object]]:
    """An export into a file beside."""

    def run(folder: Path) -> dict[str, object]:
        import helios  # noqa: PLC0415 - as above

        out = folder.with_name(f"{folder.name}.{form}")
        done = helios.open(folder).export(out, force=True)
        out.unlink()
        return {"rows": done.pages, "MB": round((done.bytes or 0) / 1e6)}

    return run


def sql(folder: Path) -> dict[str, object]:
    """A sum over the whole table, through DuckDB."""
    import helios  # noqa: PLC0415 - as above

    with helios.open(folder).sql("select site, sum(words), max(length(text)) from pages group by site") as reader:
        return {"rows": sum(batch.num_rows for batch in reader)}


STEPS: dict[str, Callable[[Path], dict[str, object]]] = {
    "index": index,
    "search": search,
    "one_site": one_site,
    "first": first,
    "latest": latest,
    "stats": stats,
    "jsonl": exported("jsonl"),
    "csv": exported("csv"),
    "parquet": exported("parquet"),
    "sql": sql,
}


def measured(step: str, folder: Path) -> None:
    """One step, in this process; what it took goes to standard output."""
    started = time.perf_counter()
    said = STEPS[step](folder)
    mine, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(one.ru_utime + one.ru_stime for one in (mine, children))
    memory = max(mine.ru_maxrss, children.ru_maxrss) / 1000
    facts = {"wall s": round(time.perf_counter() - started, 1), "CPU s": round(cpu, 1), "MB resident": round(memory)}
    print(json.dumps({**facts, **said}))


def main(words: list[str]) -> None:
    """Every step on one folder, made for it or given."""
    if words[:1] == ["--step"]:
        measured(words[1], Path(words[2]))
        return
    if words[:1] == ["--make"]:
        table.folder(Path(words[1]), int(words[2]), ROOT, int(words[3]))
        return
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{os.environ.get('PYTHONPATH', '')}"}
    given = bool(words) and not words[0].isdecimal()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(words[0]) if given else Path(temporary) / "crawl"
        if not given:
            # In a process of its own: the most that this one ever held would count as that of each step.
            size = [words[0] if words else "20000", words[1] if len(words) > 1 else "0"]
            subprocess.run([sys.executable, __file__, "--make", str(folder), *size], env=environment, check=True)
        sizes = [file.stat().st_size for file in (folder / "pages.lance" / "data").iterdir()]
        print(f"table of {sum(sizes) / 1e9:.2f} GB")
        for step in words[1:] if given and len(words) > 1 else STEPS:
            command = [sys.executable, __file__, "--step", step, str(folder)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False, text=True)
            print(f"{step:9}", *(f"{name} {value:>8,}" for name, value in json.loads(done.stdout or "{}").items()), sep="  ")


if __name__ == "__main__":
    main(sys.argv[1:])
