r"""Model error: range of a quantity from errors of its formula on drives that it was not fitted to.

Errors are natural logarithms of measured over computed, by family of drives (vendor or series),
each family computed with constants fitted to the others. The family of a drive was measured or not;
a new family adds the spread between families, which is known from few of them.

References:
    .. [1] A. Gelman et al., "Bayesian Data Analysis", 3rd edition 2013, sections 2.6 (scaled
       inverse chi-square prior), 3.2 (predictive distribution) and 5.4 (a group not yet seen).
    .. [2] R. J. Tibshirani, R. Foygel Barber, E. J. Candes, A. Ramdas, "Conformal Prediction Under
       Covariate Shift", NeurIPS 2019: weighted split conformal prediction.
    .. [3] R. L. Winkler, "Combining Probability Distributions from Dependent Information Sources",
       Management Science 27(4), 1981: weights of estimates whose errors are correlated.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models._student import t_quantile
from models.errors import DomainError


class FamilyError(NamedTuple):
    """Error of a computed quantity on a drive, as logarithms of a factor on the computed value.

    Attributes:
        middle: Logarithm of the factor that is as often too small as too large. [1]
        half: Half width of the interval around it. [1]
        between: Standard deviation between families. [1]
        within: Standard deviation within a family. [1]
        degrees: Degrees of freedom of the spread between families. [1]
    """

    middle: float
    half: float
    between: float
    within: float
    degrees: float


class LogRange(NamedTuple):
    """Middle and half width of an interval of a logarithm."""

    middle: float
    half: float


def new_family(
    errors: Mapping[str, Sequence[float]],
    *,
    prior_sd: float,
    prior_families: float = 3.0,
    coverage: float = 0.9,
) -> FamilyError:
    r"""Error on a drive of a family that was not measured.

    .. math::
        c &= \frac{1}{V} \sum_v m_v, \quad
        w^2 = \frac{\sum_v \sum_i (e_{vi} - m_v)^2}{\sum_v (n_v - 1)}, \quad
        u = \frac{w^2}{V} \sum_v \frac{1}{n_v} \\
        \tau^2 &= \frac{\nu_0 s_0^2 + \max(\sum_v (m_v - c)^2 - (V - 1) u, 0)}{\nu_0 + V - 1} \\
        h &= t_{\nu_0 + V - 1}\!\left(\tfrac{1 + \gamma}{2}\right)
             \sqrt{\tau^2 + w^2 + (\tau^2 + u)/V}

    Args:
        errors: Errors of each of V families, n_v of them with mean m_v. [1]
        prior_sd: Standard deviation between families that is expected before any is seen,
            s_0. [1]
        prior_families: Number of families that this expectation is worth, nu_0. [1]
        coverage: Probability that the interval holds the error, gamma in (0, 1). [1]

    Returns:
        Middle c, half width h, spread between families tau and within w, degrees of freedom. [1]

    Raises:
        DomainError: Unless every family has errors, all finite, prior_sd and prior_families are >
            0 and finite and coverage is in (0, 1).

    Notes:
        Valid for normal effects of families, each of one weight: the coverage is then gamma on
        average over the prior. A family of one error tells nothing of w, which is zero where all
        are. Where families spread by s_0 exactly the interval covers more, 0.94, 0.93 and 0.91
        with three, five and nine of them, since they could have spread more.
        Source: [1]_.

    Examples:
        Three vendors whose drives came out 20 % above, as computed, and 10 % below:

        >>> error = new_family({"A": [0.18], "B": [0.02, -0.02], "C": [-0.1]}, prior_sd=0.25)
        >>> print(f"{math.exp(error.middle):.2f} within a factor of {math.exp(error.half):.2f}")
        1.03 within a factor of 1.65
    """
    prior_sd, prior_families = _check.finite(prior_sd=prior_sd, prior_families=prior_families)
    families = _families(errors)
    means = np.array([family.mean() for family in families])
    counts = np.array([family.size for family in families])
    degrees = prior_families + means.size - 1
    within = sum(family.var() * family.size for family in families) / max(1, sum(counts - 1))
    of_means = within * float(np.mean(1 / counts))
    seen = max(0.0, float(np.sum((means - means.mean()) ** 2)) - (means.size - 1) * of_means)
    between = (prior_families * prior_sd**2 + seen) / degrees
    sd = math.sqrt(between + within + (between + of_means) / means.size)
    return FamilyError(
        middle=float(means.mean()), half=_quantile(coverage, degrees) * sd,
        between=math.sqrt(between), within=math.sqrt(within), degrees=degrees,
    )  # fmt: skip


def known_family(
    family_error: FamilyError,
    *,
    own_errors: Sequence[float],
    unit_sd: float = 0.12,
    coverage: float = 0.9,
) -> FamilyError:
    r"""Error on a drive whose family, vendor or own unit was measured.

    .. math::
        k &= \frac{\tau^2}{\tau^2 + s_u^2 + w^2/n}, \quad
        c' = c + k (\bar e - c) \\
        h' &= t_\nu\!\left(\tfrac{1 + \gamma}{2}\right) \sqrt{\tau^2 (1 - k) + s_u^2 + w^2}

    Args:
        family_error: Error on a drive of a family that was not measured, with c, tau, w, nu. [1]
        own_errors: Errors measured in the drive's family, n of them with mean e. [1]
        unit_sd: Standard deviation of units around their family, s_u: 0.12 where another unit
            was measured, 0.2 where a sibling model was, 0.05 for the drive itself. [1]
        coverage: Probability that the interval holds the error, gamma in (0, 1). [1]

    Returns:
        The error given the family's own; between is what remains of tau. [1]

    Raises:
        DomainError: Unless own_errors are finite numbers, unit_sd is >= 0 and finite and coverage
            is in (0, 1).

    Notes:
        Valid for normal effects of families, where some family has several errors that tell w, and
        own_errors are of one unit. With many errors within families it covers up to 0.94 at 0.9,
        since t counts families alone. The three standard deviations between units are assumed, of
        the order of two that were seen.
        Source: [1]_, posterior of a group with data of its own.

    Examples:
        Another unit of a drive whose tails came out 1.4 times as long as computed:

        >>> vendors = {"A": [0.18], "B": [0.02, -0.02], "C": [-0.1]}
        >>> unmeasured = new_family(vendors, prior_sd=0.25)
        >>> own = known_family(unmeasured, own_errors=[math.log(1.4)])
        >>> print(f"{math.exp(own.middle):.2f} within a factor of {math.exp(own.half):.2f}")
        1.30 within a factor of 1.39
    """
    (unit_sd,) = _check.from_zero(unit_sd=unit_sd)
    (own,) = _families({"": own_errors}, "own_errors")
    between, within = family_error.between**2, family_error.within**2
    noise = unit_sd**2 + within / own.size
    kept = between / (between + noise) if noise else 1.0
    sd = math.sqrt(between * (1 - kept) + unit_sd**2 + within)
    return family_error._replace(
        middle=family_error.middle + kept * (float(own.mean()) - family_error.middle),
        half=_quantile(coverage, family_error.degrees) * sd,
        between=math.sqrt(between * (1 - kept)),
    )  # fmt: skip


def joined(
    middles: Sequence[float],
    *,
    halves: Sequence[float],
    degrees: Sequence[float],
    witness_correlation: float = 0.5,
    coverage: float = 0.9,
) -> LogRange:
    r"""Range of a logarithm that two estimates tell of, their errors correlated.

    .. math::
        a_1 &\propto \max(s_2^2 - \rho s_1 s_2, 0), \quad
        a_2 \propto \max(s_1^2 - \rho s_1 s_2, 0), \quad a_1 + a_2 = 1 \\
        c &= a_1 c_1 + a_2 c_2, \quad
        s^2 = a_1^2 s_1^2 + a_2^2 s_2^2 + 2 \rho a_1 a_2 s_1 s_2, \quad
        h = t_{\min(\nu_1, \nu_2)}\!\left(\tfrac{1 + \gamma}{2}\right) s

    Args:
        middles: Logarithm of each estimate, its own middle error included, c_1 and c_2. [1]
        halves: Half width of each at the same coverage, t s_1 and t s_2. [1]
        degrees: Degrees of freedom of each, nu_1 and nu_2. [1]
        witness_correlation: Correlation of the two errors, rho in [0, 1). [1]
        coverage: Probability that each interval holds the logarithm, gamma in (0, 1). [1]

    Returns:
        Middle and half width of the joint interval. [1]

    Raises:
        DomainError: Unless there are two of each, halves and degrees are > 0 and finite,
            witness_correlation is in [0, 1) and coverage is in (0, 1).

    Notes:
        Valid for normal errors; a witness that the other one leaves nothing to has the weight
        zero, so that the variance is never above the smaller one. Source: [3]_.

    Examples:
        4 and 6 PB, within a factor of 4 and of 2, on seven degrees of freedom:

        >>> both = joined([math.log(4), math.log(6)], halves=[math.log(4), math.log(2)],
        ...               degrees=[7, 7], witness_correlation=0.25)
        >>> print(f"{math.exp(both.middle):.2f} PB within {math.exp(both.half):.2f}")
        5.70 PB within 1.96
    """
    centres, spreads, freedoms = (
        _pair(name, values)
        for name, values in (("middles", middles), ("halves", halves), ("degrees", degrees))
    )
    _check.require(spreads > 0, "halves", "> 0 and finite", spreads)
    _check.require(freedoms > 0, "degrees", "> 0 and finite", freedoms)
    rho = float(_check.fraction(witness_correlation=witness_correlation)[0])
    _check.require(np.asarray(rho < 1), "witness_correlation", "in [0, 1)", rho)
    first, second = (
        half / _quantile(coverage, own) for half, own in zip(spreads, freedoms, strict=True)
    )
    shared = rho * first * second
    weights = np.maximum([second**2 - shared, first**2 - shared], 0.0)
    weights /= weights.sum()
    variance = weights @ np.array([[first**2, shared], [shared, second**2]]) @ weights
    half = _quantile(coverage, freedoms.min()) * math.sqrt(variance)
    return LogRange(float(weights @ centres), half)


def conformal_half(errors: Mapping[str, Sequence[float]], *, coverage: float = 0.9) -> float:
    r"""Half width that covers a family that was not measured, whatever the law of the errors.

    .. math::
        h = \min \Bigl\{ x : \sum_v \frac{1}{n_v} \#\{i : |e_{vi}| \le x\} \ge \gamma (V + 1)
        \Bigr\}

    Args:
        errors: Errors of each family, n_v of them; over half widths of their own, h is a factor
            on these. [1]
        coverage: Probability that the interval holds the error, gamma in (0, 1). [1]

    Returns:
        Half width h. [1]

    Raises:
        DomainError: Unless every family has errors, all finite, and coverage is above 0 and at
            most V/(V + 1).

    Notes:
        Valid for families that could have been drawn in any order; with fewer than twenty the
        result is one of the few largest errors, and `new_family` is the better. Source: split
        conformal prediction with a weight of one for each family, [2]_.

    Examples:
        >>> conformal_half({"A": [0.1], "B": [-0.3, 0.2], "C": [0.4]}, coverage=0.7)
        0.4
    """
    families = _families(errors)
    most = len(families) / (len(families) + 1)
    inside = np.asarray(coverage)
    _check.require((inside > 0) & (inside <= most), "coverage", f"in (0, {most:g}]", inside)
    sizes = np.abs(np.concatenate(families))
    weights = np.concatenate([np.full(family.size, 1 / family.size) for family in families])
    order = np.argsort(sizes)
    reached = np.cumsum(weights[order]) >= coverage * (len(families) + 1) - 1e-9
    return float(sizes[order][reached.argmax()])


def _families(
    errors: Mapping[str, Sequence[float]], name: str = "errors"
) -> list[NDArray[np.float64]]:
    families = [np.asarray(own, float) for own in errors.values()]
    for family in families or [np.empty(0)]:
        _check.require(np.isfinite(family), name, "finite", family)
        if not family.size:
            raise DomainError(f"{name} must be at least one number of each family, got none")
    return families


def _pair(name: str, values: Sequence[float]) -> NDArray[np.float64]:
    pair = np.asarray(values, float)
    if pair.shape != (2,):
        raise DomainError(f"{name} must be two numbers, got {[*values]}")
    _check.require(np.isfinite(pair), name, "finite", pair)
    return pair


def _quantile(coverage: float, degrees: float) -> float:
    """Quantile of Student's t up to which a half of an interval reaches."""
    inside = np.asarray(coverage)
    _check.require((inside > 0) & (inside < 1), "coverage", "in (0, 1)", inside)
    return t_quantile(float(degrees), (1 + float(coverage)) / 2)
