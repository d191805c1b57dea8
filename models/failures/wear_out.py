"""Data loss of a group of drives that wear out together.

Base units: seconds, failures per second; probabilities. Members of a group receive the same writes
and reach the end of their flash at about the same time: failures then come so close together that
rebuilds overlap, which independent failures hardly ever do. Every drive is counted until it wears
out for the first time; its life is a law: any function of age that rises from 0 to the share of
drives that fails, such as `weibull_failed_fraction` with its numbers bound. A law that ends at an
age (`replaced_failed_fraction`) is that of drives replaced in time.

With one parity a loss is a failure that follows another within a rebuild time; with m parities,
one that meets m members down. Counted are the failures that take the last parity, each with the
probability that another member or an unreadable sector follows before the first member is back.
They are exact as a mean for one parity. From the mean to the probability: few members allow only a
few losses, and as many pairs of losses as there are pairs of disjoint sets of members.

References:
    .. [1] M. Balakrishnan, A. Kadav, V. Prabhakaran, D. Malkhi, "Differential RAID: Rethinking RAID
       for SSD reliability", ACM Transactions on Storage 6(2), 2010: members that age alike.
    .. [2] J. Glaz, J. Naus, S. Wallenstein, "Scan Statistics", Springer 2001: so many of n points
       within a window, clumps of such windows, and their number as nearly independent.
"""

from typing import NamedTuple

import numpy as np

from models import _check
from models.failures import _overlap
from models.failures._group import checked, expected_unreadable
from models.failures._overlap import Floats, Law
from models.failures._staggered import aged, begun, staggered_probability


class Group(NamedTuple):
    """A redundancy group; its fields are arguments of `loss_probability`, and may be arrays.

    Args:
        members: Drives in the group. [1]
        parities: Failed drives that the group can do without. [1]
        failures_per_s: Independent failures per drive and second. [1/s]
        rebuild_s: Time from a failure until the rebuild is done. [s]
        unreadable_probability: Probability that one full rebuild meets an unreadable sector. [1]
    """

    members: float
    parities: float
    failures_per_s: float
    rebuild_s: float
    unreadable_probability: float


def wear_out_loss_probability(failed_fraction: Law, *, group: Group) -> float:
    r"""Probability of data loss in which wear-out takes part, for members of the same age.

    .. math:: P = 1 - \left(1 - \Lambda/K\right)^K, \quad \Lambda = n \int f(t)
              \binom{n-1}{m-1} w^{m-1} (1 - w)^{n-m}
              \frac{y}{m} \varphi_{m+1}(y) \, dt

    with :math:`w = F(t) - F(t - \tau)`, :math:`\varphi_b(y) = {}_1F_1(1; b; -y)`, the losses
    :math:`y = -(n - m) \ln(1 - (F(t + \tau) - F(t))/(1 - w))` in a rebuild time and
    :math:`1 - 1/K = \binom{n-m-1}{m+1} / \binom{n}{m+1}`; unreadable sectors and independent
    failures add to w and y, and the losses by them, counted where no wear-out overlaps, have a
    K of m members. Never less than the mean probability that a failure is
    followed by m more, which is exact for n = m + 1 (with one parity, of n - 1 independent ones);
    never more than with fewer parities.

    Args:
        failed_fraction: Share of drives that wear out by an age, F. [1]
        group: The group; arrays in it broadcast, also with those that the law may hold. [1]

    Returns:
        Probability over one generation of drives, of losses by overlapping wear-out and by
            independent failures and unreadable sectors that a worn-out member meets. [1]

    Raises:
        DomainError: As `loss_probability` for the fields of the group.

    Notes:
        Valid for rebuild times that add up, over all members, to 2.5 standard deviations of life,
        for less than a tenth of an independent failure in a life, and for a generation that is over
        before the next wears out; independent losses come on top (`total_loss_probability`). Within
        6 % of simulation there, within 3 % with one parity. In the last percent below certainty it
        is not monotone in members and rebuild time. Leading order n C(n-1, m) tau^m integral of
        f^(m+1). Source: [1]_, [2]_, derivation above.

    Examples:
        Eight drives that wear out within 90 days (one sigma) of each other, rebuilt within a day:

        >>> from functools import partial
        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500 * 86_400, sd_s=90 * 86_400)
        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> print(f"{wear_out_loss_probability(law, group=group):.3f}")
        0.162
    """
    shape = np.shape(failed_fraction(np.asarray(np.inf)))
    *numbers, _ = np.broadcast_arrays(*checked(*group), np.zeros(shape))
    parities = numbers.pop(1)
    found = np.zeros(parities.shape)
    for count in np.unique(parities):
        one = _of_one(failed_fraction, int(count), *numbers)
        found = np.where(parities == count, one, found)
    return _check.plain(found)


