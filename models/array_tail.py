"""Worst case of many drives: the bound, its probability, the percentile.

Dimensionless counts and probabilities; operations per second. One number is
never enough for an array: the sum of the members' worst cases is a floor that
needs all of them to stall at once.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency - Worst-Case IOPS" (12 drives, 50K and 5K IOPS).
"""

import numpy as np

from models import _check


def worst_case_iops(member_worst_iops: float, *, members: float) -> float:
    r"""Aligned floor: all members in their worst case at the same time.

    .. math:: X_\mathrm{floor} = N \, X_\mathrm{worst}

    Args:
        member_worst_iops: Worst-case IOPS of one member. [1/s]
        members: Drives in the array. [1]

    Returns:
        Sum of the members' worst cases. [1/s]

    Raises:
        DomainError: Unless the rate is > 0 and members is a whole number >= 1.

    Notes:
        Valid as a lower bound, for independent operations on single members; it is met with
        `aligned_stall_probability` only. Source: [1]_.

    Examples:
        >>> worst_case_iops(5_000, members=12)
        60000.0
    """
    (member_worst_iops,) = _check.positive(member_worst_iops=member_worst_iops)
    (members,) = _check.count(members=members)
    return member_worst_iops * members


def stall_probability(member_stall_fraction: float, *, members: float) -> float:
    r"""Probability that at least one member is stalled at a given moment.

    .. math:: P = 1 - (1 - s)^N

    Args:
        member_stall_fraction: Share of time that one member spends stalled, in [0, 1]. [1]
        members: Drives in the array, or members that one operation touches. [1]

    Returns:
        Probability, accurate for the smallest shares too. [1]

    Raises:
        DomainError: Unless the share is in [0, 1] and members is a whole number >= 1.

    Notes:
        Valid for members that stall independently; drives that fill in step do not. Source:
        complement of no stall.

    Examples:
        >>> round(stall_probability(0.05, members=12), 4)
        0.4596
    """
    (stalled,) = _check.fraction(member_stall_fraction=member_stall_fraction)
    (members,) = _check.count(members=members)
    with np.errstate(divide="ignore"):
        probability = -np.expm1(members * np.log1p(-stalled))
    return _check.plain(probability)


def aligned_stall_probability(member_stall_fraction: float, *, members: float) -> float:
    r"""Probability that every member is stalled at a given moment.

    .. math:: P = s^N

    Args:
        member_stall_fraction: Share of time that one member spends stalled, in [0, 1]. [1]
        members: Drives in the array. [1]

    Returns:
        Probability of the aligned floor. [1]

    Raises:
        DomainError: Unless the share is in [0, 1] and members is a whole number >= 1.

    Notes:
        Valid for members that stall independently. Source: product of independent events.

    Examples:
        >>> print(f"{aligned_stall_probability(0.05, members=12):.1e}")
        2.4e-16
    """
    (stalled,) = _check.fraction(member_stall_fraction=member_stall_fraction)
    (members,) = _check.count(members=members)
    return _check.plain(stalled**members)


def member_quantile(array_quantile: float, *, members: float) -> float:
    r"""Quantile of one member that gives a quantile of operations on all members.

    .. math:: q = p^{1/N}

    Args:
        array_quantile: Quantile required of an operation that waits for every member, in (0, 1].
            [1]
        members: Members that the operation touches. [1]

    Returns:
        Quantile to read off one member's latency distribution. [1]

    Raises:
        DomainError: Unless the quantile is in (0, 1] and members is a whole number >= 1.

    Notes:
        Valid for members of equal, independent latency. Source: distribution of the largest of N
        values.

    Examples:
        The p99 of a 12-wide stripe is set by each drive's p99.916:

        >>> round(100 * member_quantile(0.99, members=12), 3)
        99.916
    """
    return stripe_quantile(array_quantile, members=members, correlation=0.0)


def independent_members(members: float, *, correlation: float) -> float:
    r"""Members that stall independently and hit an operation as often as correlated ones.

    .. math:: j = 1 + (N - 1)(1 - \rho)

    Args:
        members: Members that the operation touches, N. [1]
        correlation: Share of slow periods that members have in common, rho in [0, 1]: 0 if each is
            slow by itself, 1 if all are together. [1]

    Returns:
        Effective members, in general no whole number. [1]

    Raises:
        DomainError: Unless members is a whole number >= 1 and the correlation in [0, 1].

    Notes:
        Valid as an assumption to vary: drives of one model that fill in step are slow together.
        Source: exact at both ends, linear between.

    Examples:
        >>> independent_members(12, correlation=0.75)
        3.75
    """
    (members,) = _check.count(members=members)
    (correlation,) = _check.fraction(correlation=correlation)
    return 1 + (members - 1) * (1 - correlation)


def stripe_quantile(array_quantile: float, *, members: float, correlation: float) -> float:
    r"""Quantile of one member that gives a quantile of stripes over correlated members.

    .. math:: q = p^{1/j}

    Args:
        array_quantile: Quantile required of an operation that waits for every member, in (0, 1].
            [1]
        members: Members that the operation touches, N. [1]
        correlation: Share of slow periods that members have in common, in [0, 1]. [1]

    Returns:
        Quantile to read off one member's latency distribution. [1]

    Raises:
        DomainError: Unless the quantile is in (0, 1], members a whole number >= 1 and the
            correlation in [0, 1].

    Notes:
        Valid for members of equal latency. Source: `member_quantile` of j `independent_members`.

    Examples:
        Twelve members share three slow periods of four: p99 needs each drive's p99.73, not p99.916.

        >>> round(100 * stripe_quantile(0.99, members=12, correlation=0.75), 2)
        99.73
    """
    (array_quantile,) = _check.share(array_quantile=array_quantile)
    effective = independent_members(members, correlation=correlation)
    return _check.plain(array_quantile ** (1 / np.asarray(effective)))
