"""Data loss of a group: exact arithmetic, published figures, what others got wrong, laws."""

import itertools
import math
import time

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models import failures
from models.errors import DomainError
from models.failures._chain import ended
from models.failures._group import checked, rates, survival
from models.failures.wear_out import Group
from models.units import DAY_S, HOUR_S, TB, YEAR_S
from tests.published import Printed

EIGHT = Group(8, 1, 0.01 / YEAR_S, 4 * HOUR_S, 0.0)


def exact(horizon_s, up, down, aside):
    """The matrix exponential with 60 digits."""
    states = len(up)
    with mpmath.workdps(60):
        matrix = mpmath.zeros(states + 2)
        for i in range(states):
            matrix[i, i + 1] = up[i]
            if i:
                matrix[i, i - 1] = down[i - 1]
        matrix[states - 1, states + 1] = aside
        for i in range(states):
            matrix[i, i] = -sum(matrix[i, j] for j in range(states + 2))
        last = mpmath.expm(matrix * mpmath.mpf(horizon_s))
        return [float(last[0, states]), float(last[0, states + 1])]


@pytest.mark.parametrize("parities", [0, 1, 2, 4])
@pytest.mark.parametrize("rate", [1e-13, 3e-10, 1e-7, 1e-5])
@pytest.mark.parametrize("horizon_s", [3.0, 1e5, 5 * YEAR_S])
def test_the_chain_is_exact_from_the_smallest_probability_to_certainty(parities, rate, horizon_s):
    numbers = map(np.asarray, checked(parities + 5, parities, rate, 1e5, 0.02))
    members, _, *others = numbers
    up, down, aside = rates(parities, members, *others)
    found = ended(np.asarray(horizon_s), up, down, aside)
    np.testing.assert_allclose(found, exact(horizon_s, up, down, aside), rtol=1e-12)


def test_the_mean_time_solves_the_equations_of_the_chain():
    for parities, h in itertools.product((0, 1, 2, 3), (0.0, 0.3)):
        group = EIGHT._replace(parities=parities, failures_per_s=1e-7, unreadable_probability=h)
        members, _, *others = map(np.asarray, checked(*group))
        up, down, aside = rates(parities, members, *others)
        with mpmath.workdps(40):
            matrix = mpmath.zeros(parities + 1)
            for i in range(parities + 1):
                matrix[i, i] = mpmath.mpf(up[i])
                if i:
                    matrix[i, i] += mpmath.mpf(down[i - 1])
                    matrix[i, i - 1] = -mpmath.mpf(down[i - 1])
                if i < parities:
                    matrix[i, i + 1] = -mpmath.mpf(up[i])
            matrix[parities, parities] += mpmath.mpf(float(aside))
            times = mpmath.lu_solve(matrix, mpmath.ones(parities + 1, 1))
        assert failures.mttdl_s(**group._asdict()) == pytest.approx(float(times[0]), rel=1e-12)


def test_one_parity_is_the_textbook_mean_time_where_failures_are_rare():
    """[(2n - 1) l + mu] / [n l ((n - 1) l + mu h)], D. A. Patterson and others, 1988."""
    n, rate, mu, h = 8, 0.01 / YEAR_S, 1 / (4 * HOUR_S), 1e-4
    textbook = ((2 * n - 1) * rate + mu) / (n * rate * ((n - 1) * rate + mu * h))
    group = EIGHT._replace(unreadable_probability=h)
    assert failures.mttdl_s(**group._asdict()) == pytest.approx(textbook, rel=2e-4)


def test_over_a_short_horizon_the_mean_time_gives_the_probability():
    mean = failures.mttdl_s(**EIGHT._asdict())
    horizon = 5 * YEAR_S
    got = failures.loss_probability(horizon, **EIGHT._asdict())
    assert got == pytest.approx(-math.expm1(-horizon / mean), rel=1e-3)


def test_without_parity_any_failure_loses():
    got = failures.loss_probability(
        YEAR_S, members=3, parities=0, failures_per_s=1e-8, rebuild_s=10, unreadable_probability=0.5
    )
    assert got == pytest.approx(-math.expm1(-3e-8 * YEAR_S), rel=1e-12)