def staggered_loss_probability(failed_fraction: Law, *, group: Group, ages_s: Floats) -> float:
    r"""Probability of data loss in which wear-out takes part, for members of different ages.

    .. math:: P = 1 - \left(1 - \Lambda/K\right)^K, \quad
              \Lambda = \sum_i \int f_i(t) \, W_{i,m-1}(t) \, \frac{y_i}{m}
              \varphi_{m+1}(y_i) \, dt

    with :math:`W_{i,k}` the probability that k members other than i wore out within the last
    rebuild time, and otherwise as `wear_out_loss_probability`.

    Args:
        failed_fraction: Share of drives that wear out by an age, F. [1]
        group: The group, of single numbers, with at least one parity. [1]
        ages_s: Age of every member now, alive. [s]

    Returns:
        float: Probability until every member has worn out once or has been replaced in time. [1]

    Raises:
        DomainError: As `loss_probability` for the fields of the group, unless it has a parity, and
            unless ages_s are as many as members, >= 0, and ages that the law reaches.

    Notes:
        Valid as `wear_out_loss_probability`, with which it agrees for equal ages; for more than one
        parity, the members that are down when another follows count as on average. Source:
        as there.

    Examples:
        Drives bought at intervals of 60 days:

        >>> from functools import partial
        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500 * 86_400, sd_s=90 * 86_400)
        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> p = staggered_loss_probability(law, group=group, ages_s=np.arange(8) * 60 * 86_400)
        >>> print(f"{p:.3f}")
        0.078
    """
    numbers = _single(group)
    ages = np.asarray(ages_s, float)
    _check.require(ages >= 0, "ages_s", ">= 0", ages)
    fits = ages.shape == (int(numbers.members),)
    _check.require(fits, "ages_s", f"one for each of {numbers.members:g} members", ages.size)
    _check.require(failed_fraction(ages) < 1, "ages_s", "reached by the law", ages)
    return _check.plain(staggered_probability(aged(failed_fraction, ages), numbers))


def bought_apart_loss_probability(failed_fraction: Law, *, group: Group, begins_s: Floats) -> float:
    r"""Probability of data loss by wear-out, for members bought at different times.

    .. math:: F_i(t) = F(t - b_i)

    and otherwise as `staggered_loss_probability`.

    Args:
        failed_fraction: Share of drives that wear out by an age, F. [1]
        group: The group, of single numbers, with at least one parity. [1]
        begins_s: Time at which every member begins its life, b. [s]

    Returns:
        float: Probability until every member has worn out once or has been replaced in time. [1]

    Raises:
        DomainError: As `loss_probability` for the fields of the group, unless it has a parity, and
            unless begins_s are as many as members and >= 0.

    Notes:
        Valid as `staggered_loss_probability`; members that have not begun yet are assumed to be
        there and not to wear. Source: as there.

    Examples:
        Drives bought at intervals of 60 days:

        >>> from functools import partial
        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500 * 86_400, sd_s=90 * 86_400)
        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> begins = np.arange(8) * 60 * 86_400
        >>> print(f"{bought_apart_loss_probability(law, group=group, begins_s=begins):.3f}")
        0.078
    """
    numbers = _single(group)
    begins = np.asarray(begins_s, float)
    _check.require(begins >= 0, "begins_s", ">= 0", begins)
    fits = begins.shape == (int(numbers.members),)
    _check.require(fits, "begins_s", f"one for each of {numbers.members:g} members", begins.size)
    return _check.plain(staggered_probability(begun(failed_fraction, begins), numbers))


def _single(group: Group) -> _overlap.Group:
    """Return the numbers of one group that has a parity."""
    members, parities, failures_per_s, rebuild_s, unreadable = map(np.asarray, checked(*group))
    _check.require(np.ndim(members) == 0, "members", "a single number", members)
    _check.require(parities >= 1, "parities", ">= 1", parities)
    met = expected_unreadable(unreadable)
    return _overlap.Group(int(parities), members, failures_per_s, rebuild_s, met)


def _of_one(
    law: Law,
    parities: int,
    members: Floats,
    failures_per_s: Floats,
    rebuild_s: Floats,
    unreadable: Floats,
) -> Floats:
    """Probability by one number of parities, of groups that have room for them."""
    members = np.maximum(members, parities + 1)
    met = expected_unreadable(unreadable)
    group = _overlap.Group(parities, members, failures_per_s, rebuild_s, met)
    return _overlap.least_probability(law, group)
