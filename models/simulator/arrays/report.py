"""From the counts of a run to its result."""

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from models.simulator.arrays import state
from models.simulator.arrays.config import Config
from models.simulator.arrays.layout import start_count
from models.simulator.arrays.result import Result
from models.simulator.driver import _drift
from models.simulator.events.config import TICKS_PER_S
from models.simulator.events.report import latency, ratio
from models.simulator.events.result import Latency

at = state
Counts = NDArray[np.int64]

BATCHES = 20
FEWEST_STALLS = 1000


class Members:
    """Counts of the members since the measurement began."""

    def __init__(self, array: at.Array) -> None:
        self.array = array
        self.begin()

    def begin(self) -> None:
        """Measure from now on."""
        self.before = self._counts()
        self.since = int(self.array.sys[at.NOW])
        start_count(self.array)

    def counts(self) -> Counts:
        """Busy and stalled ticks, operations, stalls at a rate and with operations, by member."""
        return self._counts() - self.before

    def _counts(self) -> Counts:
        own, sys = self.array.member, self.array.sys
        now, stall = sys[at.NOW], sys[at.STALL_TIME]
        stalled = own[:, at.CLOCK_STALLS] * stall - np.maximum(0, own[:, at.CLOCK_FREE] - now)
        ahead = own[:, at.FREE] - now - (own[:, at.STALLS_MET] * stall - stalled)
        left = np.where(own[:, at.FREE] > now, ahead, 0)
        busy = own[:, at.WORK] - left
        words = [at.OPERATIONS, at.CLOCK_STALLS, at.REQUEST_STALLS]
        return np.vstack([busy, stalled, own[:, words].T])


def warnings(config: Config, s: at.Array, batches: list[float], stalls: int) -> Iterator[str]:
    """Reasons to distrust the figures of a run."""
    asked = (config.read_fraction > 0, config.read_fraction < 1)
    for kind, name in enumerate(("read", "write")):
        if asked[kind] and s.tally[at.COUNT + kind] == 0:
            yield f"no {name} completed in the measurement"
    if (config.stall_rate or config.stall_probability) and stalls < FEWEST_STALLS:
        yield f"{stalls} stalls are few: {FEWEST_STALLS} take the noise out of means"
    trend = _drift(batches) if batches else 0.0
    if trend:
        yield f"IOPS drifted by {trend:+.3g} in the measurement: warm up for longer"


def result(config: Config, members: Members, doubts: tuple[str, ...], started: float) -> Result:
    """Put the result of a run together."""
    s = members.array
    parts, windows = measured(config, s, members.since)
    length_s = (int(s.sys[at.NOW]) - members.since) / TICKS_PER_S
    reads, writes = (_latency(s, kind) for kind in (0, 1))
    counts = members.counts()
    batches = batch_iops(parts)
    mean = ratio(reads.count + writes.count, length_s)
    half = _half_width(batches)
    stalls = int(counts[3:].sum())
    doubts = (*doubts, *warnings(config, s, batches, stalls))
    return Result(
        iops=mean,
        iops_low=float(np.maximum(0.0, mean - half)),
        iops_high=mean + half,
        read_iops=ratio(reads.count, length_s),
        write_iops=ratio(writes.count, length_s),
        window_min_iops=_least(windows),
        window_p1_iops=_first_percentile(windows),
        part_min_iops=_least(parts),
        part_p1_iops=_first_percentile(parts),
        outstanding=ratio(s.tally[at.AREA], s.sys[at.NOW] - members.since),
        reads=reads,
        writes=writes,
        window_iops=windows,
        part_iops=parts,
        member_operations=counts[2],
        busy_fraction=_share(counts[0], length_s),
        stalled_fraction=_share(counts[1], length_s),
        stalls=stalls,
        end_s=float(s.sys[at.NOW]) / TICKS_PER_S,
        warnings=doubts,
        seconds=time.perf_counter() - started,
    )


def measured(config: Config, s: at.Array, since: int) -> tuple[Any, Any]:
    """IOPS of the parts of the measurement that are over, and of its windows."""
    first, last = (int(tick) // config.part_ticks for tick in (since, s.sys[at.NOW]))
    counts = s.parts[first:last].sum(axis=1, dtype=np.int64)
    whole = counts[: len(counts) // config.parts * config.parts].reshape(-1, config.parts)
    windows = whole.sum(axis=1) * (TICKS_PER_S / config.window_ticks)
    return counts * (TICKS_PER_S / config.part_ticks), windows


def batch_iops(parts: Any) -> list[float]:
    """Mean IOPS of equal batches of parts; none if there are fewer parts than batches."""
    size = len(parts) // BATCHES
    if size == 0:
        return []
    means: list[float] = parts[: size * BATCHES].reshape(BATCHES, size).mean(axis=1).tolist()
    return means


def _half_width(batches: list[float]) -> float:
    """Half of the 95 % interval of the mean of batches."""
    if not batches:
        return math.nan
    spread = np.std(batches, ddof=1) / math.sqrt(len(batches))
    return float(stdtrit(len(batches) - 1, 0.975) * spread)


def _latency(s: at.Array, kind: int) -> Latency:
    """Latencies of reads or of writes."""
    count, total, least, most = s.tally[np.array([at.COUNT, at.SUM, at.FEWEST, at.MOST]) + kind]
    return latency(count, total, s.squares[kind], (least, most), s.histogram[kind])


def _share(ticks: Counts, length_s: float) -> NDArray[np.float64]:
    return ticks / (length_s * TICKS_PER_S) if length_s > 0 else np.full(len(ticks), math.nan)


def _least(values: NDArray[np.float64]) -> float:
    return float(values.min()) if values.size else math.nan


def _first_percentile(values: NDArray[np.float64]) -> float:
    return float(np.percentile(values, 1)) if values.size else math.nan
