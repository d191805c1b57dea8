r"""Busy time, data rate and service time: the figures of reviews for a replayed trace.

Base units: seconds and bytes. Operation i is submitted at s_i and completed at c_i.
Three figures differ:

- average data rate: bytes of all operations over the time in which the drive has
  anything to do; idle time does not count;
- average service time: the mean of c_i - s_i, so that operations which queue weigh more;
- total time waited: the sum of c_i - s_i, which exceeds the busy time by the mean number
  of operations outstanding.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "AnandTech Storage
       Bench 2013" (average data rate and average service time) and "RAPID" (both, measured).
    .. [2] A. Malventano, "Samsung 850 EVO 4TB Review", PC Perspective, 2016, "Mixed Burst R/W
       Throughput" (rates during bursts, total service time).
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check


def busy_s(submitted_s: ArrayLike, *, completed_s: ArrayLike) -> float:
    r"""Time in which at least one operation is outstanding.

    .. math:: T = \left| \bigcup_i\, [s_i, c_i] \right|

    Args:
        submitted_s (sequence of N): Times of submission, s, in any order. [s]
        completed_s (sequence of N): Times of completion, c. [s]

    Returns:
        float: Length of the union of the intervals, T. [s]

    Raises:
        DomainError: Unless both are N >= 1 numbers, finite, >= 0, and no operation ends before it
            begins.

    Notes:
        Valid for any trace. Source: definition; "disk busy" of [1]_.

    Examples:
        Two operations side by side for a second, one alone later:

        >>> busy_s([0.0, 0.5, 4.0], completed_s=[1.0, 1.5, 5.0])
        2.5
    """
    begin, end = _intervals(submitted_s, completed_s)
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    covered = np.concatenate([begin[:1], end[:-1]])
    return float(np.sum(end - np.maximum(begin, covered)))


def mean_service_s(submitted_s: ArrayLike, *, completed_s: ArrayLike) -> float:
    r"""Mean time from submission to completion.

    .. math:: R = \frac{1}{N} \sum_i (c_i - s_i)

    Args:
        submitted_s (sequence of N): Times of submission, s. [s]
        completed_s (sequence of N): Times of completion, c. [s]

    Returns:
        float: Average service time, R. [s]

    Raises:
        DomainError: As `busy_s`.

    Notes:
        Valid for any trace. Source: definition; average service time of [1]_.

    Examples:
        >>> mean_service_s([0.0, 0.5, 4.0], completed_s=[1.0, 1.5, 5.0])
        1.0
    """
    begin, end = _intervals(submitted_s, completed_s)
    return float(np.mean(end - begin))


def data_rate_bytes_per_s(moved_bytes: float, *, busy_s: float) -> float:
    r"""Average data rate: bytes over busy time.

    .. math:: B = V / T

    Args:
        moved_bytes: Bytes read and written, V. [bytes]
        busy_s: Time in which at least one operation is outstanding, T. [s]

    Returns:
        Average data rate, B. [bytes/s]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for any trace or set of bursts; exact. Source: [1]_; "idle time is not counted" in
        [2]_.

    Examples:
        Ten bursts of 200 MB that take 5 s together [2]_, in MB/s:

        >>> data_rate_bytes_per_s(10 * 200e6, busy_s=5.0) / 1e6
        400.0
    """
    moved, busy = _check.finite(moved_bytes=moved_bytes, busy_s=busy_s)
    return moved / busy


def waited_s(trace_operations: float, *, service_s: float) -> float:
    r"""Total time waited: service times of all operations together.

    .. math:: W = N R

    Args:
        trace_operations: Operations of the trace, N. [1]
        service_s: Average service time, R. [s]

    Returns:
        Sum of all service times, W; times of operations side by side add up. [s]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for any trace; exact. Source: definition; total service time of [2]_.

    Examples:
        The Heavy 2011 trace at 1101.0 us [1]_:

        >>> round(waited_s(2_168_893 + 1_783_447, service_s=1101.0e-6))
        4352
    """
    number, service = _check.finite(trace_operations=trace_operations, service_s=service_s)
    return number * service


def busy_queue_depth(waited_s: float, *, busy_s: float) -> float:
    r"""Operations outstanding on average while the drive is busy.

    .. math:: Q = W / T

    Args:
        waited_s: Sum of all service times, W. [s]
        busy_s: Time in which at least one operation is outstanding, T. [s]

    Returns:
        Mean queue depth over the busy time, Q >= 1. [1]

    Raises:
        DomainError: Unless both are > 0 and finite and waited_s >= busy_s.

    Notes:
        Valid for any trace; exact. Source: Little's law.

    Examples:
        Heavy 2011 at 229.6 MB/s and 1101.0 us [1]_:

        >>> busy = 154.95e9 / 229.6e6
        >>> print(f"{busy_queue_depth(4351.5, busy_s=busy):.2f}")
        6.45
    """
    waited, busy = _check.finite(waited_s=waited_s, busy_s=busy_s)
    enough = np.asarray(waited) >= np.asarray(busy) * (1 - 1e-9)
    _check.require(enough, "waited_s", ">= busy_s", waited)
    return waited / busy


def _intervals(submitted_s: ArrayLike, completed_s: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return begin and end of each operation, checked."""
    begin = np.atleast_1d(_check.non_negative(submitted_s=submitted_s)[0])  # type: ignore[arg-type]  # a sequence
    end = np.atleast_1d(_check.non_negative(completed_s=completed_s)[0])  # type: ignore[arg-type]  # as above
    _check.require(begin < np.inf, "submitted_s", "finite", begin)
    _check.require(begin.ndim == 1 and begin.size > 0, "submitted_s", "a sequence", begin.ndim)
    _check.require(begin.shape == end.shape, "completed_s", "as many as submitted_s", end.size)
    _check.require((end >= begin) & (end < np.inf), "completed_s", ">= submitted_s, finite", end)
    return begin, end
