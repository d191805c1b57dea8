"""Result of a run."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.simulator.events.result import Latency

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Result:
    """Measurements of a run, after its warm-up.

    Attributes:
        iops: Host operations completed per second. [1/s]
        iops_low: Lower end of its 95 % interval, from the means of 20 equal batches of the
            measurement; nan where the run has fewer parts. [1/s]
        iops_high: Upper end of that interval. [1/s]
        read_iops: Host reads completed per second. [1/s]
        write_iops: Host writes completed per second. [1/s]
        window_min_iops: IOPS of the slowest window. [1/s]
        window_p1_iops: IOPS that a hundredth of the windows stay below. [1/s]
        part_min_iops: IOPS of the slowest part of a window. [1/s]
        part_p1_iops: IOPS that a hundredth of the parts stay below. [1/s]
        outstanding: Mean number of host operations outstanding.
        reads: Latencies of the host's reads.
        writes: Latencies of the host's writes.
        window_iops: Host operations completed per second in every window. [1/s]
        part_iops: Host operations completed per second in every part of a window. [1/s]
        member_operations: Operations by member that were given out in the measurement.
        busy_fraction: Share of time by member that it served; stalls that came with an operation
            count.
        stalled_fraction: Share of time by member that it was in a stall of those that come at a
            rate.
        stalls: Stalls that began in the measurement, over all members; with operations: were drawn.
        end_s: End of the run. [s]
        warnings: Reasons to distrust the figures.
        seconds: Time that the run took.
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
