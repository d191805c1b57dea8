r"""Commits that share a flush, by rate or by clients.

References:
    .. [1] P. Helland, H. Sammer, J. Lyon, R. Carr, P. Garrett, A. Reuter, "Group Commit Timers and
       High Volume Transaction Systems", HPTS 1987.
"""

import numpy as np

from models import _check

STEPS = 200


def commits_per_flush(
    commit_iops: float, *, flush_s: float, clients: float, flush_scv: float = 0.0
) -> float:
    r"""Mean number of commits that share a flush, by their rate.

    .. math:: b = \min\left(a + (1 + a c^2)^{-1/c^2},\ \max(1, n/2)\right), \quad a = x S

    with :math:`e^{-a}` for the power where all flushes take the same time, c = 0.

    Args:
        commit_iops: Commits per second, x. [1/s]
        flush_s: Time of one write and its flush, S. [s]
        clients: Clients that commit, n: half of them wait while the others are in a flush. [1]
        flush_scv: Squared coefficient of variation of the flush time, c^2: 0 if fixed. [1]

    Returns:
        Commits per flush, from 1 to n. [1]

    Raises:
        DomainError: Unless commit_iops is >= 0 and finite, flush_s > 0 and finite, clients >= 1
            and finite and flush_scv >= 0 and finite.

    Notes:
        Valid for commits at random, flushes one at a time, each of which takes all that wait, whose
        times have a gamma distribution. Of one length, within 4 % of what was counted in 22 of 23
        loads of PostgreSQL, -7 % in the other. Source: one over the share of commits that begin a
        flush [1]_, and the share of flushes without arrivals; counted.

    Examples:
        300 a second of 8 clients with flushes of 0.3, 1.2 and 4.2 ms; 1.01, 1.07 and 1.55 were
        counted:

        >>> commits_per_flush(300, flush_s=[0.3e-3, 1.2e-3, 4.2e-3], clients=8).round(2).tolist()
        [1.0, 1.06, 1.54]
    """
    (rate,) = _check.from_zero(commit_iops=commit_iops)
    (flush,) = _check.finite(flush_s=flush_s)
    most = np.maximum(_clients(clients) / 2, 1.0)
    (varied,) = _check.from_zero(flush_scv=flush_scv)
    arriving = np.asarray(rate) * flush
    spread = np.asarray(varied) * arriving
    # log(1 + a c^2)/c^2, which is a for c = 0
    none = arriving * np.where(spread > 0, np.log1p(spread) / np.where(spread > 0, spread, 1), 1.0)
    return _check.plain(np.minimum(arriving + np.exp(-none), most))


def closed_commits_per_flush(clients: float, *, flush_s: float, think_s: float) -> float:
    r"""Mean number of commits that share a flush, of clients that pause between two commits.

    .. math:: b = \max\left(1,\ (n - b) p + (1 - p)^{n - b}\right), \quad p = 1 - e^{-S/z}

    Args:
        clients: Clients that commit, n. [1]
        flush_s: Time of one write and its flush, S. [s]
        think_s: Mean time from the end of a commit of a client to its next, z. [s]

    Returns:
        Commits per flush, from 1 to n: n/2 without a pause. [1]

    Raises:
        DomainError: Unless clients is >= 1 and finite, flush_s > 0 and finite and think_s >= 0 and
            finite.

    Notes:
        Valid as `commits_per_flush` is; within 1 % of an event simulation of 2, 8 and 32 clients
        with z/S of 0.1, 1 and 10. WiredTiger shares less. Source: of the n - b that are not in the
        flush, each commits during it with probability p.

    Examples:
        16 clients of PostgreSQL without a pause; 8.02 were counted:

        >>> print(round(closed_commits_per_flush(16, flush_s=2.4e-3, think_s=0), 2))
        8.0
    """
    count = _clients(clients)
    (flush,) = _check.finite(flush_s=flush_s)
    (pause,) = _check.from_zero(think_s=think_s)
    with np.errstate(divide="ignore"):
        stays = np.exp(-np.asarray(flush) / np.asarray(pause))
    shared = np.ones_like(count * stays)
    for _ in range(STEPS):
        others = np.maximum(count - shared, 0.0)
        wanted = np.maximum(others * (1 - stays) + stays**others, 1.0)
        shared = (shared + wanted) / 2
    return _check.plain(shared)


def queued_flush_s(flush_s: float, *, busy_fraction: float) -> float:
    r"""Time of a flush on a drive that others keep busy with their flushes.

    .. math:: S' = \frac{S}{1 - \rho}

    Args:
        flush_s: Time of one write and its flush on the drive alone, S. [s]
        busy_fraction: Share of the time in which flushes of others are under way, rho. [1]

    Returns:
        Time of a flush, S'. [s]

    Raises:
        DomainError: Unless flush_s is > 0 and finite and busy_fraction is in [0, 1).

    Notes:
        Valid for flushes that the drive takes one after the other. 5 % above the 1.81 ms that was
        counted of PostgreSQL beside Redis. Source: the drive has 1 - rho of the time left.

    Examples:
        300 flushes a second of 1.21 ms by others:

        >>> print(f"{queued_flush_s(1.21e-3, busy_fraction=300 * 1.21e-3):.4f}")
        0.0019
    """
    (flush,) = _check.finite(flush_s=flush_s)
    (busy,) = _check.from_zero(busy_fraction=busy_fraction)
    _check.require(np.asarray(busy) < 1, "busy_fraction", "< 1", busy)
    return _check.plain(np.asarray(flush) / (1 - np.asarray(busy)))


def sequential_flush_s(flush_s: float, *, flushes: float) -> float:
    r"""Time of flushes that a commit waits for one after the other.

    .. math:: S_c = F S

    Args:
        flush_s: Time of one write and its flush, S. [s]
        flushes: Flushes of one commit, F >= 0; a mean need not be whole. [1]

    Returns:
        Time of all of them, S_c. [s]

    Raises:
        DomainError: Unless flush_s is > 0 and flushes >= 0.

    Notes:
        Valid for flushes of which each waits for the one before. Source: definition.

    Examples:
        The data, then the journal:

        >>> print(f"{sequential_flush_s(1.2e-3, flushes=2):.4f}")
        0.0024
    """
    (flush,) = _check.positive(flush_s=flush_s)
    (count,) = _check.non_negative(flushes=flushes)
    return flush * count


def _clients(clients: float) -> np.ndarray:
    (count,) = _check.finite(clients=clients)
    _check.require(np.asarray(count) >= 1, "clients", ">= 1", count)
    return np.asarray(count)
