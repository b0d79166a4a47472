"""Times one Arrow batch crossing the border in each direction, and checks that no body byte is copied.

Usage: BORDER_LIB=<path of libborder.so> python border.py [rows] [body_bytes]
"""

import importlib.machinery
import importlib.util
import os
import platform
import statistics
import sys
import time

import pyarrow as pa


def load(path: str):
    loader = importlib.machinery.ExtensionFileLoader("border", path)
    spec = importlib.util.spec_from_loader("border", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def body_address(table: pa.Table) -> int:
    return table.column("body").chunk(0).buffers()[2].address


def cpu_us(action, turns: int = 2000, runs: int = 5) -> str:
    """Median CPU microseconds per turn, with the least and most of the runs."""
    action()
    seen = []
    for _ in range(runs):
        start = time.process_time_ns()
        for _ in range(turns):
            action()
        seen.append((time.process_time_ns() - start) / turns / 1000)
    return f"{statistics.median(seen):10.2f}  [{min(seen):.2f} .. {max(seen):.2f}]"


def main() -> None:
    border = load(os.environ["BORDER_LIB"])
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 140_000
    print(f"python {platform.python_version()}, pyarrow {pa.__version__}, {rows} rows x {size} bytes")

    batch = border.make(rows, size)
    for name, table in {
        "reader": pa.RecordBatchReader.from_stream(batch.as_reader()).read_all(),
        "table": pa.table(batch.as_table()),
        "batch": pa.Table.from_batches([pa.record_batch(batch.as_batch())]),
    }.items():
        same = body_address(table) == batch.body_address()
        print(f"rust -> python ({name}): {batch.body_address():#x} {body_address(table):#x} same={same}")
        assert same and table.num_rows == rows

    # The importer keeps the memory alive after the Rust handle is gone.
    address = batch.body_address()
    table = pa.table(batch.as_table())
    del batch
    assert body_address(table) == address and table.column("body")[rows - 1].as_py()[0] == (rows - 1) % 256

    mine = pa.table({"url": ["u"] * rows, "body": pa.array([b"x" * size] * rows, pa.binary())})
    got_rows, got = border.take(mine)
    print(f"python -> rust (table):  {body_address(mine):#x} {got[0]:#x} same={got[0] == body_address(mine)}")
    assert got == [body_address(mine)] and got_rows == rows

    batch = border.make(rows, size)
    print("CPU us per batch, median of 5 runs of 2000 turns [least .. most]")
    print("  rust -> python, reader", cpu_us(lambda: pa.RecordBatchReader.from_stream(batch.as_reader()).read_all()))
    print("  rust -> python, table ", cpu_us(lambda: pa.table(batch.as_table())))
    print("  rust -> python, batch ", cpu_us(lambda: pa.record_batch(batch.as_batch())))
    print("  python -> rust, table ", cpu_us(lambda: border.take(mine)))
    body = table.column("body").chunk(0)
    print("  for scale: one copy   ", cpu_us(lambda: body.buffers()[2].to_pybytes(), turns=5))
    print("  for scale: as objects ", cpu_us(lambda: body.to_pylist(), turns=5))


if __name__ == "__main__":
    main()
