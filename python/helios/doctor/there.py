"""Checks of what a crawl speaks to: name servers, an object store."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from helios.clock import Clock
from helios.doctor.finding import Finding
from helios.errors import HeliosError
from helios.settings import Settings

RESOLVERS = Path("/etc/resolv.conf")
PATIENCE_S = 10  # with an object store
ANSWER_BYTES = 4_096
WORDS = {0: "answered", 1: "did not understand", 2: "failed", 3: "says that there is no such name", 5: "refused"}
NO_SUCH_NAME = 3
ANOTHER = "helios crawl --dns ADDRESS:PORT, or [dns] servers in the settings file"
HEADER = struct.Struct(">HHHHHH")  # RFC 1035, 4.1.1
RECURSION = 0x0100

# "nothing": the server is well, the name is not there or has no address.
State: TypeAlias = Literal["known", "nothing", "failed"]


def names(settings: Settings, name: str | None, time: Clock) -> Finding:
    """Does each name server answer?"""
    servers = [_address(one) for one in settings.dns.servers] or list(_of_machine())
    if not servers:
        fix = f"name one: {ANOTHER}, or nameserver in /etc/resolv.conf"
        return Finding("dns", "fail", "this machine has no name server", fix)
    told = ", ".join(f"{host}:{port}" for host, port in servers)
    if name is None:
        return Finding("dns", "skip", f"{told}; not asked", "helios doctor --name example.org asks them for a name")
    if (question := _question(name)) is None:
        return Finding("dns", "fail", f"{name} is no name of a host", "give one like example.org")
    patience = settings.dns.timeout_ms / 1000
    return _judged(name, [(server, *_asked(server, question, patience, time)) for server in servers])


def _judged(name: str, answers: list[tuple[tuple[str, int], State, str]]) -> Finding:
    """By what the servers said."""
    said = f"{name}: " + "; ".join(f"{host}:{port} {words}" for (host, port), _, words in answers)
    failed = [f"{host}:{port} {words}" for (host, port), state, words in answers if state == "failed"]
    if len(failed) == len(answers):
        return Finding("dns", "fail", said, f"is the network up? name another: {ANOTHER}")
    if failed:
        return Finding("dns", "warn", f"{name}: {'; '.join(failed)}", "take it out of the list: it costs time")
    if all(state == "nothing" for _, state, _ in answers):
        fix = "they answer; is the name spelled right? try another one: helios doctor --name example.org"
        return Finding("dns", "warn", said, fix)
    return Finding("dns", "ok", said)


def _of_machine() -> Iterator[tuple[str, int]]:
    with suppress(OSError):
        for line in RESOLVERS.read_text(encoding="utf-8", errors="replace").splitlines():
            match line.split("#")[0].split():
                case ["nameserver", host, *_]:
                    yield host, 53


def _address(server: str) -> tuple[str, int]:
    host, _, port = server.rpartition(":")
    return host.strip("[]"), int(port)


def _asked(server: tuple[str, int], question: bytes, patience: float, time: Clock) -> tuple[State, str]:
    """What came of it, and what was said."""
    began = time.now()
    number = int.from_bytes(os.urandom(2), "big")
    try:
        answer = _exchanged(server, HEADER.pack(number, RECURSION, 1, 0, 0, 0) + question, patience)
        found, flags, _, answers, _, _ = HEADER.unpack_from(answer)
    except OSError as error:
        return "failed", f"does not answer ({error.strerror or error})"
    except struct.error:
        return "failed", "answers nonsense"
    code = flags & 0xF
    if found != number:
        return "failed", "answers nonsense"
    if code:
        return "nothing" if code == NO_SUCH_NAME else "failed", WORDS.get(code, f"answers with error {code}")
    return ("known", f"answered in {time.now() - began} ms") if answers else ("nothing", "knows no address of it")


def _question(name: str) -> bytes | None:
    """The name as name servers read it, its IPv4 address wanted (RFC 1035, 4.1.2); None: no name can be so."""
    try:
        labels = [part.encode("idna") for part in name.rstrip(".").split(".")]
    except UnicodeError:
        return None
    if not all(labels):
        return None
    return b"".join(bytes([len(part)]) + part for part in labels) + b"\0" + struct.pack(">HH", 1, 1)


def _exchanged(server: tuple[str, int], question: bytes, patience: float) -> bytes:
    """One question and its answer, over UDP (RFC 1035, 4.2.1)."""
    family = socket.AF_INET6 if ":" in server[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.settimeout(patience)
        asking.connect(server)
        asking.send(question)
        return asking.recv(ANSWER_BYTES)


def store(settings: Settings) -> Finding | None:
    """Does the object store answer, and does it keep its word? None: there is none."""
    if settings.store.url is None:
        return None
    from helios.stores.objects import Bucket  # noqa: PLC0415  # an extra

    quick = msgspec.structs.replace(settings.store, wait_seconds=PATIENCE_S)
    try:
        Bucket(quick, os.environ).probe()
    except HeliosError as error:
        fix = "see docs/store.md; credentials come from the environment or from ~/.aws/credentials"
        return Finding("object store", "fail", str(error), fix)
    return Finding("object store", "ok", f"{settings.store.url} can be written, and overwrites nothing")
