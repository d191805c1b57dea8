"""Data loss of a group of drives over a horizon: too many failed at once, or an unreadable sector.

Base units: seconds, failures per second; probabilities. Members fail independently at a constant
rate and are rebuilt, each in a set time; data are lost when more members are down than parity
replaces, or when a rebuild that no parity is left for meets a sector that cannot be read. RAID 5
is one parity, RAID 6 two, a mirror of c copies a group of c members and c - 1 parities.

The count of failed members is a birth-death process whose repair rates make the way into loss as
probable as it is with rebuilds of a set time, from the critical state, in which no parity is left,
on down. To the first order in the failures during a rebuild nothing depends on how rebuild times
spread, or on whether members are rebuilt one after the other or side by side.

References:
    .. [1] D. A. Patterson, G. Gibson, R. H. Katz, "A Case for Redundant Arrays of Inexpensive Disks
       (RAID)", SIGMOD 1988: independent failures, mean time to data loss.
    .. [2] K. M. Greenan, J. S. Plank, J. J. Wylie, "Mean time to meaningless: MTTDL, Markov models,
       and storage system reliability", HotStorage 2010: report the loss over a horizon.
    .. [3] L. Takacs, "Introduction to the Theory of Queues", Oxford 1962: how many of independent
       members are down does not depend on how repair times spread, only on their mean; the repair
       times left of those that are down are then independent and uniform.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.failures._chain import ended
from models.failures._group import by_parities, checked, rates

Floats = NDArray[np.float64]


class LossParts(NamedTuple):
    """Probabilities of data loss by first cause; their sum is that of any loss."""

    failed: float
    unreadable: float


def loss_probability(
    horizon_s: float,
    *,
    members: float,
    parities: float,
    failures_per_s: float,
    rebuild_s: float,
    unreadable_probability: float,
) -> float:
    r"""Probability that a group loses data within a horizon.

    .. math:: P(t) = 1 - \sum_{j \le m} \left(e^{Q t}\right)_{0j}, \quad
              \mu_j = \frac{j}{\tau} \, \frac{\varphi_j(y_j)}{\varphi_{j+1}(y_j)}

    with failure rates :math:`(n - j) \lambda`, repair rates :math:`\mu_j`,
    :math:`\varphi_b(y) = {}_1F_1(1; b; -y)`, the losses expected in a rebuild time
    :math:`y_m = (n - m) \lambda \tau - \ln(1 - h)` of the critical state, in which sectors that
    cannot be read are met at the rate :math:`-\ln(1 - h)/\tau`, and of the others
    :math:`y_{j-1} = (n - j + 1) \lambda \tau \, (1 - \varphi_j(y_j))`.

    Args:
        horizon_s: Horizon, t. [s]
        members: Drives in the group, n. [1]
        parities: Failed drives that the group can do without, m. [1]
        failures_per_s: Failures per drive and second, lambda. [1/s]
        rebuild_s: Time from a failure until the rebuild is done, tau. [s]
        unreadable_probability: Probability that one full rebuild meets an unreadable sector, h. [1]

    Returns:
        Probability of a loss of any size. [1]

    Raises:
        DomainError: Unless horizon_s and rebuild_s are > 0 and finite, failures_per_s is >= 0 and
            finite, unreadable_probability is in [0, 1] and the counts are whole with members >
            parities >= 0.

    Notes:
        Valid for independent failures at a constant rate (for wear see `wear_out_loss_probability`)
        and horizons of many rebuilds, with rebuilds side by side or, where failures in a rebuild
        are rare, in turn. With one parity the way into loss is exact. Source: [3]_, [2]_; the rest
        of the rebuilds when a member joins j - 1 that are down is the least of as many uniform
        times, hence the confluent hypergeometric function.

    Examples:
        Eight drives of 3.84 TB, 1 % AFR, 4 h rebuilds, UBER 1e-16, five years, RAID 5 and 6:

        >>> p = loss_probability(5 * 31_536_000, members=8, parities=[1, 2],
        ...                      failures_per_s=3.19e-10, rebuild_s=4 * 3600,
        ...                      unreadable_probability=0.0213)
        >>> print(f"{p[0]:.2g} {p[1]:.2g}")
        0.0085 1.4e-07
    """
    ends = _ended(horizon_s, members, parities, failures_per_s, rebuild_s, unreadable_probability)
    return _check.plain(np.minimum(ends.sum(-1), 1.0))


def loss_probability_parts(
    horizon_s: float,
    *,
    members: float,
    parities: float,
    failures_per_s: float,
    rebuild_s: float,
    unreadable_probability: float,
) -> LossParts:
    r"""Probability of data loss by first cause: one failure too many, or an unreadable sector.

    .. math:: P(t) = P_\mathrm{failures}(t) + P_\mathrm{unreadable}(t)

    Args:
        horizon_s: Horizon, t. [s]
        members: Drives in the group, n. [1]
        parities: Failed drives that the group can do without, m. [1]
        failures_per_s: Failures per drive and second, lambda. [1/s]
        rebuild_s: Time from a failure until the rebuild is done, tau. [s]
        unreadable_probability: Probability that one full rebuild meets an unreadable sector, h. [1]

    Returns:
        Probability that the first loss is one of whole drives, and that it is a sector. [1]

    Raises:
        DomainError: As `loss_probability`.

    Notes:
        Valid as `loss_probability`, whose parts they are. Without any parity a sector that cannot
        be read is not counted, as nothing is rebuilt. Source: as there.

    Examples:
        >>> parts = loss_probability_parts(
        ...     5 * 31_536_000, members=8, parities=1, failures_per_s=3.19e-10,
        ...     rebuild_s=4 * 3600, unreadable_probability=0.0213)
        >>> print(f"{parts.failed:.2g} {parts.unreadable:.2g}")
        1.3e-05 0.0085
    """
    ends = _ended(horizon_s, members, parities, failures_per_s, rebuild_s, unreadable_probability)
    return LossParts(_check.plain(ends[..., 0]), _check.plain(ends[..., 1]))


def mttdl_s(
    members: float,
    *,
    parities: float,
    failures_per_s: float,
    rebuild_s: float,
    unreadable_probability: float,
) -> float:
    r"""Mean time to data loss of a group: an intermediate figure, not an answer.

    .. math:: T = \sum_{j=0}^{m} S_j, \quad S_j = \frac{1 + \mu_j S_{j-1}}{\lambda_j}

    with the rates of `loss_probability`, those into loss added up in the critical state.

    Args:
        members: Drives in the group, n. [1]
        parities: Failed drives that the group can do without, m. [1]
        failures_per_s: Failures per drive and second, lambda. [1/s]
        rebuild_s: Time from a failure until the rebuild is done, tau. [s]
        unreadable_probability: Probability that one full rebuild meets an unreadable sector, h. [1]

    Returns:
        Mean time to the first loss; usually longer than any drive lasts. [s]

    Raises:
        DomainError: As `loss_probability`, and unless failures_per_s > 0.

    Notes:
        Valid as `loss_probability`, which answers over a horizon and is to be shown instead [2]_:
        no array is in service for its MTTDL. Source: [1]_, first passage of a birth-death process.

    Examples:
        A mirror of drives of 1e6 hours MTBF, replaced within 24 hours, in millions of years:

        >>> t = mttdl_s(2, parities=1, failures_per_s=1 / 3.6e9, rebuild_s=86_400,
        ...             unreadable_probability=0)
        >>> print(f"{t / 31_536_000 / 1e6:.2f}")
        2.38
    """
    _check.positive(failures_per_s=failures_per_s)
    group = checked(members, parities, failures_per_s, rebuild_s, unreadable_probability)
    return _check.plain(by_parities(_mean_time, *np.broadcast_arrays(*group))[..., 0])


def _ended(horizon_s: float, *numbers: float) -> Floats:
    """Probabilities of both kinds of loss, on a last axis."""
    (horizon_s,) = _check.finite(horizon_s=horizon_s)
    *group, horizon = np.broadcast_arrays(*checked(*numbers), horizon_s)
    return by_parities(_ends, *group, horizon)


def _ends(parities: int, *numbers: Floats) -> Floats:
    *group, horizon = numbers
    return ended(horizon, *rates(parities, *group))


def _mean_time(parities: int, *group: Floats) -> Floats:
    """Sum of the mean times from each state to the next."""
    up, down, aside = rates(parities, *group)
    up[..., -1] += aside
    time = total = 1 / up[..., 0]
    for state in range(1, parities + 1):
        time = (1 + down[..., state - 1] * time) / up[..., state]
        total = total + time
    return total[..., None]
