"""Laws of life: the share of drives that have failed by an age, and the survivors of a mixture.

Base units: seconds, failures per second. A law with its numbers bound (`functools.partial`) is an
argument of the formulas of wear-out and of spares: they evaluate it from 0 to infinity.

References:
    .. [1] W. Weibull, "A Statistical Distribution Function of Wide Applicability", Journal of
       Applied Mechanics 18, 1951.
    .. [2] J. Meza, Q. Wu, S. Kumar, O. Mutlu, "A Large-Scale Study of Flash Memory Failures in the
       Field", SIGMETRICS 2015: early detection, early failure, usable life and wear-out.
    .. [3] S. Maneas, K. Mahdaviani, T. Emami, B. Schroeder, "Operational Characteristics of SSDs in
       Enterprise Storage Systems: A Large-Scale Field Study", FAST 2022: a long infant period.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from models import _check

_MOST_CV = 0.15
_SHAPE_POWER = -1.086


def normal_failed_fraction(age_s: float, *, mean_s: float, sd_s: float) -> float:
    r"""Share of drives that have failed by an age, by a normal law truncated at 0.

    .. math:: F(t) = 1 - \frac{\Phi((\mu - t)/\sigma)}{\Phi(\mu/\sigma)}

    Args:
        age_s: Age, t. [s]
        mean_s: Mean of the whole normal law, mu. [s]
        sd_s: Standard deviation of the whole normal law, sigma. [s]

    Returns:
        Share that has failed, accurate for the smallest shares too. [1]

    Raises:
        DomainError: Unless age_s >= 0, mean_s > 0 and sd_s > 0.

    Notes:
        Valid where many small causes add up, as the wear of many blocks does. Source: definition.

    Examples:
        Replaced at 85 % of the mean, with a standard deviation of 5 %:

        >>> print(f"{normal_failed_fraction(85, mean_s=100, sd_s=5):.5f}")
        0.00135
    """
    from scipy.special import log_ndtr  # noqa: PLC0415 - slow to import

    (age_s,) = _check.non_negative(age_s=age_s)
    mean_s, sd_s = _check.positive(mean_s=mean_s, sd_s=sd_s)
    return _check.plain(_between(age_s, mean_s, sd_s) / np.exp(log_ndtr(np.divide(mean_s, sd_s))))


class WearOutLaw(NamedTuple):
    """`normal_failed_fraction` with its numbers, the spread relative to the mean.

    >>> print(f"{WearOutLaw(mean_s=100, life_cv=0.05)(85):.5f}")
    0.00135
    """

    mean_s: float
    life_cv: float

    def __call__(self, age_s: Any) -> Any:
        """Return the share of drives that are worn out by an age."""
        sd_s = self.life_cv * self.mean_s
        return normal_failed_fraction(age_s, mean_s=self.mean_s, sd_s=sd_s)


class WeibullWearOutLaw(NamedTuple):
    """`weibull_failed_fraction` by mean and relative spread of life.

    The shape is the usual power of the spread, within 3 % of it from 0.02 to 0.5.

    >>> law = WeibullWearOutLaw(mean_s=100, life_cv=0.05)
    >>> print(f"{law(85):.5f}")
    0.00860
    """

    mean_s: float
    life_cv: float

    def __call__(self, age_s: Any) -> Any:
        """Return the share of drives that are worn out by an age."""
        from scipy.special import gamma  # noqa: PLC0415 - slow to import

        shape = self.life_cv**_SHAPE_POWER
        scale_s = self.mean_s / gamma(1 + 1 / shape)
        return weibull_failed_fraction(age_s, scale_s=scale_s, shape=shape)


class LognormalWearOutLaw(NamedTuple):
    """`lognormal_failed_fraction` by mean and relative spread of life.

    >>> print(f"{LognormalWearOutLaw(mean_s=100, life_cv=0.05)(85):.5f}")
    0.00062
    """

    mean_s: float
    life_cv: float

    def __call__(self, age_s: Any) -> Any:
        """Return the share of drives that are worn out by an age."""
        widened = 1 + np.square(self.life_cv)
        median_s, log_sd = self.mean_s / np.sqrt(widened), np.sqrt(np.log(widened))
        return lognormal_failed_fraction(age_s, median_s=median_s, log_sd=log_sd)


def weibull_failed_fraction(age_s: float, *, scale_s: float, shape: float) -> float:
    r"""Share of drives that have failed by an age, by Weibull's law.

    .. math:: F(t) = 1 - e^{-(t/\eta)^k}

    Args:
        age_s: Age, t. [s]
        scale_s: Age at which 63 % have failed, eta. [s]
        shape: Shape k: below 1 failures come early, at 1 at a constant rate, above 1 late. [1]

    Returns:
        Share that has failed, accurate for the smallest shares too. [1]

    Raises:
        DomainError: Unless age_s >= 0, scale_s > 0 and shape > 0.

    Notes:
        Valid where the weakest part decides. Source: [1]_.

    Examples:
        >>> print(f"{weibull_failed_fraction(60, scale_s=100, shape=8):.4f}")
        0.0167
    """
    (age_s,) = _check.non_negative(age_s=age_s)
    scale_s, shape = _check.positive(scale_s=scale_s, shape=shape)
    return _check.plain(-np.expm1(-(np.divide(age_s, scale_s) ** shape)))


def lognormal_failed_fraction(age_s: float, *, median_s: float, log_sd: float) -> float:
    r"""Share of drives that have failed by an age, if the logarithm of life is normal.

    .. math:: F(t) = \Phi\left(\frac{\ln(t/t_{50})}{s}\right)

    Args:
        age_s: Age, t. [s]
        median_s: Age at which half have failed. [s]
        log_sd: Standard deviation of the natural logarithm of life, s. [1]

    Returns:
        Share that has failed, accurate for the smallest shares too. [1]

    Raises:
        DomainError: Unless age_s >= 0, median_s > 0 and log_sd > 0.

    Notes:
        Valid where many causes multiply, such as rated cycles, workload and write amplification.
        Source: definition.

    Examples:
        >>> print(f"{lognormal_failed_fraction(100, median_s=100, log_sd=0.3):.1f}")
        0.5
    """
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    (age_s,) = _check.non_negative(age_s=age_s)
    median_s, log_sd = _check.positive(median_s=median_s, log_sd=log_sd)
    with np.errstate(divide="ignore"):
        return _check.plain(ndtr(np.log(np.divide(age_s, median_s)) / log_sd))


def replaced_failed_fraction(
    age_s: float, *, failed_fraction: Callable[[Any], Any], replaced_s: float
) -> float:
    r"""Share of drives that have failed by an age, if all are replaced at a fixed age.

    .. math:: F_c(t) = F(\min(t, c))

    Args:
        age_s: Age, t. [s]
        failed_fraction: Share of drives that fails by an age without replacement, F. [1]
        replaced_s: Age at which drives are replaced whether they failed or not, c. [s]

    Returns:
        Share that has failed; those replaced in time never do. [1]

    Raises:
        DomainError: Unless age_s >= 0 and replaced_s > 0.

    Notes:
        Valid for any law. Source: definition of a censored law.

    Examples:
        >>> from functools import partial
        >>> law = partial(normal_failed_fraction, mean_s=100, sd_s=5)
        >>> print(f"{replaced_failed_fraction(200, failed_fraction=law, replaced_s=90):.4f}")
        0.0228
    """
    (age_s,) = _check.non_negative(age_s=age_s)
    (replaced_s,) = _check.positive(replaced_s=replaced_s)
    return _check.plain(failed_fraction(np.minimum(age_s, replaced_s)))


def failed_or_worn_fraction(
    age_s: float,
    *,
    failures_per_s: float,
    mean_s: float,
    life_cv: float,
    replaced_fraction: float = np.inf,
) -> float:
    r"""Share of drives out of service by an age: failed, worn out, or replaced in time.

    .. math:: F(t) = 1 - e^{-\lambda t} \left(1 - F_\mathrm{wear}(t)\right) \; (t < c_r \mu), \quad
              F(t) = 1 \; (t \ge c_r \mu)

    with the normal law of mean mu and relative spread c for wear.

    Args:
        age_s: Age, t. [s]
        failures_per_s: Failures per drive and second, lambda. [1/s]
        mean_s: Mean life until a drive is worn out, mu; infinite if none wears. [s]
        life_cv: Standard deviation of life over its mean, c. [1]
        replaced_fraction: Share of the mean life at which drives are replaced anyway, c_r; infinite
            if never. [1]

    Returns:
        Share that is no longer in service. [1]

    Raises:
        DomainError: Unless age_s is >= 0, failures_per_s is >= 0 and finite, mean_s and
            replaced_fraction are > 0 and life_cv is in (0, 0.15].

    Notes:
        Valid for failures at a constant rate that do not depend on wear. Source: product of
        survivals, end of service at an age.

    Examples:
        1 % of drives fail a year; after 95 % of a mean life of five years, of a spread of 5 %:

        >>> f = failed_or_worn_fraction(4.75 * 31_536_000, failures_per_s=3.19e-10,
        ...                             mean_s=5 * 31_536_000, life_cv=0.05)
        >>> print(f"{f:.3f}")
        0.198
    """
    age_s, failures_per_s = _check.non_negative(age_s=age_s, failures_per_s=failures_per_s)
    _check.require(np.less(failures_per_s, np.inf), "failures_per_s", "finite", failures_per_s)
    mean_s, replaced = _check.positive(mean_s=mean_s, replaced_fraction=replaced_fraction)
    cv = _checked_cv(life_cv)
    some = np.greater(failures_per_s, 0)
    failed = -np.expm1(-np.multiply(failures_per_s, np.where(some, age_s, 0.0)))
    wears = np.isfinite(mean_s)
    life_s = np.where(wears, mean_s, 1.0)
    law = normal_failed_fraction(age_s, mean_s=_check.plain(life_s), sd_s=_check.plain(cv * life_s))
    worn = np.where(wears, law, 0.0)
    return _check.plain(np.where(age_s >= replaced * mean_s, 1.0, failed + worn * (1 - failed)))


def surviving_fraction(
    age_s: float,
    *,
    weak_fraction: float,
    weak_scale_s: float,
    weak_shape: float,
    failures_per_s: float,
    worn_out_fraction: float,
) -> float:
    r"""Share of drives alive at an age: early failures, a constant rate and wear together.

    .. math:: S(t) = \left[\pi e^{-(t/\eta_1)^{\beta_1}} + 1 - \pi\right] e^{-\lambda t}
              \left(1 - F_\mathrm{wear}\right)

    Args:
        age_s: Age, t. [s]
        weak_fraction: Share of weak drives, which fail early, pi in [0, 1]. [1]
        weak_scale_s: Age by which 63 % of the weak drives have failed, eta_1. [s]
        weak_shape: Shape of their law, beta_1, usually below 1. [1]
        failures_per_s: Failures at a constant rate, lambda. [1/s]
        worn_out_fraction: Share of drives that is worn out at that age or at its cycles, F_wear in
            [0, 1]. [1]

    Returns:
        Share that is alive. [1]

    Raises:
        DomainError: Unless age_s and failures_per_s are >= 0, the scale and shape > 0 and the
            shares in [0, 1].

    Notes:
        Valid for causes that do not depend on each other. Source: product of survivals; the periods
        are those of [2]_, the infant one is long [3]_.

    Examples:
        1 % weak drives, 1 % AFR, after a year, unworn:

        >>> s = surviving_fraction(31_536_000, weak_fraction=0.01, weak_scale_s=5e6, weak_shape=0.5,
        ...                        failures_per_s=3.19e-10, worn_out_fraction=0)
        >>> print(f"{s:.4f}")
        0.9809
    """
    age_s, failures_per_s = _check.non_negative(age_s=age_s, failures_per_s=failures_per_s)
    weak_scale_s, weak_shape = _check.positive(weak_scale_s=weak_scale_s, weak_shape=weak_shape)
    weak, worn = _check.fraction(weak_fraction=weak_fraction, worn_out_fraction=worn_out_fraction)
    with np.errstate(over="ignore"):  # beyond every life all weak ones have failed
        early = weak * np.expm1(-(np.divide(age_s, weak_scale_s) ** weak_shape))
    return _check.plain((1 + early) * np.exp(-np.multiply(failures_per_s, age_s)) * (1 - worn))


def _checked_cv(life_cv: float) -> float:
    """Return the relative spread of life if a generation ends before the next one wears out."""
    (spread,) = _check.positive(life_cv=life_cv)
    _check.require(np.less_equal(spread, _MOST_CV), "life_cv", f"in (0, {_MOST_CV}]", spread)
    return spread


def _between(age_s: float, mean_s: float, sd_s: float) -> Any:
    """Probability of a normal life between 0 and an age."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    return ndtr(np.divide(np.subtract(age_s, mean_s), sd_s)) - ndtr(-np.divide(mean_s, sd_s))
