"""Generations of drives that wear out together: data loss within a horizon of several generations.

Base units: seconds, failures per second; probabilities. All drives of a group receive the same
writes, wear out at about the same time and are replaced by new ones, so that the horizon holds
whole generations and a part of one. Losses of one generation are those of
`models.failures.wear_out`.

References:
    .. [1] M. Balakrishnan, A. Kadav, V. Prabhakaran, D. Malkhi, "Differential RAID: Rethinking RAID
       for SSD reliability", ACM Transactions on Storage 6(2), 2010: members that age alike.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.failures._group import CERTAIN, checked
from models.failures._overlap import Law
from models.failures.lives import _checked_cv, normal_failed_fraction, replaced_failed_fraction
from models.failures.wear_out import Group, bought_apart_loss_probability, wear_out_loss_probability
from models.units import YEAR_S

Floats = NDArray[np.float64]

_NEVER_S = 1e6 * YEAR_S
_UNWORN = 9.0  # standard deviations before the mean life no drive is worn out
_MOST = 100  # generations that are counted one by one


def generations_loss_probability(
    horizon_s: float,
    *,
    mean_s: float,
    life_cv: float,
    replaced_fraction: float = np.inf,
    stagger_s: float = 0.0,
    group: Group,
) -> float:
    r"""Probability of data loss in which wear-out takes part, over generations of drives.

    .. math:: P(H) = 1 - \prod_{k \ge 1} (1 - P_k(H))

    with :math:`P_k(H)` the `wear_out_loss_probability`, until H, of drives whose time to wear-out
    is normal with mean :math:`k \mu + (k - 1) \tau` and variance :math:`k c_v^2 \mu^2`: the k-th
    drive of a slot, which begins to wear when a rebuild, of the time tau, is done. Drives that are
    replaced in time, at the age :math:`c = c_r \mu` with :math:`c_r \le 1`, begin each generation
    together: :math:`P(H) = 1 - (1 - P(c))^j (1 - P(r))`, :math:`j = \lfloor H/c \rfloor`,
    :math:`r = H - j c`.

    Args:
        horizon_s: Horizon, H; all drives are new at the start. [s]
        mean_s: Mean life until a drive is worn out, mu; infinite if none wears. [s]
        life_cv: Standard deviation of life over its mean, of a normal law, c_v. [1]
        replaced_fraction: Share of the mean life at which drives are replaced anyway, c_r; infinite
            if never. [1]
        stagger_s (float): Time between the first days of one drive and the next; 0 if all are
            bought at once. [s]
        group: The group; single numbers, as all arguments, if drives are bought at different times.
            [1]

    Returns:
        Probability over the horizon; independent losses come on top. [1]

    Raises:
        DomainError: As `loss_probability` for the fields of the group; also unless horizon_s is > 0
            and finite, mean_s and replaced_fraction are > 0, life_cv in (0, 0.15] and stagger_s >=
            0 and finite, and 0 for arrays.

    Notes:
        Valid as `wear_out_loss_probability`, for generations that do not overlap: a spread
        sqrt(k) c_v of at most 0.3. Continuous in H and never falling. Within 6 % of simulation
        over three generations of drives that are left to wear out; with three parities up to 14 %
        low where the horizon ends before the mean life, since further failures count as spread over
        a whole rebuild, which the horizon cuts. Where drives are replaced at the mean life or
        before, generations are assumed to begin at once although some drives wore out earlier: an
        upper bound, up to 18 % too high with one parity. Generations beyond the hundredth count as
        the hundredth, an upper bound too. Drives bought at different times lower the loss of each
        generation in the proportion of its whole. Source: wear-out times of renewals, product over
        generations of drives that age alike [1]_.

    Examples:
        Eight drives that wear out within 90 days (one sigma) of 1,500, over 5 and 10 years, left to
        wear out and replaced at 90 % of the mean life:

        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> lives = {"mean_s": 1500 * 86_400, "life_cv": 0.06, "group": group}
        >>> for replaced_fraction in (np.inf, 0.9):
        ...     p = generations_loss_probability(np.array([5, 10]) * YEAR_S,
        ...                                      replaced_fraction=replaced_fraction, **lives)
        ...     print(f"{p[0]:.3f} {p[1]:.3f}")
        0.162 0.261
        0.002 0.003
    """
    (horizon_s,) = _check.finite(horizon_s=horizon_s)
    mean_s, replaced = _check.positive(mean_s=mean_s, replaced_fraction=replaced_fraction)
    (stagger_s,) = _check.non_negative(stagger_s=stagger_s)
    single = np.ndim(stagger_s) == 0 and stagger_s < np.inf
    _check.require(single, "stagger_s", "a single number >= 0 and finite", stagger_s)
    given = (horizon_s, mean_s, _checked_cv(life_cv), replaced, *checked(*group))
    horizon, mean, cv, share, *numbers = np.broadcast_arrays(*given)
    _check.require(not stagger_s or horizon.ndim == 0, "stagger_s", "0 for arrays", stagger_s)
    lives = _Lives(np.minimum(mean, _NEVER_S), cv)
    every = Group(*map(_check.plain, numbers))
    replaced_s = share * lives.mean_s
    log_safe = np.zeros(horizon.shape)
    if (in_time := share <= 1).any():
        age_s = np.minimum(replaced_s, lives.mean_s)
        log_safe = _replaced_in_time(horizon, lives, age_s, stagger_s, every)
    if not in_time.all():
        worn = _left_to_wear(horizon, lives, replaced_s, stagger_s, every)
        log_safe = np.where(in_time, log_safe, worn)
    return _check.plain(-np.expm1(log_safe))


class _Lives(NamedTuple):
    """Mean and relative spread of the life of drives that are not replaced early."""

    mean_s: Floats
    cv: Floats

    def law(self, replaced_s: Floats) -> Law:
        """Share of drives worn out by an age, if the others are replaced at a fixed age."""
        worn = partial(
            normal_failed_fraction,
            mean_s=_check.plain(self.mean_s),
            sd_s=_check.plain(self.cv * self.mean_s),
        )
        return partial(
            replaced_failed_fraction, failed_fraction=worn, replaced_s=_check.plain(replaced_s)
        )


def _replaced_in_time(
    horizon_s: Floats, lives: _Lives, replaced_s: Floats, stagger_s: float, group: Group
) -> Floats:
    """Return the logarithm of the probability of no loss where all begin again at one age."""
    whole, rest_s = np.divmod(horizon_s, replaced_s)
    full, last = (
        _log_safe(until_s, lives, replaced_s, stagger_s, group)
        for until_s in (np.where(whole > 0, replaced_s, 0.0), rest_s)
    )
    return whole * full + last


def _left_to_wear(
    horizon_s: Floats, lives: _Lives, replaced_s: Floats, stagger_s: float, group: Group
) -> Floats:
    """Return the logarithm of the probability of no loss over the wear-outs of each slot."""
    total = np.zeros(horizon_s.shape)
    for number in range(1, _MOST + 1):
        before_s = (number - 1) * (lives.mean_s + group.rebuild_s)
        mean_s = lives.mean_s + before_s
        worn = _Lives(mean_s, np.sqrt(number) * lives.cv * (lives.mean_s / mean_s))
        if not _is_reached(horizon_s, worn).any():
            break
        end_s = replaced_s + before_s
        until_s = np.minimum(horizon_s, end_s)
        one = _log_safe(until_s, worn, end_s, stagger_s, group)
        beyond = np.maximum(0.0, horizon_s / lives.mean_s - _MOST) if number == _MOST else 0.0
        total += one * (1 + beyond)
    return total


def _is_reached(until_s: Floats, lives: _Lives) -> NDArray[np.bool_]:
    return until_s > lives.mean_s * np.maximum(0.0, 1 - _UNWORN * lives.cv)


def _log_safe(
    until_s: Floats, lives: _Lives, replaced_s: Floats, stagger_s: float, group: Group
) -> Floats:
    """Return the logarithm of the probability that one generation loses nothing until an age."""
    lost = _lost_until(until_s, lives, group)
    if stagger_s and group.parities and lost:
        full = _lost_until(np.minimum(replaced_s, _NEVER_S), lives, group)
        lost = lost * _bought_apart(stagger_s, lives, replaced_s, group) / full
    return np.log1p(-np.minimum(lost, CERTAIN))


def _lost_until(last_s: Floats, lives: _Lives, group: Group) -> Floats:
    """Loss as one generation wears out, up to an age; by number of parities."""
    lost = np.zeros(last_s.shape)
    reached = _is_reached(last_s, lives)
    for parities in np.unique(group.parities):
        here = reached & (np.asarray(group.parities) == parities)
        if here.any():
            part = Group(*(_check.plain(np.asarray(number)[here]) for number in group))
            law = _Lives(*(number[here] for number in lives)).law(last_s[here])
            lost[here] = wear_out_loss_probability(law, group=part)
    return lost


def _bought_apart(stagger_s: float, lives: _Lives, replaced_s: Floats, group: Group) -> float:
    """Loss over one generation of drives that go into service one after another."""
    begins_s = stagger_s * np.arange(group.members)
    return bought_apart_loss_probability(lives.law(replaced_s), group=group, begins_s=begins_s)
