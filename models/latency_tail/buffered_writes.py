"""Latency of writes behind a write buffer: flat, until buffer or flash cannot keep up.

Base units: seconds, operations per second, pages of one host operation. A write is complete when
the buffer takes it, so that its latency does not grow with the load as a queue's would; it jumps.

References
----------
.. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research 9(3),
       1961.
.. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency": 50K IOPS at queue depth 32.
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.stall_exposure import exposed_stall_s

__all__ = ["buffered_write_latency_s", "longest_buffered_write_latency_s"]


def buffered_write_latency_s(
    offered_iops: float, *, write_latency_s: float, write_iops: float, queue_depth: float
) -> float:
    r"""Latency of nearly all writes: that of the buffer, or of the queue in front of a full one.

    .. math:: L = \begin{cases} L_0 & \lambda < X \\ \max(L_0, Q/X) & \lambda \ge X \end{cases}

    Parameters
    ----------
    offered_iops : float or array
        Writes per second that the host would send, lambda; infinite for a saturated test. [1/s]
    write_latency_s : float or array
        Time until the buffer has taken a write, L_0. [s]
    write_iops : float or array
        Writes per second that the flash sustains, X. [1/s]
    queue_depth : float or array
        Writes that the host leaves outstanding at most, Q. [1]

    Returns
    -------
    float or array
        Latency, a median rather than a mean if there are stalls. [s]

    Raises
    ------
    DomainError
        Unless every argument is > 0.

    Notes
    -----
    Valid for a buffer of many times the pages of one program operation, in a steady state:
    above X the buffer is full and takes a write when another one leaves it. Source: Little's
    law [1]_ for the saturated queue.

    Examples
    --------
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

    Parameters
    ----------
    offered_iops : float or array
        Writes per second that the host would send, lambda; infinite for a saturated test. [1/s]
    write_latency_s : float or array
        Time until the buffer has taken a write, L_0. [s]
    write_iops : float or array
        Writes per second that the flash sustains, X. [1/s]
    queue_depth : float or array
        Writes that the host leaves outstanding at most, Q. [1]
    stall_s : float or array
        Time for which the flash takes no writes, T. [s]
    buffer_pages : float or array
        Pages that the write buffer holds, B. [1]

    Returns
    -------
    float or array
        Longest latency. [s]

    Raises
    ------
    DomainError
        Unless buffer_pages is >= 0 and every other argument > 0.

    Notes
    -----
    Valid where `buffered_write_latency_s` is and the buffer is empty when a stall begins, or,
    in saturation, where a queue at rate X fills what was left of it. Source:
    `models.stall_exposure.exposed_stall_s`.

    Examples
    --------
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
