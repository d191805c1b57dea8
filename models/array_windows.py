r"""Windows of a test of an array that stalls: percentiles of their IOPS, and the lowest of many.

Base units: operations per second and seconds. With the aligned floor of
`array_tail.worst_case_iops` and its probability, these are the three numbers of a worst case: the
floor, its probability, and the IOPS in a share of the windows of a test.

References:
    .. [1] S. Asmussen, P. W. Glynn, "Stochastic Simulation", Springer, 2007, section II.2 (compound
       Poisson distributions by Fourier transforms).
"""

import numpy as np
from numpy.typing import NDArray

from models import _check

Floats = NDArray[np.float64]

CELLS = 1024
_PLACES = np.arange(CELLS, dtype=float)
_TOGETHER = 64  # elements whose cells fit into the cache of a core


def window_iops(
    quantile: float,
    *,
    iops: float,
    stall_free_iops: float,
    stall_interval_s: float,
    interval_s: float,
) -> float:
    r"""Quantile of the IOPS in windows of a test, under stalls at random times.

    .. math:: X_q = X_N \left(1 - \frac{\min(L_{1-q}, \Delta)}{\Delta}\right), \quad
              L = \sum_{i=1}^{K} B_i, \quad
              K \sim \mathrm{Poisson}\left(\frac{\Delta + F}{\tau}\right), \quad
              F = \tau \left(1 - \frac{X}{X_N}\right)

    where F is what a stall costs the array on average, and B, its part in the window, is
    min(F, Delta) with probability |Delta - F| / (Delta + F) and uniform below that otherwise.

    Args:
        quantile: Share of windows that are at most as fast, q: 0.01 for the slowest hundredth. [1]
        iops: Mean IOPS, X: `array_stalls.stalled_iops` or `synchronised_iops`. [1/s]
        stall_free_iops: IOPS of the array without stalls, X_N. [1/s]
        stall_interval_s: Mean time from stall to stall of the array, tau: that of a member over the
            members, or that of a member if they stall together; infinite if none stalls. [s]
        interval_s: Length of a window, Delta. [s]

    Returns:
        IOPS of the window. [1/s]

    Raises:
        DomainError: Unless the quantile is in (0, 1], the others are > 0, all but stall_interval_s
            finite, and iops is at most stall_free_iops.

    Notes:
        Valid for stalls that seldom overlap, quantiles from 1e-9 on; a stall is assumed to stop the
        array for F, where in truth it slows it down for longer: of twelve drives, the lowest second
        is 1 to 3 % too high, the slowest hundredth of windows of 10 ms off by 8 %. Source: parts of
        intervals that begin at random times and fall into a window; their sum by Fourier transform
        [1]_ over 1,024 steps.

    Examples:
        Twelve drives that stall once a second each, in windows of 10 ms and of 1 s:

        >>> for window_s in (0.01, 1.0):
        ...     slow = window_iops(0.01, iops=580e3, stall_free_iops=595e3,
        ...                        stall_interval_s=1 / 12, interval_s=window_s)
        ...     print(f"{slow:.0f}")
        469561
        568796
    """
    (quantile,) = _check.share(quantile=quantile)
    mean, free, window_s = _check.finite(
        iops=iops, stall_free_iops=stall_free_iops, interval_s=interval_s
    )
    (between_s,) = _check.positive(stall_interval_s=stall_interval_s)
    _check.require(np.asarray(mean) <= free, "iops", "<= stall_free_iops", mean)
    stalls = np.isfinite(between_s)
    finite_s = np.where(stalls, between_s, 1.0)
    cost_s = finite_s * (1 - np.asarray(mean) / free)
    arrays = np.broadcast_arrays(quantile, free, cost_s, finite_s, window_s)
    level, rate, cost, between, window = (np.asarray(array, float) for array in arrays)
    lost = np.empty(level.shape)
    for first in range(0, level.size, _TOGETHER):
        here = np.s_[first : first + _TOGETHER]
        lost.flat[here] = _lost_quantile(
            1 - level.flat[here], cost.flat[here], between.flat[here], window.flat[here]
        )
    windowed = rate * (1 - np.minimum(lost, window) / window)
    return _check.plain(np.where(stalls, windowed, mean))


def lowest_window_quantile(windows: float, *, probability: float = 0.5) -> float:
    r"""Quantile of a single window at which the lowest of many windows lies.

    .. math:: q = 1 - (1 - P)^{1/N}

    Args:
        windows: Windows of the test, N. [1]
        probability: Probability that the lowest is at most at the quantile, P: 0.5 for its median.
            [1]

    Returns:
        Quantile to ask `window_iops` for. [1]

    Raises:
        DomainError: Unless windows is a whole number >= 1 and the probability in (0, 1].

    Notes:
        Valid for windows that are independent, so longer than stalls. Source: complement of none.

    Examples:
        >>> print(f"{lowest_window_quantile(100):.4f}")
        0.0069
    """
    (windows,) = _check.count(windows=windows)
    (probability,) = _check.share(probability=probability)
    with np.errstate(divide="ignore"):
        none = np.log1p(-np.asarray(probability)) / windows
    return _check.plain(-np.expm1(none))


def _lost_quantile(level: Floats, cost: Floats, between: Floats, window: Floats) -> Floats:
    """Quantile of the time that stalls take from a window."""
    longest, expected = np.minimum(cost, window), (window + cost) / between
    whole = np.abs(window - cost) / (window + cost)
    mean = expected * longest * (1 + whole) / 2
    spread = longest * np.sqrt(expected * (1 + 2 * whole) / 3)
    step = np.maximum((mean + 10 * spread + 2 * longest) / (CELLS - 1), 1e-300)[..., None]
    part = _part(longest[..., None] / step, whole[..., None])
    moved = expected[..., None] * (np.fft.rfft(part) - 1)
    below = np.cumsum(np.fft.irfft(np.exp(moved), CELLS), axis=-1)
    cell = np.argmax(below >= np.minimum(level, 1 - 1e-12)[..., None], axis=-1)
    return np.where(level >= 1, np.inf, cell * step[..., 0]) * (longest > 0)


def _part(cells: Floats, whole: Floats) -> Floats:
    """Distribution of the part of one stall in a window, in steps, with its mean preserved."""
    ahead = cells - _PLACES
    atom = np.maximum(0.0, 1 - np.abs(ahead))
    even = (_ramp(ahead) - _ramp(-_PLACES)) / np.maximum(cells, 1e-300)
    return np.asarray(whole * atom + (1 - whole) * even)


def _ramp(upper: Floats) -> Floats:
    """Area of the triangle between -1 and 1 up to a point."""
    x = np.clip(upper, -1.0, 1.0)
    return 0.5 + x - x * np.abs(x) / 2
