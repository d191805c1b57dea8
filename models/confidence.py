"""Confidence: probability that a figure reaches a required value, if its logarithm is normal.

Dimensionless. A life is a product of many uncertain factors, so that its logarithm is close to
normal for any law of each factor; so are rates. `models.end_of_life` and
`planner.search.uncertainty` give the spread; these two functions turn it into a probability and
back.

References:
    .. [1] J. Aitchison and J. A. C. Brown, "The Lognormal Distribution", Cambridge 1957, chapter 2.
"""

import numpy as np

from models import _check


def holding_probability(margin_ratio: float, *, log_sd: float) -> float:
    r"""Probability that a figure reaches the required value.

    .. math:: P = \Phi(\ln m / \sigma)

    Args:
        margin_ratio: Median of the figure over what is needed, m. [1]
        log_sd: Standard deviation of the logarithm of the figure; 0 is certain. [1]

    Returns:
        Probability that the figure is at least what is needed. [1]

    Raises:
        DomainError: Unless margin_ratio > 0 and log_sd >= 0.

    Notes:
        Valid for figures whose logarithm is normal; exact then. Source: [1]_.

    Examples:
        A life of 6 years within a factor of 1.28 (one standard deviation), where 5 are needed:

        >>> print(f"{holding_probability(6 / 5, log_sd=0.25):.3f}")
        0.767
    """
    (margin_ratio,) = _check.positive(margin_ratio=margin_ratio)
    (log_sd,) = _check.non_negative(log_sd=log_sd)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviations = np.log(np.asarray(margin_ratio)) / log_sd
    certain = np.asarray(margin_ratio) >= 1
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    return _check.plain(np.where(np.asarray(log_sd) > 0, ndtr(deviations), certain * 1.0))


def margin_needed(probability: float, *, log_sd: float) -> float:
    r"""Median of a figure over the required value, at which it is reached with a probability.

    .. math:: m = e^{\sigma \Phi^{-1}(P)}

    Args:
        probability: Probability that the figure reaches what is needed, in (0, 1). [1]
        log_sd: Standard deviation of the logarithm of the figure; 0 is certain. [1]

    Returns:
        Median over what is needed. [1]

    Raises:
        DomainError: Unless probability is in (0, 1) and log_sd >= 0 and finite.

    Notes:
        Valid for figures whose logarithm is normal; inverse of `holding_probability`. Source: [1]_.

    Examples:
        >>> print(f"{margin_needed(0.9, log_sd=0.25):.3f}")
        1.378
    """
    inside = np.asarray(probability)
    _check.require((inside > 0) & (inside < 1), "probability", "in (0, 1)", inside)
    (log_sd,) = _check.non_negative(log_sd=log_sd)
    _check.require(np.asarray(log_sd) < np.inf, "log_sd", ">= 0 and finite", log_sd)
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

    return _check.plain(np.exp(log_sd * ndtri(inside)))
