"""Replacements in closed form: against the lattice, exact limits, chance, and their own laws."""

import math
from functools import partial
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import failures, registry
from models.errors import DomainError

SPREADS = (0.01, 0.02, 0.05, 0.1, 0.15)
LIVES = (0.01, 0.5, 0.9, 1.0, 1.05, 1.5, 2.0, 4.5, 10.0, 30.0)
FAILURES = (0.001, 0.05, 0.3, 1.0)


def failed_or_worn(age, *, rate, life_cv, last=np.inf):
    """Share of drives that failed at a constant rate, wore out, or met the age for it."""
    age = np.asarray(age, float)
    worn = failures.normal_failed_fraction(age, mean_s=1.0, sd_s=life_cv)
    return np.where(age >= last, 1.0, 1 - (1 - worn) * np.exp(-rate * age))


def on_a_lattice(lives, expected_failures, life_cv, last=np.inf):
    law = partial(failed_or_worn, rate=expected_failures / lives, life_cv=life_cv, last=last)
    return failures.mean_replacements(lives, failed_fraction=law, ages_s=[0.0])


@pytest.mark.parametrize("life_cv", SPREADS)
def test_agrees_with_the_lattice_of_the_renewal_equation(life_cv):
    """The difference is the lattice's own: it falls as its step squared, over the spread."""
    entry = registry.CHECKED["closed_form_replacements"]
    for lives in LIVES[:: 1 if life_cv == 0.05 else 3]:
        for expected in FAILURES:
            got = failures.closed_form_replacements(
                lives, expected_failures=expected, life_cv=life_cv
            )
            wanted = on_a_lattice(lives, expected, life_cv)
            assert got == pytest.approx(wanted, rel=entry.error), (lives, expected)
            for name, value in {"lives": lives, "expected_failures": expected}.items():
                low, high = entry.ranges[name]
                assert low <= value <= high


def test_the_lattice_was_asked_at_the_ends_of_each_range():
    ranges = registry.CHECKED["closed_form_replacements"].ranges
    tried = {"lives": LIVES, "expected_failures": FAILURES, "life_cv": SPREADS}
    assert ranges == {name: (min(values), max(values)) for name, values in tried.items()}


@pytest.mark.parametrize("life_cv", [0.01, 0.02, 0.05])
def test_the_first_generation_is_the_integral_over_its_lives(life_cv):
    """A drive worn out at w was put in at the start or after a failure before, and lasted."""
    for used in (0.9, 0.95, 1.0, 1.2):
        for expected in (0.001, 0.3):
            ages, rate = np.linspace(0, used, 200_001), expected / used
            density = np.exp(-(((ages - 1) / life_cv) ** 2) / 2) / (
                life_cv * math.sqrt(2 * math.pi)
            )
            worn = np.trapezoid(density * np.exp(-rate * ages) * (1 + rate * (used - ages)), ages)
            got = failures.closed_form_replacements(
                used, expected_failures=expected, life_cv=life_cv
            )
            assert got == pytest.approx(expected + worn, rel=1e-7)


def test_without_failures_it_counts_sums_of_normal_lives():
    for life_cv in SPREADS:
        for lives in (0.9, 1.0, 2.3, 7.1, 29.8):
            wanted = sum(NormalDist(k, life_cv * math.sqrt(k)).cdf(lives) for k in range(1, 60))
            got = failures.closed_form_replacements(lives, expected_failures=0.0, life_cv=life_cv)
            assert got == pytest.approx(wanted, rel=1e-9)


def test_without_writes_only_failures_count():
    for expected in (0.0, 0.05, 1.0, 200.0):
        for lives in (0.0, 1e-9, 1e-4):
            got = failures.closed_form_replacements(lives, expected_failures=expected, life_cv=0.15)
            assert got == expected


def drawn(lives, expected, life_cv, *, slots=40_000, power=1.0):
    """Mean and standard error of chance; time runs to 1, writes to `lives` as its power."""
    rng = np.random.default_rng(7)
    time, used, count = np.zeros(slots), np.zeros(slots), np.zeros(slots)
    on = np.arange(slots)
    while on.size:
        failed = time[on] + rng.exponential(1 / expected, on.size)
        ends = used[on] + rng.normal(1, life_cv, on.size)
        worn = (ends / lives) ** (1 / power)
        first = np.minimum(failed, worn)
        time[on], used[on] = first, np.where(worn < failed, ends, lives * first**power)
        on = on[first <= 1]
        count[on] += 1
    return count.mean(), count.std() / math.sqrt(slots)


@pytest.mark.parametrize(
    ("lives", "expected", "life_cv"), [(0.97, 0.02, 0.02), (2.5, 0.3, 0.1), (7.0, 1.0, 0.15)]
)
def test_chance_gives_the_same_mean(lives, expected, life_cv):
    mean, error = drawn(lives, expected, life_cv)
    got = failures.closed_form_replacements(lives, expected_failures=expected, life_cv=life_cv)
    assert abs(got - mean) < 4 * error


