"""Uniform random writes of single pages over all valid data, one log.

Dimensionless. `op_ratio` is spare over valid user bytes, after everything that
the controller keeps for itself has been subtracted. Uniform random writing is an
assumption, neither the best nor the worst case: sequential writing and separated
hot data give less, one log under skewed writes gives more.

References
----------
.. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions
       on Storage 10(2), 2014; SYSTOR 2012.
.. [2] L. Xiang, B. M. Kurkoski, "An Improved Analytic Expression for Write
       Amplification in NAND Flash", ICNC 2012, arXiv:1110.4245.
.. [3] B. Van Houdt, "A Mean Field Model for a Class of Garbage Collection
       Algorithms in Flash-based Solid State Drives", SIGMETRICS 2013.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models import _check

__all__ = ["fifo", "greedy", "unless_sequential"]

# Coefficients of WA = 1/(2p) + c0 + c1 p + c2 p^2 + ..., from inverting
# p(tau) = tau / (1 - exp(-tau)) - 1 term by term with WA = (1 + p) / tau.
_SERIES = (2 / 3, 1 / 9, -4 / 135, 4 / 405, -8 / 1701, 116 / 42525, -32 / 18225)
_SERIES_BELOW = 0.02
_FLAT_ABOVE = 1e3  # WA is 1 to the last bit from op_ratio 36 on
_MOST_PAGES = 2.0**22


def fifo(op_ratio: float) -> float:
    r"""Write amplification of cleaning the oldest block first, any block size.

    Also of greedy cleaning in the limit of many pages per block.

    .. math:: A = \frac{\alpha}{\alpha + W_0(-\alpha e^{-\alpha})}, \quad \alpha = 1 + p

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte, >= 1. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0.

    Notes
    -----
    Valid for uniform random single-page writes, many blocks. Computed as the root y = 1/A
    of 1 - y = exp(-(1 + p) y), by two Newton steps from a rational start and a substitution
    (below p = 0.02 by the power series), to 1e-13 relative for p from 1e-9 up. Exact for
    drives that collect whole superblocks; otherwise an upper bound for greedy cleaning.
    Source: [1]_, [2]_.

    Examples
    --------
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
    r"""Write amplification of cleaning the block with fewest valid pages.

    .. math:: H_b - \tilde H(x) = \alpha (1 - x/b), \quad A = b/(b - x)

    with harmonic numbers H, interpolated linearly between whole x.

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p = alpha - 1. [1]
    pages_per_block : float or array
        Pages in one unit of collection, b: a block, or a superblock. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte, >= 1. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0 and pages_per_block is a whole number from 1 to 2**22.

    Notes
    -----
    Valid for uniform random single-page writes, one log, many blocks; solved by table
    inversion. Tends to `fifo` as b grows. Source: mean field of [3]_ for unlimited choices,
    written in closed form by balancing the flow through valid-page counts.

    Examples
    --------
    >>> print(f"{greedy(0.28, pages_per_block=128):.4f}")
    2.4412
    """
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    (pages,) = _check.count(pages_per_block=pages_per_block)
    _check.require(pages <= _MOST_PAGES, "pages_per_block", f"<= {_MOST_PAGES:g}", pages)
    if not np.ndim(pages):
        return _greedy_of_size(op_ratio, int(pages))
    ratios, sizes = np.broadcast_arrays(op_ratio, pages)
    wa = np.empty(ratios.shape)
    for size in np.unique(sizes):
        wa[sizes == size] = _greedy_of_size(ratios[sizes == size], int(size))
    return _check.plain(wa)


def unless_sequential(random_wa: float, *, sequential_fraction: float) -> float:
    r"""Write amplification of random writes, or of none but sequential ones.

    .. math:: A = \begin{cases} 1 & s = 1 \\ A_\mathrm{random} & s < 1 \end{cases}

    Parameters
    ----------
    random_wa : float or array
        Write amplification if every write were random. [1]
    sequential_fraction : float or array
        Share of operations that are sequential, s in [0, 1]. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte. [1]

    Raises
    ------
    DomainError
        Unless random_wa > 0 and the share is in [0, 1].

    Notes
    -----
    Valid at s = 1, where data is overwritten in the order in which it was laid down and
    whole blocks become invalid, and at s = 0. In between it credits nothing: conservative
    where random writes cover all data (2.09 against 2.48 at p = 0.28, half and half), too
    low by up to 8 % where they are confined to a fifth of it. Source: victims without
    valid pages cost no copies, A = 1/(1 - v) at v = 0.

    Examples
    --------
    >>> unless_sequential(2.48, sequential_fraction=1.0)
    1.0
    """
    (random_wa,) = _check.positive(random_wa=random_wa)
    (sequential_fraction,) = _check.fraction(sequential_fraction=sequential_fraction)
    return _check.plain(np.where(sequential_fraction < 1, random_wa, 1.0))


def _greedy_of_size(op_ratio: float, pages: int) -> float:
    tails, alphas = _harmonic_tables(pages)
    alpha = np.minimum(1 + np.asarray(op_ratio), alphas[0])
    level = np.clip(np.searchsorted(-alphas, -alpha, side="right") - 1, 0, max(pages - 2, 0))
    share = alpha / pages
    gap = tails[level] - share * (pages - level)
    valid = level + gap / (1 / (level + 1) - share + (pages == 1))
    wa = pages / (pages - np.minimum(valid, level + 1.0))
    return _check.plain(wa)


@lru_cache(maxsize=8)
def _harmonic_tables(pages: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tail sums H_b - H_j and the spare at which greedy cleans level j, j < b."""
    tails = np.cumsum(1 / np.arange(pages, 0, -1.0))[::-1]
    return tails, pages * tails / np.arange(pages, 0, -1.0)
