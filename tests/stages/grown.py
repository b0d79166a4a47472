"""Archives that grow, and what must hold of them."""

import json
from pathlib import Path

import pyarrow as pa

from helios._core import WarcReader, WarcWriter
from helios.settings import load
from helios.stores.cdxj import moved
from helios.stores.files import published
from helios.stores.told import answers
from helios.stores.warc import WarcStore

LARGE = 1 << 30


def opened(folder: Path, warc_bytes: int = LARGE, **more: object) -> WarcStore:
    return WarcStore(folder / "warc", folder / "staged", load(warc_bytes=warc_bytes, **more).store)


def rows(*names: str) -> pa.Table:
    bodies = [f"{name} of some length" for name in names]
    return pa.table({"url": pa.array([f"https://example.org/{name}" for name in names], pa.string()), "text": bodies})


def staged(store: WarcStore, *names: str) -> None:
    for name in names:
        assert store.stage(name, rows(f"{name}/a", f"{name}/b"))


def read_at(path: Path, offset: int, length: int) -> str:
    """The URL of the one record that is there."""
    part = path.with_name("part" + "".join(path.suffixes))
    part.write_bytes(path.read_bytes()[offset : offset + length])
    [record] = WarcReader(str(part))
    part.unlink()
    return str(dict(record["fields"])["WARC-Target-URI"])


def checked(store: WarcStore, folder: Path) -> list[str]:
    """Names of what is published. Lines of the index lead to their records, files are as long as the manifest says."""
    table = store.scan().read_all().to_pylist()
    store.close()
    sizes = {path.name: (path.stat().st_size, length) for path, length, _ in published(folder / "warc")}
    assert all(size == length for size, length in sizes.values()), sizes
    assert sum(count for _, _, count in published(folder / "warc")) == len(table)
    data = {path.name for path in (folder / "warc").glob("helios-*") if ".cdxj" not in path.name}
    assert data == set(sizes), "no file that nothing names"
    for row in table:
        assert read_at(folder / "warc" / row["file"], row["offset"], row["length"]) == row["url"]
    found = []
    for name in sizes:
        first, *records = WarcReader(str(folder / "warc" / name))
        assert dict(first["fields"])["WARC-Filename"] == name
        found += [dict(record["fields"])["WARC-Target-URI"] for record in records]
        lines = (folder / "warc" / f"{name.partition('.')[0]}.cdxj").read_text().splitlines()
        assert lines == sorted(lines)
        assert [json.loads(line.split(" ", 2)[2])["filename"] for line in lines] == [name] * len(records)
    assert sorted(found) == sorted(row["url"] for row in table), "no record twice, none without a line"
    names = sorted({url.split("/")[3] for url in found})
    assert len(found) == 2 * len(names)
    return names


def files_of(folder: Path) -> dict[str, int]:
    return {path.name: rows // 2 for path, _, rows in published(folder / "warc")}


def as_before(folder: Path, name: str) -> None:
    """Stages as versions did that made a file of each batch: records alone, an index that says no file."""
    (folder / "staged").mkdir(parents=True, exist_ok=True)
    path = folder / "made.warc.gz"
    told = list(answers(rows(f"{name}/a", f"{name}/b")))
    _, lines = WarcWriter().write_told(str(path), 0, [], told)
    start = int(json.loads(lines[0].split(" ", 2)[2])["offset"])
    (folder / f"staged/{name}.warc.gz").write_bytes(path.read_bytes()[start:])
    (folder / f"staged/{name}.cdxj").write_bytes(moved("\n".join(lines).encode(), "", -start))
    path.unlink()
