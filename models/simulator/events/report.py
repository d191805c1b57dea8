"""From the counts of a run to its result."""

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.simulator.driver import _drift
from models.simulator.events import state
from models.simulator.events.config import TICKS_PER_S, Config
from models.simulator.events.layout import start_window
from models.simulator.events.result import Latency, Result, Windows

at = state
Counts = NDArray[np.int64]

FEWEST_FOR_TREND = 5  # windows
OVERWRITES_TO_SETTLE = 3
FEWEST_STALLS = 1000

KINDS = {
    "idle": (at.IDLE,),
    "read": (at.SENSE, at.TRANSFER),
    "program": (at.LOAD, at.PROGRAM),
    "slc program": (at.SLC_LOAD, at.SLC_PROGRAM),
    "copy read": (at.COPY_SENSE, at.COPY_TRANSFER),
    "copy program": (at.COPY_LOAD, at.COPY_PROGRAM),
    "erase": (at.ERASE,),
    "suspend": (at.SUSPENDING, at.RESUMING),
}


class Rows:
    """Counts of the windows, and of the servers since the measurement began."""

    def __init__(self, drive: at.Drive) -> None:
        self.drive = drive
        self.rows: list[Counts] = []
        self.begin()

    def begin(self) -> None:
        """Measure from now on."""
        self.first = len(self.rows)
        self.busy = self.drive.busy.copy()
        self.carried = self._carried()
        self.drive.histogram.fill(0)
        self.drive.squares.fill(0)

    def add(self) -> None:
        """Keep the counts of the window that ends, and start the next."""
        self.rows.append(self.drive.tally.copy())
        start_window(self.drive)

    def busy_ticks(self) -> Counts:
        """Time of each die in each state."""
        return self.drive.busy - self.busy

    def carried_ticks(self) -> Counts:
        """Time that each channel, and then the link, was busy."""
        return self._carried() - self.carried

    def table(self) -> Counts:
        """Return the counts of every window."""
        width = len(self.drive.tally)
        return np.array(self.rows, np.int64).reshape(-1, width)

    def _carried(self) -> Counts:
        s = self.drive
        now = s.sys[at.NOW]
        ahead = np.maximum(0, s.channel[:, at.CHANNEL_FREE] - now)
        linked = sum(int(row[at.LINKED]) for row in self.rows) * s.sys[at.LINK_TIME]
        link = linked - max(0, s.sys[at.LINK_FREE] - now)
        return np.append(s.channel[:, at.CHANNEL_BUSY] - ahead, link)


def warnings(config: Config, rows: Rows) -> Iterator[str]:
    """Reasons to distrust the figures of a run."""
    table = rows.table()
    before, measured = table[: rows.first], table[rows.first :]
    total = measured.sum(axis=0)
    for kind, name, asked in ((0, "read", config.has_reads), (1, "write", config.has_writes)):
        if asked and total[at.COUNT + kind] == 0:
            yield f"no {name} completed in the measurement"
    if config.mapped and config.writes == "random":
        yield from _collection_warnings(config, before, total)
    if len(measured) >= FEWEST_FOR_TREND:
        counts = measured[:, at.COUNT] + measured[:, at.COUNT + 1]
        trend = _drift((counts * TICKS_PER_S / config.window_ticks).tolist())
        if trend:
            yield f"IOPS drifted by {trend:+.3g} in the measurement: warm up for longer"


def _collection_warnings(config: Config, before: Counts, total: Counts) -> Iterator[str]:
    """Whether collection was in its steady state, and ran often enough for percentiles."""
    if total[at.COPIES] == 0:
        yield "no page was copied in the measurement"
        return
    settled = before[np.cumsum(before[:, at.COPIES]) > 0]
    overwrites = settled[:, at.HOST_PAGES].sum() / config.pages
    if overwrites < OVERWRITES_TO_SETTLE:
        yield (
            f"the measurement began {overwrites:.2g} overwrites after the first collection: steady "
            f"state takes {OVERWRITES_TO_SETTLE}"
        )
    collections = total[at.ERASED] / (config.dies if config.scope == "superblock" else 1)
    if config.collection == "blocking" and collections < FEWEST_STALLS:
        yield f"{collections:.0f} blocking collections are few for percentiles: {FEWEST_STALLS}"


