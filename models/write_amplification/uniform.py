"""Uniform random writes of single pages over all valid data, single write frontier.

Dimensionless. `op_ratio` is spare over valid user bytes, after everything that the controller keeps
for itself has been subtracted. Uniform random writing is an assumption, neither the best nor the
worst case: sequential writing and separated hot data give less, a single write frontier under
skewed writes gives more.

References:
    .. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014; SYSTOR 2012.
    .. [2] L. Xiang, B. M. Kurkoski, "An Improved Analytic Expression for Write Amplification in
       NAND Flash", ICNC 2012, arXiv:1110.4245.
    .. [3] B. Van Houdt, "A Mean Field Model for a Class of Garbage Collection Algorithms in
       Flash-based Solid State Drives", SIGMETRICS 2013.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check

Floats = NDArray[np.float64]

# Coefficients of WA = 1/(2p) + c0 + c1 p + c2 p^2 + ..., from inverting
# p(tau) = tau / (1 - exp(-tau)) - 1 term by term with WA = (1 + p) / tau.
_SERIES = (2 / 3, 1 / 9, -4 / 135, 4 / 405, -8 / 1701, 116 / 42525, -32 / 18225)
_SERIES_BELOW = 0.02
_FLAT_ABOVE = 1e3  # WA is 1 to the last bit from op_ratio 36 on
_MOST_PAGES = 2.0**22
_MOST_STEPS, _PRECISION = 100, 1e-14  # of Newton's method


def fifo(op_ratio: float) -> float:
    r"""Write amplification of collecting the oldest block first (FIFO), any block size.

    Also of greedy garbage collection in the limit of many pages per block.

    .. math:: A = \frac{\alpha}{\alpha + W_0(-\alpha e^{-\alpha})}, \quad \alpha = 1 + p

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]

    Returns:
        Flash bytes per host byte, >= 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0.

    Notes:
        Valid for uniform random single-page writes, many blocks. Computed as the root y = 1/A of
        1 - y = exp(-(1 + p) y), by two Newton steps from a rational start and a substitution (below
        p = 0.02 by the power series), to 1e-13 relative for p from 1e-9 up. Exact for drives that
        collect whole superblocks; otherwise an upper bound for greedy cleaning. Source: [1]_, [2]_.

    Examples:
        >>> print(f"{fifo(0.28):.4f}")
        2.4814
    """
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    spare = np.minimum(op_ratio, _FLAT_ABOVE)
    inverse = 2 * spare * (1 + 0.2536 * spare) / (1 + spare * (1.587 + 0.5595 * spare))
    for _ in range(2):
        decay = np.expm1(-(1 + spare) * inverse)
        inverse = inverse + (inverse + decay) / (spare + (1 + spare) * decay)
    wa = -1 / np.expm1(-(1 + spare) * inverse)
    if np.any(spare < _SERIES_BELOW):
        tail = np.polynomial.polynomial.polyval(np.minimum(spare, _SERIES_BELOW), _SERIES)
        wa = np.where(spare < _SERIES_BELOW, 0.5 / spare + tail, wa)
    return _check.plain(wa)


def greedy(op_ratio: float, *, pages_per_block: float) -> float:
    r"""Write amplification of collecting the block with the fewest valid pages (greedy).

    .. math:: H_b - \tilde H(x) = \alpha (1 - x/b), \quad A = b/(b - x)

    with harmonic numbers H, interpolated linearly between whole x.

    Args:
        op_ratio: Spare bytes per valid user byte, p = alpha - 1. [1]
        pages_per_block: Pages in one unit of collection, b: a block, or a superblock. [1]

    Returns:
        Flash bytes per host byte, >= 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and pages_per_block is a whole number from 1 to 2**22.

    Notes:
        Valid for uniform random page writes, one frontier, many blocks. The equation makes A
        piecewise linear in p with a corner at each whole x, so that looking A up in the table of
        corners is exact. Tends to `fifo` as b grows. Source: mean field of [3]_ for unlimited
        choices, written in closed form by balancing the flow through valid-page counts.

    Examples:
        >>> print(f"{greedy(0.28, pages_per_block=128):.4f}")
        2.4412
    """
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    return _by_size(_greedy_of_size, op_ratio, pages_per_block)


class GreedyLaw(NamedTuple):
    """`greedy` as a law of the spare area, for `end_of_life.shrinking_drive_fills`.

    >>> print(f"{GreedyLaw(pages_per_block=512)(0.28):.3f}")
    2.471
    """

    pages_per_block: float

    def __call__(self, op_ratio: Any) -> Any:
        """Return write amplification at a spare area."""
        return greedy(op_ratio, pages_per_block=self.pages_per_block)


def greedy_op_ratio(wa: float, *, pages_per_block: float) -> float:
    r"""Spare area at which greedy garbage collection has a given write amplification.

    .. math:: p = A \left(H_b - \tilde H(b (1 - 1/A))\right) - 1

    Args:
        wa: Required write amplification, 1 <= A < b. [1]
        pages_per_block: Pages in one unit of collection, b. [1]

    Returns:
        Spare bytes per valid user byte; at A = 1 the least that gives it. [1]

    Raises:
        DomainError: Unless 1 <= wa < pages_per_block, a whole number from 1 to 2**22.

    Notes:
        Valid where `greedy` is; its exact inverse. Source: as `greedy`.

    Examples:
        >>> print(f"{greedy_op_ratio(2.0, pages_per_block=128):.4f}")
        0.3785
    """
    (wa,) = _check.positive(wa=wa)
    (pages,) = _check.count(pages_per_block=pages_per_block)
    inside = (np.asarray(wa) >= 1) & (wa < np.asarray(pages))
    _check.require(inside, "wa", "in [1, pages_per_block)", wa)
    return _by_size(_greedy_op_ratio_of_size, wa, pages_per_block)


def fifo_op_ratio(wa: float) -> float:
    r"""Spare area at which collecting the oldest block has a given write amplification.

    .. math:: p = -A \ln(1 - 1/A) - 1

    Args:
        wa: Required write amplification, A > 1. [1]

    Returns:
        Spare bytes per valid user byte. [1]

    Raises:
        DomainError: Unless wa > 1.

    Notes:
        Valid where `fifo` is; its exact inverse. Source: [1]_.

    Examples:
        >>> print(f"{fifo_op_ratio(2.0):.4f}")
        0.3863
    """
    (wa,) = _check.above(1, wa=wa)
    share = 1 / np.asarray(wa)
    series = share * np.polynomial.polynomial.polyval(share, 1 / np.arange(2.0, 11.0))
    with np.errstate(divide="ignore"):
        exact = -np.log1p(-share) / share - 1
    return _check.plain(np.where(share < 0.01, series, exact))


def random_victim(op_ratio: float) -> float:
    r"""Write amplification of collecting a random block, any block size.

    .. math:: A = (1 + p)/p

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0.

    Notes:
        Valid for uniform random page writes, one frontier, many blocks. Source: a random victim
        is as full as the average block, 1/A = 1 - 1/(1 + p); [3]_ with one choice.

    Examples:
        >>> round(random_victim(0.28), 4)
        4.5714
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    return (1 + op_ratio) / op_ratio


