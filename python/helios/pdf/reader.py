"""Hands PDFs to worker processes; each file has its time, and a worker that oversteps it is ended and replaced."""

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from helios.errors import SettingsError

WORKER = Path(__file__).with_name("worker.py")
MOST_WORKERS = 4


class Worker:
    """One process, started when it is needed first. Used by one thread at a time."""

    def __init__(self, limit_ms: int, most_pages: int, most_bytes: int) -> None:
        self._limit_ms = limit_ms
        self._command = [sys.executable, "-P", str(WORKER), str(most_pages), str(most_bytes)]
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, body: bytes) -> str:
        """What the file says, as JSON; if nothing, why."""
        process = self._process or self._started()
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._limit_ms / 1000, end)
        timer.start()
        try:
            answer = _asked(process, body)
        except OSError:  # it went away while it was written to
            answer = None
        finally:
            timer.cancel()
        if answer is not None and not late.is_set():
            return answer
        self.close()
        why = (
            f"took longer than {self._limit_ms} ms"
            if late.is_set()
            else "its reader died: out of memory, or a bad file"
        )
        return json.dumps({"facts": json.dumps({"pdf": {"error": why}})})

    def _started(self) -> subprocess.Popen[bytes]:
        # Ctrl-C is for the crawl, which ends its workers itself.
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self._process

    def close(self) -> None:
        """Ends the process."""
        if (process := self._process) is not None:
            self._process = None
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what could not be written any more
                    if pipe is not None:
                        pipe.close()


def _asked(process: subprocess.Popen[bytes], body: bytes) -> str | None:
    """The worker's answer; None: it died."""
    assert process.stdin is not None  # noqa: S101  # both are pipes
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(len(body).to_bytes(8, "big"))
    process.stdin.write(body)
    process.stdin.flush()
    head = process.stdout.read(8)
    content = process.stdout.read(int.from_bytes(head, "big")) if head else b""
    return content.decode() if head and len(content) == int.from_bytes(head, "big") else None


class PdfReader:
    """Reads the PDFs of a batch, some at once."""

    def __init__(self, limit_ms: int, most_pages: int, most_bytes: int) -> None:
        if importlib.util.find_spec("pypdfium2") is None:
            raise SettingsError("[extract] pdf = true needs pypdfium2: pip install helios-crawler[pdf]")
        count = min(os.cpu_count() or 1, MOST_WORKERS)
        self._workers = [Worker(limit_ms, most_pages, most_bytes) for _ in range(count)]
        self._idle = list(self._workers)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="pdf")

    def read(self, files: Iterable[tuple[int, bytes]]) -> dict[int, str]:
        """What each says, as JSON, by its number. Blocks."""
        waiting = {number: self._threads.submit(self._one, body) for number, body in files}
        return {number: answer.result() for number, answer in waiting.items()}

    def _one(self, body: bytes) -> str:
        worker = self._idle.pop()  # as many workers as threads: there is one
        try:
            return worker.read(body)
        finally:
            self._idle.append(worker)

    def close(self) -> None:
        """Ends all workers."""
        for worker in self._workers:
            worker.close()
        self._threads.shutdown()
