"""Quantiles of Student's t, against mpmath."""

import math

import mpmath
import pytest

from models._student import t_quantile

DEGREES = (0.5, 1, 1.5, 2, 3, 7, 9.25, 33, 200)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("probability", [0.50001, 0.6, 0.9, 0.95, 0.975, 0.999, 0.999999, 0.05])
def test_the_probability_up_to_the_quantile_is_the_one_asked_for(degrees, probability):
    with mpmath.workdps(40):
        t = mpmath.mpf(t_quantile(degrees, probability))
        share = degrees / (degrees + t**2)
        beyond = mpmath.betainc(mpmath.mpf(degrees) / 2, 0.5, 0, share, regularized=True) / 2
        reached = beyond if t < 0 else 1 - beyond
        log_beta = mpmath.log(mpmath.beta(mpmath.mpf(degrees) / 2, 0.5))
        density = mpmath.exp(
            -(degrees + 1) / 2 * mpmath.log(1 + t**2 / degrees) - log_beta
        ) / mpmath.sqrt(degrees)
        # The rounding of a probability next to one half is that of one half.
        assert abs((reached - mpmath.mpf(probability)) / density) < 1e-12 * abs(t) + 1e-15


def test_one_degree_is_the_law_of_cauchy():
    for probability in (0.1, 0.3, 0.75, 0.99):
        cauchy = math.tan(math.pi * (probability - 0.5))
        assert t_quantile(1, probability) == pytest.approx(cauchy, rel=1e-14)


def test_the_median_is_zero():
    assert [t_quantile(degrees, 0.5) for degrees in DEGREES] == [0.0] * len(DEGREES)