def test_the_rebuild_that_never_fits_a_sector_loses_with_the_first_failure():
    got = failures.loss_probability(
        YEAR_S, members=4, parities=1, failures_per_s=1e-8, rebuild_s=1.0, unreadable_probability=1
    )
    assert got == pytest.approx(-math.expm1(-4e-8 * YEAR_S), rel=1e-6)


@pytest.mark.parametrize(("classed", "percent"), [(1e-15, "19.3"), (1e-16, "2.1"), (1e-17, "0.21")])
def test_the_class_of_uber_decides_a_rebuild(classed, percent):
    """Seven members of 3.84 TB read in full."""
    h = failures.unreadable_probability(7 * 3.84 * TB, uber=classed)
    assert Printed(percent).admits(100 * h)


def test_t15_the_failures_that_are_left_out_of_a_durability():
    """A cloud's eleven nines: C(n, P + 1) (l T)^(P + 1) / T counts windows that do not slide.

    It is low by P + 1: 7.35e-12 a year for 17 + 3 drives of 0.405 % a year that are rebuilt within
    6.5 days, where 2.94e-11 are right; (P + 1)! with rebuilds one after the other of exponential
    times, which no rebuild has.
    """
    year = 365.25 * DAY_S
    n, m, rate, rebuild = 20, 3, 0.00405 / year, 6.5 * DAY_S
    windows = math.comb(n, m + 1) * (rate * rebuild) ** (m + 1) / rebuild * year
    assert Printed("7.35e-12").admits(windows)
    group = Group(n, m, rate, rebuild, 0.0)
    yearly = year / failures.mttdl_s(**group._asdict())
    assert yearly == pytest.approx((m + 1) * windows, rel=2e-3)
    assert Printed("2.94e-11").admits((m + 1) * windows)
    ten = failures.loss_probability(10 * year, **group._asdict())
    assert ten == pytest.approx(10 * yearly, rel=0.005)
    up = (n - np.arange(m + 1.0)) * rate
    serial = ended(np.asarray(100 * year), up, np.full(m, 1 / rebuild), np.zeros(()))
    assert serial[0] / 100 == pytest.approx(math.factorial(m + 1) * windows, rel=0.005)


def test_t17_more_parity_is_never_less_safe():
    """A web calculator leaves rates out of its formulas: RAID 6 39,637 years, RAID 5 158,549.

    RAID 1 omits the rebuild time (57 years where 2.38 million are right), and risk falls as the
    drives' UBER gets worse.
    """
    mtbf, day = 1e6 * HOUR_S, DAY_S
    pair = failures.mttdl_s(
        2, parities=1, failures_per_s=1 / mtbf, rebuild_s=day, unreadable_probability=0
    )
    assert Printed("2.38").admits(pair / YEAR_S / 1e6)
    assert Printed("57").admits(mtbf / 2 / YEAR_S)
    five, six = failures.mttdl_s(
        6, parities=[1, 2], failures_per_s=1 / mtbf, rebuild_s=day, unreadable_probability=0
    )
    assert Printed("158549").admits(mtbf**2 / (6 * 5 * day) / YEAR_S)
    assert five == pytest.approx(mtbf**2 / (6 * 5 * day), rel=5e-4)
    parallel = 2 * mtbf**3 / (6 * 5 * 4 * day**2)  # two rebuilds side by side
    assert six == pytest.approx(parallel, rel=5e-4)
    assert Printed("1.65e9").admits(parallel / 2 / YEAR_S)  # printed for exponential, in turn
    assert six > 1e4 * five


def test_t17_the_complement_of_a_small_uber_is_not_1():
    """1 - (1 - 1e-17)^n is 0 in floating point, so that the calculator finds an infinite MTTDL."""
    bits = 8 * 4 * TB
    assert 1 - (1 - 1e-17) ** bits == 0
    h = failures.unreadable_probability(4 * TB, uber=1e-17)
    assert Printed("3.2e-4").admits(h)
    pair = failures.loss_probability(
        YEAR_S, members=2, parities=1, failures_per_s=1e-9, rebuild_s=HOUR_S,
        unreadable_probability=h,
    )  # fmt: skip
    assert pair > h * 2e-9 * YEAR_S * 0.9


