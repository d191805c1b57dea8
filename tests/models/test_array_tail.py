"""Worst case of many drives: the printed floor, high precision, exhaustive counting."""

from itertools import product

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import array_tail
from tests.published import Printed

fractions = st.one_of(st.floats(0, 1), st.floats(-300, 0).map(lambda exponent: 10.0**exponent))
members = st.integers(1, 1000)


# AnandTech 8319, "Performance Consistency - Worst-Case IOPS": 12 drives of 5K give 60K.
def test_floor_reproduces_anandtech_8319():
    assert Printed("60000").admits(array_tail.worst_case_iops(5_000, members=12))


def test_the_floor_of_twelve_drives_is_almost_never_met():
    assert Printed("46").admits(100 * array_tail.stall_probability(0.05, members=12))
    assert Printed("2.4e-16").admits(array_tail.aligned_stall_probability(0.05, members=12))


@given(fractions, members)
def test_probabilities_agree_with_high_precision(stalled, n):
    with mpmath.workdps(400):
        s = mpmath.mpf(stalled)
        any_stalled, all_stalled = 1 - (1 - s) ** n, s**n
    got = array_tail.stall_probability(stalled, members=n)
    assert got == pytest.approx(float(any_stalled), rel=1e-12, abs=0)
    got = array_tail.aligned_stall_probability(stalled, members=n)
    assert got == pytest.approx(float(all_stalled), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("stalled", [1e-20, 1e-17, 1e-12])
def test_small_shares_add_up_instead_of_vanishing(stalled):
    assert 1 - (1 - 1e-17) ** 12 == 0  # what the expression as written would give
    got = array_tail.stall_probability(stalled, members=12)
    assert got == pytest.approx(12 * stalled, rel=1e-10, abs=0)


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("stalled", [0.0, 0.05, 0.5, 1.0])
def test_probabilities_agree_with_counting_every_state(n, stalled):
    any_stalled = all_stalled = 0.0
    for state in product([True, False], repeat=n):
        chance = 1.0
        for member in state:
            chance *= stalled if member else 1 - stalled
        any_stalled += chance * any(state)
        all_stalled += chance * all(state)
    got = array_tail.stall_probability(stalled, members=n)
    assert got == pytest.approx(any_stalled, abs=1e-15)
    got = array_tail.aligned_stall_probability(stalled, members=n)
    assert got == pytest.approx(all_stalled, abs=1e-15)


@given(st.floats(1e-6, 1 - 1e-6), members)
def test_all_stalled_is_rarer_than_one_and_one_rarer_than_any(stalled, n):
    all_stalled = array_tail.aligned_stall_probability(stalled, members=n)
    any_stalled = array_tail.stall_probability(stalled, members=n)
    assert all_stalled <= stalled * (1 + 1e-12)
    assert stalled <= any_stalled * (1 + 1e-12)
    assert 0 <= all_stalled <= any_stalled * (1 + 1e-12) <= 1 + 1e-12


@given(st.floats(1e-3, 1), members)
def test_member_quantile_inverts(quantile, n):
    member = array_tail.member_quantile(quantile, members=n)
    assert member**n == pytest.approx(quantile, rel=1e-9)
    assert member >= quantile


@given(st.floats(0.01, 1, exclude_max=True), members)
def test_member_quantile_is_the_complement_of_the_stall_probability(quantile, n):
    member = array_tail.member_quantile(quantile, members=n)
    slow = array_tail.stall_probability(1 - member, members=n)
    assert 1 - slow == pytest.approx(quantile, rel=1e-9)


def test_one_member_decides_alone():
    assert array_tail.worst_case_iops(5_000, members=1) == 5_000
    assert array_tail.member_quantile(0.99, members=1) == 0.99


@given(st.floats(1e-3, 1), members)
def test_a_stripe_over_independent_members_needs_every_one(quantile, n):
    got = array_tail.stripe_quantile(quantile, members=n, correlation=0)
    assert got == pytest.approx(array_tail.member_quantile(quantile, members=n), rel=1e-12)
    alone = array_tail.stripe_quantile(quantile, members=n, correlation=1)
    assert alone == pytest.approx(quantile, rel=1e-12)


@given(st.floats(0.5, 0.9999), members, st.floats(0, 1))
def test_correlation_relieves_a_stripe(quantile, n, correlation):
    got = array_tail.stripe_quantile(quantile, members=n, correlation=correlation)
    assert quantile * (1 - 1e-12) <= got
    assert got <= array_tail.member_quantile(quantile, members=n) * (1 + 1e-12)


def test_effective_members_of_slow_periods_drawn_in_common():
    """Each member is slow by itself, or takes part in what all share, at the same total share."""
    assert array_tail.independent_members(12, correlation=0.75) == 3.75
    share, n, correlation = 1e-3, 12, 0.75
    common = share * correlation
    own = share * (1 - correlation)
    any_slow = 1 - (1 - common) * (1 - own) ** n
    effective = array_tail.independent_members(n, correlation=correlation)
    assert 1 - (1 - share) ** effective == pytest.approx(any_slow, rel=0.01)
