"""Years of a horizon: the length of each, when its costs are due, and sums by year.

Base units: seconds. Years are counted from 1 and have 365 days. Costs of a year fall due in its
middle. If a horizon is not a whole number of years, the last year is shorter: its costs are
proportional to its part, and are due in the middle of that part.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.units import YEAR_S


def year_part(year: float, *, horizon_s: float) -> float:
    r"""Share of a year that lies within the horizon.

    .. math:: p = \min(\max(H/Y - (k - 1), 0), 1)

    Args:
        year: Number of the year, the first is 1, k. [1]
        horizon_s: Horizon, H. [s]

    Returns:
        Share, 1 for whole years and 0 after the horizon. [1]

    Raises:
        DomainError: Unless year is a whole number >= 1 and horizon_s > 0.

    Notes:
        Valid for years of 365 days; exact. Source: definition.

    Examples:
        The fifth year of four and a half:

        >>> year_part(5, horizon_s=4.5 * YEAR_S)
        0.5
    """
    (year,) = _check.count(year=year)
    (horizon,) = _check.positive(horizon_s=horizon_s)
    return _check.plain(np.clip(np.subtract(np.divide(horizon, YEAR_S), year) + 1, 0.0, 1.0))


def year_length_s(year: float, *, horizon_s: float) -> float:
    r"""Length of the part of a year that lies within the horizon.

    .. math:: T = p Y

    Args:
        year: Number of the year, the first is 1, k. [1]
        horizon_s: Horizon, H. [s]

    Returns:
        Length. [s]

    Raises:
        DomainError: Unless year is a whole number >= 1 and horizon_s > 0.

    Notes:
        Valid for p of `year_part`; exact. Source: definition.

    Examples:
        >>> year_length_s(5, horizon_s=4.5 * YEAR_S) / YEAR_S
        0.5
    """
    return _check.plain(np.multiply(year_part(year, horizon_s=horizon_s), YEAR_S))


def year_end_s(year: float, *, horizon_s: float) -> float:
    r"""Time at which a year ends, or its part within the horizon.

    .. math:: t = \min(k Y, H)

    Args:
        year: Number of the year, the first is 1, k. [1]
        horizon_s: Horizon, H. [s]

    Returns:
        Time from now. [s]

    Raises:
        DomainError: Unless year is a whole number >= 1 and horizon_s > 0.

    Notes:
        Valid for years of 365 days; exact. Source: definition.

    Examples:
        >>> [year_end_s(k, horizon_s=4.5 * YEAR_S) / YEAR_S for k in (1, 5)]
        [1.0, 4.5]
    """
    (year,) = _check.count(year=year)
    (horizon,) = _check.positive(horizon_s=horizon_s)
    return _check.plain(np.minimum(np.multiply(year, YEAR_S), horizon))


def mid_year_s(year: float, *, horizon_s: float) -> float:
    r"""Time at which the costs of a year fall due: the middle of its part within the horizon.

    .. math:: t = Y \left(k - 1 + \frac{p}{2}\right)

    Args:
        year: Number of the year, the first is 1, k. [1]
        horizon_s: Horizon, H. [s]

    Returns:
        Time from now. [s]

    Raises:
        DomainError: Unless year is a whole number >= 1 and horizon_s > 0.

    Notes:
        Valid for costs spread evenly over the part, p of `year_part`. Source: definition.

    Examples:
        >>> [mid_year_s(k, horizon_s=4.5 * YEAR_S) / YEAR_S for k in (1, 4, 5)]
        [0.5, 3.5, 4.25]
    """
    part = np.asarray(year_part(year, horizon_s=horizon_s))
    return _check.plain(YEAR_S * (np.subtract(year, 1) + part / 2))


def by_year(cumulative: ArrayLike) -> float:
    r"""Increase in each year of a number that is known at the end of every year.

    .. math:: y_k = \max_{i \le k} c_i - \max_{i < k} c_i, \quad c_0 = 0

    Args:
        cumulative: The number by the end of year 1, 2 ... along the first axis, c. [1]

    Returns:
        array: What each year adds, as long. [1]

    Raises:
        DomainError: Unless cumulative is finite.

    Notes:
        Valid for numbers that begin at 0 and never fall, but for rounding; exact. Source:
        definition.

    Examples:
        >>> by_year([1.0, 3.0, 3.5]).tolist()
        [1.0, 2.0, 0.5]
    """
    total = _finite("cumulative", cumulative)
    risen = np.maximum.accumulate(np.maximum(total, 0.0), axis=0)
    return _check.plain(np.diff(risen, axis=0, prepend=np.zeros_like(total[:1])))


def all_years(yearly: ArrayLike) -> float:
    r"""Sum over all years.

    .. math:: Y = \sum_k y_k

    Args:
        yearly: A number of each year along the first axis, y. [1]

    Returns:
        The sum over the years. [1]

    Raises:
        DomainError: Unless yearly is finite.

    Notes:
        Valid for numbers of the years' parts within the horizon; exact. Source: definition.

    Examples:
        >>> all_years([1.0, 2.0, 0.5])
        3.5
    """
    return _check.plain(np.sum(_finite("yearly", yearly), axis=0))


def _finite(name: str, values: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    array = np.atleast_1d(np.asarray(values, float))
    _check.require(np.isfinite(array), name, "finite", array)
    return array
