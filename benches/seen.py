"""CPU per "seen?": Helios' sieve, RocksDB and a Python set, each in a process of its own, on one stream of links.

`python benches/seen.py`, or with `<known URLs> <checks>`. One link in ten is new; how the stream is made, stands in
`crates/helios-core/examples/sieve_cost.rs`. The set is exact, too, but in memory only, and gone after a crash.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BITS = (1 << 64) - 1
CHUNK = 100_000


def mix(n: int) -> int:
    """SplitMix64."""
    z = (n + 0x9E3779B97F4A7C15) & BITS
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & BITS
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & BITS
    return z ^ (z >> 31)


def fingerprint(url: int) -> bytes:
    """The 16 bytes that stand for a URL."""
    return (mix(2 * url) << 64 | mix(2 * url + 1)).to_bytes(16, "big")


def asked(check: int, known: int) -> int:
    """The URL that this check asks for."""
    now, u = known + check // 10, mix(check + (1 << 63))
    top = 1 << ((u >> 32) % now.bit_length())
    skewed = (top + u % top) % now
    return (*(skewed,) * 4, *(now - 1 - skewed,) * 4, u % now, now)[check % 10]


def python_set(known: int, checks: int) -> None:
    """Measures a set and prints what the other programs print."""
    seen = set(map(fingerprint, range(known)))
    cpu, new = 0.0, 0
    for begin in range(0, checks, CHUNK):
        stream = [fingerprint(asked(check, known)) for check in range(begin, min(checks, begin + CHUNK))]
        before = time.process_time()
        for one in stream:
            if one not in seen:
                seen.add(one)
                new += 1
        cpu += time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 // 10**6
    print(f"stream: new={new} ns_per_check={cpu * 1e9 / checks:.0f} peak_rss_mb={peak} disk_bytes_per_url=0.00")


def built(folder: Path, program: str, *options: str, **environment: str) -> str | None:
    """Builds a program in a target folder; none if that fails."""
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(folder), *options]
    place = ROOT if folder == TARGET else ROOT / "benches/decisions"
    done = subprocess.run(command, cwd=place, env={**os.environ, **environment}, check=False)
    return None if done.returncode else str(folder / "release" / program)


def rocksdb() -> tuple[str | None, str]:
    """The RocksDB program, or why there is none."""
    libraries = os.environ.get("ROCKSDB_LIB_DIR") or next(map(str, Path("/usr/lib").glob("*/librocksdb.so")), None)
    if libraries is None:
        return None, "no RocksDB library here (Debian: librocksdb-dev libclang-dev)"
    folder = libraries.removesuffix("/librocksdb.so")
    options = ("--no-default-features", "--features", "rocksdb", "--bin", "seen")
    return built(TARGET / "decisions", "seen", *options, ROCKSDB_LIB_DIR=folder), "its program could not be built"


def measure(*command: str) -> dict[str, str]:
    """Runs a program; the numbers of its stream."""
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    line = next(line for line in text.splitlines() if line.startswith("stream:"))
    return dict(pair.split("=") for pair in line.split() if "=" in pair)


def main(known: str, checks: str) -> None:
    """Measures all and prints the table."""
    sieve = built(TARGET, "examples/sieve_cost", "-p", "helios-core", "--example", "sieve_cost")
    if sieve is None:
        sys.exit("the sieve's program could not be built")
    rows = {"sieve": measure(sieve, known, checks), "sieve, lossy": measure(sieve, known, checks, "lossy")}
    rocks, reason = rocksdb()
    if rocks is None:
        print(f"RocksDB is left out: {reason}")
    else:
        with tempfile.TemporaryDirectory() as folder:
            rows["RocksDB"] = measure(rocks, known, checks, f"{folder}/db")
    rows["Python set"] = measure(sys.executable, __file__, known, checks, "set")
    print(f"{known} known URLs, {checks} checks of which 1 in 10 is new")
    print(f"{'':14}{'ns/check':>10}{'x sieve':>9}{'checks/s/core':>15}{'peak MB':>9}{'disk B/URL':>12}{'new':>10}")
    base = float(rows["sieve"]["ns_per_check"])
    for name, row in rows.items():
        each, disk = float(row["ns_per_check"]), row["disk_bytes_per_url"]
        speed = f"{each:10.0f}{each / base:9.2f}{1e9 / each:15,.0f}"
        print(f"{name:14}{speed}{row['peak_rss_mb']:>9}{disk:>12}{row['new']:>10}")


if __name__ == "__main__":
    known, checks, *rest = sys.argv[1:] or ["3000000", "1000000"]
    if rest == ["set"]:
        python_set(int(known), int(checks))
    else:
        main(known, checks)