@pytest.mark.parametrize(("expected", "allowed"), [(0.05, 0.01), (0.25, 0.035)])
def test_writes_that_rise_with_time_are_counted_a_little_low(expected, allowed):
    for lives in (1.05, 1.5, 2.2):
        mean, error = drawn(lives, expected, 0.05, power=2.0)
        got = failures.closed_form_replacements(lives, expected_failures=expected, life_cv=0.05)
        assert -allowed * mean - 4 * error < got - mean < 4 * error


def test_many_lives_follow_the_line_of_renewal_theory():
    """M = x/mu + (1 + c^2)/2 - 1; beside it the sum goes up and down by less than one."""
    for life_cv in SPREADS:
        just = failures.closed_form_replacements(99.9, expected_failures=0.5, life_cv=life_cv)
        over = failures.closed_form_replacements(100.1, expected_failures=0.5, life_cv=life_cv)
        assert abs(over - just - 0.2) < 0.5
        far = failures.closed_form_replacements(1e6, expected_failures=0.0, life_cv=life_cv)
        assert far == pytest.approx(1e6 + (1 + life_cv**2) / 2 - 1, rel=1e-12)
    # Many failures in a life: the mean life is E[min(W, E)] = (1 - E[exp(-a W)])/a.
    rate, life_cv = 0.5, 0.1
    mean = (1 - math.exp(-rate + rate**2 * life_cv**2 / 2)) / rate
    got = failures.closed_form_replacements(1e4, expected_failures=1e4 * rate, life_cv=life_cv)
    assert got == pytest.approx(1e4 / mean, abs=1.0)


def test_arrays_that_mix_every_regime_give_what_their_elements_give():
    used = np.array([0.0, 1e-9, 0.02, 0.5, 0.99, 3.0, 99.0, 101.0, 1e5])[:, None, None]
    failed = np.array([0.0, 0.02, 5.0])[:, None]
    spread = np.array([0.01, 0.15])
    together = failures.closed_form_replacements(used, expected_failures=failed, life_cv=spread)
    assert together.shape == (9, 3, 2)
    apart = [
        failures.closed_form_replacements(float(x), expected_failures=float(f), life_cv=float(c))
        for x in used.ravel() for f in failed.ravel() for c in spread
    ]  # fmt: skip
    np.testing.assert_allclose(together.ravel(), apart, rtol=1e-13)


lives = st.floats(0, 40)
expected = st.floats(0, 3)
spreads = st.floats(0.01, 0.15)


@given(lives, expected, spreads, st.floats(0, 1), st.floats(0, 1))
def test_more_writes_and_more_failures_never_need_fewer_drives(x, f, c, more_x, more_f):
    one = failures.closed_form_replacements(x, expected_failures=f, life_cv=c)
    other = failures.closed_form_replacements(x + more_x, expected_failures=f + more_f, life_cv=c)
    assert other >= one - 1e-9


@given(lives, expected, spreads)
def test_lies_between_failures_alone_and_both_apart(x, f, c):
    both = failures.closed_form_replacements(x, expected_failures=f, life_cv=c)
    worn = failures.closed_form_replacements(x, expected_failures=0.0, life_cv=c)
    assert f <= both <= f + worn + 1e-9


@pytest.mark.parametrize("life_cv", [0.16, 0.0, 1.0])
def test_refuses_a_spread_that_is_no_law_of_lives(life_cv):
    for formula in (
        partial(failures.closed_form_replacements, 1.0, expected_failures=0.1),
        partial(failures.early_mean_life, 0.9),
        partial(failures.early_life_cv, 0.9),
    ):
        with pytest.raises(DomainError, match=r"^life_cv must be"):
            formula(life_cv=life_cv)


@pytest.mark.parametrize("name", ["lives", "expected_failures"])
def test_refuses_what_is_not_finite(name):
    given_ = {"lives": 1.0, "expected_failures": 0.1, "life_cv": 0.05} | {name: math.inf}
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        failures.closed_form_replacements(given_.pop("lives"), **given_)


def test_lives_cut_short_have_the_mean_and_spread_of_a_sample():
    drawn_lives = np.random.default_rng(3).normal(1.0, 0.1, 400_000)
    for last in (0.8, 0.95, 1.0, 1.2):
        cut = np.minimum(drawn_lives, last)
        mean = failures.early_mean_life(last, life_cv=0.1)
        assert mean == pytest.approx(cut.mean(), abs=6e-4)
        spread = failures.early_life_cv(last, life_cv=0.1)
        assert spread == pytest.approx(cut.std() / cut.mean(), rel=0.01)
    assert failures.early_mean_life(3.0, life_cv=0.1) == 1.0
    assert failures.early_life_cv(3.0, life_cv=0.1) == pytest.approx(0.1)
    assert failures.early_life_cv(0.5, life_cv=0.01) == 1e-4


@pytest.mark.parametrize(("lives", "last"), [(0.8, 0.9), (1.2, 0.9), (2.4, 0.95), (2.6, 0.9)])
def test_drives_replaced_in_time_are_counted_away_from_the_time_itself(lives, last):
    mean = failures.early_mean_life(last, life_cv=0.05)
    got = failures.closed_form_replacements(
        lives / mean, expected_failures=0.05, life_cv=failures.early_life_cv(last, life_cv=0.05)
    )
    assert got == pytest.approx(on_a_lattice(lives, 0.05, 0.05, last), abs=0.02)
