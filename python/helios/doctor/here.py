"""Checks of this machine and of what is installed."""

import importlib.metadata
import os
import shutil
import ssl
import sys
import tempfile
from pathlib import Path

from helios._core import __version__
from helios.clock import Clock, moment
from helios.doctor.finding import Finding
from helios.measure.machine import memory_limit, memory_of_machine, open_files, processors
from helios.settings import Settings
from helios.settings.words import bytes_of
from helios.shares import SPARE_FILES

PACKAGE = "helios-crawler"
MB, GB = 1_000_000, 1_000_000_000
LITTLE_DISK, NO_DISK = 5 * GB, GB // 2
SLOW_DISK = 20 * MB  # bytes a second; a fast crawl stores more
PROBE = 16 * MB  # bytes written to measure it
BASE_MEMORY = 400 * MB  # a crawl without its pages; that of the demo has 280
EARLIEST, LATEST = 1_750_000_000_000, 4_102_444_800_000  # mid 2025, 2100: clocks outside were never set
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell")
ELSEWHERE = "helios crawl --out FOLDER (helios doctor FOLDER looks at it)"
CERTIFICATES = "-----BEGIN CERTIFICATE-----"


def versions() -> Finding:
    """Are Python code and compiled core of one build?"""
    try:
        installed = importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        installed = None
    said = f"Helios {__version__}, Python {sys.version.split()[0]}, {processors()} processors"
    if installed not in (None, __version__):
        fix = f"pip install --force-reinstall {PACKAGE}, or build again: make setup"
        return Finding("versions", "fail", f"the package is {installed}, its core {__version__}", fix)
    return Finding("versions", "ok", said)


def clock(time: Clock, folder: Path) -> Finding:
    """Is it set, does it run forward, and does the disk agree with it?"""
    first, second = time.now(), time.now()
    if second < first:
        return Finding("clock", "fail", f"it went back by {first - second} ms", "set the clock and keep it set: NTP")
    if not EARLIEST < first < LATEST:
        return Finding(
            "clock", "fail", f"it says {moment(first)} UTC", "set the clock: robots.txt and TLS depend on it"
        )
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            apart = abs(Path(file.name).stat().st_mtime * 1000 - time.now()) / 1000
    except OSError:
        apart = 0.0  # the disk has a check of its own
    if apart > 10:  # noqa: PLR2004  # seconds; a slow disk is no wrong clock
        fix = "set the clocks of this machine and of its file server"
        return Finding("clock", "warn", f"files are stamped {apart:.0f} s away from it", fix)
    return Finding("clock", "ok", f"{moment(first)} UTC")


def files(settings: Settings) -> Finding:
    """May there be a connection for each visit?"""
    _, most = open_files()  # a crawl raises the limit that is in force as far as it needs
    wanted = settings.fetch.concurrency + SPARE_FILES
    said = f"{most:,} may be open, {settings.fetch.concurrency:,} visits at once want {wanted:,}"
    if most >= wanted:
        return Finding("open files", "ok", said)
    fewer = max(most - SPARE_FILES, 1)
    fix = f"raise the limit (nofile) of this user to {wanted}, or helios crawl --concurrency {fewer}"
    return Finding("open files", "fail" if most < settings.fetch.concurrency else "warn", said, fix)


def disk(time: Clock, folder: Path) -> Finding:
    """Is there room, may we write, and how fast?"""
    free = shutil.disk_usage(folder).free
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            began = time.now()
            file.write(os.urandom(MB) * (PROBE // MB))
            file.flush()
            os.fsync(file.fileno())
            took = max(time.now() - began, 1)
    except OSError as error:
        return Finding(
            "disk", "fail", f"{folder} cannot be written: {error.strerror}", f"crawl into another folder: {ELSEWHERE}"
        )
    speed = PROBE * 1000 / took
    said = f"{free / GB:.1f} GB free in {folder}, {speed / MB:.0f} MB/s written to last"
    if free < NO_DISK:
        return Finding("disk", "fail", said, f"free some space, or crawl to another disk: {ELSEWHERE}")
    if free < LITTLE_DISK:
        return Finding(
            "disk", "warn", said, f"limit the crawl: helios crawl --max-pages N; or crawl to another disk: {ELSEWHERE}"
        )
    if speed < SLOW_DISK:
        return Finding("disk", "warn", said, f"the disk will be the limit: crawl to a faster one: {ELSEWHERE}")
    return Finding("disk", "ok", said)


def memory(settings: Settings) -> Finding:
    """Do the pages fit that may be held at once?"""
    ceiling = settings.crawl.memory
    wanted = settings.fetch.max_memory_bytes + BASE_MEMORY if ceiling is None else bytes_of(ceiling)
    machine, limit = memory_of_machine(), memory_limit()
    if machine is None and limit is None:
        return Finding("memory", "skip", "this system does not tell")
    total, available = machine or (limit or 0, limit or 0)
    most = min(available, limit or available)
    said = f"{most / GB:.1f} GB can be had of {total / GB:.1f} GB"
    said += f", {limit / GB:.1f} GB are allowed" if limit is not None else ""
    if most >= wanted:
        told = "about" if ceiling is None else "at most"
        return Finding("memory", "ok", f"{said}; this crawl would take {told} {wanted / GB:.1f} GB")
    less = max(most * 9 // 10, 400 * MB) // MB
    fix = f"give the crawl less: helios crawl --set crawl.memory={less}MB, or close something"
    return Finding("memory", "warn" if most > wanted // 2 else "fail", f"{said}; {wanted / GB:.1f} GB are wanted", fix)


def certificates(settings: Settings) -> Finding:
    """Are there authorities to trust?"""
    own = settings.fetch.extra_ca
    if own is not None and not _holds_certificates(Path(own)):
        return Finding(
            "certificates", "fail", f"[fetch] extra_ca: {own} holds none", "give a PEM file that can be read"
        )
    paths = ssl.get_default_verify_paths()
    file = os.environ.get("SSL_CERT_FILE") or paths.cafile or paths.openssl_cafile
    folder = os.environ.get("SSL_CERT_DIR") or paths.capath or paths.openssl_capath
    if file and _holds_certificates(Path(file)):
        return Finding("certificates", "ok", f"{file}" + (f" and {own}" if own else ""))
    if folder and Path(folder).is_dir() and any(Path(folder).iterdir()):
        return Finding("certificates", "ok", f"{folder}" + (f" and {own}" if own else ""))
    fix = "install ca-certificates, or name a file: SSL_CERT_FILE=..., [fetch] extra_ca"
    return Finding(
        "certificates", "warn" if own else "fail", "no authorities are found: no https site can be trusted", fix
    )


def _holds_certificates(file: Path) -> bool:
    try:
        return CERTIFICATES in file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


def browser() -> Finding:
    """Is one there?"""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    said = f"{found}; not needed yet" if found else "no Chromium is found; not needed yet"
    return Finding("browser", "ok" if found else "skip", said)
