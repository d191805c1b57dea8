"""Data loss from several causes and in several groups, and the expected bytes lost.

Probabilities and bytes. A part is a probability by itself; the total is that of any of them.

References:
    .. [1] K. M. Greenan, J. S. Plank, J. J. Wylie, "Mean time to meaningless: MTTDL, Markov models,
       and storage system reliability", HotStorage 2010: normalised magnitude of data loss.
"""

import numpy as np

from models import _check


def total_loss_probability(
    failed_loss_probability: float,
    *,
    unreadable_loss_probability: float,
    wear_out_loss_probability: float,
) -> float:
    r"""Probability of data loss from any cause.

    .. math:: P = 1 - (1 - P_\mathrm{failures} - P_\mathrm{unreadable}) (1 - P_\mathrm{wear})

    Args:
        failed_loss_probability: Probability that independent failures come first to lose data, in
            [0, 1]. [1]
        unreadable_loss_probability: Probability that an unreadable sector comes first, in [0, 1].
            [1]
        wear_out_loss_probability: Probability of a loss that wear-out has a part in, in [0, 1]. [1]

    Returns:
        Probability, accurate for the smallest ones too; the sum of small parts. [1]

    Raises:
        DomainError: Unless every probability is in [0, 1].

    Notes:
        Valid for the parts of `loss_probability_parts`, which exclude each other, and a part by
        wear-out that does not depend on them. Source: complement of no loss.

    Examples:
        >>> round(total_loss_probability(1e-5, unreadable_loss_probability=0.0085,
        ...                              wear_out_loss_probability=0.16), 4)
        0.1671
    """
    failed, unreadable, wear_out = _check.fraction(
        failed_loss_probability=failed_loss_probability,
        unreadable_loss_probability=unreadable_loss_probability,
        wear_out_loss_probability=wear_out_loss_probability,
    )
    steady = np.minimum(np.add(failed, unreadable), 1.0)
    return _check.plain(steady + wear_out * (1 - steady))


def any_loss_probability(loss_probability: float, *, groups: float) -> float:
    r"""Probability that any of several identical groups loses data.

    .. math:: P_g = 1 - (1 - P)^g

    Args:
        loss_probability: Probability that one group loses data, P in [0, 1]. [1]
        groups: Groups, g: mirrored pairs of RAID 10, parity groups of RAID 50. [1]

    Returns:
        Probability, accurate for the smallest ones too. [1]

    Raises:
        DomainError: Unless loss_probability is in [0, 1] and groups is a whole number >= 1.

    Notes:
        Valid for groups that fail independently. Source: complement of no loss.

    Examples:
        >>> print(f"{any_loss_probability(1e-18, groups=12):.1e}")
        1.2e-17
    """
    (loss,) = _check.fraction(loss_probability=loss_probability)
    (groups,) = _check.count(groups=groups)
    with np.errstate(divide="ignore"):
        return _check.plain(-np.expm1(groups * np.log1p(-np.asarray(loss))))


def expected_lost_bytes(
    failed_loss_probability: float,
    *,
    unreadable_loss_probability: float,
    usable_bytes: float,
    unreadable_bytes: float,
) -> float:
    r"""Mean number of bytes that a group loses.

    .. math:: E = P_\mathrm{failures} U + P_\mathrm{unreadable} s

    Args:
        failed_loss_probability: Probability of one failure too many, in [0, 1]. [1]
        unreadable_loss_probability: Probability of an unreadable sector in a critical rebuild, in
            [0, 1]. [1]
        usable_bytes: Data in the group, U; with a failure too many none of it is left. [bytes]
        unreadable_bytes: Data that one unreadable sector takes along: a sector, a chunk or a file,
            s. [bytes]

    Returns:
        Mean bytes lost; over `usable_bytes` the normalised magnitude of data loss of [1]_. [bytes]

    Raises:
        DomainError: Unless the probabilities are in [0, 1] and the bytes are > 0.

    Notes:
        Valid while losses are rare: the first of each kind counts. Source: [1]_.

    Examples:
        RAID 5 loses a sector far more often than all, and far fewer bytes by it:

        >>> round(expected_lost_bytes(1e-5, unreadable_loss_probability=0, usable_bytes=2e13,
        ...                           unreadable_bytes=4096))
        200000000
        >>> round(expected_lost_bytes(0, unreadable_loss_probability=0.0085, usable_bytes=2e13,
        ...                           unreadable_bytes=4096))
        35
    """
    failed, unreadable = _check.fraction(
        failed_loss_probability=failed_loss_probability,
        unreadable_loss_probability=unreadable_loss_probability,
    )
    usable_bytes, unreadable_bytes = _check.positive(
        usable_bytes=usable_bytes, unreadable_bytes=unreadable_bytes
    )
    return failed * usable_bytes + unreadable * unreadable_bytes
