"""Errors of formulas against drives drawn from the model of random effects, and identities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from models.model_error import conformal_half, joined, known_family, new_family

PRIOR_SD = 0.25
numbers = st.floats(-2, 2)
families = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3), st.lists(numbers, min_size=1, max_size=4),
    min_size=1, max_size=9,
)  # fmt: skip


def drawn(rng, count, within):
    """Return the spread of families, of the prior, and errors of each family measured."""
    between = PRIOR_SD * math.sqrt(3 / rng.chisquare(3))
    means = rng.normal(0.1, between, count)
    errors = {
        str(number): rng.normal(mean, within, rng.integers(1, 9))
        for number, mean in enumerate(means)
    }
    return between, errors


@pytest.mark.parametrize("count", [3, 5, 9])
@pytest.mark.parametrize("within", [0.0, 0.3])
def test_nine_of_ten_drives_of_a_new_family_are_covered(count, within):
    rng, hits = np.random.default_rng(count), []
    for _ in range(2500):
        between, errors = drawn(rng, count, within)
        error = new_family(errors, prior_sd=PRIOR_SD)
        drive = rng.normal(rng.normal(0.1, between), within)
        hits.append(abs(drive - error.middle) <= error.half)
    assert 0.88 <= np.mean(hits) <= 0.92


@pytest.mark.parametrize("measured", [1, 6])
def test_nine_of_ten_units_of_a_known_family_are_covered(measured):
    rng, hits = np.random.default_rng(measured), []
    for _ in range(2500):
        between, errors = drawn(rng, 5, 0.2)
        of_family = rng.normal(0.1, between)
        unit, other = rng.normal(of_family, 0.12, 2)
        own = rng.normal(unit, 0.2, measured)
        error = known_family(new_family(errors, prior_sd=PRIOR_SD), own_errors=own)
        hits.append(abs(rng.normal(other, 0.2) - error.middle) <= error.half)
    # What is known of units and within families is known better than t says, which counts families.
    assert 0.88 <= np.mean(hits) <= 0.94


def test_families_without_end_leave_the_normal_quantile_of_their_spread():
    rng = np.random.default_rng(4)
    errors = {str(number): [value] for number, value in enumerate(rng.normal(0, 0.4, 20_000))}
    error = new_family(errors, prior_sd=PRIOR_SD)
    assert error.half == pytest.approx(0.4 * 1.6449, rel=0.02)
    assert error.middle == pytest.approx(0, abs=0.01)


def test_a_family_measured_once_does_not_hide_the_spread_of_the_others():
    alone = {"A": [0.3], "B": [-0.2], "C": [0.1]}
    error = new_family({**alone, "D": [0.5, -0.5]}, prior_sd=PRIOR_SD)
    assert error.within == pytest.approx(math.sqrt(0.5))
    assert new_family(alone, prior_sd=PRIOR_SD).within == 0


@given(families, numbers)
def test_another_family_widens_no_more_than_its_own_error_explains(errors, added):
    errors = {name: own[:1] for name, own in errors.items()}
    before = new_family(errors, prior_sd=PRIOR_SD)
    after = new_family({**errors, "new": [added]}, prior_sd=PRIOR_SD)
    distance = (added - before.middle) ** 2 / (1 + 1 / len(errors))  # in units of one family
    explained = (before.degrees + distance / before.between**2) / (before.degrees + 1)
    assert after.half <= before.half * math.sqrt(max(1, explained)) * (1 + 1e-9)


@given(families, st.lists(numbers, min_size=1, max_size=5), st.floats(0, 0.5))
def test_a_family_of_its_own_lies_between_all_and_its_own_and_is_no_wider(errors, own, unit_sd):
    unmeasured = new_family(errors, prior_sd=PRIOR_SD)
    known = known_family(unmeasured, own_errors=own, unit_sd=0.0)
    ends = sorted((unmeasured.middle, float(np.mean(own))))
    assert ends[0] - 1e-9 <= known.middle <= ends[1] + 1e-9
    assert known.half <= unmeasured.half * (1 + 1e-9)
    assert known_family(unmeasured, own_errors=own, unit_sd=unit_sd).half >= known.half - 1e-9


def test_one_witness_of_two_covers_what_both_tell_of():
    """Draws of correlated errors; the second is half as wide."""
    rng, truth = np.random.default_rng(2), 3.0
    sds = np.array([0.5, 0.25])
    cov = np.outer(sds, sds) * [[1, 0.3], [0.3, 1]]
    halves = 1.6449 * sds
    hits, half = [], 0.0
    for told in rng.multivariate_normal([truth, truth], cov, 4000):
        middle, half = joined(told, halves=halves, degrees=[1e6, 1e6], witness_correlation=0.3)
        hits.append(abs(middle - truth) <= half)
    assert np.mean(hits) == pytest.approx(0.9, abs=0.02)
    assert half < halves.min()


@given(numbers, numbers, st.floats(0.1, 3), st.floats(0.1, 3), st.floats(0, 0.99))
def test_a_second_witness_never_widens_and_their_order_is_free(one, other, wide, narrow, rho):
    both = joined([one, other], halves=[wide, narrow], degrees=[7, 7], witness_correlation=rho)
    turned = joined([other, one], halves=[narrow, wide], degrees=[7, 7], witness_correlation=rho)
    assert both == pytest.approx(turned)
    assert both.half <= min(wide, narrow) * (1 + 1e-9)
    assert min(one, other) - 1e-9 <= both.middle <= max(one, other) + 1e-9


@pytest.mark.parametrize("draw", ["standard_normal", "standard_cauchy", "standard_exponential"])
def test_conformal_halves_cover_families_of_any_law(draw):
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(2000):
        scales = np.exp(rng.normal(0, 1, 25))
        *known, own = (scale * getattr(rng, draw)(3) for scale in scales)
        half = conformal_half({str(number): family for number, family in enumerate(known)})
        hits.append(np.mean(np.abs(own) <= half))
    assert 0.9 <= np.mean(hits) <= 0.94  # from 0.9 to 0.9 + 1/(V + 1)


def test_a_tenth_of_families_takes_nine_of_them():
    assert conformal_half({str(size): [float(size)] for size in range(1, 10)}) == 9.0
    with pytest.raises(DomainError, match="coverage must be in"):
        conformal_half({str(size): [float(size)] for size in range(1, 9)})


@pytest.mark.parametrize(
    "errors", [{}, {"a": []}, {"a": [math.nan]}, {"a": [0.1], "b": [math.inf]}]
)
def test_a_family_without_numbers_is_refused(errors):
    for formula in (conformal_half, lambda given: new_family(given, prior_sd=0.25)):
        with pytest.raises(DomainError, match="errors must be"):
            formula(errors)
