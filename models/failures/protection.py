"""Protection against common wear-out: replace in time, or buy at different times.

Base units: seconds; probabilities. Both give the smallest change of plan that keeps the data loss
of `models.failures.wear_out` at a target, by bisection.

References:
    .. [1] M. Balakrishnan, A. Kadav, V. Prabhakaran, D. Malkhi, "Differential RAID: Rethinking RAID
       for SSD reliability", ACM Transactions on Storage 6(2), 2010: ages kept apart on purpose.
"""

from functools import cache, partial

import numpy as np

from models import _check
from models.failures._overlap import Floats, Law, support_s
from models.failures._staggered import begun, staggered_probability
from models.failures.wear_out import Group, _single, wear_out_loss_probability

_HALVINGS = 40
_NARROW = 2.0**-_HALVINGS  # of the width of a law
_NO_LOSS = 1e-300
_PRECISION = 1e-6  # of the stagger, relatively


def replacement_age_s(target_probability: float, *, failed_fraction: Law, group: Group) -> float:
    r"""Age at which to replace every drive, for a given probability of data loss by wear-out.

    .. math:: P(F_c) = P^*, \quad F_c(t) = F(\min(t, c))

    Args:
        target_probability: Probability of a loss that is accepted, P* in (0, 1]. [1]
        failed_fraction: Share of drives that wear out by an age, F. [1]
        group: The group; arrays in it broadcast. [1]

    Returns:
        Latest age, c; inf if drives may wear out. [s]

    Raises:
        DomainError: Unless target_probability is in (0, 1], and as `loss_probability`.

    Notes:
        Valid as `wear_out_loss_probability`, whose inverse it is; to 1 part in 10^11 of the width
        of the law. Source: [1]_ for the risk, bisection.

    Examples:
        One loss in a thousand, in ages over the mean life:

        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500 * 86_400, sd_s=75 * 86_400)
        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> age_s = replacement_age_s(1e-3, failed_fraction=law, group=group)
        >>> print(f"{age_s / 1500 / 86_400:.3f}")
        0.908
    """
    (target,) = _check.share(target_probability=target_probability)
    whole = np.asarray(wear_out_loss_probability(failed_fraction, group=group))
    shape = np.broadcast_shapes(np.shape(target), whole.shape)
    if np.all(whole <= target):
        return _check.plain(np.full(shape, np.inf))
    low, high = support_s(failed_fraction, shape)
    if not shape:
        return _single_age_s(float(target), failed_fraction, group, (float(low), float(high)))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        law = partial(_replaced, failed_fraction, middle)
        over = np.asarray(wear_out_loss_probability(law, group=group)) > target
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return _check.plain(np.where(whole <= target, np.inf, low))


def _single_age_s(target: float, law: Law, group: Group, ends: tuple[float, float]) -> float:
    """Return the age of one group, in a quarter of the evaluations of halving."""
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

    @cache
    def excess(age_s: float) -> float:
        replaced = partial(_replaced, law, np.asarray(age_s))
        lost = float(np.asarray(wear_out_loss_probability(replaced, group=group)))
        return float(np.log(max(lost, _NO_LOSS) / target))

    low, high = ends
    first = low or _NARROW * high  # drives are not replaced at age 0
    if excess(first) > 0:
        return low
    return float(brentq(excess, first, high, xtol=_NARROW * (high - low)))


def stagger_s(target_probability: float, *, failed_fraction: Law, group: Group) -> float:
    r"""Time between deployments of drives that keeps them from wearing out together.

    .. math:: P(F(t), F(t - d), \dots, F(t - (n - 1) d)) = P^*

    Args:
        target_probability (float): Probability of a loss that is accepted, P* in (0, 1]. [1]
        failed_fraction: Share of drives that wear out by an age, F. [1]
        group: The group, of single numbers, with at least one parity. [1]

    Returns:
        float: Least stagger, d; 0 if none is needed, inf if none is enough, as when rebuilds of
            single drives meet too many unreadable sectors. [s]

    Raises:
        DomainError: Unless target_probability is in (0, 1], and as `staggered_loss_probability`.

    Notes:
        Valid as `staggered_loss_probability`, whose inverse it is for drives that go into service
        at equal intervals. Source: [1]_ for the idea, bracketed root by Brent's method.

    Examples:
        A loss in a hundred, in days:

        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500 * 86_400, sd_s=90 * 86_400)
        >>> group = Group(members=8, parities=1, failures_per_s=0, rebuild_s=86_400,
        ...               unreadable_probability=0)
        >>> print(f"{stagger_s(0.01, failed_fraction=law, group=group) / 86_400:.0f}")
        219
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

    (target,) = _check.share(target_probability=target_probability)
    _check.require(np.ndim(target) == 0, "target_probability", "a single number", target)
    numbers = _single(group)

    def excess(stagger: float) -> float:
        begins = stagger * np.arange(float(numbers.members))
        found = staggered_probability(begun(failed_fraction, begins), numbers)
        return float(np.log(found / target))

    first, last = support_s(failed_fraction, ())
    longest = float(last - first + numbers.rebuild_s)
    if excess(0.0) <= 0:
        return 0.0
    if excess(longest) > 0:
        return float("inf")
    return float(brentq(excess, 0.0, longest, xtol=_PRECISION * longest, rtol=_PRECISION))


def _replaced(failed_fraction: Law, replaced_s: Floats, age_s: Floats) -> Floats:
    """`replaced_failed_fraction` of ages that need no check: it is called hundreds of times."""
    return np.asarray(failed_fraction(np.minimum(age_s, replaced_s)))