def result(config: Config, rows: Rows, doubts: tuple[str, ...], started: float) -> Result:
    """Put the result of a run together."""
    s, table = rows.drive, rows.table()
    measured = table[rows.first :]
    total = measured.sum(axis=0)
    windows = _windows(config, table)
    iops = windows.iops[rows.first :]
    elapsed_s = len(measured) * config.window_ticks / TICKS_PER_S
    reads, writes = (_latency(s, measured, kind) for kind in (0, 1))
    outstanding = ratio(total[at.AREA] / TICKS_PER_S, elapsed_s)
    busy_s = rows.busy_ticks() / TICKS_PER_S
    carried_s = rows.carried_ticks() / TICKS_PER_S
    return Result(
        iops=ratio(reads.count + writes.count, elapsed_s),
        iops_min=float(min(iops, default=np.nan)),
        iops_std=float(np.std(iops)) if len(iops) else np.nan,
        part_min_iops=float(min(windows.part_min_iops[rows.first :], default=np.nan)),
        part_std_iops=float(_part_std(config, total, len(measured))),
        worst_iops=ratio(
            outstanding, max([0.0, *(kind.max_s for kind in (reads, writes) if kind.count)])
        ),
        outstanding=outstanding,
        reads=reads,
        writes=writes,
        windows=windows,
        warmup_windows=rows.first,
        wa=ratio(total[at.HOST_PAGES] + total[at.COPIES], total[at.HOST_PAGES]),
        host_pages=int(total[at.HOST_PAGES]),
        copies=int(total[at.COPIES]),
        erases=int(total[at.ERASED]),
        unmapped_reads=int(total[at.UNMAPPED]),
        suspensions=int(total[at.SUSPENSIONS]),
        die_busy_s={name: busy_s[:, states].sum(axis=1) for name, states in KINDS.items()},
        channel_busy_s=carried_s[:-1],
        channel_wait_s=float(total[at.CHANNEL_WAIT]) / TICKS_PER_S,
        link_busy_s=float(carried_s[-1]),
        first_collection_s=_seconds(s.sys[at.FIRST_COLLECTION]),
        bursts_s=s.bursts[1 : 1 + s.bursts[0]] / TICKS_PER_S,
        end_s=_seconds(s.sys[at.NOW]),
        warnings=doubts,
        seconds=time.perf_counter() - started,
    )


def _latency(s: at.Drive, measured: Counts, kind: int) -> Latency:
    """Latencies of reads or of writes."""
    count, total = measured[:, [at.COUNT + kind, at.SUM + kind]].sum(axis=0)
    least = measured[:, at.FEWEST + kind].min(initial=at.NEVER)
    most = measured[:, at.MOST + kind].max(initial=0)
    return latency(count, total, s.squares[kind], (least, most), s.histogram[kind])


def latency(
    count: int, total: int, squares: float, ends: tuple[int, int], histogram: Counts
) -> Latency:
    """Return latencies from their count, sum and ends in ticks, and sum of squares in seconds."""
    mean = ratio(total / TICKS_PER_S, count)
    spread = ratio(squares, count) - mean**2
    least, most = ends
    return Latency(
        count=int(count),
        mean_s=mean,
        std_s=math.sqrt(max(0.0, spread)) if count else math.nan,
        min_s=_seconds(least) if count else math.nan,
        max_s=_seconds(most) if count else math.nan,
        histogram=histogram.copy(),
    )


def _windows(config: Config, table: Counts) -> Windows:
    """Course of the run."""
    length_s = config.window_ticks / TICKS_PER_S
    part_s = length_s / config.parts
    counts, sums = table[:, at.COUNT :][:, :2], table[:, at.SUM :][:, :2] / TICKS_PER_S
    most = np.where(counts > 0, table[:, at.MOST :][:, :2] / TICKS_PER_S, np.nan)
    mean = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    host = table[:, at.HOST_PAGES]
    programmed = (host + table[:, at.COPIES]).astype(float)
    return Windows(
        start_s=np.arange(len(table), dtype=float) * length_s,
        read_iops=counts[:, 0] / length_s,
        write_iops=counts[:, 1] / length_s,
        part_min_iops=table[:, at.PART_LEAST] / part_s,
        part_std_iops=_part_std(config, table.T, 1),
        wa=np.divide(programmed, host, out=np.full(len(table), np.nan), where=host > 0),
        read_mean_s=mean[:, 0],
        read_max_s=most[:, 0],
        write_mean_s=mean[:, 1],
        write_max_s=most[:, 1],
    )


def _part_std(config: Config, counts: Counts, windows: int) -> Any:
    """Return the standard deviation of the IOPS of the parts of windows, from their counts."""
    parts = windows * config.parts
    if not parts:
        return math.nan
    mean = (counts[at.COUNT] + counts[at.COUNT + 1]) / parts
    variance = np.maximum(0.0, counts[at.PART_SQUARES] / parts - mean**2)
    return np.sqrt(variance) * TICKS_PER_S / config.part_ticks


def ratio(over: float, under: float) -> float:
    """Return a quotient, nan where nothing is counted."""
    return float(over / under) if under > 0 else math.nan


def _seconds(ticks: int) -> float:
    return float(ticks) / TICKS_PER_S if ticks < at.NEVER else math.inf
