"""Look-ups per second and CPU per look-up: our resolver on one thread against unbound, with the server's CPU beside it.

`python benches/dns.py`, or with `<look-ups> <in flight>`. Unbound (Debian: unbound) knows every name below bench.test by
itself and has one thread, so that its speed bounds ours when it is the busier one. What is measured stands in
`crates/helios-core/examples/dns_cost.rs`.
"""
# ruff: noqa: INP001, S603, T201 - a program of its own, which runs our own programs and prints

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CONFIG = """
server:
    interface: 127.0.0.1@{port}
    do-daemonize: no
    username: ""
    chroot: ""
    pidfile: ""
    directory: "{folder}"
    use-syslog: no
    num-threads: 1
    module-config: "iterator"
    local-zone: "bench.test." redirect
    local-data: "bench.test. 3600 IN A 192.0.2.1"
remote-control:
    control-enable: no
"""


def built() -> Path:
    """Builds our program."""
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(TARGET), "-p", "helios-core"]
    subprocess.run([*command, "--example", "dns_cost"], cwd=ROOT, check=True)
    return TARGET / "release/examples/dns_cost"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def unbound() -> Iterator[tuple[int, int]]:
    """A server; its port and its process."""
    program = shutil.which("unbound", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        sys.exit("no unbound here (Debian: apt-get install unbound)")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "unbound.conf"
        config.write_text(CONFIG.format(port=port, folder=folder), encoding="utf-8")
        with (Path(folder) / "said").open("w") as said:
            server = subprocess.Popen([program, "-c", str(config)], stderr=said)
        try:
            if not answers(port):
                sys.exit(f"unbound does not answer; it said:\n{(Path(folder) / 'said').read_text()}")
            yield port, server.pid
        finally:
            server.terminate()
            server.wait()


def answers(port: int) -> bool:
    """Waits until the server knows a name."""
    question = b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + b"\1a\5bench\4test\0" + b"\0\1\0\1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.2)
        for _ in range(50):
            with suppress(OSError):
                asking.sendto(question, ("127.0.0.1", port))
                return asking.recv(512).endswith(b"\xc0\0\2\1")
            time.sleep(0.05)
    return False


def cpu_of(process: int) -> float:
    """CPU seconds of another process so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(look_ups: str, in_flight: str) -> None:
    """Measures with one question a name and with two, and prints both."""
    program = str(built())
    print(f"{look_ups} names, {in_flight} in flight on one thread, unbound with one thread on the same machine")
    for families in ("v4", "both"):
        with unbound() as (port, process):
            before, begin = cpu_of(process), time.monotonic()
            command = [program, f"127.0.0.1:{port}", look_ups, in_flight, families]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            questions = (int(look_ups) + int(in_flight)) * (2 if families == "both" else 1)
            if " failures=0 " not in text:
                sys.exit(f"not all look-ups were answered, so this measures nothing:\n{text}")
            spent, wall = cpu_of(process) - before, time.monotonic() - begin
        print(f"{families}: server {spent * 1e6 / questions:.1f} us CPU a question, {wall:.1f} s in all")
        print("".join(f"    {line}\n" for line in text.splitlines()), end="")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["200000", "10000"]))
