"""WARC: how fast real pages are written beside warcio and FastWARC, and at what size. CPU time, one run.

    python benches/warc.py [FOLDER OF HTML FILES]

Three rounds, each writer in each of them; the fastest of the three counts, and beside it what the slowest took more.
Without a folder: the pages of shared/data/content-wcxb above this project. A response record each, with the digests of
block and payload; the request and the notes that a crawl writes with it are left out, for the others write none. On
one thread: a crawl writes with as many as there are cores.
"""

import gzip
import io
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from helios._core import WarcReader, WarcWriter

ROUNDS = 3
PLAIN = 9  # one answer in so many is not packed: 11 % (HTTP Archive, 2024; the rest is Brotli and gzip)
FIELDS = {"Content-Type": "text/html; charset=utf-8", "Server": "nginx"}


def pages() -> list[bytes]:
    if len(sys.argv) > 1:
        return [path.read_bytes() for path in sorted(Path(sys.argv[1]).glob("*.html"))]
    places = [folder / "shared/data/content-wcxb/pages.tar.xz" for folder in Path(__file__).resolve().parents]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        sys.exit("there is no shared/data/content-wcxb above this project; give a folder of HTML files")
    with tarfile.open(found) as tar:
        return [file.read() for member in tar if (file := tar.extractfile(member))]


def head(body: bytes) -> bytes:
    """As servers send it; a body that is packed says so."""
    fields = FIELDS | ({"Content-Encoding": "gzip"} if body.startswith(b"\x1f\x8b") else {})
    lines = [f"{name}: {value}" for name, value in {**fields, "Content-Length": len(body)}.items()]
    return "".join(f"{line}\r\n" for line in ["HTTP/1.1 200 OK", *lines, ""]).encode()


def measured(write: Callable[[Path], None]) -> tuple[float, int]:
    """Seconds of CPU, and the bytes written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        start = time.process_time()
        write(path)
        return time.process_time() - start, path.stat().st_size


def ours(bodies: list[bytes], packing: str, level: int) -> Callable[[Path], None]:
    told = [
        (f"https://example.org/{number}", 0, 1_700_000_000_000, 200, head(body), body, [])
        for number, body in enumerate(bodies)
    ]
    return lambda path: None if WarcWriter(packing, level).write_told(str(path), 0, [], told) else None


def warcio(bodies: list[bytes]) -> Callable[[Path], None]:
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    def write(path: Path) -> None:
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for number, body in enumerate(bodies):
                lines = head(body).decode().split("\r\n")[1:-2]
                fields = StatusAndHeaders("200 OK", [line.split(": ", 1) for line in lines], protocol="HTTP/1.1")
                url = f"https://example.org/{number}"
                writer.write_record(writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=fields))

    return write


def fastwarc(bodies: list[bytes]) -> Callable[[Path], None]:
    from fastwarc.stream_io import GZipStream
    from fastwarc.warc import WarcRecord, WarcRecordType

    def write(path: Path) -> None:
        with path.open("wb") as file:
            stream = GZipStream(file)
            for number, body in enumerate(bodies):
                record = WarcRecord()
                record.init_headers(record_type=WarcRecordType.response)
                record.headers["WARC-Target-URI"] = f"https://example.org/{number}"
                record.set_bytes_content(head(body) + body)
                record.is_http = True
                record.write(stream, checksum_data=True)
            stream.close()

    return write


def compared(bodies: list[bytes], levels: list[tuple[str, int]]) -> None:
    raw = sum(map(len, bodies))
    print(f"{len(bodies)} bodies, {raw / 1e6:.1f} MB")
    writers: dict[str, Callable[[Path], None]] = {}
    for name, make in (("warcio, gzip", warcio), ("FastWARC, gzip", fastwarc)):
        try:
            writers[name] = make(bodies)
        except ImportError:
            print(f"{name:24} is not installed")
    writers |= {f"helios, {packing} {level}": ours(bodies, packing, level) for packing, level in levels}
    rounds = [{name: measured(write) for name, write in writers.items()} for _ in range(ROUNDS)]
    base = min(one["warcio, gzip"][0] for one in rounds) if "warcio, gzip" in writers else None
    for name in writers:
        times, size = [one[name][0] for one in rounds], rounds[0][name][1]
        best, spread = min(times), max(times) / min(times) - 1
        beside = f"{base / best:6.1f} x" if base else ""
        print(
            f"{name:24} {len(bodies) / best:8.0f} records/s (+{spread:4.0%}) {raw / best / 1e6:8.1f} MB/s "
            f"{size / raw:7.3f} of raw {beside}"
        )


def main() -> None:
    bodies = pages()
    packed = [gzip.compress(body, 6, mtime=0) for body in bodies]
    print(f"as the web sends them, one in {PLAIN} not packed:")
    mixed = [pair[number % PLAIN == 0] for number, pair in enumerate(zip(packed, bodies, strict=True))]
    compared(mixed, [("gzip", 1), ("gzip", 4), ("zstd", 1)])
    print("as most servers send them, packed:")
    compared(packed, [("gzip", 1), ("zstd", 1)])
    print("as servers send them that pack nothing:")
    levels = [("gzip", 1), ("gzip", 2), ("gzip", 3), ("gzip", 4), ("gzip", 6), ("zstd", 1), ("zstd", 2), ("zstd", 3), ("plain", 1)]
    compared(bodies, levels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        ours(bodies, "gzip", 1)(path)
        start = time.process_time()
        count = sum(1 for _ in WarcReader(str(path)))
        print(f"helios reads {count / (time.process_time() - start):.0f} records/s")


if __name__ == "__main__":
    main()
