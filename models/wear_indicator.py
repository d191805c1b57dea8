"""Wear indicator: what a whole-percent counter says about rated cycles.

Base units: bytes. Many drives report wear as whole points of 100 [1]_. Three
points mean anything from two to four, so the estimate comes with an interval. Wait for ten points
before you rely on the number: then it is known to 8 % with 95 % certainty.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "Endurance": 4338.98
       GiB written, wear level counter -3, 1129 cycles.
"""

from typing import NamedTuple

import numpy as np

from models import _check


class CyclesInterval(NamedTuple):
    """Bounds of the rated cycles of a drive."""

    low: float
    high: float


def pe_cycles(host_bytes: float, *, raw_bytes: float, points_used: float) -> float:
    r"""Rated program/erase cycles from sequential writes and points of wear.

    .. math:: N_{PE} = 100 \, W / (n \, C_\mathrm{raw})

    Args:
        host_bytes: Bytes written sequentially (WA near 1) between two readings. [bytes]
        raw_bytes: Flash on the board. [bytes]
        points_used: Points of 100 by which the indicator fell. [1]

    Returns:
        Program/erase cycles that correspond to 100 points. [1]

    Raises:
        DomainError: Unless every argument is > 0; no point used gives no estimate.

    Notes:
        Valid where the indicator is linear in mean erase count and the writes had WA 1; with WA
        above 1 pass flash bytes. Always read it with `pe_cycles_interval`. Source: [1]_.

    Examples:
        >>> int(pe_cycles(4338.98 * 2**30, raw_bytes=128 * 2**30, points_used=3))
        1129
    """
    host_bytes, raw_bytes, points_used = _check.positive(
        host_bytes=host_bytes, raw_bytes=raw_bytes, points_used=points_used
    )
    return 100 * host_bytes / (points_used * raw_bytes)


def pe_cycles_interval(
    host_bytes: float, *, raw_bytes: float, points_used: float, coverage: float = 1.0
) -> CyclesInterval:
    r"""Interval of rated cycles that is consistent with a whole-point reading.

    .. math:: N_{PE} \in \frac{100 \, W}{C_\mathrm{raw}}
              \left[\frac{1}{n + h}, \frac{1}{n - h}\right], \quad h = 1 - \sqrt{1 - c}

    Args:
        host_bytes: Bytes written sequentially between two readings. [bytes]
        raw_bytes: Flash on the board. [bytes]
        points_used: Points of 100 by which the indicator fell. [1]
        coverage: Probability that the interval holds the true value, c in (0, 1]; 1 gives the hard
            bounds. [1]

    Returns:
        Lower and upper cycles; the upper is inf where n <= h. [1]

    Raises:
        DomainError: Unless the first three are > 0, points_used is finite and coverage is in (0,
            1].

    Notes:
        Valid when both readings fall at random between two steps: the true decrement is then n +
        U1 - U2, of triangular distribution with a standard deviation of 1/sqrt(6). From a fresh
        drive only one end is open: `pe_cycles_rounded_down` or `pe_cycles_rounded_up`. Source:
        quantiles of that distribution.

    Examples:
        "1129 cycles" from three points [1]_ is really:

        >>> low, high = pe_cycles_interval(4338.98 * 2**30, raw_bytes=128 * 2**30,
        ...                                points_used=3)
        >>> round(low), round(high)
        (847, 1695)
    """
    (coverage,) = _check.share(coverage=coverage)
    half = 1 - np.sqrt(1 - coverage)
    return _between(host_bytes, raw_bytes, points_used, -half, half)


