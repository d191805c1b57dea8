"""Failure rates: from failures and drive-days to a rate with its uncertainty, and to forecasts.

Base units: seconds of drive time, failures per second of it. Failures are counts of rare,
independent events; the rate that they leave open is a Gamma law, with Jeffreys' prior, and the
failures of another fleet at that rate are negative binomial.

References:
    .. [1] A. Gelman et al., "Bayesian Data Analysis", 3rd ed., CRC Press 2013, section 2.6: Poisson
       counts with exposure, Gamma posterior, negative binomial prediction.
    .. [2] H. Jeffreys, "An Invariant Form for the Prior Probability in Estimation Problems", Proc.
       Royal Society A 186, 1946: half a count for a Poisson rate.
    .. [3] Backblaze, "The SSD Edition: 2022 Drive Stats Review", 2023: 25 failures in 934,441
       drive-days, printed as an AFR of 0.98 %.
    .. [4] Seagate, "Constellation ES.3 Serial ATA Product Manual", rev. E, section 2.11.1: an AFR
       of 0.44 % for a MTBF of 2,000,000 hours, of 8,760 hours of power a year.
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.failures._counts import least_count
from models.units import YEAR_S

Floats = NDArray[np.float64]

_PRIOR = 0.5  # of a failure, by Jeffreys


def afr_fraction(failures_per_s: float) -> float:
    r"""Share of drives that fails within a year, at a constant rate.

    .. math:: AFR = 1 - e^{-\lambda \cdot 1 \mathrm{yr}}

    Args:
        failures_per_s: Failures per drive and second, lambda. [1/s]

    Returns:
        Annual failure rate as a probability, < 1. [1]

    Raises:
        DomainError: Unless failures_per_s >= 0.

    Notes:
        Valid for a constant rate; failures per drive-year, as fleets print it, is the rate itself
        and larger by half the square. Source: exponential law.

    Examples:
        A MTBF of 2,000,000 hours:

        >>> print(f"{afr_fraction(1 / 7.2e9):.2%}")
        0.44%
    """
    (failures_per_s,) = _check.non_negative(failures_per_s=failures_per_s)
    return _check.plain(-np.expm1(-YEAR_S * np.asarray(failures_per_s)))


def afr_from_mtbf(mtbf_s: float) -> float:
    r"""Share of drives that fails within a year, from the mean time between failures.

    .. math:: AFR = 1 - e^{-1 \mathrm{yr} / MTBF}

    Args:
        mtbf_s: Mean time between failures of many drives, MTBF. [s]

    Returns:
        Annual failure rate as a probability, < 1. [1]

    Raises:
        DomainError: Unless mtbf_s > 0.

    Notes:
        Valid for a constant rate and drives that are always on; data sheets also print 1 yr / MTBF,
        which is larger by half its square. No drive lasts for its MTBF. Source: `afr_fraction` of
        the rate 1 / MTBF.

    Examples:
        A MTBF of 2,000,000 hours [4]_:

        >>> print(f"{afr_from_mtbf(2e6 * 3600):.2%}")
        0.44%
    """
    (mtbf_s,) = _check.positive(mtbf_s=mtbf_s)
    return afr_fraction(_check.plain(1 / np.asarray(mtbf_s)))


def failures_per_s(afr_fraction: float) -> float:
    r"""Rate at which a share of drives fails within a year.

    .. math:: \lambda = -\ln(1 - AFR) / 1 \mathrm{yr}

    Args:
        afr_fraction: Share that fails within a year, AFR in [0, 1]. [1]

    Returns:
        Failures per drive and second; inf if all fail. [1/s]

    Raises:
        DomainError: Unless afr_fraction is in [0, 1].

    Notes:
        Valid for a constant rate. Source: inverse of `afr_fraction`.

    Examples:
        >>> print(f"{failures_per_s(0.01):.3e}")
        3.187e-10
    """
    (afr,) = _check.fraction(afr_fraction=afr_fraction)
    with np.errstate(divide="ignore"):
        return _check.plain(-np.log1p(-np.asarray(afr)) / YEAR_S)


def mean_failures_per_s(failures: float, *, drive_s: float) -> float:
    r"""Mean failure rate estimated from counted failures.

    .. math:: \bar\lambda = (k + 1/2) / T

    Args:
        failures: Failures counted, k. [1]
        drive_s: Drive time in which they were counted, T. [s]

    Returns:
        Mean of the posterior; more than k / T, and not 0 where none has failed yet. [1/s]

    Raises:
        DomainError: Unless failures >= 0 and drive_s > 0.

    Notes:
        Valid for independent failures at one rate. Source: [1]_ with the prior of [2]_.

    Examples:
        A fleet of SSDs in 2022 [3]_, per drive-year:

        >>> print(f"{mean_failures_per_s(25, drive_s=934_441 * 86_400) * YEAR_S:.3%}")
        0.996%
    """
    (failures,) = _check.non_negative(failures=failures)
    (drive_s,) = _check.positive(drive_s=drive_s)
    return _check.plain(np.add(failures, _PRIOR) / drive_s)


def failures_per_s_quantile(quantile: float, *, failures: float, drive_s: float) -> float:
    r"""Upper limit of the failure rate, with a given probability.

    .. math:: \lambda_p = P^{-1}(k + 1/2, p) / T

    Args:
        quantile: Probability, p in (0, 1]. [1]
        failures: Failures counted, k. [1]
        drive_s: Drive time in which they were counted, T. [s]

    Returns:
        Quantile of the posterior, by the inverse of the incomplete gamma function P. [1/s]

    Raises:
        DomainError: Unless quantile is in (0, 1], failures >= 0 and drive_s > 0.

    Notes:
        Valid for independent failures at one rate. Source: [1]_ with the prior of [2]_.

    Examples:
        The 90 % interval of the fleet of [3]_, per drive-year:

        >>> low, high = failures_per_s_quantile([0.05, 0.95], failures=25, drive_s=934_441 * 86_400)
        >>> print(f"{low * YEAR_S:.2%} {high * YEAR_S:.2%}")
        0.70% 1.34%
    """
    from scipy.special import gammaincinv  # noqa: PLC0415 - slow to import

    (quantile,) = _check.share(quantile=quantile)
    (failures,) = _check.non_negative(failures=failures)
    (drive_s,) = _check.positive(drive_s=drive_s)
    return _check.plain(gammaincinv(np.add(failures, _PRIOR), quantile) / drive_s)


def predicted_failures_sd(exposed_s: float, *, failures: float, drive_s: float) -> float:
    r"""Spread of the failures of a fleet, as a standard deviation.

    .. math:: \sigma = \sqrt{(k + 1/2) \, r (1 + r)}, \quad r = t/T

    Args:
        exposed_s: Drive time to come: drives times horizon, t. [s]
        failures: Failures counted so far, k. [1]
        drive_s: Drive time in which they were counted, T. [s]

    Returns:
        Standard deviation, chance and uncertainty of the rate together; the mean is t times
            `mean_failures_per_s`. [1]

    Raises:
        DomainError: Unless failures >= 0 and the times are > 0.

    Notes:
        Valid for independent failures at one rate, the same before and after. Source: [1]_.

    Examples:
        200 drives, five years, at the rate of [3]_:

        >>> sd = predicted_failures_sd(200 * 5 * YEAR_S, failures=25, drive_s=934_441 * 86_400)
        >>> print(f"{sd:.2f}")
        3.72
    """
    (failures,) = _check.non_negative(failures=failures)
    exposed_s, drive_s = _check.positive(exposed_s=exposed_s, drive_s=drive_s)
    share = np.divide(exposed_s, drive_s)
    return _check.plain(np.sqrt(np.add(failures, _PRIOR) * share * (1 + share)))


def predicted_failures_quantile(
    quantile: float, *, failures: float, drive_s: float, exposed_s: float
) -> float:
    r"""Failures that a fleet does not exceed, with a given probability: also the spares to stock.

    .. math:: \min\{x : I_{T/(T + t)}(k + 1/2, x + 1) \ge p\}

    Args:
        quantile: Probability, p in (0, 1]. [1]
        failures: Failures counted so far, k. [1]
        drive_s: Drive time in which they were counted, T. [s]
        exposed_s: Drive time to come, t: drives times horizon, or times the lead time of a spare.
            [s]

    Returns:
        Quantile of the negative binomial law, a whole number; inf for certainty. [1]

    Raises:
        DomainError: Unless quantile is in (0, 1], failures >= 0 and the times are > 0.

    Notes:
        Valid for independent failures at one rate, the same before and after; I is the regularised
        incomplete beta function. Source: [1]_.

    Examples:
        200 drives at the rate of [3]_, over five years, and over a lead time of 30 days:

        >>> predicted_failures_quantile(0.95, failures=25, drive_s=934_441 * 86_400,
        ...                             exposed_s=200 * 5 * YEAR_S)
        17.0
        >>> predicted_failures_quantile(0.95, failures=25, drive_s=934_441 * 86_400,
        ...                             exposed_s=200 * 30 * 86_400)
        1.0
    """
    from scipy.special import betainc  # noqa: PLC0415 - slow to import

    (quantile,) = _check.share(quantile=quantile)
    (failures,) = _check.non_negative(failures=failures)
    exposed_s, drive_s = _check.finite(exposed_s=exposed_s, drive_s=drive_s)
    kept = np.divide(drive_s, np.add(drive_s, exposed_s))

    def enough(count: Floats) -> NDArray[np.bool_]:
        return np.asarray(betainc(np.add(failures, _PRIOR), count + 1, kept) >= quantile)

    shape = np.broadcast_shapes(*(np.shape(v) for v in (quantile, failures, kept)))
    found = least_count(enough, shape)
    return _check.plain(np.where(np.equal(quantile, 1.0), np.inf, found))