def test_ten_thousand_arrays_take_less_than_a_second():
    count = 10_000
    rng = np.random.default_rng(1)
    began = time.process_time()
    got = failures.loss_probability(
        5 * YEAR_S, members=rng.integers(5, 30, count), parities=rng.integers(0, 5, count),
        failures_per_s=rng.uniform(1e-10, 1e-9, count), rebuild_s=rng.uniform(1e3, 1e6, count),
        unreadable_probability=rng.uniform(0, 0.5, count),
    )  # fmt: skip
    assert time.process_time() - began < 1.0
    assert got.shape == (count,)
    assert np.all((got > 0) & (got <= 1))


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("members", {"members": 1}), ("parities", {"parities": 8}), ("parities", {"parities": 0.5}),
        ("parities", {"parities": 31, "members": 40}), ("rebuild_s", {"rebuild_s": math.inf}),
        ("failures_per_s", {"failures_per_s": math.inf}),
    ],
)  # fmt: skip
def test_impossible_groups_are_refused(name, changed):
    match = "^members must be > parities" if changed == {"parities": 8} else f"^{name} must be"
    with pytest.raises(DomainError, match=match):
        failures.loss_probability(YEAR_S, **EIGHT._asdict() | changed)


def test_parts_add_up_in_every_way():
    parts = failures.loss_probability_parts(
        YEAR_S, members=8, parities=[1, 2], failures_per_s=1e-8, rebuild_s=1e5,
        unreadable_probability=0.1,
    )  # fmt: skip
    failed, unreadable = parts.failed, parts.unreadable
    steady = failed + unreadable
    total = failures.total_loss_probability(
        failed, unreadable_loss_probability=unreadable, wear_out_loss_probability=0.25
    )
    np.testing.assert_allclose(total, 1 - 0.75 * (1 - steady), rtol=1e-12)
    np.testing.assert_allclose(failures.any_loss_probability(steady, groups=1), steady, rtol=1e-12)
    assert failures.any_loss_probability(0.5, groups=3) == 0.875
    assert failures.any_loss_probability(1.0, groups=3) == 1.0
    assert failures.any_loss_probability(1e-30, groups=1000) == pytest.approx(1e-27, rel=1e-12)
    lost = failures.expected_lost_bytes(
        failed, unreadable_loss_probability=unreadable, usable_bytes=1e13, unreadable_bytes=4096
    )
    np.testing.assert_allclose(lost, failed * 1e13 + unreadable * 4096, rtol=1e-12)


def test_latent_errors_are_a_probability_with_and_without_scrubs():
    rate = {"unreadable_per_s": 1e-9, "members": 7}
    scrub = np.array([1.0, 1e4, 2e5, 1e8, 1e12])
    steps = (np.arange(20_000) + 0.5) / 20_000
    mean = [failures.latent_probability(steps * s, **rate).mean() for s in scrub]
    np.testing.assert_allclose(failures.scrubbed_latent_probability(scrub, **rate), mean, rtol=1e-6)
    edge = np.array([0.9999999, 1.0000001]) * 1e-3 / 7e-9
    low, high = failures.scrubbed_latent_probability(edge, **rate)
    assert low < high
    assert high == pytest.approx(low, rel=1e-6)


log_rates = st.floats(-13, -5).map(lambda x: 10**x)
log_times = st.floats(0, 7).map(lambda x: 10**x)
horizons = st.floats(1, 9).map(lambda x: 10**x)
shares = st.one_of(st.just(0.0), st.floats(-12, 0).map(lambda x: 10**x))
groups = st.tuples(st.integers(2, 40), st.integers(0, 5)).flatmap(
    lambda pair: st.builds(
        Group, st.just(pair[0]), st.just(min(pair[1], pair[0] - 1)), log_rates, log_times, shares
    )
)


@settings(max_examples=50)
@given(horizons, groups)
def test_a_probability_is_one_and_no_risk_is_lost(horizon_s, group):
    got = failures.loss_probability(horizon_s, **group._asdict())
    assert 0 < got <= 1
    failed, unreadable = failures.loss_probability_parts(horizon_s, **group._asdict())
    assert failed > 0
    assert (unreadable > 0) == (group.unreadable_probability > 0 and group.parities > 0)


