"""Growing writes against the integral of their rate, then against their own laws."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models import endurance, growth
from models.errors import DomainError
from models.units import TB, YEAR_S

growths = st.one_of(
    st.floats(-0.999, 10),
    st.floats(-18, -1).map(lambda exponent: 10.0**exponent),
    st.floats(-18, -1).map(lambda exponent: -(10.0**exponent)),
)


def growing_life_years(steady_years: float, yearly: float) -> mpmath.mpf:
    """Years to write what a steady rate writes in `steady_years`, with 60 digits."""
    with mpmath.workdps(60):
        rate = mpmath.log1p(mpmath.mpf(yearly))
        spent = rate * mpmath.mpf(steady_years)
        if spent <= -1:
            return mpmath.inf
        return mpmath.log1p(spent) / rate if rate else mpmath.mpf(steady_years)


@given(st.floats(0.01, 1e4), growths)
def test_growing_lifetime_is_its_integral_in_closed_form(steady_years, yearly):
    got = growth.growing_lifetime_s(
        steady_years * YEAR_S, host_bytes_per_s=1, growth_per_year=yearly
    )
    exact = growing_life_years(steady_years, yearly)
    near_the_pole = abs(1 + math.log1p(yearly) * steady_years) < 1e-3
    if not near_the_pole:
        assert got / YEAR_S == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("yearly", [-0.2, -0.01, -1e-9, 1e-12, 1e-6, 0.2, 1, 50])
def test_growing_writes_integrate_to_the_limit(yearly):
    limit_years = 3.0
    life = growth.growing_lifetime_s(
        limit_years * YEAR_S, host_bytes_per_s=1, growth_per_year=yearly
    )
    with mpmath.workdps(30):
        written = mpmath.quad(lambda t: (1 + mpmath.mpf(yearly)) ** t, [0, life / YEAR_S])
    assert float(written) == pytest.approx(limit_years, rel=1e-12)


@pytest.mark.parametrize("yearly", [1e-20, 1e-15, 1e-12, 1e-9, 3e-9, 1e-6])
def test_growth_tends_to_the_steady_life_without_a_step(yearly):
    steady_years = 8.0
    up, down = (
        growth.growing_lifetime_s(
            steady_years * YEAR_S, host_bytes_per_s=1, growth_per_year=sign * yearly
        )
        / YEAR_S
        for sign in (1, -1)
    )
    # Second order: t = s (1 - g s/2 + ...); the neglected term is below 1e-10.
    assert up == pytest.approx(steady_years * (1 - yearly * steady_years / 2), rel=1e-10)
    assert down == pytest.approx(steady_years * (1 + yearly * steady_years / 2), rel=1e-10)
    assert up <= steady_years <= down


def test_small_growth_is_not_taken_for_none():
    """A shortcut below a yearly of 1e-9 would lose half of that in relative terms."""
    yearly = 0.9e-9
    got = growth.growing_lifetime_s(YEAR_S, host_bytes_per_s=1, growth_per_year=yearly)
    assert got / YEAR_S - 1 == pytest.approx(-yearly / 2, rel=1e-5)


def test_no_growth_is_the_steady_life():
    got = growth.growing_lifetime_s(150 * TB, host_bytes_per_s=1e6, growth_per_year=0)
    assert got == endurance.lifetime_s(150 * TB, host_bytes_per_s=1e6)


def test_shrinking_writes_may_never_reach_the_limit():
    # Halving each year writes 1/ln 2 = 1.4427 first-year rates in total.
    total = 1 / math.log(2)
    reached, missed = growth.growing_lifetime_s(
        [0.999 * total * YEAR_S, 1.001 * total * YEAR_S], host_bytes_per_s=1, growth_per_year=-0.5
    )
    assert reached == pytest.approx(-math.log2(0.001) * YEAR_S, rel=1e-9)
    assert missed == math.inf


@given(st.floats(0.01, 1e3), st.floats(-0.9, 5), st.floats(-0.9, 5))
def test_faster_growth_never_lengthens_life(steady_years, a, b):
    slow, fast = growth.growing_lifetime_s(
        steady_years * YEAR_S, host_bytes_per_s=1, growth_per_year=[min(a, b), max(a, b)]
    )
    assert fast <= slow * (1 + 1e-12)


def test_growth_takes_arrays_through_every_branch_at_once():
    yearly = np.array([-0.5, -1e-12, 0, 1e-12, 0.2, 1e6])
    got = growth.growing_lifetime_s(10 * YEAR_S, host_bytes_per_s=1, growth_per_year=yearly)
    exact = [float(growing_life_years(10.0, g)) for g in yearly]
    np.testing.assert_allclose(got / YEAR_S, exact, rtol=1e-12)


# Steps and phase-in --------------------------------------------------------------------------

moments = st.floats(0.01, 12).map(lambda years: years * YEAR_S)
factors = st.floats(-1, 1).map(lambda exponent: 10.0**exponent)
courses = st.fixed_dictionaries(
    {
        "host_bytes_per_s": st.just(1 / YEAR_S),
        "growth_per_year": st.one_of(st.just(0.0), st.just(1e-12), st.floats(-0.9, 4)),
        "phase_in_s": st.one_of(st.just(0.0), st.floats(0.01, 5).map(lambda y: y * YEAR_S)),
    }
)
steps = st.lists(st.tuples(moments, factors), max_size=4)


def with_steps(course, taken):
    return course | {
        "step_times_s": [time for time, _ in taken],
        "step_factors": [factor for _, factor in taken],
    }


def quadrature(years, course, taken):
    """Integrate the rate piece by piece, with 30 digits."""
    exponent = mpmath.log1p(mpmath.mpf(course["growth_per_year"]))
    phase_in = mpmath.mpf(course["phase_in_s"]) / YEAR_S

    def rate(time):
        ramp = min(time / phase_in, 1) if phase_in else 1
        come = [factor for at, factor in taken if at / YEAR_S <= time]
        return mpmath.e ** (exponent * time) * ramp * mpmath.fprod(come)

    edges = {0.0, years, *(at / YEAR_S for at, _ in taken), float(phase_in)}
    with mpmath.workdps(30):
        return float(mpmath.quad(rate, sorted(edge for edge in edges if edge <= years)))


@settings(max_examples=60)
@given(st.floats(0.01, 12), courses, steps)
def test_written_bytes_are_the_integral_of_the_rate(years, course, taken):
    got = growth.written_bytes(years * YEAR_S, **with_steps(course, taken))
    assert got == pytest.approx(quadrature(years, course, taken), rel=1e-12)


@given(st.floats(0.001, 12), courses, steps)
def test_the_rate_is_the_slope_of_what_is_written(years, course, taken):
    told, time = with_steps(course, taken), years * YEAR_S
    by = 1e-6 * time
    assume(all(abs(at - time) > by for at in (*told["step_times_s"], course["phase_in_s"])))
    before, after = growth.written_bytes([time - by, time + by], **told)
    slope = growth.rate_bytes_per_s(time, **told)
    assert (after - before) / (2 * by) == pytest.approx(slope, rel=1e-6)


@given(st.floats(1e-4, 12), courses, steps)
def test_the_life_inverts_what_is_written(years, course, taken):
    told, time = with_steps(course, taken), years * YEAR_S
    written = growth.written_bytes(time, **told)
    still = written / (growth.rate_bytes_per_s(time, **told) * time)  # error of the bytes in time
    back = growth.growing_lifetime_s(written, **told)
    assert back == pytest.approx(time, rel=1e-13 * max(still, 10))


@pytest.mark.parametrize(
    ("yearly", "phase_in_years", "steady_years"),
    [(-0.99, 20, 2e-3), (-0.999999, 50, 1e-5), (1e6, 3, 10), (1e6, 100, 10), (4, 10, 1e-9)],
)
def test_the_time_within_a_phase_in_is_found_at_the_ends(yearly, phase_in_years, steady_years):
    told = {
        "host_bytes_per_s": 1 / YEAR_S,
        "growth_per_year": yearly,
        "phase_in_s": phase_in_years * YEAR_S,
    }
    life = growth.growing_lifetime_s(steady_years, **told)
    assert life < told["phase_in_s"]
    assert growth.written_bytes(life, **told) == pytest.approx(steady_years, rel=1e-13)


@given(st.floats(0, 12), st.floats(0, 12), courses, steps)
def test_more_time_writes_no_less(a, b, course, taken):
    told = with_steps(course, taken)
    less, more = growth.written_bytes([min(a, b) * YEAR_S, max(a, b) * YEAR_S], **told)
    assert less <= more * (1 + 1e-14)


@given(st.floats(0.1, 12), courses, steps)
def test_a_step_up_only_adds_and_a_slower_phase_in_only_takes(years, course, taken):
    told, time = with_steps(course, taken), years * YEAR_S
    written = growth.written_bytes(time, **told)
    stepped = with_steps(course, [*taken, (time / 2, 2.0)])
    assert growth.written_bytes(time, **stepped) > written
    slower = told | {"phase_in_s": told["phase_in_s"] + YEAR_S}
    assert growth.written_bytes(time, **slower) < written


@given(st.floats(0.1, 12), moments, courses, steps)
def test_a_step_adds_its_share_of_what_is_written_after_it(years, at, course, taken):
    """Additive: what a doubling adds is what is written from then on."""
    told, time = with_steps(course, taken), years * YEAR_S
    before, whole = growth.written_bytes([min(at, time), time], **told)
    doubled = growth.written_bytes(time, **with_steps(course, [*taken, (at, 2.0)]))
    assert doubled == pytest.approx(2 * whole - before, rel=1e-12)


@given(st.floats(0.1, 12), courses, steps, st.randoms(use_true_random=False))
def test_steps_need_no_order_and_a_factor_of_one_is_none(years, course, taken, random):
    time = years * YEAR_S
    written = growth.written_bytes(time, **with_steps(course, taken))
    mixed = [*taken, (YEAR_S, 1.0)]
    random.shuffle(mixed)
    got = growth.written_bytes(time, **with_steps(course, mixed))
    assert got == pytest.approx(written, rel=1e-12)


def test_two_steps_at_once_are_their_product():
    twice = growth.written_bytes(3.0, host_bytes_per_s=1, step_times_s=[1, 1], step_factors=[2, 3])
    assert twice == 1 + 2 * 6


def test_without_steps_and_phase_in_it_is_the_steady_life():
    got = growth.growing_lifetime_s(
        10.0, host_bytes_per_s=2, step_times_s=[], step_factors=[], phase_in_s=0
    )
    assert got == endurance.lifetime_s(10.0, host_bytes_per_s=2)


def test_a_phase_in_alone_is_a_triangle():
    ends = {"host_bytes_per_s": 2.0, "phase_in_s": 10.0}
    assert growth.written_bytes([5.0, 10.0, 20.0], **ends).tolist() == [2.5, 10.0, 30.0]
    assert growth.rate_bytes_per_s([0.0, 5.0, 30.0], **ends).tolist() == [0.0, 1.0, 2.0]
    np.testing.assert_allclose(growth.growing_lifetime_s([2.5, 10.0, 30.0], **ends), [5, 10, 20])


@pytest.mark.parametrize("formula", ["written_bytes", "rate_bytes_per_s", "growing_lifetime_s"])
def test_arrays_give_what_their_elements_give(formula):
    """Every argument an array at once; steps along the last axis of theirs."""
    asked, host = np.array([0.3, 1.0, 7.0]) * YEAR_S, np.array([1.0, 1.0, 2.0])
    yearly, phase_in = np.array([[0.0], [0.3], [-0.5]]), np.array([0.0, YEAR_S, 2 * YEAR_S])
    times = np.array([[YEAR_S, 3 * YEAR_S], [2 * YEAR_S, YEAR_S], [0.0, 0.5 * YEAR_S]])
    by = np.array([[2.0, 0.5], [3.0, 1.0], [0.1, 4.0]])
    function = getattr(growth, formula)
    got = function(
        asked, host_bytes_per_s=host, growth_per_year=yearly, step_times_s=times,
        step_factors=by, phase_in_s=phase_in,
    )  # fmt: skip
    assert got.shape == (3, 3)
    apart = [
        [
            function(
                asked[k], host_bytes_per_s=host[k], growth_per_year=one, step_times_s=times[k],
                step_factors=by[k], phase_in_s=phase_in[k],
            )
            for k in range(3)
        ]
        for one in yearly[:, 0]
    ]  # fmt: skip
    np.testing.assert_allclose(got, apart, rtol=1e-13)


@pytest.mark.parametrize(
    ("name", "bad", "accepted"),
    [
        ("host_bytes_per_s", -1, ">= 0"),
        ("growth_per_year", -1, "> -1"),
        ("growth_per_year", math.inf, "> -1 and finite"),
        ("phase_in_s", -1, ">= 0"),
        ("phase_in_s", math.inf, ">= 0 and finite"),
        ("step_times_s", [1, -1], ">= 0"),
        ("step_times_s", [1, math.inf], ">= 0 and finite"),
        ("step_times_s", [1], "as many"),
        ("step_factors", [2, 0], "> 0 and finite"),
        ("step_factors", [2, math.inf], "> 0 and finite"),
        ("step_factors", [2, math.nan], "> 0 and finite"),
    ],
)
@pytest.mark.parametrize("formula", ["written_bytes", "rate_bytes_per_s", "growing_lifetime_s"])
def test_names_what_is_outside_its_domain(formula, name, bad, accepted):
    told = {"host_bytes_per_s": 1.0, "step_times_s": [1, 2], "step_factors": [2, 3]} | {name: bad}
    named = "step_factors" if accepted == "as many" else name
    with pytest.raises(DomainError, match=f"^{named} must be {accepted}"):
        getattr(growth, formula)(5.0, **told)


def test_names_a_time_or_limit_outside_its_domain():
    for formula in (growth.written_bytes, growth.rate_bytes_per_s):
        for bad in (-1.0, math.inf, math.nan):
            with pytest.raises(DomainError, match=r"^time_s must be >= 0"):
                formula(bad, host_bytes_per_s=1)
    with pytest.raises(DomainError, match=r"^limit_bytes must be >= 0, got -1$"):
        growth.growing_lifetime_s(-1, host_bytes_per_s=1)


@given(st.floats(0, 1e9), courses, steps)
def test_where_nothing_may_be_written_any_more_the_life_is_over(host, course, taken):
    got = growth.growing_lifetime_s(0, **(with_steps(course, taken) | {"host_bytes_per_s": host}))
    assert got == 0


@given(st.floats(0.5, 20), courses, steps)
def test_the_mean_life_counts_the_lives_spent(years, course, taken):
    written = growth.written_bytes(years * YEAR_S, **with_steps(course, taken))
    mean_s = growth.mean_life_s(years * YEAR_S, limit_bytes=0.3, written_bytes=written)
    assert years * YEAR_S / mean_s == pytest.approx(written / 0.3, rel=1e-13)
