"""Random and sequential writes with a single write frontier: effect of a sequential share.

Dimensionless. Sequential writes run in circles over their own share of the addresses, which equals
their share of the writes; a sequential page stays valid for exactly one round, a random page for a
random time. Collecting a block of age tau copies every page that is still valid after tau, and a
sequential page as often as tau fits into its round. Because its number of copies jumps, a drive may
stay at one of several levels, depending on how it was filled.

References:
    .. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Trans. Storage 10(2), 2014
       (age at collection and write amplification of classes; greedy garbage collection as the
       oldest-first result at k p + k - 1, k = 1 + 1/(2 b)).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification.skewed import _age, _block_size, _classes

Floats = NDArray[np.float64]

_MOST_LEVELS = 32


def credited(random_wa: float, *, sequential_fraction: float, sequential_credit: float) -> float:
    r"""Write amplification of a mix from that of its random writes alone.

    .. math:: A = \begin{cases} \max(1, g A_r) & s < 1 \\ 1 & s = 1 \end{cases}

    Args:
        random_wa: Write amplification if every write were random, A_r. [1]
        sequential_fraction: Share of host writes that is sequential, s, in [0, 1]. [1]
        sequential_credit: Write amplification of the mix over that of its random writes alone, g;
            above 1 where copies of random pages keep the rounds of the others from becoming
            invalid. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless random_wa > 0, sequential_credit > 0 and sequential_fraction is in [0,
            1].

    Notes:
        Valid once the drive was filled in sequence where s = 1. Source: definition of the credit; a
        drive that is only ever written around finds its victims empty.

    Examples:
        >>> credited(2.5, sequential_fraction=0.5, sequential_credit=0.8)
        2.0
        >>> credited(2.5, sequential_fraction=1, sequential_credit=0.8)
        1.0
    """
    (random_wa,) = _check.positive(random_wa=random_wa)
    (sequential_fraction,) = _check.fraction(sequential_fraction=sequential_fraction)
    (sequential_credit,) = _check.finite(sequential_credit=sequential_credit)
    mixed = np.maximum(np.minimum(random_wa, 1), random_wa * sequential_credit)
    return _check.plain(np.where(np.asarray(sequential_fraction) < 1, mixed, 1.0))


def sequential_credit(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of a mix over that of its random writes alone, for any filling.

    .. math:: A = (1 - s) \sum_k \frac{r_k}{1 - e^{-\lambda_k \tau}} + s n,
              \quad n = \lceil 1/\tau \rceil, \quad \tau = (1 + p)/A

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f; lambda = r/f. [1]
        pages_per_block (float): Pages in one unit of garbage collection, b, for greedy selection;
            without it the oldest block is collected. [1]

    Returns:
        Share of the random writes' write amplification that is left, at most 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0 and pages_per_block >= 2.

    Notes:
        Valid for a single write frontier from 64 pages per block, and on the safe side: of several
        solutions this is the highest at which greedy garbage collection was observed to stay,
        `orderly_sequential_credit` is the lowest. In 192 simulations (op_ratio 0.06 to 1, s 0.05 to
        0.95, filled at random and in sequence) every drive was above the lowest less 1 % and all
        but one below the highest plus 7 % (op_ratio 0.06, s 0.92: 29 %). Source: every page is
        copied once for each age tau that it survives, with tau and the correction for greedy
        garbage collection of [1]_; how far greedy garbage collection holds a level is a rule fitted
        to two thirds of these simulations.

    Examples:
        Half of the writes sequential at 28 % spare leave 85 % of 2.46:

        >>> g = sequential_credit(0.28, sequential_fraction=0.5, write_shares=[1], page_shares=[1],
        ...                       pages_per_block=256)
        >>> print(f"{g:.3f}")
        0.848
    """
    return _credit(
        _held_level, op_ratio, sequential_fraction, write_shares, page_shares, pages_per_block
    )


def orderly_sequential_credit(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of a mix over that of its random writes alone, at its lowest level.

    .. math:: A = (1 - s) \sum_k \frac{r_k}{1 - e^{-\lambda_k \tau}} + s n,
              \quad n = \lceil 1/\tau \rceil, \quad \tau = (1 + p)/A

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f; lambda = r/f. [1]
        pages_per_block (float): Pages in one unit of garbage collection, b, for greedy selection;
            without it the oldest block is collected. [1]

    Returns:
        Share of the random writes' write amplification that is left, at most 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0 and pages_per_block >= 2.

    Notes:
        Valid as `sequential_credit`: the solution of fewest copies n, where a drive that was filled
        in sequence mostly stays. Source: as there.

    Examples:
        >>> g = orderly_sequential_credit(0.28, sequential_fraction=0.7, write_shares=[1],
        ...                               page_shares=[1], pages_per_block=256)
        >>> print(f"{g:.3f}")
        0.464
    """
    return _credit(
        _first_level, op_ratio, sequential_fraction, write_shares, page_shares, pages_per_block
    )


def _credit(
    level: Callable[[Floats, Floats, Floats, Floats], Floats],
    op_ratio: float,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None,
) -> float:
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (fraction,) = _check.fraction(sequential_fraction=sequential_fraction)
    rates, pages = _classes(write_shares, page_shares)
    greedy = 1 if pages_per_block is None else 1 + 0.5 / _block_size(pages_per_block)
    ratios, shares = np.broadcast_arrays(np.asarray(op_ratio, float), np.asarray(fraction, float))
    spare = greedy * (1 + ratios.ravel()) - 1
    alone = _age(spare, rates, pages)
    mixed = level(spare, np.minimum(shares.ravel(), 1 - 1e-9), rates, pages)
    return _check.plain(np.minimum(alone / mixed, 1.0).reshape(ratios.shape))


def _first_level(spare: Floats, shares: Floats, rates: Floats, pages: Floats) -> Floats:
    return _age_of_copies(_fewest_copies(spare, shares, rates, pages), spare, shares, rates, pages)


def _held_level(spare: Floats, shares: Floats, rates: Floats, pages: Floats) -> Floats:
    """Return the shortest age that greedy garbage collection was seen to hold, by `_held_below`."""
    fewest = _fewest_copies(spare, shares, rates, pages)
    age = _age_of_copies(fewest, spare, shares, rates, pages)
    most = np.ceil(fewest / 2)
    for more in range(1, int(min(most.max(), _MOST_LEVELS)) + 1):
        copies = fewest + more
        shorter = _age_of_copies(copies, spare, shares, rates, pages)
        place = (shorter * copies - 1) * (copies - 1)  # 0 at 1/n, 1 at 1/(n - 1)
        age = np.where((more <= most) & (place < _held_below(shares)), shorter, age)
    return age


def _held_below(shares: Floats) -> Floats:
    """Return the place within a level's range of ages up to which collection stays at it."""
    return np.where(shares > 0, 0.15 + 0.75 * (1 - shares), 0.0)


def _fewest_copies(spare: Floats, shares: Floats, rates: Floats, pages: Floats) -> Floats:
    """Return the smallest n whose shortest age, 1/n, leaves spare blocks."""
    return np.maximum(np.ceil(1 / _age(spare / (1 - shares), rates, pages)), 1.0)


def _age_of_copies(
    copies: Floats, spare: Floats, shares: Floats, rates: Floats, pages: Floats
) -> Floats:
    """Solve 1 + p = tau A for the age, with so many copies of a sequential page."""
    random = 1 - shares
    return _age((spare + shares) / random, rates, pages, shares * copies / random)
