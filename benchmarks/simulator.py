"""Speed of the page simulator.

The yardstick is a loop, compiled in the same process, that adds 1 to random entries of a table of
4-byte numbers with as many entries as the drive has logical pages: once plainly, once with the
entries asked for ahead. A simulated page program takes at least one such access.
"""

import ctypes
import tempfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import numba
import numpy as np

from benchmarks.rows import Row, compiled, output_of, processor_s
from models.simulator import Classes, Config, Uniform, kernel, layout, run
from models.simulator._jit import prefetch
from tests.naive_simulator import Twin

# Pages, and the limit. Between 0.25 and 0.37 at a million, as others leave room in the cache.
SIZES = {"100 k": (100_000, 0.3), "1 M": (1_000_000, 0.2), "16 M": (16_000_000, 0.4)}
MIXES = (("uniform", 0.0, 0.0), ("80/20", 0.8, 0.2), ("90/10", 0.9, 0.1))
MIX_OF_C = (ctypes.c_uint32, ctypes.c_double)  # hot pages, share of writes to them
ACCESSES = 8_000_000
RING = 64  # accesses by which the table entries are asked for ahead
IMPORT = """
import time
start = time.process_time()
import numba
print(time.process_time() - start)
"""
FIRST_RUN = """
import time
from models.simulator import Config, run
start = time.process_time()
run(Config(pages_per_block=64, blocks=32, op_ratio=0.28))
print(time.process_time() - start)
"""


def rows() -> Iterator[Row]:
    """Every figure of the page simulator."""
    for name, (pages, limit) in SIZES.items():
        ratio = program_rate_over_access_rate(pages)
        yield Row(
            f"page programs / random accesses, {name} pages", ratio, limit, "x", at_least=True
        )
    yield from beside_c()
    yield Row("page programs, compiled / naive", over_naive(), 700, "x", at_least=True)
    yield Row("live point, 512 blocks x 128 pages", live_point(), 0.018, "s")
    yield from first_runs(FIRST_RUN, at_first=20, compiled=2.5)


def first_runs(script: str, *, at_first: float, compiled: float) -> Iterator[Row]:
    """Rows of the first run of a process, by whether compiled code has been kept."""
    with tempfile.TemporaryDirectory() as folder:
        first = float(output_of(script, NUMBA_CACHE_DIR=folder))
        kept = min(float(output_of(script, NUMBA_CACHE_DIR=folder)) for _ in range(3))
    yield Row("first run, nothing compiled / compiled before", first / kept, at_first, "x")
    numba = min(float(output_of(IMPORT)) for _ in range(3))
    yield Row("first run, compiled before / import of numba", kept / numba, compiled, "x")


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
            accesses = max(accesses, ACCESSES / processor_s(plain), ACCESSES / processor_s(ahead))
            programs = max(programs, program_rate(drive, max(1_000_000, pages // 4)))
    return programs / accesses


def beside_c() -> Iterator[Row]:
    """Rates over those of the same drive in C, with the compiler of this machine if it has one."""
    with tempfile.TemporaryDirectory() as folder:
        loop = compiled("page_loop", folder)
        if loop is None:
            return
        loop.advance.argtypes, loop.advance.restype = [ctypes.c_uint64], ctypes.c_uint64
        loop.build.argtypes = [ctypes.c_uint32, *MIX_OF_C, ctypes.c_uint32, ctypes.c_uint32]
        for pages in (100_000, 1_000_000):
            for name, hot_writes, hot_pages in MIXES:
                ratio = over_c(loop, pages, hot_writes, hot_pages)
                yield Row(f"{name} page programs / C, {pages:,} pages", ratio, 1.0, "x", True)


def over_c(loop: Any, pages: int, hot_writes: float, hot_pages: float) -> float:
    """Rate of a drive over that of the loop in C: best of three turns each."""
    shares = (hot_writes, round(1 - hot_writes, 12)), (hot_pages, round(1 - hot_pages, 12))
    workload = Classes(write_shares=shares[0], page_shares=shares[1]) if hot_pages else Uniform()
    config = Config(pages_per_block=128, blocks=pages // 100 + 1, op_ratio=0.28, workload=workload)
    drive, writes = warmed_up(config), max(1_000_000, pages // 4)
    loop.build(
        config.pages, round(hot_pages * config.pages), hot_writes, config.pages_per_block,
        config.blocks,
    )  # fmt: skip
    loop.advance(3 * config.pages)
    copied = 0

    def advance() -> None:
        nonlocal copied
        copied = loop.advance(writes)

    own, of_c = 0.0, 0.0
    for _ in range(3):
        own = max(own, program_rate(drive, writes))
        taken = processor_s(advance)
        of_c = max(of_c, (writes + copied) / taken)
    loop.release()
    return own / of_c


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
    taken = processor_s(partial(kernel.advance, writes, *drive))
    return float(drive.word[kernel.WRITES] + drive.word[kernel.COPIES]) / taken


def over_naive() -> float:
    """Rate over that of the naive simulator of the tests."""
    config = Config(pages_per_block=128, blocks=64, op_ratio=0.28)
    twin = Twin(config)
    twin.advance(config.pages)
    twin.start()
    twin.advance(config.pages)
    before = twin.writes + twin.copies
    taken = processor_s(partial(twin.advance, config.pages))
    naive = (twin.writes + twin.copies - before) / taken
    return max(program_rate(warmed_up(config), 1_000_000) for _ in range(3)) / naive


def live_point() -> float:
    """A point for a screen: two overwrites to warm up, four measured."""
    point = partial(
        Config, pages_per_block=128, blocks=512, warmup_overwrites=2, measured_overwrites=4
    )
    return max(
        min(processor_s(partial(run, point(op_ratio=op_ratio))) for _ in range(5))
        for op_ratio in (0.07, 0.28)
    )


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
