"""How fast block traces are read: `python -m benchmarks.traces`.

Every layout of CSV is written anew, with as many lines as are asked for; then the reader of this
project and the readers of pyarrow and pandas take turns on the same file, one thread each, by the
time of the processor, so that others on the machine matter little. Requests come out checked and
in base units; pyarrow and pandas merely parse. Memory is that of a fresh process that analyses a
trace, for two lengths of it.
"""

import gzip
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from planner.telemetry.traces import trace
from planner.telemetry.traces.requests import requests_of

ROOT = Path(__file__).parents[1]
LINES = 1_000_000
TURNS = 5
PER_CORE = 2e6
OF_THE_BEST = 0.6
MOST_MIB = 300
MEMORY = """
import re, sys
from planner.telemetry.traces import trace
with open(sys.argv[1], "rb") as file:
    trace(file)
with open("/proc/self/status") as status:  # rusage would count the parent's memory, too
    print(int(re.search(r"VmHWM:\\s*(\\d+)", status.read())[1]) / 1024)
"""


class Row(NamedTuple):
    """One measured figure and its limit: the least that it may be, or else the most."""

    name: str
    value: float
    limit: float | None
    unit: str
    at_least: bool = True

    @property
    def fits(self) -> bool:
        """Whether the figure keeps its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


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
            }
        )
        rates = {call: LINES / taken for call, taken in best.items()}
        yield Row(f"{name}, lines", rates["by_this_project"] / 1e6, PER_CORE / 1e6, "M/s")
        yield Row(f"{name}, pyarrow", rates["by_pyarrow"] / 1e6, None, "M/s")
        yield Row(f"{name}, pandas", rates["by_pandas"] / 1e6, None, "M/s")
        other = max(rates["by_pyarrow"], rates["by_pandas"])
        yield Row(f"{name} / the better", rates["by_this_project"] / other, OF_THE_BEST, "x")
    pa.set_cpu_count(before)


def analysis(folder: Path) -> Iterator[Row]:
    """Rate with everything that is found on the way, and memory for two lengths."""
    path = written("MSR Cambridge", LINES, folder)
    with path.open("rb") as file:
        yield Row(
            "read and analysed, lines", LINES / seconds(partial(trace, file)) / 1e6, None, "M/s"
        )
    packed = folder / "packed.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 1))
    with packed.open("rb") as file:
        yield Row(
            "unpacked, read, analysed", LINES / seconds(partial(trace, file)) / 1e6, None, "M/s"
        )
    yield Row(f"memory, {LINES:,} lines", memory(path), MOST_MIB, "MiB", at_least=False)
    long = written("MSR Cambridge", 6 * LINES, folder)
    yield Row(f"memory, {6 * LINES:,} lines", memory(long), MOST_MIB, "MiB", at_least=False)


def memory(path: Path) -> float:
    """Peak memory of a process that analyses a trace [MiB]."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", MEMORY, str(path)], check=True, capture_output=True, text=True,
        cwd=ROOT,
    )  # fmt: skip
    return float(done.stdout)


def best_times(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Best time of each call, the calls taking turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(TURNS):
        for name, call in calls.items():
            best[name] = min(best[name], seconds(call))
    return best


def seconds(call: Callable[[], object]) -> float:
    """Time of the processor that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> int:
    """Print every row beside its limit; 1 if one does not keep it."""
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        for part in (reading, analysis):
            for row in part(Path(name)):
                broken += not row.fits
                sign = ">=" if row.at_least else "<="
                limit = "" if row.limit is None else f"  {sign} {row.limit:g}"
                verdict = "" if row.fits else "  BROKEN"
                print(f"{row.name:40}{row.value:9.3f} {row.unit}{limit}{verdict}")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
