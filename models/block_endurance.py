"""Block endurance: how many cycles blocks endure, and how much they differ.

Dimensionless. Blocks of one drive wear out one after another. The share of blocks that are
worn out after so many cycles is a law; `weibull_worn_fraction` and `normal_worn_fraction` are
two, and any function of cycles that rises from 0 to 1 serves `models.end_of_life` as one.
Rated cycles are a qualified minimum: the mean of these laws lies above the rating.

References:
    .. [1] W. Weibull, "A Statistical Distribution Function of Wide Applicability", Journal of
       Applied Mechanics 18, 1951: the smallest of N has the same shape, and its scale is smaller by
       N^(1/k).
    .. [2] JEDEC JESD218B, "Solid-State Drive (SSD) Requirements and Endurance Test Method", 2016: a
       drive keeps its capacity over its endurance rating, so that retired blocks come out of the
       spare area.
"""

from typing import Any, NamedTuple

import numpy as np

from models import _check


def weibull_worn_fraction(cycles: float, *, scale_cycles: float, weibull_shape: float) -> float:
    r"""Share of blocks worn out after a number of cycles, by Weibull's law.

    .. math:: F(E) = 1 - e^{-(E/\eta)^k}

    Args:
        cycles: Program/erase cycles of every block, E. [1]
        scale_cycles: Cycles after which 63 % of the blocks are worn out, eta. [1]
        weibull_shape: Shape k; the larger, the more alike the blocks: 8 is a relative spread of 15
            %. [1]

    Returns:
        Share of blocks that are worn out. [1]

    Raises:
        DomainError: Unless cycles >= 0, scale_cycles > 0 and weibull_shape > 0.

    Notes:
        Valid where the weakest part of a block decides. Source: [1]_.

    Examples:
        >>> print(f"{weibull_worn_fraction(3000, scale_cycles=5000, weibull_shape=8):.4f}")
        0.0167
    """
    (cycles,) = _check.non_negative(cycles=cycles)
    scale_cycles, weibull_shape = _check.positive(
        scale_cycles=scale_cycles, weibull_shape=weibull_shape
    )
    with np.errstate(over="ignore"):
        hazard = np.asarray(cycles / scale_cycles) ** weibull_shape
    return _check.plain(-np.expm1(-hazard))


def weibull_cycles(worn_fraction: float, *, scale_cycles: float, weibull_shape: float) -> float:
    r"""Cycles after which a share of the blocks is worn out, by Weibull's law.

    .. math:: E = \eta \left(-\ln(1 - F)\right)^{1/k}

    Args:
        worn_fraction: Share of blocks that are worn out, F, in [0, 1]. [1]
        scale_cycles: Cycles after which 63 % of the blocks are worn out, eta. [1]
        weibull_shape: Shape k; the larger, the more alike the blocks. [1]

    Returns:
        Program/erase cycles; inf for all blocks. [1]

    Raises:
        DomainError: Unless worn_fraction is in [0, 1], scale_cycles > 0 and weibull_shape > 0.

    Notes:
        Valid as `weibull_worn_fraction`, whose inverse it is. At the share of spare blocks it is
        the end of life of a drive of many blocks. Source: [1]_, [2]_.

    Examples:
        2 % spare blocks last for 61 % of the scale, 65 % of the mean:

        >>> print(f"{weibull_cycles(0.02, scale_cycles=5000, weibull_shape=8):.0f}")
        3070
    """
    (worn_fraction,) = _check.fraction(worn_fraction=worn_fraction)
    scale_cycles, weibull_shape = _check.positive(
        scale_cycles=scale_cycles, weibull_shape=weibull_shape
    )
    with np.errstate(divide="ignore"):
        hazard = -np.log1p(-np.asarray(worn_fraction))
    return _check.plain(scale_cycles * hazard ** (1 / weibull_shape))


def weibull_first_block_cycles(
    scale_cycles: float, *, weibull_shape: float, blocks: float
) -> float:
    r"""Mean cycles after which the first of many blocks is worn out, by Weibull's law.

    .. math:: E_1 = \eta \, \Gamma(1 + 1/k) \, N^{-1/k}

    Args:
        scale_cycles: Cycles after which 63 % of the blocks are worn out, eta. [1]
        weibull_shape: Shape k; the larger, the more alike the blocks. [1]
        blocks: Blocks of the drive, N; of 1 it is the mean of all blocks. [1]

    Returns:
        Expected cycles of the first bad block. [1]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for blocks that wear out independently; exact. Source: [1]_.

    Examples:
        >>> print(f"{weibull_first_block_cycles(5000, weibull_shape=8, blocks=10_000):.0f}")
        1489
    """
    from scipy.special import gamma  # noqa: PLC0415 - slow to import

    scale_cycles, weibull_shape, blocks = _check.positive(
        scale_cycles=scale_cycles, weibull_shape=weibull_shape, blocks=blocks
    )
    power = 1 / weibull_shape
    return _check.plain(scale_cycles * gamma(1 + power) / blocks**power)


