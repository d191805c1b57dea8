"""Drives to replace over a horizon: how many, how far from the mean, how many to stock.

Base units: seconds; counts. A slot holds one drive after the other, each with a life of the same
law: any function of age that rises from 0 to 1, such as `weibull_failed_fraction` with its numbers
bound. Replacements of one slot are counted on a lattice of times by convolution, exactly but for
the lattice; slots are independent of each other. Poisson's law is right for failures at a constant
rate and far too wide for drives that wear out.

References:
    .. [1] W. L. Smith, "Renewal Theory and its Ramifications", Journal of the Royal Statistical
       Society B 20, 1958: the renewal function and its variance.
    .. [2] D. R. Cox, "Renewal Theory", Methuen 1962: first life of another law.
"""

from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.failures._overlap import Law
from models.failures.lives import failed_or_worn_fraction

Floats = NDArray[np.float64]

_POINTS = 4096  # of the lattice
_NEVER = 1e-14  # probability of more replacements that is left out
_SURE = 1e-12  # of probability, for rounding
_MOST = 10_000  # replacements of one slot

Slots = list[tuple[int, Floats]]


class DriveLife(NamedTuple):
    """End of a drive: the law of `failed_or_worn_fraction` with its numbers.

    Args:
        failures_per_s: Failures per drive and second. [1/s]
        mean_s: Mean life until a drive is worn out; infinite if none wears. [s]
        life_cv: Standard deviation of life over its mean. [1]
        replaced_fraction: Share of the mean life at which drives are replaced anyway; infinite if
            never. [1]
    """

    failures_per_s: float
    mean_s: float
    life_cv: float
    replaced_fraction: float = np.inf

    def __call__(self, age_s: Any) -> Any:
        """Return the share of drives that have failed or are worn out by an age."""
        return failed_or_worn_fraction(age_s, **self._asdict())


class Replacements(NamedTuple):
    """Drives that a fleet replaces: mean, standard deviation, and the required quantile."""

    mean: float
    sd: float
    quantile: float


def replacement_shares(horizon_s: float, *, failed_fraction: Law, age_s: float) -> Floats:
    r"""Probabilities that one slot needs 0, 1, 2 ... replacements within a horizon.

    .. math:: P(N \ge j) = (G * F^{*(j-1)})(H), \quad
              G(t) = \frac{F(a + t) - F(a)}{1 - F(a)}

    Args:
        horizon_s (float): Horizon, H. [s]
        failed_fraction: Share of drives that have failed by an age, F. [1]
        age_s (float): Age of the drive in the slot now, alive, a. [s]

    Returns:
        Probabilities by number of replacements, which add up to 1. [1]

    Raises:
        DomainError: Unless horizon_s > 0 and finite, age_s >= 0 and is reached by the law, and a
            drive lasts longer than a ten-thousandth of the horizon.

    Notes:
        Valid for replacement without delay. The lattice has 4096 steps over the horizon; its error
        falls as their square where life does not begin with an infinite failure rate. Source: [1]_,
        [2]_.

    Examples:
        Drives that last for three years, more or less, over five years:

        >>> from functools import partial
        >>> from models.failures import weibull_failed_fraction
        >>> law = partial(weibull_failed_fraction, scale_s=3.2, shape=8)
        >>> print(np.round(replacement_shares(5, failed_fraction=law, age_s=0)[:3], 3))
        [0.    0.938 0.062]
    """
    (horizon,) = _check.finite(horizon_s=horizon_s)
    (age,) = _check.non_negative(age_s=age_s)
    _check.require(np.ndim(horizon) == 0, "horizon_s", "a single number", horizon)
    before = np.asarray(failed_fraction(np.asarray(age)))
    _check.require(before < 1, "age_s", "an age that the law reaches", age)
    edges = np.concatenate([[0.0], (np.arange(_POINTS + 1) + 0.5) * (horizon / _POINTS)])
    first = np.diff(np.asarray(failed_fraction(age + edges)) - before) / (1 - before)
    later = np.diff(np.asarray(failed_fraction(edges)))
    return _counted(first, later)


