"""Failure rates with their uncertainty, laws of life: published figures, oracles, laws."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import failures
from models.errors import DomainError
from models.units import DAY_S, YEAR_S
from tests.published import Printed

FLEET = {"failures": 25, "drive_s": 934_441 * DAY_S}  # Backblaze, SSDs in 2022


def test_a_published_fleet():
    """Printed 0.98 %: failures per drive-year, without a prior."""
    rate = 25 / FLEET["drive_s"] * YEAR_S
    assert Printed("0.98").admits(100 * rate)
    mean = failures.mean_failures_per_s(25, drive_s=FLEET["drive_s"]) * YEAR_S
    assert mean == pytest.approx(rate * 25.5 / 25, rel=1e-12)
    low, middle, high = failures.failures_per_s_quantile([0.05, 0.5, 0.95], **FLEET) * YEAR_S
    assert Printed("0.70").admits(100 * low)
    assert Printed("1.34").admits(100 * high)
    assert middle == pytest.approx(rate, rel=0.01)


def test_a_failure_more_or_less_has_the_size_of_its_uncertainty():
    """Half of a Gamma law is below its quantile: the defining integral, with many digits."""
    for k, p in ((0, 0.9), (3, 0.05), (25, 0.5)):
        x = failures.failures_per_s_quantile(p, failures=k, drive_s=1.0)
        below = mpmath.gammainc(k + 0.5, 0, x, regularized=True)
        assert float(below) == pytest.approx(p, rel=1e-10)


def negative_binomial(count, failures_counted, ratio):
    """Probability of exactly so many failures, of gamma functions of mpmath."""
    a = failures_counted + mpmath.mpf("0.5")
    b = 1 / (1 + mpmath.mpf(ratio))
    ways = mpmath.gamma(a + count) / mpmath.gamma(a) / mpmath.factorial(count)
    return ways * b**a * (1 - b) ** count


@pytest.mark.parametrize(("counted", "ratio"), [(25, 0.39), (0, 0.1), (3, 5.0)])
def test_forecasts_are_negative_binomial(counted, ratio):
    chances = [negative_binomial(x, counted, ratio) for x in range(400)]
    below = np.cumsum([float(chance) for chance in chances])
    for p in (0.05, 0.5, 0.9, 0.99):
        got = failures.predicted_failures_quantile(
            p, failures=counted, drive_s=1e10, exposed_s=ratio * 1e10
        )
        assert got == np.searchsorted(below, p)
    mean = sum(x * chance for x, chance in enumerate(chances))
    square = sum(x * x * chance for x, chance in enumerate(chances))
    sd = failures.predicted_failures_sd(ratio * 1e10, failures=counted, drive_s=1e10)
    assert sd == pytest.approx(float(mpmath.sqrt(square - mean**2)), rel=1e-6)
    rate = failures.mean_failures_per_s(counted, drive_s=1e10)
    assert rate * ratio * 1e10 == pytest.approx(float(mean), rel=1e-6)


def test_the_uncertainty_of_the_rate_costs_two_spares_in_seventeen():
    """200 drives over five years: Poisson at the mean rate would say 15."""
    exposed = 200 * 5 * YEAR_S
    got = failures.predicted_failures_quantile(0.95, exposed_s=exposed, **FLEET)
    assert got == 17
    rate = 25 / FLEET["drive_s"] * exposed
    poisson = np.cumsum([math.exp(-rate) * rate**x / math.factorial(x) for x in range(40)])
    assert np.searchsorted(poisson, 0.95) == 15


def test_certainty_takes_no_end_of_spares():
    got = failures.predicted_failures_quantile(1.0, exposed_s=1e9, **FLEET)
    assert got == math.inf
    assert failures.predicted_failures_quantile(1e-9, exposed_s=1.0, **FLEET) == 0
    assert failures.failures_per_s(1.0) == math.inf


@given(st.floats(0, 0.999))
def test_annual_failures_and_their_rate_are_inverse(afr):
    assert failures.afr_fraction(failures.failures_per_s(afr)) == pytest.approx(afr, rel=1e-12)


@pytest.mark.parametrize(("mtbf_hours", "printed"), [(2e6, "0.44"), (8e5, "1.1")])
def test_annual_failures_of_a_printed_mtbf(mtbf_hours, printed):
    """Seagate product manuals: Constellation ES.3 rev. E, Enterprise Value; in percent."""
    assert Printed(printed).admits(100 * failures.afr_from_mtbf(mtbf_hours * 3600))


@given(st.floats(1e7, 1e15))
def test_drives_that_never_wear_live_for_their_mtbf(mtbf_s):
    """Mean life by the share that is alive after each year, if drives have no memory."""
    log_alive = mpmath.log1p(-failures.afr_from_mtbf(mtbf_s))
    assert float(-YEAR_S / log_alive) == pytest.approx(mtbf_s, rel=1e-12)


@given(st.floats(1e-3, 0.999), st.floats(0, 1000), st.floats(1e6, 1e12), st.floats(1.0, 1e12))
def test_a_forecast_is_the_least_that_is_enough(p, counted, drive_s, exposed_s):
    from scipy.special import betainc

    got = failures.predicted_failures_quantile(
        p, failures=counted, drive_s=drive_s, exposed_s=exposed_s
    )
    kept = drive_s / (drive_s + exposed_s)
    assert betainc(counted + 0.5, got + 1, kept) >= p
    assert got == 0 or betainc(counted + 0.5, got, kept) < p


LAWS = [
    (failures.normal_failed_fraction, {"mean_s": 100.0, "sd_s": 20.0}, "mean_s"),
    (failures.weibull_failed_fraction, {"scale_s": 100.0, "shape": 3.0}, "scale_s"),
    (failures.lognormal_failed_fraction, {"median_s": 100.0, "log_sd": 0.3}, "median_s"),
]
INTEGRANDS = [
    lambda t: mpmath.npdf(t, 100, 20) / mpmath.ncdf(5),
    lambda t: 3 / mpmath.mpf(100) * (t / 100) ** 2 * mpmath.exp(-((t / 100) ** 3)),
    lambda t: mpmath.npdf(mpmath.log(t / 100), 0, 0.3) / t,
]


@pytest.mark.parametrize(("law", "density"), list(zip(LAWS, INTEGRANDS, strict=True)))
@pytest.mark.parametrize("age", [10.0, 60.0, 100.0, 170.0])
def test_a_law_of_life_is_the_integral_of_its_density(law, density, age):
    formula, numbers, _ = law
    expected = mpmath.quad(density, mpmath.linspace(mpmath.mpf("1e-12"), age, 9))
    assert formula(age, **numbers) == pytest.approx(float(expected), rel=1e-9, abs=1e-14)
    assert formula(0.0, **numbers) == 0
    assert formula(math.inf, **numbers) == 1


@pytest.mark.parametrize("law", LAWS)
@given(age=st.floats(0, 500), times=st.floats(0.1, 10))
def test_a_law_of_life_has_no_unit_of_time(law, age, times):
    formula, numbers, _ = law
    scaled = {n: v * times if n.endswith("_s") else v for n, v in numbers.items()}
    got = formula(age * times, **scaled)
    assert got == pytest.approx(formula(age, **numbers), rel=1e-9, abs=1e-15)


def test_replacement_in_time_ends_a_law():
    law = failures.weibull_failed_fraction
    ages = np.array([0.0, 50.0, 80.0, 1e9, math.inf])
    got = failures.replaced_failed_fraction(
        ages, failed_fraction=lambda age: law(age, scale_s=100, shape=3), replaced_s=80.0
    )
    np.testing.assert_allclose(got, law(np.minimum(ages, 80), scale_s=100, shape=3), rtol=1e-15)


def test_a_mixture_is_the_product_of_its_parts():
    age, mixed = 2e7, {"weak_fraction": 0.02, "weak_scale_s": 5e6, "weak_shape": 0.5}
    weak = 1 - failures.weibull_failed_fraction(age, scale_s=5e6, shape=0.5)
    got = failures.surviving_fraction(age, **mixed, failures_per_s=3e-10, worn_out_fraction=0.1)
    assert got == pytest.approx((0.02 * weak + 0.98) * math.exp(-3e-10 * age) * 0.9, rel=1e-12)
    new = failures.surviving_fraction(0.0, **mixed, failures_per_s=3e-10, worn_out_fraction=0.0)
    assert new == 1


def test_a_share_above_one_is_no_afr():
    with pytest.raises(DomainError, match=r"^afr_fraction must be in"):
        failures.failures_per_s(1.01)
