"""Wear indicator: what a whole-percent counter says about rated cycles.

Base units: bytes. Many drives report wear as whole points of 100 [1]_. Three
points mean anything from two to four, so the estimate comes with an interval.

References
----------
.. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013,
       "Endurance": 4338.98 GiB written, wear level counter -3, 1129 cycles.
"""

import numpy as np

from models import _check

__all__ = ["pe_cycles", "pe_cycles_interval"]


def pe_cycles(host_bytes: float, *, raw_bytes: float, points_used: float) -> float:
    r"""Rated program/erase cycles from sequential writes and points of wear.

    .. math:: N_{PE} = 100 \, W / (n \, C_\mathrm{raw})

    Parameters
    ----------
    host_bytes : float or array
        Bytes written sequentially (WA near 1) between two readings. [bytes]
    raw_bytes : float or array
        Flash on the board. [bytes]
    points_used : float or array
        Points of 100 by which the indicator fell. [1]

    Returns
    -------
    float or array
        Program/erase cycles that 100 points stand for. [1]

    Raises
    ------
    DomainError
        Unless every argument is > 0; no point used gives no estimate.

    Notes
    -----
    Valid where the indicator is linear in mean erase count and the writes had WA 1; with
    WA above 1 pass flash bytes. Always read it with `pe_cycles_interval`. Source: [1]_.

    Examples
    --------
    >>> int(pe_cycles(4338.98 * 2**30, raw_bytes=128 * 2**30, points_used=3))
    1129
    """
    host_bytes, raw_bytes, points_used = _check.positive(
        host_bytes=host_bytes, raw_bytes=raw_bytes, points_used=points_used
    )
    return 100 * host_bytes / (points_used * raw_bytes)


def pe_cycles_interval(
    host_bytes: float, *, raw_bytes: float, points_used: float, coverage: float = 1.0
) -> tuple[float, float]:
    r"""Interval of rated cycles that a whole-point reading leaves open.

    .. math:: N_{PE} \in \frac{100 \, W}{C_\mathrm{raw}}
              \left[\frac{1}{n + h}, \frac{1}{n - h}\right], \quad h = 1 - \sqrt{1 - c}

    Parameters
    ----------
    host_bytes : float or array
        Bytes written sequentially between two readings. [bytes]
    raw_bytes : float or array
        Flash on the board. [bytes]
    points_used : float or array
        Points of 100 by which the indicator fell. [1]
    coverage : float or array
        Probability that the interval holds the true value, c in (0, 1]; 1 gives the
        hard bounds. [1]

    Returns
    -------
    tuple of float or array
        Lower and upper cycles; the upper is inf where n <= h. [1]

    Raises
    ------
    DomainError
        Unless the first three are > 0, points_used is finite and coverage is in (0, 1].

    Notes
    -----
    Valid when both readings fall at random between two steps: the true decrement is then
    n + U1 - U2, of triangular distribution. From a fresh drive only one end is open:
    the lower half (an indicator that rounds down) or the upper half of the hard interval.
    Source: quantiles of that distribution.

    Examples
    --------
    "1129 cycles" from three points [1]_ is really:

    >>> low, high = pe_cycles_interval(4338.98 * 2**30, raw_bytes=128 * 2**30,
    ...                                points_used=3)
    >>> round(low), round(high)
    (847, 1695)
    """
    estimate = pe_cycles(host_bytes, raw_bytes=raw_bytes, points_used=points_used)
    (coverage,) = _check.share(coverage=coverage)
    (points,) = _check.finite(points_used=points_used)
    half = 1 - np.sqrt(1 - coverage)
    with np.errstate(divide="ignore"):
        high = estimate * points / np.maximum(points - half, 0.0)
    low = estimate * points / (points + half)
    return _check.plain(low), _check.plain(high)
