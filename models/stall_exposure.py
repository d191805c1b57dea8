"""Effect of a stall on the host: behind a write buffer, in the spread of latency, per interval.

Base units: seconds, operations per second, pages of one host operation. A stall is a time for
which the flash takes no writes, such as garbage collection makes (`models.stalls`).

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency - Standard Deviation" and "- Worst-Case IOPS": both for every second.
"""

import numpy as np

from models import _check


def exposed_stall_s(stall_s: float, *, iops: float, buffer_pages: float) -> float:
    r"""Longest write latency that a stall causes behind a write buffer.

    .. math:: L = \max(0,\; T - B/\lambda)

    Args:
        stall_s: Time for which the flash takes no writes, T. [s]
        iops: Rate at which the host writes meanwhile, lambda. [1/s]
        buffer_pages: Pages that the write buffer has free when the stall begins, B. [1]

    Returns:
        Longest latency; 0 if the stall is invisible, exactly when B >= lambda T. [s]

    Raises:
        DomainError: Unless stall_s and iops are > 0 and buffer_pages is >= 0.

    Notes:
        Valid for steady writes below saturation and a stall of all dies, as when superblocks are
        collected. Not free is what is on its way to the flash: n/2 pages of a program that fills up
        and lambda n D / X under way, at the rate X of D saturated dies. So counted, within 1.5 % of
        the stall in simulation with dies in turn; up to 7 % short with writes to the least loaded
        die, which leave the end of a superblock to the slowest dies. Where dies collect one by one
        nothing of a stall was seen at 30 and 60 % of saturation: the others take the writes.
        Source: the first write that finds the buffer full arrives B / lambda after the beginning
        and waits for the end.

    Examples:
        >>> print(f"{exposed_stall_s(0.348, iops=8e3, buffer_pages=1024) * 1e3:.0f} ms")
        220 ms
        >>> exposed_stall_s(0.348, iops=8e3, buffer_pages=4096)
        0.0
    """
    stall_s, iops = _check.positive(stall_s=stall_s, iops=iops)
    (buffer_pages,) = _check.non_negative(buffer_pages=buffer_pages)
    return _check.plain(np.maximum(0.0, stall_s - buffer_pages / iops))


def absorbing_pages(stall_s: float, *, iops: float) -> float:
    r"""Write buffer that makes a stall invisible.

    .. math:: B = \lambda T

    Args:
        stall_s: Time for which the flash takes no writes, T. [s]
        iops: Rate at which the host writes meanwhile, lambda. [1/s]

    Returns:
        Pages that the buffer must have free. [1]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid where `exposed_stall_s` is; the least buffer at which it is 0. Source: writes that
        arrive during the stall.

    Examples:
        >>> round(absorbing_pages(0.348, iops=8e3))
        2784
    """
    stall_s, iops = _check.positive(stall_s=stall_s, iops=iops)
    return stall_s * iops


def latency_spread_s(
    stall_s: float, *, stall_interval_s: float, queue_depth: float, iops: float
) -> float:
    r"""Spread of write latency where stalls dominate it: its standard deviation.

    .. math:: \sigma = T \sqrt{\phi (1 - \phi)}, \quad \phi = \min\left(1, \frac{Q}{X \tau}\right)

    Args:
        stall_s: Duration of a stall, T. [s]
        stall_interval_s: Mean time from stall to stall, tau. [s]
        queue_depth: Operations outstanding, all of which a stall holds up, Q. [1]
        iops: Average IOPS, X. [1/s]

    Returns:
        Standard deviation of latency. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid where stalls are much longer than Q/X and do not overlap. The latency quantile jumps
        to T at 1 - phi. Source: two values of latency, about 0 and T, T with probability phi.

    Examples:
        >>> spread = latency_spread_s(5.76e-3, stall_interval_s=0.25, queue_depth=32, iops=50e3)
        >>> print(f"{spread * 1e3:.2f} ms")
        0.29 ms
    """
    stall_s, interval_s, queue_depth, iops = _check.positive(
        stall_s=stall_s, stall_interval_s=stall_interval_s, queue_depth=queue_depth, iops=iops
    )
    share = np.minimum(1.0, queue_depth / (iops * np.asarray(interval_s)))
    return _check.plain(stall_s * np.sqrt(share * (1 - share)))


def stall_probability(stall_interval_s: float, *, interval_s: float = 1.0) -> float:
    r"""Probability that an interval of a test contains a stall, and so shows the worst IOPS.

    .. math:: P = 1 - e^{-\Delta / \tau}

    Args:
        stall_interval_s: Mean time from stall to stall, tau. [s]
        interval_s: Length of the interval, Delta. [s]

    Returns:
        Probability. [1]

    Raises:
        DomainError: Unless stall_interval_s is > 0 and interval_s is > 0 and finite.

    Notes:
        Valid for stalls at random times; regular ones are in every interval longer than their
        period. Source: Poisson distribution of none.

    Examples:
        >>> round(stall_probability(0.25), 3)
        0.982
    """
    (between_s,) = _check.positive(stall_interval_s=stall_interval_s)
    (interval_s,) = _check.finite(interval_s=interval_s)
    return _check.plain(-np.expm1(-interval_s / np.asarray(between_s)))
