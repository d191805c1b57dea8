r"""Readers at a queue depth beside writes that they interrupt.

Base units: seconds, operations per second; quantiles are fractions. Each reader waits for slices
as a read at random does (`suspended_reads`), and for the other readers as if they came at random
at the rate at which they come.

References:
    .. [1] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (arrivals see the others).
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.latency_tail.suspended_reads import (
    ReadLoad,
    Suspension,
    WriteTimes,
    _slices_at_load,
    read_latency_beside_writes_s,
    typical_suspension,
)

_PRECISION = 1e-9  # of a rate, relatively


def queued_typical_read_latency_s(
    quantile: ArrayLike,
    *,
    queue_depth: float,
    load_fraction: float,
    unloaded_s: float,
    write_times: WriteTimes,
    read_load: ReadLoad,
) -> float:
    r"""Quantile of the latency of readers at a constant queue depth, who interrupt the writes.

    .. math:: L_q = R_q\left(x,\; \frac{Q - 1}{Q} X\right), \quad X = \frac{Q}{E[L]}

    with `typical_read_latency_s` R at a load x of writes and a rate of reads, and the mean E[L] of
    its distribution.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        queue_depth (float): Readers, Q, each with one read under way. [1]
        load_fraction (float): Random writes per second over the steady rate of the data sheet, x.
            [1]
        unloaded_s (float): Latency of a read of the idle drive, t_0: `unloaded_read_s`. [s]
        write_times (WriteTimes of float): Time of one program of a word line, of an erase, programs
            of a block. [1]
        read_load (ReadLoad of float): Dies D and the time t_R that a read holds its die; the rate
            does not count. [1]

    Returns:
        Latency that the reader sees. [s]

    Raises:
        DomainError: Unless queue_depth and dies are single whole numbers, load_fraction is a single
            number >= 0 and finite, quantile in (0, 1 - 1e-9] and the times > 0 and finite.

    Notes:
        Valid as `read_latency_beside_writes_s`; exact for one reader. The readers are assumed to
        come at random, on the safe side: without writes, up to half as many readers as dies, p99
        comes out 5 % and p99.9 10 % above `closed_read_latency_s`, with as many as dies 12 and 21
        %, with twice as many 38 and 71 %; less beside writes. Source: Little's law; an arrival sees
        the others [1]_.

    Examples:
        Four readers beside a drive at half of its write rate, in microseconds:

        >>> latency = queued_typical_read_latency_s(
        ...     [0.5, 0.99], queue_depth=4, load_fraction=0.5, unloaded_s=65e-6,
        ...     write_times=WriteTimes(1.17e-3, 3.5e-3, 512), read_load=ReadLoad(0.0, 16, 45e-6))
        >>> print((latency * 1e6).round())
        [100. 418.]
    """
    depth, dies = _check.count(queue_depth=queue_depth, dies=read_load.dies)
    (load,) = _check.from_zero(load_fraction=load_fraction)
    unloaded, held = _check.finite(unloaded_s=unloaded_s, die_read_s=read_load.die_read_s)
    given = {"queue_depth": depth, "dies": dies, "load_fraction": load, "unloaded_s": unloaded}
    for name, value in given.items():
        _check.require(np.ndim(value) == 0, name, "a single number", value)
    held = min(held, unloaded)
    suspension = typical_suspension(
        write_times.program_s,
        erase_s=write_times.erase_s,
        programs_per_block=write_times.programs_per_block,
    )
    others = _rate(depth, dies, held, unloaded + _mean_wait_s(load, suspension))
    return read_latency_beside_writes_s(
        quantile,
        load_fraction=load,
        unloaded_s=unloaded,
        suspension=suspension,
        read_load=ReadLoad(others * (depth - 1) / depth, dies, held),
    )


def _mean_wait_s(load: float, suspension: Suspension) -> float:
    """Return the mean wait for slices."""
    mean, erase_s, waiting, erasing = _slices_at_load(load, suspension)
    return float(waiting * mean + erasing * erase_s / 2)


def _rate(depth: float, dies: float, held_s: float, alone_s: float) -> float:
    """Return the rate at which so many readers are under way: Little's law, M/D/1 at each die."""
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

    def excess(busy: float) -> float:
        rate = busy * dies / held_s * depth / (depth - 1)
        return float(rate * (alone_s + busy * held_s / (2 * (1 - busy))) / depth - 1)

    if depth == 1:
        return 1 / alone_s
    return float(brentq(excess, 0.0, 1 - 1e-12, rtol=_PRECISION)) * (
        dies / held_s * depth / (depth - 1)
    )
