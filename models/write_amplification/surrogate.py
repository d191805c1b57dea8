r"""Separate write frontiers for host and GC writes: between a single one and full separation.

Dimensionless. With separate frontiers pages that stay valid gather in their own blocks, which
separates cold from hot data to some degree; no closed form is known. Weak skew leaves the write
amplification of uniform writes, strong skew comes near to full separation. This surrogate says how
far below uniform writes the result lies, by tables that the reference simulator made (`python -m
benchmarks.surrogate`) for two families of skew: two temperature classes, and Zipf, which has many.

References:
    .. [1] B. Van Houdt, "Performance of Garbage Collection Algorithms for Flash-Based Solid State
       Drives with Hot/Cold Data", Performance Evaluation 70(10), 2013 (the double write frontier
       separates by itself; about ten choices are best).
    .. [2] S. Kullback, R. A. Leibler, "On Information and Sufficiency", Annals of Mathematical
       Statistics 22(1), 1951 (divergence of one distribution from another).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification.separation import separated, separation_gain
from models.write_amplification.skewed import _classes
from models.write_amplification.uniform import fifo, greedy

Floats = NDArray[np.float64]


class _Family(NamedTuple):
    """Kinds of skew in one family, from none: rows of `drops` by skew, columns by op_ratio."""

    log_gains: Floats
    divergences: Floats
    drops: Floats


# The logarithm of uniform, greedy garbage collection over ten choices with separate frontiers: 256
# pages per block, 1,000,000 logical pages.
_RATIOS = np.array([0.035, 0.07, 0.15, 0.28, 0.5, 1.0, 2.0])
_NO_SKEW = [-0.035, -0.030, -0.027, -0.024, -0.021, -0.015, -0.009]
_TWO_CLASSES = _Family(
    np.array([0.0, 0.1744, 0.4463, 1.0217, 1.6607, 2.5459, 3.2289]),
    np.array([0.0, 0.3389, 0.8318, 1.7578, 2.6500, 3.7361, 4.5032]),
    np.array(
        [
            _NO_SKEW,
            [-0.033, -0.031, -0.036, -0.046, -0.057, -0.063, -0.063],
            [-0.002, 0.002, -0.009, -0.032, -0.059, -0.063, -0.080],
            [0.188, 0.212, 0.193, 0.136, 0.071, 0.018, -0.041],
            [0.641, 0.650, 0.561, 0.425, 0.281, 0.119, 0.002],
            [1.185, 1.108, 0.917, 0.680, 0.434, 0.181, 0.035],
            [1.346, 1.247, 1.025, 0.754, 0.476, 0.201, 0.046],
        ]
    ),
)
_ZIPF = _Family(
    np.array([0.0, 0.1997, 0.5301, 0.8368, 1.2300, 1.8753, 2.5990]),
    np.array([0.0, 0.5593, 1.7625, 2.9407, 4.3513, 6.2609, 7.8315]),
    np.array(
        [
            _NO_SKEW,
            [-0.031, -0.038, -0.054, -0.071, -0.086, -0.088, -0.065],
            [0.078, 0.049, -0.006, -0.057, -0.097, -0.120, -0.104],
            [0.237, 0.196, 0.108, 0.011, -0.067, -0.115, -0.112],
            [0.444, 0.391, 0.277, 0.145, 0.014, -0.088, -0.106],
            [0.738, 0.664, 0.517, 0.344, 0.170, -0.002, -0.078],
            [0.982, 0.893, 0.713, 0.506, 0.295, 0.085, -0.029],
        ]
    ),
)


def host_gc(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of separate frontiers for host and GC writes, ten random choices.

    .. math:: A = \max\left(A_\mathrm{separated}, A_\mathrm{greedy} e^{-y}\right), \quad
              y = (1 - w) \, y_2(\ln 1/B, p) + w \, y_\mathrm{Zipf}(\ln 1/B, p)

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b; without it the large-block
            limit. [1]

    Returns:
        Flash bytes per host byte, typical of drives without streams. [1]

    Raises:
        DomainError: Unless op_ratio > 0, the shares are K numbers, write_shares >= 0 and
            page_shares > 0.

    Notes:
        Valid as an estimate: y is interpolated in tables over the separation gain 1/B and op_ratio
        (0.035 to 2, held constant below, vanishing with the cost of uniform writes above); w says
        how far the divergence [2]_ of r from f lies from that of two classes to that of Zipf of the
        same gain. In 55 simulations beside the tables (Zipf, two and three classes) it was within
        5.5 %, 1.2 % on average. Source: simulation, in the layout of [1]_.

    Examples:
        >>> wa = host_gc(0.28, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9], pages_per_block=256)
        >>> print(f"{wa:.2f}")
        2.15
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    shares = {"write_shares": write_shares, "page_shares": page_shares}
    apart = separated(op_ratio, **shares, pages_per_block=pages_per_block)
    uniform = _uniform(op_ratio, pages_per_block)
    log_gain = float(np.log(separation_gain(write_shares, page_shares=page_shares)))
    by_ratio = _drops(log_gain, _divergence(write_shares, page_shares))
    drop = np.interp(np.log(op_ratio), np.log(_RATIOS), by_ratio)
    last = np.log(_uniform(_RATIOS[-1], pages_per_block))
    fading = np.where(np.asarray(op_ratio) > _RATIOS[-1], np.log(uniform) / last, 1.0)
    return _check.plain(np.maximum(uniform * np.exp(-drop * fading), apart))


def _uniform(op_ratio: float, pages_per_block: float | None) -> Floats:
    wa = (
        fifo(op_ratio)
        if pages_per_block is None
        else greedy(op_ratio, pages_per_block=pages_per_block)
    )
    return np.asarray(wa, float)


def _divergence(write_shares: ArrayLike, page_shares: ArrayLike) -> float:
    """Return the divergence of writes from pages, in nats."""
    rates, pages = _classes(write_shares, page_shares)
    written = rates > 0
    return float(np.sum(rates * pages * np.log(np.where(written, rates, 1.0))))


def _drops(log_gain: float, divergence: float) -> Floats:
    """Return the distance of each column of the tables below uniform writes, in the logarithm."""
    two, zipf = (_between(family, log_gain) for family in (_TWO_CLASSES, _ZIPF))
    many = np.clip((divergence - two[0]) / max(zipf[0] - two[0], 1e-9), 0.0, 1.0)
    return np.asarray((1 - many) * two[1:] + many * zipf[1:])


def _between(family: _Family, log_gain: float) -> Floats:
    """Return the divergence and the drops of a family at a separation gain."""
    columns = (family.divergences, *family.drops.T)
    return np.array([np.interp(log_gain, family.log_gains, column) for column in columns])
