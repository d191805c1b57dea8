"""End of life: P/E cycles until retired blocks have used up the spare ones.

Dimensionless. Every formula takes the law of block endurance as an argument: a function from cycles
to the share of blocks worn out (`models.block_endurance` has two). All blocks are assumed to wear
equally unless `uneven_worn_fraction` wraps the law.

References:
    .. [1] H. A. David, H. N. Nagaraja, "Order Statistics", 3rd ed., Wiley 2003: the s-th smallest
       of N independent values has F(E) distributed as Beta(s, N - s + 1); its asymptotic standard
       deviation.
    .. [2] S. Maneas, K. Mahdaviani, T. Emami, B. Schroeder, "Operational Characteristics of SSDs in
       Enterprise Storage Systems: A Large-Scale Field Study", FAST 2022: wear of the blocks of one
       drive differs in the field.
    .. [3] JEDEC JESD218B, 2016: at its endurance rating a drive still has its capacity.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models import _check
from models._crossing import least_reaching, powers_reaching

Floats = NDArray[np.float64]

_MOST_POWER = 60  # of two, in cycles


@cache
def _hermite() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Hermite."""
    return np.polynomial.hermite_e.hermegauss(64)


@cache
def _legendre() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre."""
    return np.polynomial.legendre.leggauss(96)


def uneven_worn_fraction(
    cycles: float, *, wear_cv: float, block_law: Callable[..., float]
) -> float:
    r"""Share of blocks worn out under uneven wear.

    .. math:: F_c(E) = \int F(E \max(0, 1 + c x)) \, \varphi(x) \, dx

    Args:
        cycles: Program/erase cycles of the mean block, E. [1]
        wear_cv (float): Standard deviation of the blocks' cycles over their mean, c. [1]
        block_law: Share of blocks worn out, F, from the cycles of a block. [1]

    Returns:
        Share of blocks that are worn out. [1]

    Raises:
        DomainError: Unless cycles >= 0 and wear_cv > 0.

    Notes:
        Valid for normally distributed wear that is independent of a block's endurance, to 1e-6 for
        a smooth law. Source: mean of the law by Gauss-Hermite quadrature; that wear differs, [2]_.

    Examples:
        A spread of 20 % kills the more used of the blocks:

        >>> from models.block_endurance import weibull_worn_fraction
        >>> law = lambda cycles: weibull_worn_fraction(cycles, scale_cycles=5000, weibull_shape=8)
        >>> print(f"{law(3000):.3f} {uneven_worn_fraction(3000, wear_cv=0.2, block_law=law):.3f}")
        0.017 0.038
    """
    (cycles,) = _check.non_negative(cycles=cycles)
    (wear_cv,) = _check.positive(wear_cv=wear_cv)
    nodes, weights = _hermite()
    wear = np.maximum(1 + wear_cv * nodes, 0.0)
    worn = block_law(np.asarray(cycles)[..., None] * wear)
    return _check.plain(worn @ weights / weights.sum())


def cycles_at(worn_fraction: float, *, block_law: Callable[..., float]) -> float:
    r"""Cycles after which a share of the blocks is worn out, for any law.

    .. math:: E = F^{-1}(f)

    Args:
        worn_fraction: Share of blocks that are worn out, f, in [0, 1]. [1]
        block_law: Share of blocks worn out, F, from the cycles of a block; rises from 0 to 1. [1]

    Returns:
        Program/erase cycles; inf where the law never gets there. [1]

    Raises:
        DomainError: Unless worn_fraction is in [0, 1].

    Notes:
        Valid up to 2**60 cycles. At the share of spare blocks it is the end of life of a drive of
        many blocks. Source: definition, by bisection.

    Examples:
        >>> from models.block_endurance import normal_worn_fraction
        >>> law = lambda cycles: normal_worn_fraction(cycles, mean_cycles=5000, endurance_cv=0.15)
        >>> print(f"{cycles_at(0.02, block_law=law):.0f}")
        3460
    """
    (worn_fraction,) = _check.fraction(worn_fraction=worn_fraction)
    return _check.plain(_inverse(block_law, np.asarray(worn_fraction, float)))


def end_of_life_cycles(
    quantile: float, *, spare_block_fraction: float, blocks: float, block_law: Callable[..., float]
) -> float:
    r"""Cycles after which a drive has used up its spare blocks, as a quantile over drives.

    .. math:: E_q = F^{-1}\left(I^{-1}_q(s, N - s + 1)\right),
              \quad s = \lfloor N f_s \rfloor + 1

    with the inverse of the regularised incomplete beta function.

    Args:
        quantile: Share of drives whose life has ended by then, q, in (0, 1). [1]
        spare_block_fraction: Blocks that may be worn out without loss of capacity, over all blocks.
            [1]
        blocks: Blocks of the drive, N. [1]
        block_law: Share of blocks worn out, F, from the cycles of a block. [1]

    Returns:
        Program/erase cycles at which one block more than the spare ones is worn out. [1]

    Raises:
        DomainError: Unless quantile is in (0, 1), spare_block_fraction in [0, 1) and blocks a whole
            number.

    Notes:
        Valid for blocks that wear out independently; exact. Without spare blocks it is the life of
        the first block. Source: [1]_; a drive must keep its capacity, [3]_.

    Examples:
        Low, typical and high of a drive with 2 % spare blocks of 4,096:

        >>> from models.block_endurance import weibull_worn_fraction
        >>> law = lambda cycles: weibull_worn_fraction(cycles, scale_cycles=5000, weibull_shape=8)
        >>> got = end_of_life_cycles([0.05, 0.5, 0.95], spare_block_fraction=0.02, blocks=4096,
        ...                          block_law=law)
        >>> print(got.round())
        [2998. 3069. 3137.]
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to import

    (quantile,) = _check.fraction(quantile=quantile)
    _check.require(_between_0_and_1(quantile), "quantile", "in (0, 1)", quantile)
    (spare,) = _check.non_negative(spare_block_fraction=spare_block_fraction)
    _check.require(np.asarray(spare) < 1, "spare_block_fraction", "in [0, 1)", spare)
    (blocks,) = _check.count(blocks=blocks)
    last = np.floor(np.asarray(blocks) * spare * (1 + 1e-12)) + 1
    share = betaincinv(last, blocks - last + 1, quantile)
    return _check.plain(_inverse(block_law, np.asarray(share)))