def mean_replacements(horizon_s: float, *, failed_fraction: Law, ages_s: ArrayLike) -> float:
    r"""Mean number of replacements of a fleet within a horizon.

    .. math:: M = \sum_i \sum_j P(N_i \ge j)

    Args:
        horizon_s (float): Horizon, H. [s]
        failed_fraction: Share of drives that have failed by an age, F. [1]
        ages_s: Age of every drive now, alive; zeros for a new fleet. [s]

    Returns:
        float: Mean number of replacements of all slots. [1]

    Raises:
        DomainError: As `replacement_shares`.

    Notes:
        Valid as `replacement_shares`. Source: renewal function, [1]_.

    Examples:
        200 drives of a constant rate of 1 % a year, over five years:

        >>> from functools import partial
        >>> from models.failures import weibull_failed_fraction
        >>> law = partial(weibull_failed_fraction, scale_s=100, shape=1)
        >>> print(f"{mean_replacements(5, failed_fraction=law, ages_s=np.zeros(200)):.2f}")
        10.00
    """
    return _mean_of(_slots(horizon_s, failed_fraction, ages_s))


def replacements_sd(horizon_s: float, *, failed_fraction: Law, ages_s: ArrayLike) -> float:
    r"""Spread of the replacements of a fleet within a horizon, as a standard deviation.

    .. math:: \sigma^2 = \sum_i \left( 2 \sum_j j P(N_i \ge j) - M_i - M_i^2 \right)

    Args:
        horizon_s (float): Horizon, H. [s]
        failed_fraction: Share of drives that have failed by an age, F. [1]
        ages_s: Age of every drive now, alive; zeros for a new fleet. [s]

    Returns:
        float: Standard deviation by chance alone, the law being known. [1]

    Raises:
        DomainError: As `replacement_shares`.

    Notes:
        Valid as `replacement_shares`. Source: variance of a renewal process, [1]_.

    Examples:
        200 drives that wear out once or twice vary far less than the root of their number:

        >>> from functools import partial
        >>> from models.failures import weibull_failed_fraction
        >>> law = partial(weibull_failed_fraction, scale_s=2.66, shape=8)
        >>> fleet = {"failed_fraction": law, "ages_s": np.zeros(200)}
        >>> print(f"{mean_replacements(5, **fleet):.0f} +- {replacements_sd(5, **fleet):.1f}")
        293 +- 7.1
    """
    return _sd_of(_slots(horizon_s, failed_fraction, ages_s))


def replacements_quantile(
    quantile: float, *, horizon_s: float, failed_fraction: Law, ages_s: ArrayLike
) -> float:
    r"""Spares to buy or stock: replacements that a fleet does not exceed, with a probability.

    .. math:: \min\{x : P(\textstyle\sum_i N_i \le x) \ge p\}

    Args:
        quantile: Probability, p in (0, 1]. [1]
        horizon_s (float): Horizon, H; the lead time of a spare, for the stock to hold. [s]
        failed_fraction: Share of drives that have failed by an age, F. [1]
        ages_s: Age of every drive now, alive; zeros for a new fleet. [s]

    Returns:
        Quantile by exact convolution of the slots, a whole number. [1]

    Raises:
        DomainError: As `replacement_shares`, and unless quantile is in (0, 1].

    Notes:
        Valid as `replacement_shares`; to 1e-12 of probability. From a dozen on it is the normal
        quantile of `mean_replacements` and `replacements_sd`, within one. Source: [1]_.

    Examples:
        Two spares or none will do for 24 drives, new or worn, within the two weeks of an order:

        >>> from functools import partial
        >>> from models.failures import normal_failed_fraction
        >>> law = partial(normal_failed_fraction, mean_s=1500, sd_s=90)
        >>> for age in (0, 1400):
        ...     replacements_quantile(0.99, horizon_s=14, failed_fraction=law,
        ...                           ages_s=np.full(24, age))
        0.0
        4.0
    """
    (wanted,) = _check.share(quantile=quantile)
    return _quantile_of(_slots(horizon_s, failed_fraction, ages_s), wanted)


