"""Growth of slow operations with their size: four sizes each.

The figure that is held to a limit is the power of the size by which the time grows in the last of
the three steps; 1 is in proportion.
"""

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.rows import Row, processor_s
from benchmarks.traces import written
from benchmarks.uncertainty import question
from models import array_windows, transient
from models.simulator import Classes, Config, Uniform, events, run
from models.write_amplification import skewed, two_temperature
from planner.catalogue import load
from planner.scenario.workload import Workload
from planner.search import uncertainty
from planner.search.choose import Grid
from planner.search.choose.configurations import configurations
from planner.telemetry.traces import trace

HOT = Classes(write_shares=(0.9, 0.1), page_shares=(0.1, 0.9))
SIZES = (1, 100, 10_000, 100_000)


def grown(
    name: str, taken: Callable[[int], float], sizes: Sequence[int], *, limit: float | None
) -> Iterator[Row]:
    """Yield the time of each size, the best of two, and the power of its growth at the end."""
    times = [min(taken(size), taken(size)) for size in sizes]
    for size, time_s in zip(sizes, times, strict=True):
        yield Row(f"{name}: {size:,}", time_s, None, "s")
    power = math.log(times[-1] / times[-2]) / math.log(sizes[-1] / sizes[-2])
    yield Row(f"{name}: power of growth", power, limit, "")


def pages() -> Iterator[Row]:
    """Runs of the page simulator; beyond the cache of the processor a write costs more."""
    for name, workload in (("uniform", Uniform()), ("90/10", HOT)):

        def taken(count: int, workload: Uniform | Classes = workload) -> float:
            config = Config(
                pages_per_block=128, blocks=count // 100, op_ratio=0.28, workload=workload,
                warmup_overwrites=1, measured_overwrites=1,
            )  # fmt: skip
            return processor_s(partial(run, config))

        sizes = (100_000, 300_000, 1_000_000, 3_000_000)
        yield from grown(f"page simulator, {name}, pages", taken, sizes, limit=1.7)


def times_of_events() -> Iterator[Row]:
    """Runs of the event simulator, over the time that is simulated."""

    def taken(seconds: int) -> float:
        config = events.Config(
            read_s=50e-6, dies=64, channels=8, queue_depth=256, measured_s=float(seconds)
        )
        return processor_s(partial(events.run, config))

    yield from grown("event simulator, seconds", taken, (1, 2, 4, 8), limit=1.2)


def choices() -> Iterator[Row]:
    """Grids of a choice over the catalogue, read at once."""
    drives, load_ = tuple(load().drives.values()), Workload(host_bytes_per_s=2e8)

    def taken(count: int) -> float:
        spare = tuple(np.linspace(0.55, 1, count).tolist())
        grid = Grid(drives=drives, members=(4, 6, 8, 12), partition_fractions=spare)
        return processor_s(partial(configurations, load_, grid))

    yield from grown("choice, spare areas of all drives", taken, (4, 12, 36, 108), limit=1.2)


def samples() -> Iterator[Row]:
    """Uncertain plans over the samples of each scramble."""
    answer, inputs = question("80/20")

    def taken(count: int) -> float:
        def life() -> None:
            known = uncertainty.uncertainty(answer, inputs, samples=count, seed=1)
            known.spread(uncertainty.LIFE)

        return processor_s(life)

    yield from grown("uncertainty, samples", taken, (512, 2048, 8192, 32_768), limit=1.2)


def lines() -> Iterator[Row]:
    """Traces, read and analysed, beside pandas that reads the same file."""
    with tempfile.TemporaryDirectory() as name:
        paths = {
            count: written("Alibaba", count, Path(name)).rename(Path(name) / f"{count}.csv")
            for count in (30_000, 100_000, 300_000, 1_000_000)
        }

        def taken(count: int) -> float:
            with paths[count].open("rb") as file:
                return processor_s(partial(trace, file))

        def by_pandas(count: int) -> float:
            return processor_s(partial(pd.read_csv, paths[count], header=None))

        yield from grown("trace, lines", taken, tuple(paths), limit=1.2)
        yield from grown("trace by pandas, lines", by_pandas, tuple(paths), limit=None)


def elements() -> Iterator[Row]:
    """Formulas of arrays, by their elements."""
    rng = np.random.default_rng(0)
    shares = {"write_shares": [0.9, 0.1], "page_shares": [0.1, 0.9]}
    test = {"stall_free_iops": 6e5, "stall_interval_s": 0.1, "interval_s": 0.01}
    formulas: dict[str, Callable[[np.ndarray], object]] = {
        "two_temperature": lambda p: two_temperature(
            p, hot_writes=0.9, hot_pages=0.1, pages_per_block=64
        ),
        "skewed": lambda p: skewed(p, **shares, pages_per_block=256),
        "greedy_wa, one drive": lambda p: transient.greedy_wa(
            0.28, drive_fills=p, pages_per_block=256
        ),
        "window_iops": lambda p: array_windows.window_iops(0.01, iops=5e5 * (1 + p / 10), **test),
    }
    for name, formula in formulas.items():
        formula(rng.uniform(0.05, 0.5, 1))

        def taken(count: int, formula: Callable[[np.ndarray], object] = formula) -> float:
            return processor_s(partial(formula, rng.uniform(0.05, 0.5, count)))

        yield from grown(f"{name}, elements", taken, SIZES, limit=1.2)


def rows() -> Iterator[Row]:
    """Everything that grows."""
    for part in (pages, times_of_events, choices, samples, lines, elements):
        yield from part()
