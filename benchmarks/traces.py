"""Speed of reading block traces.

Every layout of CSV is written anew, with as many lines as are asked for; then the reader of this
project and the readers of pyarrow and pandas take turns on the same file, one thread each, by the
time of the processor, so that others on the machine matter little. Requests come out checked and
in base units; pyarrow and pandas merely parse. Memory is that of a fresh process that analyses a
trace, for two lengths of it.
"""

import gzip
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from benchmarks.rows import Row, best_times, output_of, processor_s
from planner.telemetry.traces import trace
from planner.telemetry.traces.requests import requests_of

LINES = 1_000_000
TURNS = 5
PER_CORE = 2.2e6
OF_THE_BEST = 0.4  # 0.46 to 0.68 by layout: pandas has become faster
MOST_MIB = 280
MEMORY = """
import re, sys
from planner.telemetry.traces import trace
with open(sys.argv[1], "rb") as file:
    trace(file)
with open("/proc/self/status") as status:  # rusage would count the parent's memory, too
    print(int(re.search(r"VmHWM:\\s*(\\d+)", status.read())[1]) / 1024)
"""


def written(name: str, lines: int, folder: Path) -> Path:
    """A trace of random requests in a layout of CSV."""
    rng = np.random.default_rng(1)
    page = rng.integers(0, 1 << 22, lines)
    size = rng.choice([8, 16, 32, 1], lines)
    ticks = np.cumsum(rng.integers(1, 10_000, lines))
    is_write = rng.random(lines) < 0.7
    columns = {
        "MSR Cambridge": (128166372003061629 + ticks, "usr", 0, np.where(is_write, "Write", "Read"),
                          page * 4096, size * 512, rng.integers(10_000, 999_999, lines)),
        "Alibaba": (rng.integers(0, 900, lines), np.where(is_write, "W", "R"), page * 4096,
                    size * 512, 1577808144360767 + ticks),
        "Tencent CBS": (1538323199 + ticks // 1_000_000, page * 8, size, is_write.astype(int),
                        rng.integers(1000, 6000, lines)),
    }  # fmt: skip
    path = folder / f"{name}.csv"
    pd.DataFrame(dict(enumerate(columns[name]))).to_csv(path, header=False, index=False)
    return path


def by_this_project(path: Path) -> None:
    """Read every request."""
    with path.open("rb") as file:
        for _ in requests_of(file):
            pass


def by_pyarrow(path: Path) -> None:
    """Stream through the file with pyarrow's defaults, on one thread."""
    options = csv.ReadOptions(autogenerate_column_names=True, use_threads=False)
    with csv.open_csv(path, read_options=options) as batches:
        for _ in batches:
            pass


def by_pandas(path: Path) -> None:
    """Stream through the file with pandas' defaults."""
    for _ in pd.read_csv(path, header=None, chunksize=200_000):
        pass


def reading(folder: Path) -> Iterator[Row]:
    """Rates, and their ratio to the better of the two libraries."""
    before = pa.cpu_count()
    pa.set_cpu_count(1)
    for name in ("MSR Cambridge", "Alibaba", "Tencent CBS"):
        path = written(name, LINES, folder)
        best = best_times(
            {
                call.__name__: partial(call, path)
                for call in (by_this_project, by_pyarrow, by_pandas)
            },
            rounds=TURNS,
        )
        rates = {call: LINES / taken for call, taken in best.items()}
        yield Row(
            f"{name}, lines", rates["by_this_project"] / 1e6, PER_CORE / 1e6, "M/s", at_least=True
        )
        yield Row(f"{name}, pyarrow", rates["by_pyarrow"] / 1e6, None, "M/s")
        yield Row(f"{name}, pandas", rates["by_pandas"] / 1e6, None, "M/s")
        other = max(rates["by_pyarrow"], rates["by_pandas"])
        yield Row(
            f"{name} / the better",
            rates["by_this_project"] / other,
            OF_THE_BEST,
            "x",
            at_least=True,
        )
    pa.set_cpu_count(before)


def analysis(folder: Path) -> Iterator[Row]:
    """Rate with everything that is found on the way, and memory for two lengths."""
    path = written("MSR Cambridge", LINES, folder)
    with path.open("rb") as file:
        yield Row(
            "read and analysed, lines", LINES / processor_s(partial(trace, file)) / 1e6, None, "M/s"
        )
    packed = folder / "packed.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 1))
    with packed.open("rb") as file:
        yield Row(
            "unpacked, read, analysed", LINES / processor_s(partial(trace, file)) / 1e6, None, "M/s"
        )
    yield Row(f"memory, {LINES:,} lines", memory(path), MOST_MIB, "MiB")
    long = written("MSR Cambridge", 6 * LINES, folder)
    yield Row(f"memory, {6 * LINES:,} lines", memory(long), MOST_MIB, "MiB")


def memory(path: Path) -> float:
    """Peak memory of a process that analyses a trace [MiB]."""
    return float(output_of(MEMORY, str(path)))


def rows() -> Iterator[Row]:
    """Reading, analysing and memory."""
    with tempfile.TemporaryDirectory() as name:
        for part in (reading, analysis):
            yield from part(Path(name))
