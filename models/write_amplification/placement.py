"""Effect of data placement: write amplification over that of one log.

Dimensionless. The ends and the middle of `layouts`, as ratios to the write amplification of one
log: with them a plan can give the write amplification of its workload under another placement.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.write_amplification.layouts import mixed_apart, mixed_host_gc, mixed_in_one_log

__all__ = ["apart_ratio", "host_gc_ratio"]


def apart_ratio(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with streams separated, over that of one log.

    .. math:: r = A_\mathrm{apart} / A_\mathrm{one\ log}

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    sequential_fraction : float or array
        Share of host writes, and of valid pages, that is written around in sequence, s. [1]
    write_shares : sequence of K
        Shares of the random writes by class, r. [1]
    page_shares : sequence of K
        Shares of their valid pages by class, f. [1]
    pages_per_block : float, optional
        Pages in one unit of collection, b. [1]

    Returns
    -------
    float or array
        Share of the write amplification of one log that is left, at most 1. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K numbers,
        write_shares >= 0 and page_shares > 0.

    Notes
    -----
    Valid where `mixed_apart` and `mixed_in_one_log` are. Source: definition.

    Examples
    --------
    >>> got = apart_ratio(0.28, sequential_fraction=0, write_shares=[0.8, 0.2],
    ...                          page_shares=[0.2, 0.8])
    >>> print(f"{got:.3f}")
    0.662
    """
    return _over_one_log(
        mixed_apart,
        op_ratio,
        sequential_fraction=sequential_fraction,
        write_shares=write_shares,
        page_shares=page_shares,
        pages_per_block=pages_per_block,
    )


def host_gc_ratio(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with host writes and copies separated, over that of one log.

    .. math:: r = A_\mathrm{host/gc} / A_\mathrm{one\ log}

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    sequential_fraction : float or array
        Share of host writes, and of valid pages, that is written around in sequence, s. [1]
    write_shares : sequence of K
        Shares of the random writes by class, r. [1]
    page_shares : sequence of K
        Shares of their valid pages by class, f. [1]
    pages_per_block : float, optional
        Pages in one unit of collection, b. [1]

    Returns
    -------
    float or array
        Share of the write amplification of one log that is left, at most 1. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K numbers,
        write_shares >= 0 and page_shares > 0.

    Notes
    -----
    Valid where `mixed_host_gc` and `mixed_in_one_log` are. Source: definition.

    Examples
    --------
    >>> got = host_gc_ratio(0.28, sequential_fraction=0, write_shares=[0.8, 0.2],
    ...                            page_shares=[0.2, 0.8])
    >>> print(f"{got:.3f}")
    0.909
    """
    return _over_one_log(
        mixed_host_gc,
        op_ratio,
        sequential_fraction=sequential_fraction,
        write_shares=write_shares,
        page_shares=page_shares,
        pages_per_block=pages_per_block,
    )


def _over_one_log(formula: Callable[..., float], op_ratio: float, **mix: Any) -> float:
    one_log = np.asarray(mixed_in_one_log(op_ratio, **mix))
    return _check.plain(np.minimum(formula(op_ratio, **mix) / one_log, 1.0))
