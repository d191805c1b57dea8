"""Random and sequential writes under three layouts: the low, typical and high figure of a drive.

Dimensionless. How firmware separates streams is seldom published; these are the ends of the
possible range, and an estimate between them.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.write_amplification.separation import separated
from models.write_amplification.sequential import (
    credited,
    orderly_sequential_credit,
    sequential_credit,
)
from models.write_amplification.skewed import skewed
from models.write_amplification.surrogate import host_gc


def mixed_apart(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with sequential writes and every class in separate streams.

    .. math:: A = s + (1 - s) A_\mathrm{separated}\left(\frac{p}{1 - s}\right)

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte, the best that placement can do. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid as a lower bound: a sequential stream of its own needs hardly any spare area, all of
        which goes to the random classes by the best split of `separated`. Source: bookkeeping.

    Examples:
        >>> wa = mixed_apart(0.28, sequential_fraction=0.5, write_shares=[1], page_shares=[1])
        >>> print(f"{wa:.3f}")
        1.307
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (fraction,) = _check.fraction(sequential_fraction=sequential_fraction)
    random = np.maximum(1 - np.asarray(fraction), 1e-9)
    alone = separated(
        _check.plain(np.minimum(op_ratio / random, 1e6)),
        write_shares=write_shares,
        page_shares=page_shares,
        pages_per_block=pages_per_block,
    )
    return _check.plain(fraction + (1 - np.asarray(fraction)) * np.asarray(alone))


def mixed_host_gc(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with host writes and copies separated: estimate of the usual drive.

    .. math:: A = \min(A_\mathrm{single}, \max(A_\mathrm{apart}, \sqrt{g g_o} A_\mathrm{host/gc}))

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid as an estimate where `host_gc` is; g and g_o are `sequential_credit` and
        `orderly_sequential_credit`. Beside 12 simulated mixes of uniform and sequential writes
        (op_ratio 0.07 to 0.5, ten choices) it was from 30 % low to 18 % high. Source: composition
        of these, between the two layouts that are known.

    Examples:
        >>> wa = mixed_host_gc(0.28, sequential_fraction=0.5, write_shares=[0.9, 0.1],
        ...                    page_shares=[0.1, 0.9])
        >>> print(f"{wa:.2f}")
        1.74
    """
    low, high, credit = (
        formula(
            op_ratio,
            sequential_fraction=sequential_fraction,
            write_shares=write_shares,
            page_shares=page_shares,
            pages_per_block=pages_per_block,
        )
        for formula in (mixed_apart, mixed_in_one_log, _middle_credit)
    )
    usual = credited(
        host_gc(
            op_ratio,
            write_shares=write_shares,
            page_shares=page_shares,
            pages_per_block=pages_per_block,
        ),
        sequential_fraction=sequential_fraction,
        sequential_credit=credit,
    )
    return _check.plain(np.minimum(np.maximum(usual, low), high))


def _middle_credit(op_ratio: float, **mix: Any) -> float:
    """Return the geometric mean of both ends."""
    ends = sequential_credit(op_ratio, **mix), orderly_sequential_credit(op_ratio, **mix)
    return _check.plain(np.sqrt(np.multiply(*ends)))


def mixed_in_one_log(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with a single write frontier: the conservative figure.

    .. math:: A = \max(1, g A_\mathrm{skewed})

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid where `skewed` and `sequential_credit`, which is g, are. Source: composition of these.

    Examples:
        >>> wa = mixed_in_one_log(0.28, sequential_fraction=0.5, write_shares=[1], page_shares=[1])
        >>> print(f"{wa:.3f}")
        2.093
    """
    return credited(
        skewed(
            op_ratio,
            write_shares=write_shares,
            page_shares=page_shares,
            pages_per_block=pages_per_block,
        ),
        sequential_fraction=sequential_fraction,
        sequential_credit=sequential_credit(
            op_ratio,
            sequential_fraction=sequential_fraction,
            write_shares=write_shares,
            page_shares=page_shares,
            pages_per_block=pages_per_block,
        ),
    )
