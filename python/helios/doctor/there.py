"""Checks of what a crawl speaks to: name servers, an object store."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from helios.clock import Clock
from helios.doctor.finding import Finding
from helios.errors import HeliosError
from helios.settings import Settings

RESOLVERS = Path("/etc/resolv.conf")
PATIENCE_S = 10  # with an object store
ANSWER_BYTES = 4_096
WORDS = {0: "answered", 1: "did not understand", 2: "failed", 3: "says that there is no such name", 5: "refused"}
HEADER = struct.Struct(">HHHHHH")  # RFC 1035, 4.1.1
RECURSION = 0x0100


def names(settings: Settings, name: str | None, time: Clock) -> Finding:
    """Does each name server answer?"""
    servers = [_address(one) for one in settings.dns.servers] or list(_of_machine())
    if not servers:
        fix = "name one with --dns HOST:PORT, or nameserver in /etc/resolv.conf"
        return Finding("dns", "fail", "this machine has no name server", fix)
    told = ", ".join(f"{host}:{port}" for host, port in servers)
    if name is None:
        return Finding("dns", "skip", f"{told}; not asked", "helios doctor --name example.org asks them for a name")
    answers = [(server, *_asked(server, name, settings.dns.timeout_ms / 1000, time)) for server in servers]
    bad = [f"{host}:{port} {said}" for (host, port), answered, said in answers if not answered]
    if len(bad) == len(answers):
        return Finding(
            "dns", "fail", f"{name}: {'; '.join(bad)}", "is the network up? name another with --dns HOST:PORT"
        )
    if bad:
        return Finding("dns", "warn", f"{name}: {'; '.join(bad)}", "take it out of the list: it costs time")
    return Finding("dns", "ok", f"{name}: " + "; ".join(f"{host}:{port} {said}" for (host, port), _, said in answers))


def _of_machine() -> Iterator[tuple[str, int]]:
    with suppress(OSError):
        for line in RESOLVERS.read_text(encoding="utf-8", errors="replace").splitlines():
            match line.split("#")[0].split():
                case ["nameserver", host, *_]:
                    yield host, 53


def _address(server: str) -> tuple[str, int]:
    host, _, port = server.rpartition(":")
    return host.strip("[]"), int(port)


def _asked(server: tuple[str, int], name: str, patience: float, time: Clock) -> tuple[bool, str]:
    """Was there an answer with an address, and what was said."""
    began = time.now()
    try:
        number, answer = _exchanged(server, name, patience)
        found, flags, _, answers, _, _ = HEADER.unpack_from(answer)
    except (OSError, UnicodeError) as error:
        return False, f"does not answer ({error.strerror if isinstance(error, OSError) and error.strerror else error})"
    except struct.error:
        return False, "answers nonsense"
    code = flags & 0xF
    if found != number or code or not answers:
        return False, WORDS.get(code, f"answers with error {code}") if code else "knows no address of it"
    return True, f"answered in {time.now() - began} ms"


def _exchanged(server: tuple[str, int], name: str, patience: float) -> tuple[int, bytes]:
    """One question for an IPv4 address, over UDP (RFC 1035, 4)."""
    number = int.from_bytes(os.urandom(2), "big")
    labels = b"".join(bytes([len(part)]) + part for part in name.rstrip(".").encode("idna").split(b"."))
    question = HEADER.pack(number, RECURSION, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)
    family = socket.AF_INET6 if ":" in server[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.settimeout(patience)
        asking.connect(server)
        asking.send(question)
        return number, asking.recv(ANSWER_BYTES)


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
