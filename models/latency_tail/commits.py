r"""Latency of commits: a flush for each group of those that wait.

Base units: seconds, operations per second; quantiles are fractions. A commit is durable when a
flush that began after it has ended. Commits that arrive during a flush share the next one, so
that the log never saturates in commits: the more arrive, the more share a flush.

References:
    .. [1] D. DeWitt et al., "Implementation Techniques for Main Memory Database Systems", SIGMOD
       1984 (group commit).
    .. [2] R. W. Wolff, "Poisson Arrivals See Time Averages", Operations Research 30(2), 1982.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.latency_tail._law import levels_of


def flush_latency_s(write_latency_s: float, *, program_s: float, flush_programs: float) -> float:
    r"""Time of a write and the flush after it on an idle drive.

    .. math:: S = 2 L_0 + n\,t_P

    Args:
        write_latency_s: Time until the drive has taken a command, L_0. [s]
        program_s: Time of one program operation of the flash that takes the flush, t_P. [s]
        flush_programs: Programs of one die after the other until all is safe, n: 0 with power-loss
            protection, whose flush is an answer; else those of the data and one of the map. [1]

    Returns:
        Latency of the commit of a single writer. [s]

    Raises:
        DomainError: Unless write_latency_s and program_s are > 0 and finite and flush_programs
            is >= 0 and finite.

    Notes:
        Valid for an idle drive that flushes what it must and no more; what firmware flushes beside
        the data is on no data sheet: unprotected drives were seen at 0.9 ms and above. Source:
        count of operations.

    Examples:
        With protection, and without it on flash of 0.4 ms, data and map one after the other:

        >>> print(flush_latency_s(15e-6, program_s=4e-4, flush_programs=[0, 2]) * 1e6)
        [ 30. 830.]
    """
    taken_s, program_s = _check.finite(write_latency_s=write_latency_s, program_s=program_s)
    (programs,) = _check.from_zero(flush_programs=flush_programs)
    return 2 * taken_s + programs * program_s


def commit_latency_s(
    quantile: ArrayLike, *, commit_iops: float, flush_s: float, held_s: float = 0.0
) -> float:
    r"""Quantile of the latency of commits that share flushes.

    .. math:: L_q = S \left(1 + \max\left(0, 1 - \frac{1 - q}{b}\right)\right) + H, \quad
              b = \frac{\lambda S}{\lambda S + e^{-\lambda S}}

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        commit_iops: Commits per second, lambda. [1/s]
        flush_s: Time of one write and its flush, S. [s]
        held_s: The same quantile of what stalls of the flash hold writes up for, H. [s]

    Returns:
        Latency, between S and 2 S without stalls. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], commit_iops and held_s are >= 0 and finite
            and flush_s is > 0 and finite.

    Notes:
        Valid for commits at random, one flush at a time that takes all that wait, and flushes of
        one length; where their lengths vary, quantiles are longer. Exact there; with stalls an
        upper bound. Source: [1]_ for the group; the share b of time with a flush under way is that
        of a cycle of flushes, [2]_.

    Examples:
        A drive whose flush takes 0.8 ms, at 100 and 5,000 commits per second:

        >>> print(commit_latency_s(0.99, commit_iops=[100, 5000], flush_s=8e-4).round(6))
        [0.0015   0.001592]
    """
    levels = levels_of(quantile)
    rate, held = _check.from_zero(commit_iops=commit_iops, held_s=held_s)
    (flush_s,) = _check.finite(flush_s=flush_s)
    load = np.asarray(rate) * flush_s
    under_way = load / (load + np.exp(-load))
    late = 1 - levels
    waited = np.maximum(0.0, under_way - late) / np.maximum(under_way, late)
    return _check.plain(flush_s * (1 + waited) + held)


def commit_flush_iops(commit_iops: float, *, flush_s: float) -> float:
    r"""Flushes per second that commits cause when they share them.

    .. math:: F = \frac{\lambda}{\lambda S + e^{-\lambda S}}

    Args:
        commit_iops: Commits per second, lambda. [1/s]
        flush_s: Time of one write and its flush, S. [s]

    Returns:
        Flushes per second; at most 1/S. [1/s]

    Raises:
        DomainError: Unless commit_iops is >= 0 and finite and flush_s > 0 and finite.

    Notes:
        Valid where `commit_latency_s` is; exact there. Source: one over the mean time from the
        beginning of a flush to the next.

    Examples:
        >>> print(commit_flush_iops([100, 5000], flush_s=8e-4).round())
        [ 100. 1244.]
    """
    (rate,) = _check.from_zero(commit_iops=commit_iops)
    (flush_s,) = _check.finite(flush_s=flush_s)
    load = rate * np.asarray(flush_s)
    return _check.plain(rate / (load + np.exp(-load)))
