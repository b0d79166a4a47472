"""S3 servers that nobody here wrote, on free ports of this machine; and a proxy that breaks what it hands on."""

import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

import pytest

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "a-secret-nobody-may-see"}


def found(program: str) -> str:
    """Beside this Python, or on the path."""
    beside = Path(sys.executable).with_name(program)
    where = str(beside) if beside.exists() else shutil.which(program)
    if where is None:
        pytest.skip(f"{program} is not installed (group dev of pyproject.toml)")
    return where


def free_ports(count: int) -> list[int]:
    """Ports of which the next ten thousand are free, too: SeaweedFS takes port + 10000 for itself."""
    ports: list[int] = []
    while len(ports) < count:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
            with suppress(OSError, OverflowError):
                other.bind(("127.0.0.1", port - 10_000))
                if port - 10_000 > 1_024:
                    ports.append(port - 10_000)
    return ports


@dataclass
class Weed:
    """A SeaweedFS that can be killed and started again over the same data."""

    folder: Path
    ports: list[int] = field(default_factory=lambda: free_ports(4))
    process: subprocess.Popen[bytes] | None = None

    @property
    def port(self) -> int:
        return self.ports[0]

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = {"accessKey": KEYS["AWS_ACCESS_KEY_ID"], "secretKey": KEYS["AWS_SECRET_ACCESS_KEY"]}
        actions = ["Admin", "Read", "Write", "List", "Tagging"]
        config = self.folder / "s3.json"
        config.write_text(json.dumps({"identities": [{"name": "test", "credentials": [keys], "actions": actions}]}))
        s3, master, volume, filer = self.ports
        words = [f"-dir={self.folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3", f"-s3.port={s3}"]
        words += [f"-master.port={master}", f"-volume.port={volume}", f"-filer.port={filer}", f"-s3.config={config}"]
        words += ["-master.volumeSizeLimitMB=64", "-volume.max=50", "-master.electionTimeout=1s"]
        words += ["-s3.port.iceberg=0", "-s3.port.lance=0"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([found("weed"), "server", *words], stdout=log, stderr=log)
        until_answered(self.process, s3, "/status")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None


def until_answered(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    """Returns when the server is up."""
    for _ in range(600):
        assert process.poll() is None, "the server has ended"
        with suppress(OSError):
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            connection.getresponse().read()
            connection.close()
            return
        Event().wait(0.1)
    raise AssertionError(f"the server at {port} does not come up")


@contextmanager
def weed(folder: Path) -> Iterator[Weed]:
    """A server that honours conditional writes."""
    server = Weed(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def rclone(folder: Path) -> Iterator[int]:
    """A server that does not; yields its port."""
    (folder / "bucket").mkdir(parents=True)
    port = free_ports(1)[0]
    key = ",".join(KEYS.values())
    words = ["serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", key, "--config", "", str(folder)]
    process = subprocess.Popen([found("rclone"), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until_answered(process, port, "/")
        yield port
    finally:
        process.kill()
        process.wait()
