"""A fleet of daily Parquet tables: sums, forecasts, memory, beside a plain group-by of DuckDB.

`FLEET_DRIVES=1000000 python -m benchmarks fleet` is the size that the design names; without it the
largest is 100,000, so that all benchmarks fit ten minutes.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from benchmarks.rows import Row, output_of
from tests import synthetic_fleet as made

DAYS = 90
LARGEST = int(os.environ.get("FLEET_DRIVES", "100000"))
_TOGETHER = 20_000
# Each runs in a process of its own; ru_maxrss would hold the peak of the parent too.
_PEAK = """
import sys, time, json
from pathlib import Path
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    (kib,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(kib) * 1024 / 1e9
"""
FLEET = f"""{_PEAK}
from planner.forecast.fleet import fleet
paths = sorted(Path(sys.argv[1]).iterdir())
start = time.perf_counter(), time.process_time()
answer = fleet(paths, lead_s=56 * 86400.0, now_s=0.0)
taken = time.perf_counter() - start[0], time.process_time() - start[1]
dated = int((answer.dates.label != "no dates").sum())
from planner.quantity import door
import resource
door._ReaderProcess.end()  # so that its time and memory are counted
reader = resource.getrusage(resource.RUSAGE_CHILDREN)
processor = taken[1] + reader.ru_utime + reader.ru_stime
most = peak() + reader.ru_maxrss * 1024 / 1e9
print(json.dumps([taken[0], processor, most, len(answer.histories.drives), dated]))
"""
PLAIN = f"""{_PEAK}
import duckdb
files = [str(path) for path in sorted(Path(sys.argv[1]).iterdir())]
start = time.perf_counter(), time.process_time()
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")
connection.sql('''SELECT serial, model, count(*), min(date), max(date), min(host_bytes),
    max(host_bytes), max(flash_bytes), max(percent_used) FROM read_parquet($files)
    GROUP BY serial, model''', params=dict(files=files)).to_arrow_table()
taken = time.perf_counter() - start[0], time.process_time() - start[1]
print(json.dumps([*taken, peak()]))
"""  # noqa: S608 - a constant


def write_days(folder: Path, drives: int, days: int = DAYS) -> None:
    """Write one table for each day, part by part of the fleet."""
    writers: list[pyarrow.parquet.ParquetWriter] = []
    for first in range(0, drives, _TOGETHER):
        some = made.made(min(_TOGETHER, drives - first), days, seed=first, truth=False)
        columns = made.columns(some)
        columns["serial"] = np.repeat(np.char.add(f"S{first:07}", some.names), days)
        for day in range(days):
            table = pa.table({name: column[day::days] for name, column in columns.items()})
            if first == 0:
                path = folder / f"day{day:03}.parquet"
                writers.append(
                    pyarrow.parquet.ParquetWriter(path, table.schema, compression="zstd")
                )
            writers[day].write_table(table)
    for writer in writers:
        writer.close()


def measured(drives: int) -> dict[str, list[float]]:
    """Time and memory of the fleet, and of a plain group-by over the same files."""
    with tempfile.TemporaryDirectory() as folder:
        write_days(Path(folder), drives)
        return {
            name: json.loads(output_of(script, folder))
            for name, script in (("plain", PLAIN), ("fleet", FLEET), ("again", PLAIN))
        }


def rows() -> Iterator[Row]:
    """Sizes with their growth; limits of the largest."""
    sizes = [size for size in (10_000, 20_000, 50_000, 100_000, 1_000_000) if size <= LARGEST]
    per_drive = {}
    for size in sizes:
        took = measured(size)
        wall, processor, peak, drives, dated = took["fleet"]
        plain = min(took["plain"][0], took["again"][0])
        per_drive[size] = processor / size
        yield Row(f"fleet of {size:,} x {DAYS} days", wall, None, "s")
        yield Row(f"fleet of {size:,}, processor", processor, None, "s")
        yield Row(f"plain group-by of {size:,}", plain, None, "s")
        yield Row(
            f"fleet of {size:,} / plain group-by",
            wall / plain,
            10 if size == sizes[-1] else None,
            "x",
        )
        least = min(took["plain"][1], took["again"][1])
        yield Row(f"fleet of {size:,} / plain group-by, processor", processor / least, 10, "x")
        yield Row(f"fleet of {size:,}, peak memory", peak, 4, "GB")
        yield Row(f"plain group-by of {size:,}, peak memory", took["plain"][2], None, "GB")
        yield Row(f"fleet of {size:,}, drives with dates", dated / drives, None, "")
    growth = per_drive[sizes[-1]] / per_drive[sizes[0]]
    yield Row(f"time per drive, {sizes[-1]:,} / {sizes[0]:,}", growth, 1.5, "x")