def normal_worn_fraction(cycles: float, *, mean_cycles: float, endurance_cv: float) -> float:
    r"""Share of blocks worn out after a number of cycles, by the normal law.

    .. math:: F(E) = \Phi\left(\frac{E/\mu - 1}{c}\right)

    Args:
        cycles: Program/erase cycles of every block, E. [1]
        mean_cycles: Mean endurance of a block, mu. [1]
        endurance_cv: Standard deviation of endurance over its mean, c. [1]

    Returns:
        Share of blocks that are worn out. [1]

    Raises:
        DomainError: Unless cycles >= 0, mean_cycles > 0 and endurance_cv > 0.

    Notes:
        Valid up to a relative spread of about 0.25, beyond which it has blocks that are worn out
        before the first cycle. Source: definition of the normal distribution.

    Examples:
        >>> print(f"{normal_worn_fraction(3500, mean_cycles=5000, endurance_cv=0.15):.4f}")
        0.0228
    """
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    (cycles,) = _check.non_negative(cycles=cycles)
    mean_cycles, endurance_cv = _check.positive(mean_cycles=mean_cycles, endurance_cv=endurance_cv)
    return _check.plain(ndtr((cycles / mean_cycles - 1) / endurance_cv))


def normal_cycles(worn_fraction: float, *, mean_cycles: float, endurance_cv: float) -> float:
    r"""Cycles after which a share of the blocks is worn out, by the normal law.

    .. math:: E = \max\left(0, \mu (1 + c \, \Phi^{-1}(F))\right)

    Args:
        worn_fraction: Share of blocks that are worn out, F, in [0, 1]. [1]
        mean_cycles: Mean endurance of a block, mu. [1]
        endurance_cv: Standard deviation of endurance over its mean, c. [1]

    Returns:
        Program/erase cycles; inf for all blocks. [1]

    Raises:
        DomainError: Unless worn_fraction is in [0, 1], mean_cycles > 0 and endurance_cv > 0.

    Notes:
        Valid as `normal_worn_fraction`, whose inverse it is. Source: definition of the normal
        distribution.

    Examples:
        >>> print(f"{normal_cycles(0.02, mean_cycles=5000, endurance_cv=0.15):.0f}")
        3460
    """
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

    (worn_fraction,) = _check.fraction(worn_fraction=worn_fraction)
    mean_cycles, endurance_cv = _check.positive(mean_cycles=mean_cycles, endurance_cv=endurance_cv)
    return _check.plain(mean_cycles * np.maximum(1 + endurance_cv * ndtri(worn_fraction), 0.0))


class WeibullLaw(NamedTuple):
    """`weibull_worn_fraction` with its numbers: a law of block endurance for `end_of_life`.

    >>> print(f"{WeibullLaw(scale_cycles=5000, weibull_shape=8)(3000):.4f}")
    0.0167
    """

    scale_cycles: float
    weibull_shape: float

    def __call__(self, cycles: Any) -> Any:
        """Return the share of blocks worn out after so many cycles."""
        return weibull_worn_fraction(cycles, **self._asdict())


def weibull_scale_cycles(cycles: float, *, worn_fraction: float, weibull_shape: float) -> float:
    r"""Scale of Weibull's law of which one point is known.

    .. math:: \eta = E \left(-\ln(1 - F)\right)^{-1/k}

    Args:
        cycles: Cycles after which a share of the blocks is worn out, such as those rated, E. [1]
        worn_fraction: That share, F, in [0, 1]. [1]
        weibull_shape: Shape k; the larger, the more alike the blocks. [1]

    Returns:
        Cycles after which 63 % of the blocks are worn out; inf where none is worn out. [1]

    Raises:
        DomainError: Unless worn_fraction is in [0, 1], cycles >= 0 and weibull_shape > 0.

    Notes:
        Valid as `weibull_cycles`, which is proportional to the scale. Source: [1]_.

    Examples:
        Blocks of which at most 2 % may go bad within 3,000 rated cycles:

        >>> print(f"{weibull_scale_cycles(3000, worn_fraction=0.02, weibull_shape=8):.0f}")
        4886
    """
    (cycles,) = _check.non_negative(cycles=cycles)
    one = weibull_cycles(worn_fraction, scale_cycles=1.0, weibull_shape=weibull_shape)
    with np.errstate(divide="ignore"):
        return _check.plain(np.divide(cycles, one))
