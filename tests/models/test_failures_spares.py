"""Drives to replace over a horizon: renewal equations, exact laws, quantiles."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import failures
from models.errors import DomainError
from models.failures import DriveLife
from models.simulator.lifetimes import Config, Normal, run

STEADY = partial(failures.weibull_failed_fraction, scale_s=100.0, shape=1.0)
WORN = partial(failures.weibull_failed_fraction, scale_s=100.0, shape=8.0)


def poisson(mean, size):
    return np.array([math.exp(-mean) * mean**x / math.factorial(x) for x in range(size)])


def test_a_constant_rate_gives_poissons_law_at_any_age():
    for age in (0.0, 250.0):
        got = failures.replacement_shares(230.0, failed_fraction=STEADY, age_s=age)
        np.testing.assert_allclose(got, poisson(2.3, got.size), atol=1e-6)
    fleet = {"failed_fraction": STEADY, "ages_s": np.zeros(40)}
    assert failures.mean_replacements(25.0, **fleet) == pytest.approx(10, rel=1e-5)
    assert failures.replacements_sd(25.0, **fleet) == pytest.approx(math.sqrt(10), rel=1e-5)
    below = np.cumsum(poisson(10, 60))
    for p in (0.05, 0.5, 0.95, 0.999):
        got = failures.replacements_quantile(p, horizon_s=25.0, **fleet)
        assert got == np.searchsorted(below, p)


def test_gamma_lives_renew_as_known():
    """Lives of two exponential stages: M(t) = t/2 - (1 - exp(-2 t))/4."""

    def law(age):
        finite = np.minimum(age, 1e3)
        return 1 - (1 + finite) * np.exp(-finite)

    for horizon in (0.5, 3.0, 20.0):
        known = horizon / 2 - (1 - math.exp(-2 * horizon)) / 4
        got = failures.mean_replacements(horizon, failed_fraction=law, ages_s=[0.0])
        assert got == pytest.approx(known, rel=2e-5)


def test_the_renewal_equation_holds():
    """M = F + integral of M(H - x) dF(x), with M of another lattice in the integral."""
    for horizon in (150.0,):
        edges = np.linspace(0, horizon, 121)
        middles, masses = (edges[1:] + edges[:-1]) / 2, np.diff(WORN(edges))
        later = [
            failures.mean_replacements(horizon - x, failed_fraction=WORN, ages_s=[0.0])
            for x in middles
        ]
        got = failures.mean_replacements(horizon, failed_fraction=WORN, ages_s=[0.0])
        assert got == pytest.approx(float(WORN(horizon)) + float(masses @ later), rel=2e-4)


def test_many_lives_approach_the_mean_and_spread_of_renewal_theory():
    """M(t) = t/mu + (c^2 - 1)/2 and V(t) = c^2 t/mu + constant, for relative spread c."""
    mean = 100 * math.gamma(1 + 1 / 8)
    square = (100**2 * math.gamma(1 + 2 / 8)) / mean**2 - 1
    one = {"failed_fraction": WORN, "ages_s": [0.0]}
    got = failures.mean_replacements(5000.0, **one)
    assert got == pytest.approx(5000 / mean + (square - 1) / 2, rel=1e-4)
    grown = (
        failures.replacements_sd(5000.0, **one) ** 2 - failures.replacements_sd(3000.0, **one) ** 2
    )
    assert grown == pytest.approx(square * 2000 / mean, rel=0.02)


def test_poisson_is_far_too_wide_for_drives_that_wear_out():
    fleet = {"failed_fraction": WORN, "ages_s": np.zeros(200)}
    mean, sd = failures.mean_replacements(190.0, **fleet), failures.replacements_sd(190.0, **fleet)
    assert math.sqrt(mean) > 1.9 * sd
    q95 = failures.replacements_quantile(0.95, horizon_s=190.0, **fleet)
    assert abs(q95 - (mean + 1.645 * sd)) <= 1
    assert q95 < mean + 1.645 * math.sqrt(mean) - 5


def test_slots_of_ages_apart_add_up():
    ages = np.array([0.0, 20.0, 70.0, 70.0])
    each = [failures.replacement_shares(120.0, failed_fraction=WORN, age_s=age) for age in ages]
    together = np.ones(1)
    for shares in each:
        together = np.convolve(together, shares)
    counts = np.arange(together.size)
    mean = counts @ together
    fleet = {"failed_fraction": WORN, "ages_s": ages}
    assert failures.mean_replacements(120.0, **fleet) == pytest.approx(mean, rel=1e-9)
    sd = failures.replacements_sd(120.0, **fleet)
    assert sd == pytest.approx(math.sqrt((counts - mean) ** 2 @ together), rel=1e-9)
    for p in (0.01, 0.5, 0.9, 0.9999):
        got = failures.replacements_quantile(p, horizon_s=120.0, **fleet)
        assert got == np.searchsorted(np.cumsum(together), p)


def test_an_old_drive_fails_sooner():
    at = [
        failures.mean_replacements(20.0, failed_fraction=WORN, ages_s=[age])
        for age in (0.0, 50.0, 90.0)
    ]
    assert at[0] < at[1] < at[2]
    left = (WORN(110.0) - WORN(90.0)) / (1 - WORN(90.0))
    assert at[2] == pytest.approx(left, rel=1e-3)


@settings(max_examples=15)
@given(st.floats(0.5, 20), st.floats(1, 400), st.floats(0, 60))
def test_shares_are_probabilities(shape, horizon, age):
    law = partial(failures.weibull_failed_fraction, scale_s=100.0, shape=shape)
    got = failures.replacement_shares(horizon, failed_fraction=law, age_s=age)
    assert np.all(got >= -1e-12)
    assert got.sum() == pytest.approx(1, abs=1e-12)
    longer = failures.replacement_shares(1.5 * horizon, failed_fraction=law, age_s=age)
    means = [np.arange(shares.size) @ shares for shares in (got, longer)]
    assert means[0] <= means[1]


def test_what_cannot_be_is_refused():
    with pytest.raises(DomainError, match=r"^horizon_s must be"):
        failures.replacement_shares(0.0, failed_fraction=WORN, age_s=0.0)
    with pytest.raises(DomainError, match=r"^horizon_s must be a single number"):
        failures.replacement_shares(np.array([1.0, 2.0]), failed_fraction=WORN, age_s=0.0)
    with pytest.raises(DomainError, match=r"^age_s must be an age that the law reaches"):
        failures.replacement_shares(1.0, failed_fraction=WORN, age_s=1e6)
    with pytest.raises(DomainError, match=r"^quantile must be"):
        failures.replacements_quantile(0.0, horizon_s=1.0, failed_fraction=WORN, ages_s=[0.0])


def test_the_law_of_a_drive_in_service_is_a_product_of_survivals():
    from scipy.stats import expon, truncnorm

    ages = np.array([1.0, 50.0, 90.0, 94.9, 95.0, 200.0])
    got = failures.failed_or_worn_fraction(
        ages, failures_per_s=0.002, mean_s=100.0, life_cv=0.05, replaced_fraction=0.95
    )
    wear = truncnorm(-20, np.inf, loc=100, scale=5)
    left = expon(scale=500).sf(ages) * wear.sf(ages) * (ages < 95)
    np.testing.assert_allclose(got, 1 - left, rtol=1e-12)


def test_drives_that_neither_fail_nor_wear_stay():
    life = {"failures_per_s": 0.0, "mean_s": math.inf, "life_cv": 0.05}
    assert failures.failed_or_worn_fraction([0.0, 1e9, 1e99], **life).tolist() == [0, 0, 0]
    ends = failures.failed_or_worn_fraction(math.inf, **life | {"mean_s": 100.0})
    assert ends == 1
    got = failures.replacements_over(1e9, members=12, quantile=0.95, life=DriveLife(**life))
    assert got == (0, 0, 0)


def test_drives_replaced_in_time_are_counted_by_the_calendar():
    """At half of the mean life none has failed or worn out yet: 3 of each of 12 in 1.9 lives."""
    life = DriveLife(0.0, 100.0, 0.05, 0.5)
    got = failures.replacements_over(190.0, members=12, quantile=0.95, life=life)
    assert got == pytest.approx((36, 0, 36), abs=1e-6)


@pytest.mark.parametrize("replaced", [math.inf, 0.95])
def test_replacements_are_those_of_simulated_fleets(replaced):
    result = run(
        Config(
            members=24, parities=2, failures_per_s=5e-4, wear=Normal(mean_s=100.0, sd_s=8.0),
            replaced_s=100 * replaced, rebuild_s=1e-6, horizon_s=230.0, trials=20_000,
        )
    )  # fmt: skip
    life = DriveLife(5e-4, 100.0, 0.08, replaced)
    got = failures.replacements_over(230.0, members=24, quantile=[0.5, 0.95], life=life)
    assert got.mean == pytest.approx(result.failures_mean + result.planned_mean, rel=2e-3)
    if math.isinf(replaced):  # the simulation counts what was replaced in time as a mean only
        assert got.sd == pytest.approx(result.failures_sd, rel=0.02)
        counted = np.quantile(result.failures, [0.5, 0.95], method="inverted_cdf")
        assert got.quantile.tolist() == counted.tolist()


def test_drives_of_a_constant_rate_follow_poissons_law():
    life = DriveLife(0.01, math.inf, 0.05)
    got = failures.replacements_over(25.0, members=40, quantile=0.95, life=life)
    below = np.cumsum(poisson(10, 60))
    assert got.mean == pytest.approx(10, rel=1e-5)
    assert got.sd == pytest.approx(math.sqrt(10), rel=1e-5)
    assert got.quantile == np.searchsorted(below, 0.95)


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"members": 0}, "^members must be a whole number"),
        ({"quantile": 1.5}, "^quantile must be"),
        ({"life": DriveLife(-1.0, 1.0, 0.05)}, "^failures_per_s must be >= 0"),
        ({"life": DriveLife(0.0, 1.0, 0.3)}, "^life_cv must be in"),
    ],
)
def test_impossible_fleets_are_refused(changed, match):
    known = {"members": 4, "quantile": 0.95, "life": DriveLife(0.0, 1.0, 0.05)}
    with pytest.raises(DomainError, match=match):
        failures.replacements_over(1.0, **known | changed)