def d_choices(op_ratio: float, *, choices: float, pages_per_block: float) -> float:
    r"""Write amplification of collecting the emptiest of d random blocks (d-choices).

    .. math:: S_i + \frac{S_i^d}{c\,i} = S_{i+1} + \frac{1}{c\,i}, \quad
              \sum_{i=1}^{b} S_i = \frac{b}{\alpha}, \quad A = \alpha / c

    with S_i the share of blocks that hold at least i valid pages and S_{b+1} = 0.

    Args:
        op_ratio: Spare bytes per valid user byte, p = alpha - 1. [1]
        choices: Blocks drawn for each collection, d >= 1: 1 is `random_victim`, many are `greedy`.
            [1]
        pages_per_block: Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, choices is a whole number >= 1 and pages_per_block is a
            whole number from 2 to 2**22.

    Notes:
        Valid for uniform random page writes, one frontier, many blocks. Source: fixed point of
        the mean field of [3]_.

    Examples:
        >>> print(f"{d_choices(0.28, choices=10, pages_per_block=64):.4f}")
        2.4711
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (choices,) = _check.count(choices=choices)
    _check.require(np.asarray(pages_per_block) != 1, "pages_per_block", ">= 2", pages_per_block)
    return _by_size(_d_choices_of_size, op_ratio, pages_per_block, choices)


def _by_size(
    of_size: Callable[..., Floats], first: float, pages_per_block: float, *others: float
) -> float:
    """Apply a function of one block size to every size that occurs."""
    (pages,) = _check.count(pages_per_block=pages_per_block)
    _check.require(pages <= _MOST_PAGES, "pages_per_block", f"<= {_MOST_PAGES:g}", pages)
    if not np.ndim(pages):
        return _check.plain(of_size(int(pages), *np.broadcast_arrays(first, *others)))
    sizes, *arrays = np.broadcast_arrays(pages, first, *others)
    result = np.empty(sizes.shape)
    for size in np.unique(sizes):
        here = sizes == size
        result[here] = of_size(int(size), *(array[here] for array in arrays))
    return _check.plain(result)


def _greedy_of_size(pages: int, op_ratio: Floats) -> Floats:
    ratios, amplifications = _corners(pages)
    return np.interp(op_ratio, ratios, amplifications)


def _greedy_op_ratio_of_size(pages: int, wa: Floats) -> Floats:
    ratios, amplifications = _corners(pages)
    return np.interp(wa, amplifications[::-1], ratios[::-1])


def _d_choices_of_size(pages: int, op_ratio: Floats, choices: Floats) -> Floats:
    """Solve for 1 / c by Newton's method, from its value for unlimited choices.

    The sum of S_i rises with 1 / c and is concave, so that steps lead up to the root.
    """
    wa = np.minimum(_greedy_of_size(pages, op_ratio), (1 + op_ratio) / op_ratio)
    given: tuple[Any, ...] = wa / (1 + op_ratio), pages / (1 + op_ratio), choices
    inverse, goal, drawn = given if op_ratio.ndim else map(float, given)
    for _ in range(_MOST_STEPS):
        total, slope = _blocks_at_least(inverse, drawn, pages)
        step = (goal - total) / slope
        inverse = inverse + step * (step > 0)
        if np.max(step / inverse) <= _PRECISION:
            break
    return np.asarray(np.maximum((1 + op_ratio) * inverse, 1.0))


def _blocks_at_least(inverse: Any, choices: Any, pages: int) -> tuple[Any, Any]:
    """Sum of S_i over i = 1..b, and its slope over 1 / c; from the fullest down, by Newton.

    The one before is on the left of a convex function's root: the first step leads to its right,
    at most to 1, and the others come down to it. Single numbers take a thirtieth of the time of
    arrays of one.
    """
    least, largest = (np.minimum, _largest) if np.ndim(inverse) else (min, abs)
    level = total = level_slope = slope = 0.0 * inverse
    for count in range(pages, 0, -1):
        share = inverse / count
        target = level + share
        for _ in range(_MOST_STEPS):
            power = level ** (choices - 1)
            steepness = 1 + share * choices * power
            step = (level + share * power * level - target) / steepness
            level = least(level - step, 1.0)
            if largest(step) <= 1e-15:
                break
        level_slope = (level_slope + (1 - power * level) / count) / steepness
        total, slope = total + level, slope + level_slope
    return total, slope


def _largest(steps: Floats) -> float:
    return float(np.max(np.abs(steps)))


@lru_cache(maxsize=8)
def _corners(pages: int) -> tuple[Floats, Floats]:
    """Return spare area and write amplification at whole valid counts, spare rising."""
    counts = np.arange(pages, 0, -1.0)
    freed = np.arange(1.0, pages + 1)
    return np.cumsum((pages - counts) / counts) / freed, pages / freed
