"""Effect of data placement: bounds and middle where it is unknown, and ratios.

Dimensionless. Firmware that does not sort data by temperature or age has a single write frontier,
or separate frontiers for host and GC writes and collects the best of some blocks drawn at random. A
drive with unknown placement lies between the two, in the middle by a mean of their logarithms [1]_.

References:
    .. [1] Steady random writes of two data-center drives, 12 skewed patterns each over uniform ones
       (SSD-iq, 2024): every ratio between the two placements less 3 %; with a weight of 0.6 the
       error of the middle is 11 % (root mean square), 25 % at most.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.write_amplification.layouts import mixed_apart, mixed_host_gc, mixed_in_one_log


def apart_ratio(
    op_ratio: float,
    *,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification with streams separated, over that of a single write frontier.

    .. math:: r = A_\mathrm{apart} / A_\mathrm{single}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Remaining share of the write amplification of a single frontier, at most 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid where `mixed_apart` and `mixed_in_one_log` are. Source: definition.

    Examples:
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
    r"""Write amplification of separate frontiers for host and GC writes, over that of a single one.

    .. math:: r = A_\mathrm{host/gc} / A_\mathrm{single}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Remaining share of the write amplification of a single frontier, at most 1. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid where `mixed_host_gc` and `mixed_in_one_log` are. Source: definition.

    Examples:
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


def low_placement_wa(one_log_wa: float, *, host_gc_wa: float, greedy_ratio: float = 1.0) -> float:
    r"""Write amplification of the better of two placements.

    .. math:: A_\mathrm{low} = \min(A_1, \max(c A_2, 1))

    Args:
        one_log_wa: Write amplification with a single write frontier, A_1. [1]
        host_gc_wa: Write amplification with separate frontiers for host and GC writes, collecting
            the best of ten random blocks, A_2. [1]
        greedy_ratio: Write amplification of greedy collection over that of ten choices, c, in (0,
            1]: 0.97 under uniform writes. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless one_log_wa > 0, host_gc_wa > 0 and greedy_ratio is in (0, 1].

    Notes:
        Valid for drives that do not sort data by temperature or age. Where ten choices copy next to
        nothing, greedy collection copies no less than nothing. Source: definition.

    Examples:
        >>> low_placement_wa(3.73, host_gc_wa=2.93)
        2.93
        >>> low_placement_wa(1.04, host_gc_wa=1.01, greedy_ratio=0.97)
        1.0
    """
    one_log_wa, host_gc_wa = _check.positive(one_log_wa=one_log_wa, host_gc_wa=host_gc_wa)
    (greedy_ratio,) = _check.share(greedy_ratio=greedy_ratio)
    apart_wa = np.maximum(np.multiply(greedy_ratio, host_gc_wa), 1.0)
    return _check.plain(np.minimum(one_log_wa, apart_wa))


def high_placement_wa(one_log_wa: float, *, host_gc_wa: float) -> float:
    r"""Write amplification of the worse of two placements.

    .. math:: A_\mathrm{high} = \max(A_1, A_2)

    Args:
        one_log_wa: Write amplification with a single write frontier, A_1. [1]
        host_gc_wa: Write amplification with separate frontiers for host and GC writes, A_2. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless one_log_wa > 0 and host_gc_wa > 0.

    Notes:
        Valid for drives that do not sort data by temperature or age; beside many sequential writes
        separate frontiers for host and GC writes are the worse. Source: definition.

    Examples:
        >>> high_placement_wa(3.73, host_gc_wa=2.93)
        3.73
    """
    one_log_wa, host_gc_wa = _check.positive(one_log_wa=one_log_wa, host_gc_wa=host_gc_wa)
    return _check.plain(np.maximum(one_log_wa, host_gc_wa))


def typical_placement_wa(one_log_wa: float, *, host_gc_wa: float, one_log_weight: float) -> float:
    r"""Write amplification in the middle of two placements.

    .. math:: A = A_1^w A_2^{1 - w}

    Args:
        one_log_wa: Write amplification with a single write frontier, A_1. [1]
        host_gc_wa: Write amplification with separate frontiers for host and GC writes, A_2. [1]
        one_log_weight: Weight of a single frontier, w, in [0, 1]: 0.6, zones 0.8, Zipf 0.4. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless one_log_wa > 0, host_gc_wa > 0 and one_log_weight is in [0, 1].

    Notes:
        Valid as an estimate for drives that do not sort data by temperature or age: its weights
        rest on two drives. Source: [1]_.

    Examples:
        >>> wa = typical_placement_wa(3.73, host_gc_wa=2.93, one_log_weight=0.8)
        >>> print(f"{wa:.3f}")
        3.554
    """
    one_log_wa, host_gc_wa = _check.positive(one_log_wa=one_log_wa, host_gc_wa=host_gc_wa)
    (weight,) = _check.fraction(one_log_weight=one_log_weight)
    return _check.plain(np.power(one_log_wa, weight) * np.power(host_gc_wa, 1 - np.asarray(weight)))


