"""Time of an operation of a phase, by what the drive has to do for it; columns."""

import numpy as np

from models import rewriting
from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.rates import Columns, DriveRates, PhaseTimes


def operation_s(
    rates: DriveRates, phase: Phase, service: PhaseTimes, write_s: Columns = 0.0
) -> Columns:
    """Return the mean time of reads and writes, where a write takes `write_s`."""
    reads = phase.read_fraction
    read_s = 0.0
    if reads:
        iops = (
            rates.in_sequence_iops(phase, rates.read_bytes_per_s, phase.queue_depth)
            if phase.is_sequential
            else rates.random_reads_iops(phase, service, phase.queue_depth)
        )
        read_s = 1 / iops
    return reads * read_s + (1 - reads) * np.asarray(write_s)


def random_write_s(
    rates: DriveRates, phase: Phase, service: PhaseTimes, wa: Columns, *, is_cached: bool = True
) -> Columns:
    """Return the time of a random write at a write amplification, in the write cache or past it."""
    units = max(phase.transfer_bytes / rates.unit_bytes, 1.0)
    fresh_s = 1 / rates.fresh_iops + (units - 1) * rates.unit_bytes / rates.cached_bytes_per_s
    if not is_cached:
        fresh_s = np.maximum(fresh_s, units * rates.unit_bytes / rates.native_bytes_per_s)
    work_s = fresh_s + (np.asarray(wa) - 1) * units * rates.copy_s
    return np.maximum(work_s, service.write_alone_s / phase.queue_depth)


def sequential_write_s(
    rates: DriveRates, phase: Phase, bytes_per_s: Columns, wa: Columns = 1.0
) -> Columns:
    """Return the time of a sequential write at a rate without copies, and a write amplification."""
    rate = rewriting.collected_bytes_per_s(
        bytes_per_s, wa=wa, copy_s=rates.copy_s, page_bytes=rates.unit_bytes
    )
    return 1 / rates.in_sequence_iops(phase, rate, phase.queue_depth)
