"""Host writes and copies on frontiers of their own: between one log and full separation.

Dimensionless. With separate frontiers survivors gather in blocks of their own, which
separates cold from hot data by itself; how far, no closed form says. This surrogate places
the result between the two that are known, by a table that the reference simulator made
(`python -m benchmarks.surrogate`).

References
----------
.. [1] B. Van Houdt, "Performance of Garbage Collection Algorithms for Flash-Based Solid
       State Drives with Hot/Cold Data", Performance Evaluation 70(10), 2013 (the double
       write frontier separates by itself; about ten choices are best).
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.write_amplification.skewed import skewed
from models.write_amplification.separation import separated, separation_gain

__all__ = ["host_gc"]

# Share of the way, in the logarithm, from one log (0) to the best separation (1): 10 choices,
# 256 pages per block, 4,000 blocks; rows by separation gain, columns by op_ratio.
_GAINS = np.array([1.0, 1.5625, 2.7778, 5.2632])
_RATIOS = np.array([0.07, 0.15, 0.28, 0.5, 1.0])
_SHARES = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.1055, 0.1755, 0.2349, 0.2942, 0.4287],
        [0.3434, 0.4302, 0.5018, 0.5637, 0.6826],
        [0.5766, 0.6625, 0.7255, 0.7883, 0.8529],
    ]
)


def host_gc(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of separate host and copy frontiers, ten random choices.

    .. math:: A = A_\mathrm{one}^{1-q} A_\mathrm{separated}^{q}

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    write_shares : sequence of K
        Shares of host writes by class, r. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f. [1]
    pages_per_block : float, optional
        Pages in one unit of collection, b. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte, typical of drives without streams. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, the shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes
    -----
    Valid as an estimate: q is interpolated in a table simulated for two classes (80/20 to
    95/5) at op_ratio from 0.07 to 1, and held constant beyond; for other shapes of skew of
    the same separation gain it was between 12 % low and 23 % high (Zipf). Source:
    simulation, in the layout of [1]_.

    Examples
    --------
    >>> wa = host_gc(0.28, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9], pages_per_block=256)
    >>> print(f"{wa:.2f}")
    2.15
    """
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    shares = {"write_shares": write_shares, "page_shares": page_shares}
    one = skewed(op_ratio, **shares, pages_per_block=pages_per_block)
    apart = separated(op_ratio, **shares, pages_per_block=pages_per_block)
    gain = np.log(separation_gain(write_shares, page_shares=page_shares))
    by_ratio = [np.interp(gain, np.log(_GAINS), column) for column in _SHARES.T]
    share = np.interp(np.log(op_ratio), np.log(_RATIOS), by_ratio)
    return _check.plain(np.asarray(one) ** (1 - share) * np.asarray(apart) ** share)