def replacements_over(
    horizon_s: float, *, members: float, quantile: float, life: DriveLife
) -> Replacements:
    r"""Drives to replace within a horizon, of a fleet that is new at the start.

    .. math:: N = \sum_{i=1}^{n} N_i, \quad
              P(N_i \ge j) = F^{*j}(H)

    with the law of life F of `failed_or_worn_fraction`: of N the mean, the standard deviation and
    a quantile.

    Args:
        horizon_s (float): Horizon, H. [s]
        members (float): Drives of the fleet, n. [1]
        quantile: Probability of the third result, in (0, 1]: 0.95 for what one fleet in twenty
            exceeds. [1]
        life (DriveLife of float): Failures, wear and age at replacement of the drives. [1]

    Returns:
        Replacements of float: Mean, standard deviation and quantile of the drives replaced. [1]

    Raises:
        DomainError: As `mean_replacements` and `failed_or_worn_fraction`, and unless members is a
            whole number and quantile in (0, 1].

    Notes:
        Valid as `replacement_shares`. Source: `mean_replacements`, `replacements_sd` and
        `replacements_quantile` of this law.

    Examples:
        24 drives that last for two years, more or less, over five:

        >>> year = 31_536_000
        >>> life = DriveLife(failures_per_s=3.19e-10, mean_s=2 * year, life_cv=0.1)
        >>> count = replacements_over(5 * year, members=24, quantile=0.95, life=life)
        >>> print(f"{count.mean:.1f} +- {count.sd:.1f}, at most {count.quantile:.0f}")
        48.8 +- 0.9, at most 50
    """
    (members,) = _check.count(members=members)
    (wanted,) = _check.share(quantile=quantile)
    slots = _slots(horizon_s, cast("Law", life), np.zeros(int(members)))
    return Replacements(_mean_of(slots), _sd_of(slots), _quantile_of(slots, wanted))


def _mean_of(slots: Slots) -> float:
    return float(sum(n * _mean(p) for n, p in slots))


def _sd_of(slots: Slots) -> float:
    return float(np.sqrt(max(0.0, sum(n * _variance(p) for n, p in slots))))


def _quantile_of(slots: Slots, wanted: float) -> float:
    """Least count that is enough, by convolution of the slots."""
    size = 1 + sum(n * (len(p) - 1) for n, p in slots)
    spectrum = np.ones(size // 2 + 1, complex)
    for count, shares in slots:
        spectrum *= np.fft.rfft(shares, size) ** count
    together = np.cumsum(np.maximum(np.fft.irfft(spectrum, size), 0.0))
    reached = np.searchsorted(together, np.asarray(wanted) - _SURE, side="left")
    return _check.plain(np.minimum(reached, size - 1).astype(float))


def _slots(horizon_s: float, law: Law, ages_s: ArrayLike) -> Slots:
    """Count the slots of every age; return the probabilities of their replacements."""
    ages, counts = np.unique(np.asarray(ages_s, float), return_counts=True)
    is_of_numbers = isinstance(law, DriveLife) and all(map(np.isscalar, (horizon_s, *law)))
    shares = _kept_shares if is_of_numbers else _shares
    return [
        (int(count), shares(horizon_s, law, float(age)))
        for age, count in zip(ages, counts, strict=True)
    ]


def _shares(horizon_s: float, law: Law, age_s: float) -> Floats:
    return replacement_shares(horizon_s, failed_fraction=law, age_s=age_s)


@lru_cache(maxsize=8)
def _kept_shares(horizon_s: float, life: Law, age_s: float) -> Floats:
    """Keep the last ones: mean, standard deviation and quantile are asked of the same drives."""
    return _shares(horizon_s, life, age_s)


def _counted(first: Floats, later: Floats) -> Floats:
    """Probabilities of the number of renewals, from the lattice law of life."""
    length = 2 * first.size
    step = np.fft.rfft(later, length)
    at_least, ends = [1.0], first
    while (share := _by_horizon(ends)) > _NEVER:
        at_least.append(share)
        _check.require(len(at_least) < _MOST, "horizon_s", f"< {_MOST} lives", len(at_least))
        ends = np.maximum(np.fft.irfft(np.fft.rfft(ends, length) * step, length)[: first.size], 0.0)
    return -np.diff([*at_least, 0.0])


def _by_horizon(ends: Floats) -> float:
    """Probability of an end by the horizon, the middle of the last cell."""
    return float(ends[:-1].sum() + ends[-1] / 2)


def _mean(shares: Floats) -> float:
    return float(np.arange(shares.size) @ shares)


def _variance(shares: Floats) -> float:
    return float((np.arange(shares.size) - _mean(shares)) ** 2 @ shares)
