"""Result of a run."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from models.simulator.events.config import TICKS_PER_S

Array = NDArray[np.float64]

CELLS = 128  # per factor of two: neighbours are at most 0.8 % apart
LOW, HIGH = 13, 37  # latencies from 2**13 ticks (0.8 us) to 2**37 ticks (13.7 s) are resolved
BUCKETS = (HIGH - LOW) * CELLS + 2  # below, between, above


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Latencies of the commands of one kind that completed in the measurement.

    Attributes:
        count: Commands.
        mean_s: Mean; nan if there was none. [s]
        std_s: Standard deviation; nan if there was none. [s]
        min_s: Least; nan if there was none. [s]
        max_s: Greatest; nan if there was none. [s]
        histogram: Commands by latency; bucket i holds those in ``[edges_s[i], edges_s[i + 1])``.
    """

    count: int
    mean_s: float
    std_s: float
    min_s: float
    max_s: float
    histogram: NDArray[np.int64] = field(repr=False)

    @property
    def edges_s(self) -> Array:
        """Bounds of the buckets [s]: 128 to a factor of two, from 0.8 us to 13.7 s."""
        cells = 1 + np.arange(CELLS) / CELLS
        inner = [2.0**octave * cells for octave in range(LOW, HIGH)]
        return np.concatenate(([0.0], *inner, [2.0**HIGH, np.inf])) / TICKS_PER_S

    def percentile(self, percent: float) -> float:
        """Latency [s] that a share of the commands keeps, within 0.8 %; nan if there was none.

        Args:
            percent: Share of the commands, in [0, 100]. [%]
        """
        if not 0 <= percent <= 100:
            raise DomainError(f"percent must be in [0, 100], got {percent!r}")
        if self.count == 0:
            return float("nan")
        rank = percent / 100 * self.count
        below = np.concatenate(([0], np.cumsum(self.histogram)))
        at = int(np.searchsorted(below[1:], rank)) if rank > 0 else 0
        share = (rank - below[at]) / max(1, self.histogram[at])
        low, high = self.edges_s[at : at + 2]
        value = low + share * (high - low) if np.isfinite(high) else self.max_s
        return float(min(max(value, self.min_s), self.max_s))


@dataclass(frozen=True, kw_only=True)
class Windows:
    """One value per window of the run, warm-up included; all arrays are of one length.

    Attributes:
        start_s: Beginning of the window. [s]
        read_iops: Reads completed per second. [1/s]
        write_iops: Writes completed per second. [1/s]
        part_min_iops: Lowest IOPS in the parts of the window. [1/s]
        part_std_iops: Standard deviation of the IOPS in the parts of the window. [1/s]
        wa: Pages programmed per host page programmed; nan where there was none.
        read_mean_s: Mean latency of the reads that completed; nan where there was none. [s]
        read_max_s: Greatest latency of the reads that completed; nan where there was none. [s]
        write_mean_s: Mean latency of the writes that completed; nan where there was none. [s]
        write_max_s: Greatest latency of the writes that completed; nan where there was none. [s]
    """

    start_s: Array
    read_iops: Array
    write_iops: Array
    part_min_iops: Array
    part_std_iops: Array
    wa: Array
    read_mean_s: Array
    read_max_s: Array
    write_mean_s: Array
    write_max_s: Array

    @property
    def iops(self) -> Array:
        """Reads and writes completed per second [1/s]."""
        return self.read_iops + self.write_iops


@dataclass(frozen=True, kw_only=True)
class Result:
    """Measurements of a run, after its warm-up.

    Attributes:
        iops: Commands completed per second: mean over the windows. [1/s]
        iops_min: Commands per second in the slowest window. [1/s]
        iops_std: Its standard deviation over the windows. [1/s]
        part_min_iops: Commands completed per second in the slowest part of the windows. [1/s]
        part_std_iops: Its standard deviation over the parts of the windows. [1/s]
        worst_iops: Mean number of outstanding commands over the greatest latency: what reviews call
            the worst case. [1/s]
        outstanding: Mean number of outstanding commands.
        reads: Latencies of the reads.
        writes: Latencies of the writes.
        windows: The course of the run.
        warmup_windows: Windows before the measurement.
        wa: Pages programmed per host page programmed; nan if there was none.
        host_pages: Host pages programmed.
        copies: Copies programmed; folds count as copies.
        erases: Die blocks erased.
        unmapped_reads: Reads of pages without data, which no die serves.
        suspensions: Programs and erases suspended.
        die_busy_s: Time by die, for "read", "program", "copy read", "copy program", "erase",
            "suspend" and "idle"; with the cache also "slc program". Waiting for the channel counts
            to the operation that waits. The sum over all kinds is the length of the measurement.
            [s]
        channel_busy_s: Time that each channel carried pages. [s]
        channel_wait_s: Time that dies waited for their channels, summed over the dies. [s]
        link_busy_s: Time that the host link carried commands. [s]
        first_collection_s: Start of the first collection; inf if there was none. [s]
        bursts_s: Duration of every burst that ended, from its start or the end of the one before.
            [s]
        end_s: End of the run. [s]
        warnings: Reasons to distrust the figures.
        seconds: Time that the run took.
    """

    iops: float
    iops_min: float
    iops_std: float
    part_min_iops: float
    part_std_iops: float
    worst_iops: float
    outstanding: float
    reads: Latency
    writes: Latency
    windows: Windows = field(repr=False)
    warmup_windows: int
    wa: float
    host_pages: int
    copies: int
    erases: int
    unmapped_reads: int
    suspensions: int
    die_busy_s: dict[str, Array] = field(repr=False)
    channel_busy_s: Array = field(repr=False)
    channel_wait_s: float
    link_busy_s: float
    first_collection_s: float
    bursts_s: Array = field(repr=False)
    end_s: float
    warnings: tuple[str, ...]
    seconds: float
