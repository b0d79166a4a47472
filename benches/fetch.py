"""CPU per request: Helios' fetcher beside a raw epoll client (the limit) and others; 10,000 slow hosts at once.

`python benches/fetch.py`, or with `<repeats> <requests> <slow hosts> <seconds each>`; 0 leaves a part out. The server
(`decisions/src/bin/http_server.rs`) has a process and cores of its own; a client has one core, and only its CPU counts:
64 requests in flight, each client in a process of its own, in turns; the share of the limit is the median of those of each round. All check certificates, and resume TLS sessions in
their usual way. Where a client cannot be installed, it says so and is left out.
"""
# ruff: noqa: INP001, S603, T201, PLW1509 - a program of its own, which runs our own programs and prints

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DECISIONS = ROOT / "benches/decisions"
LOADS = {
    f"{size // 1000} KB{coding}, {kind}, {side}": (side, f"{size}/{path}")
    for side in ("plain", "TLS")
    for coding, size, kind, path in (
        ("", 33_000, "kept", "keep"),
        ("", 140_000, "kept", "keep"),
        ("", 33_000, "new", "close"),
        ("", 140_000, "new", "close"),
        (" from gzip", 140_000, "kept", "keep/gzip"),
    )
}
# A request of a Python client takes several times as long, so that fewer are as exact.
PYTHON = ("aiohttp", "httpx", "pycurl")
PYTHON_SHARE = 10
GOAL, AIM, MOST_KB = 0.6, 0.8, 40
CORES = sorted(os.sched_getaffinity(0))


def built(place: Path, folder: Path, program: str, *options: str) -> str | None:
    """Builds a program in a target folder; none if that fails."""
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(folder), *options]
    done = subprocess.run(command, cwd=place, check=False)
    return None if done.returncode else str(folder / "release" / program)


def python_clients() -> Iterator[tuple[str, list[str]]]:
    """The clients for Python that can be installed, in an environment of their own, each with its command."""
    place = TARGET / "bench-venv"
    python = str(place / "bin/python")
    if not Path(python).exists():
        venv.create(place, with_pip=True)
    for name in PYTHON:
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode:
            command = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name} is left out: {(done.stderr.strip().splitlines() or ['no reason told'])[-1]}")
                continue
        yield name, [python, str(DECISIONS / "fetch_clients.py"), name]


def prepared(cores: list[int]) -> None:
    """In a child: its cores, and as many files as it may open."""
    os.sched_setaffinity(0, cores)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def server(program: str, ca: Path) -> Iterator[dict[str, int]]:
    """The server, on all cores but the first; its ports."""
    cores = CORES[1:] or CORES
    process = subprocess.Popen(
        [program, str(ca)], stdout=subprocess.PIPE, text=True, preexec_fn=lambda: prepared(cores)
    )
    try:
        plain, secure = process.stdout.readline().split()
        yield {"plain": int(plain), "TLS": int(secure)}
    finally:
        process.kill()
        process.wait()


def run(command: list[str]) -> str:
    """What a client prints."""
    return subprocess.run(
        command, capture_output=True, text=True, check=True, preexec_fn=lambda: prepared(CORES[:1])
    ).stdout


def base(side: str, port: int) -> str:
    """The address of one side of the server."""
    return f"{'https' if side == 'TLS' else 'http'}://127.0.0.1:{port}"


def speed(clients: dict[str, list[str]], ports: dict[str, int], ca: Path, repeats: int, requests: int) -> None:
    """Measures in turns and prints the table."""
    urls = [f"{base(side, ports[side])}/{path}" for side, path in LOADS.values()]
    seen: dict[str, list[list[float]]] = {name: [[] for _ in LOADS] for name in clients}
    began = time.perf_counter()
    for _ in range(repeats):
        for name, command in clients.items():
            count = max(64, requests // PYTHON_SHARE) if name in PYTHON else requests
            lines = run([*command, str(ca), str(count), *urls]).split()
            for values, line in zip(seen[name], lines, strict=True):
                values.append(float(line))
    took = time.perf_counter() - began
    print(f"CPU per request, median [least .. most] of {repeats} runs of {requests}, in {took:.0f} s; goal {GOAL}")
    for number, load in enumerate(LOADS):
        limits = seen["raw epoll"][number]
        print(f"{load:34}{'µs':>8}{'':20}{'of limit':>10}{'least of least':>17}")
        for name in clients:
            values = seen[name][number]
            middle = statistics.median(values)
            spread = f"[{min(values):.1f} .. {max(values):.1f}]"
            # Of the same round: what slows the machine down for a while slows both.
            share = statistics.median(limit / value for limit, value in zip(limits, values, strict=True))
            word = "" if name != "Helios" else "below the goal" if share < GOAL else "met" if share < AIM else "aim met"
            print(f"    {name:30}{middle:8.1f} {spread:19}{share:10.2f}{min(limits) / min(values):17.2f}  {word}".rstrip())


def slow(helios: str, ports: dict[str, int], ca: Path, hosts: int, seconds: int) -> None:
    """Holds many slow connections, plain and under TLS, and prints what they cost."""
    for side, port in ports.items():
        where = f"{base(side, port)},127.0.0.1:{ports['plain']}"
        told = json.loads(run([helios, "slow", str(ca), str(hosts), str(seconds), where]))
        print(f"{hosts} slow hosts at once, {side}: {told['open']} open after {told['open_s']:.1f} s")
        print(f"    {told['kb_each']:.1f} KB of memory each, {told['kb_each_later']:.1f} KB later; goal {MOST_KB}")
        print(f"    100 fast hosts meanwhile: all within {told['fast_ms']:.0f} ms")
        print(f"    {told['outcomes']} outcomes, {told['timed_out']} timed out, the last {told['late_ms']} ms late")
        left = f"{told['files_after']} of {told['files_open']} descriptors and {told['open_after']} connections left"
        print(f"    closed with {told['open_again']} open: in {told['close_ms']:.0f} ms, {left}")


def main(repeats: int, requests: int, hosts: int, seconds: int) -> None:
    """Builds, then measures both."""
    folder = TARGET / "decisions"
    options = ("--no-default-features", "--features", "http", "--bin", "http_server", "--bin", "fetch")
    others = built(DECISIONS, folder, "fetch", *options)
    helios = built(ROOT, TARGET, "examples/fetch_cost", "-p", "helios-core", "--example", "fetch_cost")
    if others is None or helios is None:
        sys.exit("a program could not be built")
    with (
        tempfile.TemporaryDirectory() as place,
        server(str(folder / "release/http_server"), Path(place, "ca.pem")) as ports,
    ):
        ca = Path(place, "ca.pem")
        if repeats:
            clients = {"raw epoll": [others, "raw"], "Helios": [helios, "speed"], "reqwest": [others, "reqwest"]}
            speed({**clients, **dict(python_clients())}, ports, ca, repeats, requests)
        if hosts:
            slow(helios, ports, ca, hosts, seconds)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or (7, 7_680, 10_000, 10)))