def unknown_victim_wa(greedy_wa: float, *, d_choices_wa: float) -> float:
    r"""Write amplification where the rule for victims is unknown: in the middle of two rules.

    .. math:: A = \sqrt{A_g A_d}

    Args:
        greedy_wa: Write amplification when the block with the fewest valid pages is collected,
            A_g. [1]
        d_choices_wa: Write amplification when the emptiest of ten random blocks is collected, A_d.
            [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless greedy_wa > 0 and d_choices_wa > 0.

    Notes:
        Valid as an estimate for data that the host places by class: greedy collection gives up most
        of what that is worth, cost-benefit less than ten choices. Source: definition.

    Examples:
        >>> round(unknown_victim_wa(7.24, d_choices_wa=5.52), 2)
        6.32
    """
    greedy_wa, d_choices_wa = _check.positive(greedy_wa=greedy_wa, d_choices_wa=d_choices_wa)
    return _check.plain(np.sqrt(np.multiply(greedy_wa, d_choices_wa)))


def least_victim_wa(greedy_wa: float, *, d_choices_wa: float, cost_benefit_wa: float) -> float:
    r"""Write amplification by the rule for victims that copies least.

    .. math:: A = \min(A_g, A_d, A_c)

    Args:
        greedy_wa: Write amplification when the block with the fewest valid pages is collected,
            A_g. [1]
        d_choices_wa: Write amplification when the emptiest of ten random blocks is collected, A_d.
            [1]
        cost_benefit_wa: Write amplification when age is weighed against copies, A_c. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless all are > 0.

    Notes:
        Valid always. Source: definition.

    Examples:
        >>> least_victim_wa(7.24, d_choices_wa=5.52, cost_benefit_wa=4.70)
        4.7
    """
    rules = _check.positive(
        greedy_wa=greedy_wa, d_choices_wa=d_choices_wa, cost_benefit_wa=cost_benefit_wa
    )
    return _check.plain(np.minimum(np.minimum(rules[0], rules[1]), rules[2]))


def most_victim_wa(greedy_wa: float, *, d_choices_wa: float, cost_benefit_wa: float) -> float:
    r"""Write amplification by the rule for victims that copies most.

    .. math:: A = \max(A_g, A_d, A_c)

    Args:
        greedy_wa: Write amplification when the block with the fewest valid pages is collected,
            A_g. [1]
        d_choices_wa: Write amplification when the emptiest of ten random blocks is collected, A_d.
            [1]
        cost_benefit_wa: Write amplification when age is weighed against copies, A_c. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless all are > 0.

    Notes:
        Valid always; beside a sequential stream it may be any of the three. Source: definition.

    Examples:
        >>> most_victim_wa(1.95, d_choices_wa=1.46, cost_benefit_wa=2.03)
        2.03
    """
    rules = _check.positive(
        greedy_wa=greedy_wa, d_choices_wa=d_choices_wa, cost_benefit_wa=cost_benefit_wa
    )
    return _check.plain(np.maximum(np.maximum(rules[0], rules[1]), rules[2]))


def wa_ratio(wa: float, *, reference_wa: float) -> float:
    r"""Write amplification over another one.

    .. math:: r = A / A_0

    Args:
        wa: Write amplification, A. [1]
        reference_wa: That of another placement or mix of writes, A_0. [1]

    Returns:
        Share of the other write amplification. [1]

    Raises:
        DomainError: Unless wa > 0 and reference_wa > 0.

    Notes:
        Valid always. Source: definition.

    Examples:
        >>> wa_ratio(2.0, reference_wa=2.5)
        0.8
    """
    wa, reference_wa = _check.positive(wa=wa, reference_wa=reference_wa)
    return _check.plain(np.divide(wa, reference_wa))


def _over_one_log(formula: Callable[..., float], op_ratio: float, **mix: Any) -> float:
    one_log = np.asarray(mixed_in_one_log(op_ratio, **mix))
    return _check.plain(np.minimum(formula(op_ratio, **mix) / one_log, 1.0))