def pe_cycles_rounded_down(
    host_bytes: float, *, raw_bytes: float, points_used: float, coverage: float = 1.0
) -> CyclesInterval:
    r"""Interval of rated cycles from a fresh drive whose indicator rounds points down.

    .. math:: N_{PE} \in \frac{100 \, W}{C_\mathrm{raw}}
              \left[\frac{1}{n + (1 + c)/2}, \frac{1}{n + (1 - c)/2}\right]

    Args:
        host_bytes: Bytes written sequentially since the drive was new. [bytes]
        raw_bytes: Flash on the board. [bytes]
        points_used: Points of 100 by which the indicator fell. [1]
        coverage: Probability that the interval holds the true value, c in (0, 1]. [1]

    Returns:
        Lower and upper cycles. [1]

    Raises:
        DomainError: Unless the first three are > 0, points_used is finite and coverage is in (0,
            1].

    Notes:
        Valid where the first reading is that of a new drive and n points mean n to n + 1, so that
        the plain estimate is the upper end. Source: the true wear is uniform between the two.

    Examples:
        >>> low, high = pe_cycles_rounded_down(4338.98 * 2**30, raw_bytes=128 * 2**30,
        ...                                    points_used=3)
        >>> round(low), round(high)
        (847, 1130)
    """
    (coverage,) = _check.share(coverage=coverage)
    return _between(host_bytes, raw_bytes, points_used, (1 - coverage) / 2, (1 + coverage) / 2)


def pe_cycles_rounded_up(
    host_bytes: float, *, raw_bytes: float, points_used: float, coverage: float = 1.0
) -> CyclesInterval:
    r"""Interval of rated cycles from a fresh drive whose indicator rounds points up.

    .. math:: N_{PE} \in \frac{100 \, W}{C_\mathrm{raw}}
              \left[\frac{1}{n - (1 - c)/2}, \frac{1}{n - (1 + c)/2}\right]

    Args:
        host_bytes: Bytes written sequentially since the drive was new. [bytes]
        raw_bytes: Flash on the board. [bytes]
        points_used: Points of 100 by which the indicator fell. [1]
        coverage: Probability that the interval holds the true value, c in (0, 1]. [1]

    Returns:
        Lower and upper cycles; the upper is inf where one point or less was used. [1]

    Raises:
        DomainError: Unless the first three are > 0, points_used is finite and coverage is in (0,
            1].

    Notes:
        Valid where the first reading is that of a new drive and n points mean n - 1 to n, so that
        the plain estimate is the lower end. Source: the true wear is uniform between the two.

    Examples:
        >>> low, high = pe_cycles_rounded_up(4338.98 * 2**30, raw_bytes=128 * 2**30, points_used=3)
        >>> round(low), round(high)
        (1130, 1695)
    """
    (coverage,) = _check.share(coverage=coverage)
    return _between(host_bytes, raw_bytes, points_used, -(1 + coverage) / 2, -(1 - coverage) / 2)


def points_needed(error_ratio: float, *, coverage: float = 0.95) -> float:
    r"""Points of wear needed for an estimate of rated cycles with a required accuracy.

    .. math:: n = h \left(1 + \frac{1}{\epsilon}\right), \quad h = 1 - \sqrt{1 - c}

    Args:
        error_ratio: Largest accepted error, over the estimate. [1]
        coverage: Probability that the error stays below it, c in (0, 1]. [1]

    Returns:
        Points of 100, to be rounded up. [1]

    Raises:
        DomainError: Unless error_ratio > 0 and coverage is in (0, 1].

    Notes:
        Valid as `pe_cycles_interval`, whose upper end is the farther one. Source: that interval
        solved for n.

    Examples:
        >>> print(f"{points_needed(0.085):.1f}")
        9.9
    """
    (error_ratio,) = _check.positive(error_ratio=error_ratio)
    (coverage,) = _check.share(coverage=coverage)
    return _check.plain((1 - np.sqrt(1 - coverage)) * (1 + 1 / np.asarray(error_ratio)))


def _between(
    host_bytes: float, raw_bytes: float, points_used: float, least: float, most: float
) -> CyclesInterval:
    """Return the cycles if the true points are off the ones read by `least` to `most`."""
    estimate = pe_cycles(host_bytes, raw_bytes=raw_bytes, points_used=points_used)
    (points,) = _check.finite(points_used=points_used)
    with np.errstate(divide="ignore"):
        high = estimate * points / np.maximum(points + least, 0.0)
    low = estimate * points / (points + most)
    return CyclesInterval(_check.plain(low), _check.plain(high))
