"""How fast the page simulator is: `python -m benchmarks.simulator`.

The yardstick is a loop, compiled in the same process, that adds 1 to random entries of a table of
4-byte numbers with as many entries as the drive has logical pages: once plainly, once with the
entries asked for ahead. A simulated page program takes at least one such access.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

from models.simulator import Config, kernel, layout, run
from models.simulator._jit import prefetch
from tests.naive_simulator import Twin

ROOT = Path(__file__).parents[1]
SIZES = {"100 k": 100_000, "1 M": 1_000_000, "16 M": 16_000_000}
ACCESSES = 8_000_000
RING = 64  # accesses by which the table entries are asked for ahead
FIRST_RUN = """
import time
from models.simulator import Config, run
start = time.perf_counter()
run(Config(pages_per_block=64, blocks=32, op_ratio=0.28))
print(time.perf_counter() - start)
"""


class Row(NamedTuple):
    """One measured figure and its limit: the least that it may be, or else the most."""

    name: str
    value: float
    limit: float
    unit: str
    at_least: bool

    @property
    def fits(self) -> bool:
        """Whether the figure keeps its limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def simulator() -> Iterator[Row]:
    """Every figure of the page simulator."""
    for name, pages in SIZES.items():
        ratio = program_rate_over_access_rate(pages)
        yield Row(f"page programs / random accesses, {name} pages", ratio, 0.30, "x", at_least=True)
    yield Row("page programs, compiled / naive", over_naive(), 50, "x", at_least=True)
    yield Row("live point, 512 blocks x 128 pages", live_point(), 0.05, "s", at_least=False)
    with tempfile.TemporaryDirectory() as folder:
        yield Row("first run, nothing compiled", first_run(folder), 5, "s", at_least=False)
        cached = min(first_run(folder) for _ in range(3))
        yield Row("first run, compiled before", cached, 0.5, "s", at_least=False)


def program_rate_over_access_rate(pages: int) -> float:
    """Greedy, uniform, 28 % spare area, 128 pages per block; best of several turns each.

    Where the arrays lie in memory matters, too: drive and table are laid out three times.
    """
    accesses, programs = 0.0, 0.0
    for _ in range(3):
        drive = warmed_up(Config(pages_per_block=128, blocks=pages // 100 + 1, op_ratio=0.28))
        table = np.zeros(pages, np.uint32)
        state = tuple(np.uint64(word) for word in (1, 2, 3, 4))
        plain = partial(add_plainly, table, ACCESSES, *state)
        ahead = partial(add_ahead, table, np.zeros(RING, np.uint32), ACCESSES, *state)
        plain()
        ahead()
        for _ in range(4):
            accesses = max(accesses, ACCESSES / seconds(plain), ACCESSES / seconds(ahead))
            programs = max(programs, program_rate(drive, max(1_000_000, pages // 4)))
    return programs / accesses


def warmed_up(config: Config) -> kernel.Drive:
    """A drive in its steady state."""
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    layout.start_workload(config, drive)
    kernel.advance(3 * config.pages, *drive)
    return drive


def program_rate(drive: kernel.Drive, writes: int) -> float:
    """Pages programmed per second, host writes and copies."""
    layout.start_count(drive)
    taken = seconds(partial(kernel.advance, writes, *drive))
    return float(drive.word[kernel.WRITES] + drive.word[kernel.COPIES]) / taken


def over_naive() -> float:
    """Rate over that of the naive simulator of the tests."""
    config = Config(pages_per_block=128, blocks=64, op_ratio=0.28)
    twin = Twin(config)
    twin.advance(config.pages)
    twin.start()
    twin.advance(config.pages)
    before = twin.writes + twin.copies
    taken = seconds(partial(twin.advance, config.pages))
    naive = (twin.writes + twin.copies - before) / taken
    return max(program_rate(warmed_up(config), 1_000_000) for _ in range(3)) / naive


def live_point() -> float:
    """A point for a screen: two overwrites to warm up, four measured."""
    point = partial(
        Config, pages_per_block=128, blocks=512, warmup_overwrites=2, measured_overwrites=4
    )
    return max(
        min(seconds(partial(run, point(op_ratio=op_ratio))) for _ in range(5))
        for op_ratio in (0.07, 0.28)
    )


def first_run(cache: str) -> float:
    """The first run of a process that keeps its compiled code in a folder."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", FIRST_RUN],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
    )
    return float(done.stdout)


@numba.njit
def add_plainly(table: Any, count: int, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Add 1 to random entries."""
    size = np.uint64(table.size)
    for _ in range(count):
        draw, a, b, c, d = kernel._next(a, b, c, d)
        table[kernel._below(draw, size)] += np.uint32(1)
    return a


@numba.njit
def add_ahead(table: Any, ring: Any, count: int, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Add 1 to random entries, asked for some accesses ahead."""
    size = np.uint64(table.size)
    for i in range(count):
        draw, a, b, c, d = kernel._next(a, b, c, d)
        entry = kernel._below(draw, size)
        prefetch(table, entry)
        at = i & (RING - 1)
        table[np.int64(ring[at])] += np.uint32(1)
        ring[at] = entry
    return a


def seconds(call: Callable[[], object]) -> float:
    """Time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> int:
    """Print every row beside its limit; 1 if one does not keep it."""
    broken = 0
    for row in simulator():
        broken += not row.fits
        sign = ">=" if row.at_least else "<="
        verdict = "" if row.fits else "  BROKEN"
        print(f"{row.name:48}{row.value:8.3f} {row.unit}  {sign} {row.limit:g}{verdict}")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
