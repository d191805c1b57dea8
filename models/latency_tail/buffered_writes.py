"""Latency of writes behind a write buffer: flat, until buffer or flash cannot keep up.

Base units: seconds, operations per second, pages of one host operation. A write is complete when
the buffer takes it, so that its latency does not grow with the load as a queue's would; it jumps.

References:
    .. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961.
    .. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency": 50K IOPS at queue depth 32.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._law import levels_of
from models.stall_exposure import exposed_stall_s


class WritePath(NamedTuple):
    """Queues of writes: the buffer, the flash behind it, the queue of the host.

    `write_latency_s` is the time until the buffer has taken a write, `write_iops` the rate of the
    flash between stalls, `buffer_pages` the capacity of the buffer beside the pages under way; the
    flash stalls for `stall_s` every `stall_interval_s`, at most half of the time.
    """

    write_latency_s: float
    write_iops: float
    buffer_pages: float = 0.0
    stall_s: float = 0.0
    stall_interval_s: float = math.inf


def buffered_write_latency_s(
    offered_iops: float, *, write_latency_s: float, write_iops: float, queue_depth: float
) -> float:
    r"""Latency of nearly all writes: that of the buffer, or of the queue in front of a full one.

    .. math:: L = \begin{cases} L_0 & \lambda < X \\ \max(L_0, Q/X) & \lambda \ge X \end{cases}

    Args:
        offered_iops: Writes per second that the host would send, lambda; infinite for a saturated
            test. [1/s]
        write_latency_s: Time until the buffer has taken a write, L_0. [s]
        write_iops: Writes per second that the flash sustains, X. [1/s]
        queue_depth: Writes that the host leaves outstanding at most, Q. [1]

    Returns:
        Latency, a median rather than a mean if there are stalls. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for a buffer of many times the pages of one program operation, in a steady state:
        above X the buffer is full and takes a write when another one leaves it. Source: Little's
        law [1]_ for the saturated queue.

    Examples:
        845DC PRO, 50K IOPS [2]_, with 20 us until the buffer has taken a write:

        >>> latency = buffered_write_latency_s([25e3, 49e3, 60e3], write_latency_s=20e-6,
        ...                                    write_iops=50e3, queue_depth=32)
        >>> latency * 1e6
        array([ 20.,  20., 640.])
    """
    offered, flat_s, sustained, depth = _checked(
        offered_iops, write_latency_s, write_iops, queue_depth
    )
    return _check.plain(
        np.where(offered < sustained, flat_s, np.maximum(flat_s, depth / sustained))
    )


def longest_buffered_write_latency_s(
    offered_iops: float,
    *,
    write_latency_s: float,
    write_iops: float,
    queue_depth: float,
    stall_s: float,
    buffer_pages: float,
) -> float:
    r"""Longest latency of a write when the flash stalls now and then.

    .. math:: L = L_0 + \max\left(0,\; T - \frac{B}{\min(\lambda, X)}\right)

    and not below Q / X from saturation on.

    Args:
        offered_iops: Writes per second that the host would send, lambda; infinite for a saturated
            test. [1/s]
        write_latency_s: Time until the buffer has taken a write, L_0. [s]
        write_iops: Writes per second that the flash sustains, X. [1/s]
        queue_depth: Writes that the host leaves outstanding at most, Q. [1]
        stall_s: Time for which the flash takes no writes, T. [s]
        buffer_pages: Pages that the write buffer holds, B. [1]

    Returns:
        Longest latency. [s]

    Raises:
        DomainError: Unless buffer_pages is >= 0 and every other argument > 0.

    Notes:
        Valid where `buffered_write_latency_s` is and the buffer is empty when a stall begins, or,
        in saturation, where a queue at rate X fills what was left of it. Source:
        `models.stall_exposure.exposed_stall_s`.

    Examples:
        A stall of 348 ms behind 1,024 and 4,096 pages at 8,000 writes per second:

        >>> longest = longest_buffered_write_latency_s(
        ...     8e3, write_latency_s=20e-6, write_iops=17e3, queue_depth=32, stall_s=0.348,
        ...     buffer_pages=[1024, 4096])
        >>> longest.round(5)
        array([2.2002e-01, 2.0000e-05])
    """
    usual_s = buffered_write_latency_s(
        offered_iops,
        write_latency_s=write_latency_s,
        write_iops=write_iops,
        queue_depth=queue_depth,
    )
    offered, flat_s, sustained, _ = _checked(offered_iops, write_latency_s, write_iops, queue_depth)
    rate = _check.plain(np.minimum(offered, sustained))
    stalled_s = flat_s + exposed_stall_s(stall_s, iops=rate, buffer_pages=buffer_pages)
    return _check.plain(np.maximum(usual_s, stalled_s))


def buffered_write_quantile_s(
    quantile: ArrayLike, *, offered_iops: float, queue_depth: float, path: WritePath
) -> float:
    r"""Quantile of write latency behind a buffer, before flash that stalls now and then.

    Writes that arrive at random at a rate below that of the flash wait for what is left of a
    stall when the buffer is full, and for the writes that it has held up:

    .. math:: L_q = L_0 + \max\left(0,\; E - (1 - q)\,\tau\,(1 - \lambda/X)\right), \quad
              E = \max\left(0, T - \frac{B}{\lambda}\right)

    From the rate of the flash on, Q writes wait for each other, and of those outstanding each
    stall holds up all:

    .. math:: L_q = \max(L_0, Q/X) + T \, [\, 1 - q < \min(1, Q / (\bar X \tau)) \,], \quad
              \bar X = X (1 - T/\tau)

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        offered_iops: Writes per second that the host would send, lambda; infinite for a saturated
            test. [1/s]
        queue_depth: Writes that the host leaves outstanding at most, Q. [1]
        path: Latency L_0 of the buffer, its pages B, rate X of the flash between stalls, their
            length T and the time tau from one to the next. [1]

    Returns:
        Latency. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], offered_iops, queue_depth, write_latency_s
            and write_iops are > 0, buffer_pages and stall_s >= 0 and finite, stall_interval_s >= 2
            stall_s and > 0.

    Notes:
        Valid for stalls apart from each other and a buffer that is empty when one begins. Waits
        below the time of a program, which steady writes have for their turn, are left out: from
        saturation on quantiles are around Q/X by a tenth to a third. Firmware that holds writes
        back on purpose is not in it. Below saturation a queue deeper than lambda E writes is
        supposed. Source: work of a queue that a stall fills and the flash drains; Little's law
        [1]_.

    Examples:
        Stalls of 348 ms every 20 s behind 1,024 pages, at 8,000 of 17,000 writes per second:

        >>> path = WritePath(20e-6, 17e3, buffer_pages=1024, stall_s=0.348, stall_interval_s=20.0)
        >>> latency = buffered_write_quantile_s([0.5, 0.99, 0.999], offered_iops=8e3,
        ...                                     queue_depth=4096, path=path)
        >>> print((latency * 1e3).round(2))
        [2.0000e-02 1.1414e+02 2.0943e+02]
    """
    levels = levels_of(quantile)
    offered, flat_s, sustained, depth = _checked(
        offered_iops, path.write_latency_s, path.write_iops, queue_depth
    )
    stall_s, buffered = _check.from_zero(stall_s=path.stall_s, buffer_pages=path.buffer_pages)
    (interval_s,) = _check.positive(stall_interval_s=path.stall_interval_s)
    apart = np.asarray(interval_s) >= 2 * np.asarray(stall_s)
    _check.require(apart, "stall_interval_s", ">= 2 stall_s", interval_s)
    mean_iops = sustained * (1 - np.asarray(stall_s) / interval_s)
    is_open = offered < mean_iops
    late = 1 - levels
    idle = np.where(is_open, 1 - offered / sustained, 1.0)
    exposed_s = np.maximum(0.0, stall_s - buffered / np.where(is_open, offered, sustained))
    held_s = np.where(exposed_s > 0, exposed_s - late * np.asarray(interval_s) * idle, 0.0)
    is_stalled = (late < np.minimum(1.0, depth / (mean_iops * interval_s))) & (stall_s > 0)
    closed_s = np.maximum(flat_s, depth / sustained) + np.where(is_stalled, stall_s, 0.0)
    return _check.plain(np.where(is_open, flat_s + np.maximum(0.0, held_s), closed_s))


def bounded_write_quantile_s(
    quantile: ArrayLike, *, offered_iops: float, queue_depth: float, path: WritePath
) -> float:
    r"""Quantile of write latency, from a host that leaves so many writes outstanding at most.

    .. math:: L_q = \begin{cases} L_q^\infty & 1 - q < Q / (\lambda \tau) \\
              \min(L_q^\infty, \max(L_0, Q/X)) & \text{else} \end{cases}

    with L_q of a host without such a limit, `buffered_write_quantile_s`: each stall holds up the
    Q writes that are outstanding, the others are sent later and wait for Q writes.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        offered_iops: Writes per second that the host would send, lambda; infinite for a saturated
            test. [1/s]
        queue_depth: Writes that the host leaves outstanding at most, Q. [1]
        path: As in `buffered_write_quantile_s`. [1]

    Returns:
        Latency, from the time at which the host sends a write. [s]

    Raises:
        DomainError: As `buffered_write_quantile_s`.

    Notes:
        Valid as `buffered_write_quantile_s`; the same with a queue that holds what arrives in a
        stall. What a host waits before it sends is not in it. Source: Little's law [1]_ for the
        writes after a stall.

    Examples:
        Stalls of 348 ms every 20 s, at 8,000 of 17,000 writes per second, 32 of them outstanding:

        >>> path = WritePath(20e-6, 17e3, stall_s=0.348, stall_interval_s=20.0)
        >>> latency = bounded_write_quantile_s([0.5, 0.99, 0.9999], offered_iops=8e3,
        ...                                    queue_depth=32, path=path)
        >>> print((latency * 1e3).round(2))
        [2.0000e-02 1.8800e+00 3.4696e+02]
    """
    unbounded_s = buffered_write_quantile_s(
        quantile, offered_iops=offered_iops, queue_depth=queue_depth, path=path
    )
    late, sustained = 1 - levels_of(quantile), np.asarray(path.write_iops)
    mean_iops = sustained * (1 - np.asarray(path.stall_s) / path.stall_interval_s)
    sent_iops = np.minimum(offered_iops, mean_iops)
    is_outstanding = late * sent_iops * path.stall_interval_s < queue_depth
    queue_s = np.maximum(path.write_latency_s, queue_depth / sustained)
    is_free = is_outstanding | (np.asarray(offered_iops) >= mean_iops)
    return _check.plain(np.where(is_free, unbounded_s, np.minimum(unbounded_s, queue_s)))


def _checked(
    offered_iops: float, write_latency_s: float, write_iops: float, queue_depth: float
) -> tuple[NDArray[np.float64], ...]:
    checked = _check.positive(
        offered_iops=offered_iops,
        write_latency_s=write_latency_s,
        write_iops=write_iops,
        queue_depth=queue_depth,
    )
    return tuple(np.asarray(value) for value in checked)
