"""What a run gives back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.simulator.events.result import Latency

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a run measured, after its warm-up.

    Attributes
    ----------
    iops, iops_low, iops_high : float
        Host operations completed per second, with the 95 % interval from the means of 20 equal
        batches of the measurement; nan where the run has fewer parts. [1/s]
    read_iops, write_iops : float
        The same of reads and of writes. [1/s]
    window_min_iops, window_p1_iops : float
        Least window, and the one that a hundredth of the windows stay below. [1/s]
    part_min_iops, part_p1_iops : float
        The same of the parts of the windows. [1/s]
    outstanding : float
        Mean number of host operations outstanding.
    reads, writes : Latency
        Latencies of either kind of host operation.
    window_iops, part_iops : array
        Host operations completed per second in every window, and in every part of one. [1/s]
    member_operations : array
        Operations by member that were given out in the measurement.
    busy_fraction : array
        Share of time by member that it served; stalls that came with an operation count.
    stalled_fraction : array
        Share of time by member that it was in a stall of those that come at a rate.
    stalls : int
        Stalls that began in the measurement, over all members; with operations: were drawn.
    end_s : float
        End of the run. [s]
    warnings : tuple of str
        Reasons to distrust the figures.
    seconds : float
        Time that the run took.
    """

    iops: float
    iops_low: float
    iops_high: float
    read_iops: float
    write_iops: float
    window_min_iops: float
    window_p1_iops: float
    part_min_iops: float
    part_p1_iops: float
    outstanding: float
    reads: Latency
    writes: Latency
    window_iops: Array = field(repr=False)
    part_iops: Array = field(repr=False)
    member_operations: NDArray[np.int64] = field(repr=False)
    busy_fraction: Array = field(repr=False)
    stalled_fraction: Array = field(repr=False)
    stalls: int
    end_s: float
    warnings: tuple[str, ...]
    seconds: float
