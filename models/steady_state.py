"""Steady state of a test as SNIA defines it: five rounds, a range and a slope.

Values of rounds may be in any one unit (IOPS, MB/s, seconds): only their ratios matter.

References:
    .. [1] SNIA, "Solid State Storage (SSS) Performance Test Specification (PTS)" 2.0.1 and 2.0.2
       (2020), definition of steady state: within the measurement window, Max(y) - Min(y) is no more
       than 20 % of Ave(y), and the ends of the best linear fit differ by no more than 10 % of it;
       the window is five rounds.
    .. [2] SCSI Toolbox, "SSD and SSS Preconditioning Test in DMM", log of 2012-10-11.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check

Floats = NDArray[np.float64]

_WINDOW = 5
_MOST_RANGE = 0.20
_MOST_SLOPE = 0.10
_ROUNDING = 1e-12  # a range of exactly 20 % is inside


def steady_range_ratio(round_values: ArrayLike) -> float:
    r"""Range of the last five rounds over their mean.

    .. math:: R = \frac{\max y - \min y}{\bar y}

    Args:
        round_values (sequence of 5 or more): Mean of the tracked quantity in each round, in order.
            [1]

    Returns:
        float: Range over mean; at most 0.20 in steady state. [1]

    Raises:
        DomainError: Unless there are at least five values, each > 0 and finite.

    Notes:
        Valid for rounds of equal length. Source: [1]_.

    Examples:
        >>> round(steady_range_ratio([228.90, 240.21, 240.60, 240.71, 240.71]), 3)  # [2]_
        0.05
    """
    return float(_ranges(_windows(round_values))[-1])


def steady_slope_ratio(round_values: ArrayLike) -> float:
    r"""Rise or fall of the best line through the last five rounds over their mean.

    .. math:: S = \frac{4 |k|}{\bar y}, \quad
              k = \frac{-2 y_1 - y_2 + y_4 + 2 y_5}{10}

    Args:
        round_values (sequence of 5 or more): Mean of the tracked quantity in each round, in order.
            [1]

    Returns:
        float: Difference of the ends of the line over the mean; at most 0.10 in steady state. [1]

    Raises:
        DomainError: Unless there are at least five values, each > 0 and finite.

    Notes:
        Valid for rounds of equal length. Source: [1]_; least squares for five equidistant points.

    Examples:
        >>> round(steady_slope_ratio([228.90, 240.21, 240.60, 240.71, 240.71]), 3)  # [2]_
        0.04
    """
    return float(_slopes(_windows(round_values))[-1])


def is_steady(round_values: ArrayLike) -> bool:
    r"""Whether the last five rounds are in steady state.

    .. math:: R \le 0.20 \;\wedge\; S \le 0.10

    Args:
        round_values (sequence of 5 or more): Mean of the tracked quantity in each round, in order.
            [1]

    Returns:
        True if range and slope are both within their limits. [1]

    Raises:
        DomainError: Unless there are at least five values, each > 0 and finite.

    Notes:
        Valid for rounds of equal length. It says that the rate no longer moves, not that it is the
        final one: a rate that drifts by less than 10 % in five rounds passes at any time. Source:
        [1]_.

    Examples:
        >>> is_steady([90e3, 60e3, 49e3, 51e3, 50e3, 50e3, 50e3])
        True
        >>> is_steady([90e3, 60e3, 49e3, 51e3, 50e3, 50e3])
        False
    """
    return bool(_steady(_windows(round_values))[-1])


def first_steady_round(round_values: ArrayLike) -> float:
    r"""Round at which a test may stop: the last of the first five in steady state.

    .. math:: n = \min \{ i \ge 5 : R_i \le 0.20 \wedge S_i \le 0.10 \}

    Args:
        round_values (sequence of 5 or more): Mean of the tracked quantity in each round, in order.
            [1]

    Returns:
        float: Number of the round, counted from 1; infinite if the test was too short. [1]

    Raises:
        DomainError: Unless there are at least five values, each > 0 and finite.

    Notes:
        Valid for rounds of equal length. Source: [1]_.

    Examples:
        >>> first_steady_round([90e3, 60e3, 49e3, 51e3, 50e3, 50e3, 50e3])
        7.0
    """
    found = np.flatnonzero(_steady(_windows(round_values)))
    return float(found[0] + _WINDOW) if found.size else float("inf")


def _windows(round_values: ArrayLike) -> Floats:
    """Return every window of five rounds in a row."""
    (values,) = _check.finite(round_values=round_values)  # type: ignore[arg-type]  # a sequence
    rounds = np.asarray(values)
    _check.require(rounds.ndim == 1, "round_values", "a sequence of numbers", rounds.ndim)
    _check.require(rounds.size >= _WINDOW, "round_values", "five numbers or more", rounds.size)
    return np.lib.stride_tricks.sliding_window_view(rounds, _WINDOW)


def _ranges(windows: Floats) -> Floats:
    return np.asarray(np.ptp(windows, axis=1) / windows.mean(axis=1))


def _slopes(windows: Floats) -> Floats:
    slope = windows @ np.array([-2.0, -1.0, 0.0, 1.0, 2.0]) / 10
    return np.asarray((_WINDOW - 1) * np.abs(slope) / windows.mean(axis=1))


def _steady(windows: Floats) -> NDArray[np.bool_]:
    in_range = _ranges(windows) <= _MOST_RANGE + _ROUNDING
    return in_range & (_slopes(windows) <= _MOST_SLOPE + _ROUNDING)