def end_of_life_sd_cycles(
    spare_block_fraction: float, *, blocks: float, block_law: Callable[..., float]
) -> float:
    r"""Spread over drives, as a standard deviation, of the cycles to the end of life.

    .. math:: \sigma = \sqrt{\frac{f_s (1 - f_s)}{N}} \frac{dF^{-1}}{df}(f_s)

    Args:
        spare_block_fraction: Blocks that may be worn out without loss of capacity, over all blocks,
            f_s. [1]
        blocks: Blocks of the drive, N. [1]
        block_law: Share of blocks worn out, F, from the cycles of a block. [1]

    Returns:
        Standard deviation in program/erase cycles. [1]

    Raises:
        DomainError: Unless spare_block_fraction is in (0, 1) and blocks a whole number.

    Notes:
        Valid from some twenty spare blocks on, to 6 %. Source: asymptotic law of [1]_.

    Examples:
        >>> from models.block_endurance import weibull_worn_fraction
        >>> law = lambda cycles: weibull_worn_fraction(cycles, scale_cycles=5000, weibull_shape=8)
        >>> print(f"{end_of_life_sd_cycles(0.02, blocks=4096, block_law=law):.1f}")
        42.4
    """
    (spare,) = _check.fraction(spare_block_fraction=spare_block_fraction)
    _check.require(_between_0_and_1(spare), "spare_block_fraction", "in (0, 1)", spare)
    (blocks,) = _check.count(blocks=blocks)
    share = np.asarray(spare, float)
    step = 1e-4 * np.minimum(share, 1 - share)
    rise = _inverse(block_law, share + step) - _inverse(block_law, share - step)
    return _check.plain(np.sqrt(share * (1 - share) / blocks) * rise / (2 * step))


def shrinking_drive_fills(
    op_ratio: float,
    *,
    block_law: Callable[..., float],
    wa_law: Callable[..., float],
    least_op_ratio: float = 0.02,
) -> float:
    r"""Host writes until retired blocks have used up the spare area, in user capacities.

    .. math:: W = \int_0^{E_1} \frac{\alpha (1 - F(E))}{A(\alpha (1 - F(E)) - 1)} dE,
              \quad F(E_1) = \frac{p - p_1}{\alpha}, \quad \alpha = 1 + p

    Args:
        op_ratio: Spare bytes per user byte of the new drive, p. [1]
        block_law: Share of blocks worn out, F, from the cycles of a block. [1]
        wa_law: Write amplification, A, from the spare bytes per user byte. [1]
        least_op_ratio: Spare bytes per user byte at which the drive's life ends, p_1. [1]

    Returns:
        Host writes so far, in user capacities; 0 where there is no spare area to lose. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and least_op_ratio > 0, both finite.

    Notes:
        Valid for even wear and bad blocks that reduce the spare area of garbage collection: as it
        shrinks, write amplification rises and speeds up the wear. Source: flash writes per cycle of
        the blocks that are left, divided by write amplification, integrated over cycles.

    Examples:
        The shrinking costs a tenth of what spare area and write amplification of the new drive
        promise:

        >>> from models.block_endurance import weibull_worn_fraction
        >>> from models.write_amplification import fifo
        >>> law = lambda cycles: weibull_worn_fraction(cycles, scale_cycles=5000, weibull_shape=8)
        >>> got = shrinking_drive_fills(0.28, block_law=law, wa_law=fifo)
        >>> even = 1.28 * cycles_at(0.26 / 1.28, block_law=law) / fifo(0.28)
        >>> print(f"{got:.0f} {got / even:.2f}")
        1919 0.90
    """
    op_ratio, least_op_ratio = _check.finite(op_ratio=op_ratio, least_op_ratio=least_op_ratio)
    spare = np.asarray(op_ratio, float)
    worn = np.maximum(spare - least_op_ratio, 0.0) / (1 + spare)
    last = _inverse(block_law, worn)[..., None]
    nodes, weights = _legendre()
    left = (1 + spare[..., None]) * (1 - block_law(last * (1 + nodes) / 2))
    host = left / wa_law(np.maximum(left - 1, 1e-9))
    return _check.plain(host @ weights * last[..., 0] / 2)


def _between_0_and_1(value: float) -> object:
    return (np.asarray(value) > 0) & (np.asarray(value) < 1)


def _inverse(law: Callable[..., float], share: Floats) -> Floats:
    """Return the cycles at which a rising law reaches a share; infinite where it never does."""
    shares = np.broadcast_to(share, np.shape(law(np.zeros(share.shape))))
    upper = powers_reaching(law, shares, most=_MOST_POWER)
    reached = np.isfinite(upper)
    least = least_reaching(law, shares, np.where(reached, upper, 1.0))
    return np.where(reached, np.where(shares > 0, least, 0.0), np.inf)