@settings(max_examples=50)
@given(horizons, groups)
def test_more_parity_never_raises_the_loss(horizon_s, group):
    assume(group.parities + 1 < group.members)
    with_h, more = (
        failures.loss_probability(horizon_s, **group._replace(parities=m)._asdict())
        for m in (group.parities, group.parities + 1)
    )
    if group.parities or group.unreadable_probability == 0:
        assert more <= with_h * (1 + 1e-12)


@settings(max_examples=50)
@given(horizons, groups)
def test_raid_6_is_safer_than_raid_5_and_that_than_none(horizon_s, group):
    assume(group.members > 2)
    none, five, six = (
        failures.loss_probability(horizon_s, **group._replace(parities=m)._asdict())
        for m in range(3)
    )
    assert six <= five * (1 + 1e-12)
    assert five <= none * (1 + 1e-12)


@settings(max_examples=50)
@given(horizons, groups, shares)
def test_a_better_uber_never_raises_the_loss(horizon_s, group, better):
    worse = max(better, group.unreadable_probability)
    low, high = (
        failures.loss_probability(horizon_s, **group._replace(unreadable_probability=h)._asdict())
        for h in (min(better, group.unreadable_probability), worse)
    )
    assert low <= high * (1 + 1e-12)


@settings(max_examples=50)
@given(horizons, groups, st.floats(1, 100))
def test_a_longer_rebuild_never_lowers_the_loss(horizon_s, group, times):
    """But for sectors that a rebuild has not come to by the end of the horizon."""
    short, long = (
        failures.loss_probability(horizon_s, **group._replace(rebuild_s=t)._asdict())
        for t in (group.rebuild_s, group.rebuild_s * times)
    )
    unread = min(1.0, times * group.rebuild_s / horizon_s) if group.unreadable_probability else 0.0
    assert short * (1 - unread) <= long * (1 + 1e-12)


@settings(max_examples=50)
@given(horizons, groups, st.integers(1, 20), st.floats(1, 10))
def test_more_members_failures_or_time_never_lower_the_loss(horizon_s, group, more, times):
    base = failures.loss_probability(horizon_s, **group._asdict())
    changed = [
        (horizon_s, group._replace(members=group.members + more)),
        (horizon_s, group._replace(failures_per_s=group.failures_per_s * times)),
        (horizon_s * times, group),
    ]
    for horizon, other in changed:
        assert base <= failures.loss_probability(horizon, **other._asdict()) * (1 + 1e-12)


@pytest.mark.parametrize("met", [1e-6, 9e-4, 2e-3, 0.3])
def test_what_scrubbing_leaves_is_the_mean_over_its_interval(met):
    """1 - (1 - exp(-m)) / m, at forty digits."""
    with mpmath.workdps(40):
        exact = 1 + mpmath.expm1(-mpmath.mpf(met)) / mpmath.mpf(met)
    got = failures.scrubbed_latent_probability(met, unreadable_per_s=1.0, members=1)
    assert got == pytest.approx(float(exact), rel=1e-12, abs=0)


@pytest.mark.parametrize("order", [1, 2, 3, 8, 30, 32])
def test_the_survival_of_a_rebuild_is_the_function_of_kummer(order):
    losses = np.array([0, 1e-12, 1e-4, 0.3, 1, 1.99, 2, 2.01, 7, 29.9, 32, 33, 100, 650, 1e6, 1e11])
    with mpmath.workdps(60):
        exact = [float(mpmath.hyp1f1(1, order, -mpmath.mpf(float(each)))) for each in losses]
    np.testing.assert_allclose(survival(order, losses), exact, rtol=2e-15)
    for each, value in zip(losses, exact, strict=True):
        assert survival(order, np.array(each)) == pytest.approx(value, rel=2e-15, abs=0)
    limit = [(order - 1) / 1e15, 0.0]
    np.testing.assert_allclose(survival(order, np.array([1e15, np.inf])), limit, rtol=1e-12)
