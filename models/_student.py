"""Quantiles of Student's t without scipy, whose import takes longer than a whole plan.

References:
    .. [1] NIST Digital Library of Mathematical Functions, 8.17.22: continued fraction of the
       incomplete beta function.
"""

import math

_ROUNDING = 2.0**-52
_TINY = 1e-300  # in place of a zero that would be divided by


def t_quantile(degrees: float, probability: float) -> float:
    """Return the quantile of Student's t of some degrees of freedom > 0, probability in (0, 1).

    The probability beyond t is convex above zero: Newton's steps from zero never overshoot.

    >>> round(t_quantile(7, 0.95), 4), round(t_quantile(1, 0.25), 4)
    (1.8946, -1.0)
    """
    if probability < 0.5:
        return -t_quantile(degrees, 1 - probability)
    beyond, t = 1 - probability, 0.0
    while True:
        step = (_beyond(degrees, t) - beyond) / _density(degrees, t)
        if not step > _ROUNDING * t:
            return t
        t += step


def _density(degrees: float, t: float) -> float:
    """Return the density of Student's t."""
    log_beta = math.lgamma(degrees / 2) + math.lgamma(0.5) - math.lgamma((degrees + 1) / 2)
    spread = (degrees + 1) / 2 * math.log1p(t * t / degrees)
    return math.exp(-spread - log_beta) / math.sqrt(degrees)


def _beyond(degrees: float, t: float) -> float:
    """Return the probability beyond t >= 0: half the incomplete beta function, or its rest."""
    share = degrees / (degrees + t * t)
    scale = t * _density(degrees, t)  # the factor before the fraction, but for the parameter
    if share < (degrees / 2 + 1) / (degrees / 2 + 2.5):
        return scale / degrees * _fraction(degrees / 2, 0.5, share)
    return 0.5 - scale * _fraction(0.5, degrees / 2, t * t / (degrees + t * t))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    upper, lower = 1.0, 1 / _or_tiny(1 - (a + b) * x / (a + 1))
    value, factor, n = lower, 0.0, 0
    while abs(factor - 1) >= 4 * _ROUNDING:
        n += 1
        for term in (
            n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)),
            -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1)),
        ):
            lower = 1 / _or_tiny(1 + term * lower)
            upper = _or_tiny(1 + term / upper)
            factor = upper * lower
            value *= factor
    return value


def _or_tiny(value: float) -> float:
    return value or _TINY
