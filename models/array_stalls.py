r"""Arrays whose members stall: IOPS when stalls are random, synchronised, or met by every stripe.

Base units: operations per second and seconds. A stalled member serves nothing for T. The aligned
floor and its probability are in `models.array_tail`; what one stall costs in
`models.array_freeze`; windows of a test in `models.array_windows`.

References:
    .. [1] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (residual service).
    .. [2] Y. Kim et al., "Harmonia: A Globally Coordinated Garbage Collector for Arrays of
       Solid-State Drives", MSST 2011 (synchronised garbage collection).
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.array_freeze import ALONE, _steady_iops, completions_during_stall
from models.array_speed import MemberTimes, array_speed

Floats = NDArray[np.float64]

OVERLAP = 0.3  # fitted to half of the simulated arrays; the other half is off by 1.0 %, 5.4 %


def stalled_iops(
    queue_depth: float,
    *,
    members: float,
    operation_s: float,
    stall_s: float,
    stalls_per_operation: float,
) -> float:
    r"""IOPS of an array whose members stall independently, at random.

    .. math:: X = \min\left(X_g^{g} X_s^{1 - g},\; \frac{n}{s + pT}\right), \quad
              g = \frac{(F/T)^2}{1 + 0.3\,(p\,C)^2}, \quad
              X_g = \frac{1 + p C_g}{1/X_N + p T + p^2 C T_a / 2}, \quad
              C_g = \frac{C}{1 + p C / 2}, \quad
              T_a = \min\left(T, \frac{n\, C}{(n-1) X_N}\right)

    where F is `frozen_s`, C `completions_during_stall`, X_N `array_speed` without stalls and X_s
    `array_speed` with stalls as operations that take T longer.

    Args:
        queue_depth: Operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        operation_s: Time of an operation on a member, s. [s]
        stall_s: Length of a stall, T. [s]
        stalls_per_operation: Probability that a stall begins with an operation, p: stalls of a
            member per second over its IOPS. [1]

    Returns:
        Completed operations per second. [1/s]

    Raises:
        DomainError: Unless operation_s and stall_s are > 0 and finite, queue_depth is a whole
            number from 1 to 65,536, members one from 1 to 10^12 and stalls_per_operation in [0, 1].

    Notes:
        Valid for operations on random single members, stalls much longer than these and at random
        with any operation. Against simulation of 110 cases, 2 to 24 members and stalls of 1 to 100
        ms, off by 1.1 % in the mean and 5.4 % at most. Source: X_g counts, from one stall to the
        next, the stalls that begin while the others still work, and what they cost together: right
        where a stall freezes the array. X_s is the mean-value analysis of long services [1]_: right
        for stalls that the queue outlasts or of many members at once. The weight g was fitted to
        simulated arrays.

    Examples:
        12 drives that give 50K IOPS each, all stalls of 5.76 ms included, four in a second:

        >>> for depth in (12, 384):
        ...     x = stalled_iops(depth, members=12, operation_s=19.54e-6, stall_s=5.76e-3,
        ...                      stalls_per_operation=8e-5)
        ...     print(f"{x:.0f}")
        320794
        555368
    """
    known = {"queue_depth": queue_depth, "members": members, "operation_s": operation_s}
    done = completions_during_stall(stall_s, **known)
    return _stalled_iops(done, _steady_iops(**known), **known, stall_s=stall_s,
                         stalls_per_operation=stalls_per_operation)  # fmt: skip


def _stalled_iops(
    completions: float,
    steady: float,
    *,
    queue_depth: float,
    members: float,
    operation_s: float,
    stall_s: float,
    stalls_per_operation: float,
) -> float:
    """IOPS of members that stall at random, from those without stalls."""
    (chance,) = _check.fraction(stalls_per_operation=stalls_per_operation)
    done, steady_s = np.asarray(completions), 1 / np.asarray(steady)
    stall, met = np.asarray(stall_s), np.asarray(chance)
    longer = MemberTimes(operation_s, _check.plain(operation_s + stall))
    single = array_speed(
        queue_depth,
        members=members,
        read_fraction=_check.plain(1 - met),
        times=longer,
        host_operations=ALONE,
    ).iops
    frozen = np.maximum(0.0, 1 - done * steady_s / stall)
    weight = frozen**2 / (1 + OVERLAP * (met * done) ** 2)
    mixed = _grouped_iops(met, stall, done, steady_s, np.asarray(members)) ** weight
    most = members / (operation_s + met * stall)
    return _check.plain(np.minimum(mixed * single ** (1 - weight), most))


def stall_free_iops(iops: float, *, member_stall_fraction: float) -> float:
    r"""IOPS between stalls, of an array or a drive that was measured with its stalls.

    .. math:: X_N = \frac{X}{1 - s}

    Args:
        iops: Measured IOPS, the stalls included, X. [1/s]
        member_stall_fraction: Share of time for which a member stalls, s in [0, 1). [1]

    Returns:
        Operations per second while no member stalls. [1/s]

    Raises:
        DomainError: Unless iops is > 0 and finite and member_stall_fraction in [0, 1).

    Notes:
        Valid for stalls that stop all of a member. Source: inverse of `synchronised_iops`.

    Examples:
        >>> round(stall_free_iops(50e3, member_stall_fraction=0.02304))
        51179
    """
    (iops,) = _check.finite(iops=iops)
    return iops / (1 - _stalled_share(member_stall_fraction))


def stall_interval_s(stall_s: float, *, member_stall_fraction: float, members: float = 1) -> float:
    r"""Mean time between the starts of two stalls.

    .. math:: \tau = \frac{T}{s\,n}

    Args:
        stall_s: Length of a stall, T. [s]
        member_stall_fraction: Share of time for which a member stalls, s in [0, 1). [1]
        members: Drives that stall independently, n; 1 for one drive, or if all stall together. [1]

    Returns:
        Mean time from stall to stall; infinite if no member ever stalls. [s]

    Raises:
        DomainError: Unless stall_s is > 0 and finite, member_stall_fraction in [0, 1) and members a
            whole number.

    Notes:
        Valid for stalls of one length; exact as a mean. Source: definition of the share of time.

    Examples:
        Stalls of 5.76 ms for 2.3 % of the time, of one drive and of any of twelve:

        >>> for members in (1, 12):
        ...     tau_s = stall_interval_s(5.76e-3, member_stall_fraction=0.02304, members=members)
        ...     print(f"{tau_s * 1e3:.1f} ms")
        250.0 ms
        20.8 ms
    """
    (stall_s,) = _check.finite(stall_s=stall_s)
    (members,) = _check.count(members=members)
    with np.errstate(divide="ignore"):
        each_s = np.divide(stall_s, _stalled_share(member_stall_fraction))
    return _check.plain(each_s / members)


def write_stall_fraction(
    member_stall_fraction: float, *, offered_iops: float, iops: float
) -> float:
    r"""Share of time that a drive stalls at fewer writes than a saturated test has.

    .. math:: s_x = s \min(1, x / X)

    Args:
        member_stall_fraction: Share of time that the drive stalls in a saturated test, s. [1]
        offered_iops: Writes per second that the host sends, x. [1/s]
        iops: Writes per second of the saturated test, X. [1/s]

    Returns:
        Share of time spent stalled, in proportion to the writes. [1]

    Raises:
        DomainError: Unless member_stall_fraction is in [0, 1), offered_iops >= 0 and finite, and
            iops > 0 and finite.

    Notes:
        Valid where every stall belongs to a number of writes, as those of garbage collection do.
        Source: proportion.

    Examples:
        >>> write_stall_fraction(0.02, offered_iops=1e4, iops=4e4)
        0.005
    """
    share = _stalled_share(member_stall_fraction)
    (offered,) = _check.from_zero(offered_iops=offered_iops)
    (iops,) = _check.finite(iops=iops)
    return _check.plain(share * np.minimum(1.0, offered / iops))


def independent_stalled_iops(
    iops: float,
    *,
    queue_depth: float,
    members: float,
    operation_s: float,
    stall_s: float,
    member_stall_fraction: float,
) -> float:
    r"""IOPS of an array of any layout whose members stall at random, from its IOPS without.

    .. math:: X_r = \frac{X}{1 - s} \min\left(1,\, \frac{X_p}{X_0}\right), \quad
              p = \min\left(1, \frac{s\,S}{T}\right)

    where X_p is `stalled_iops` of operations on single members, each of S (1 - s), a share p of
    them with a stall; X_0 is the same without stalls.

    Args:
        iops: IOPS of the array with the stalls spread evenly over all operations, X: those of
            `array_speed` with times from measured rates, which have the stalls in them. [1/s]
        queue_depth: Operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        operation_s: Time of an operation on a member, the stalls spread evenly in it: one over the
            measured IOPS of a member, S. [s]
        stall_s: Length of a stall, T. [s]
        member_stall_fraction: Share of time for which a member stalls, s in [0, 1). [1]

    Returns:
        Completed operations per second, at most those between stalls, X / (1 - s). [1/s]

    Raises:
        DomainError: Unless iops, operation_s and stall_s are > 0 and finite, queue_depth is a whole
            number from 1 to 65,536, members one from 1 to 10^12 and member_stall_fraction in [0,
            1).

    Notes:
        Valid as `stalled_iops` where operations use single members; operations on several members
        are assumed to lose the same share, which no simulation has checked. Source: `stalled_iops`
        over its own IOPS without stalls.

    Examples:
        Twelve drives of 50K IOPS that stall for 5.76 ms four times a second, at queue depth 384:

        >>> x = independent_stalled_iops(591.4e3, queue_depth=384, members=12, operation_s=20e-6,
        ...                              stall_s=5.76e-3, member_stall_fraction=0.02304)
        >>> print(f"{x / 1e3:.1f}K")
        555.4K
    """
    free_iops = stall_free_iops(iops, member_stall_fraction=member_stall_fraction)
    operation_s, stall_s = _check.finite(operation_s=operation_s, stall_s=stall_s)
    share = _stalled_share(member_stall_fraction)
    single = {
        "queue_depth": queue_depth,
        "members": members,
        "operation_s": operation_s * (1 - share),
    }
    chance = _check.plain(np.minimum(1.0, operation_s * share / stall_s))
    done, without = completions_during_stall(stall_s, **single), _steady_iops(**single)
    with_stalls = _stalled_iops(
        done, without, **single, stall_s=stall_s, stalls_per_operation=chance
    )
    return _check.plain(np.minimum(free_iops * with_stalls / without, free_iops))


def stalled_stripe_iops(
    members: float, *, operation_s: float, stall_s: float, stalls_per_operation: float
) -> float:
    r"""Stripes per second over members that stall at random, each stripe waiting for all of them.

    .. math:: X = \frac{1}{s + n\,p\,T}

    Args:
        members: Members of the stripe that stall independently, n; 1 if they stall together. [1]
        operation_s: Time of an operation on a member, s. [s]
        stall_s: Length of a stall, T. [s]
        stalls_per_operation: Probability that a stall begins with an operation of a member, p. [1]

    Returns:
        Whole stripes per second with several outstanding. [1/s]

    Raises:
        DomainError: Unless operation_s and stall_s are > 0 and finite, members is a whole number
            and stalls_per_operation in [0, 1].

    Notes:
        Valid for stalls longer than the queue of stripes, few enough not to overlap: a lower bound
        otherwise. Source: every stall of any member stops the stripe.

    Examples:
        Twelve members that stall four times a second, independently and all together [2]_:

        >>> for members in (12, 1):
        ...     x = stalled_stripe_iops(members, operation_s=19.54e-6, stall_s=5.76e-3,
        ...                             stalls_per_operation=8e-5)
        ...     print(f"{x:.0f}")
        39889
        49998
    """
    operation_s, stall_s = _check.finite(operation_s=operation_s, stall_s=stall_s)
    (members,) = _check.count(members=members)
    (chance,) = _check.fraction(stalls_per_operation=stalls_per_operation)
    return 1 / (operation_s + members * chance * stall_s)


def synchronised_iops(iops: float, *, stall_s: float, stall_interval_s: float) -> float:
    r"""IOPS of an array whose members all stall at the same time.

    .. math:: X = X_N \left(1 - \frac{T}{\tau}\right)

    Args:
        iops: IOPS of the array between stalls, X_N. [1/s]
        stall_s: Length of a stall, T. [s]
        stall_interval_s: Time from the beginning of one stall to that of the next, tau; infinite if
            none. [s]

    Returns:
        Completed operations per second, on average. [1/s]

    Raises:
        DomainError: Unless every argument is > 0, iops and stall_s are finite and stall_s is at
            most stall_interval_s.

    Notes:
        Valid for any layout and queue, as the whole array pauses. Source: share of time left.

    Examples:
        >>> round(synchronised_iops(605e3, stall_s=5.76e-3, stall_interval_s=0.25))
        591061
    """
    iops, stall_s = _check.finite(iops=iops, stall_s=stall_s)
    (interval_s,) = _check.positive(stall_interval_s=stall_interval_s)
    fits = np.asarray(stall_s) <= interval_s
    _check.require(fits, "stall_s", "<= stall_interval_s", stall_s)
    return iops * (1 - stall_s / interval_s)


def _stalled_share(member_stall_fraction: float) -> float:
    """Return the share of time if it leaves any to work."""
    (share,) = _check.fraction(member_stall_fraction=member_stall_fraction)
    _check.require(np.less(share, 1), "member_stall_fraction", "in [0, 1)", share)
    return share


def _grouped_iops(
    chance: Floats, stall_s: Floats, done: Floats, steady_s: Floats, members: Floats
) -> Floats:
    """IOPS where a stall freezes the array unless others begin before it does."""
    working = np.maximum(members - 1, 1) / members
    active_s = np.minimum(stall_s, done * steady_s / working)
    gained = 1 + chance * done / (1 + chance * done / 2)
    return np.asarray(gained / (steady_s + chance * (stall_s + chance * done * active_s / 2)))
