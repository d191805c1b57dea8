"""Dies at a constant queue depth against an event-by-event simulation, and against their laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import parallelism, queueing
from models.errors import DomainError
from tests import naive_closed_network as naive

S = 60e-6
depths = st.integers(1, 300)
dies = st.integers(1, 200)
times = st.floats(1e-7, 1e-1)
variations = st.floats(0, 100)


def simulated(depth, count, service):
    """IOPS of the simulation; every case has random numbers of its own."""
    seed = 1000 * count + depth
    return naive.dies_only_iops(depth, dies=count, service=service, seed=seed)


def errors(cases, service, **given):
    """Deviation of the formula from the simulation, for pairs of dies and queue depth."""
    formula = [parallelism.dies_iops(q, dies=n, operation_s=S, **given) for n, q in cases]
    return np.abs(np.divide(formula, [simulated(q, n, service) for n, q in cases]) - 1)


# The standard error of a simulated rate is 0.1 to 0.3 %, from six seeds.
# Mean within 5 % with 4 dies and within 2 % from 8 dies on; the worst of each row beside it.
@pytest.mark.parametrize(
    ("count", "depth", "mean", "worst"),
    [
        (4, [1, 2, 4, 8, 16], 0.05, 0.06),
        (8, [2, 4, 8, 16, 32], 0.02, 0.03),
        (16, [4, 8, 16, 32, 128], 0.02, 0.02),
        (64, [16, 64, 128], 0.02, 0.02),
    ],
)
def test_fixed_times_agree_with_the_simulation(count, depth, mean, worst):
    found = errors([(count, q) for q in depth], naive.fixed(S))
    assert np.mean(found) <= mean
    assert np.max(found) <= worst


def test_exponential_times_agree_with_the_simulation():
    cases = [(4, 4), (8, 16), (32, 32)]
    assert np.max(errors(cases, naive.exponential(S), operation_scv=1.0)) <= 0.015


# 9 reads of 40 us to a program of 400 us: squared variation 2.0 on 16 and 64 dies.
def test_mixed_times_agree_with_the_simulation():
    mean_s, scv = parallelism.operation_time_moments([40e-6, 400e-6], shares=[0.9, 0.1])
    for count, depth in [(16, 8), (16, 32), (64, 64)]:
        got = parallelism.dies_iops(depth, dies=count, operation_s=mean_s, operation_scv=scv)
        service = naive.two_times(40e-6, 400e-6, long_share=0.1)
        assert got == pytest.approx(simulated(depth, count, service), rel=0.03)


# By hand: R = S, 5/4 S, 8/5 S; U = 1/2, 4/5, 15/16.
@pytest.mark.parametrize(("depth", "rate"), [(1, 1.0), (2, 1.6), (3, 1.875)])
def test_two_dies_step_by_step(depth, rate):
    assert parallelism.dies_iops(depth, dies=2, operation_s=1.0) == pytest.approx(rate, rel=1e-12)


# The estimate that counts the dies hit by Q balls is the wrong model at high depth.
def test_balls_in_bins_are_too_optimistic():
    bins = 16 * (1 - (1 - 1 / 16) ** 32) / S
    assert bins / simulated(32, 16, naive.fixed(S)) - 1 > 0.08


# Two simulations, of which one knows channels and a link too.
def test_the_simulations_agree():
    whole = naive.iops(16, dies=8, service=naive.fixed(S), commands=60_000, seed=3)
    assert whole == pytest.approx(simulated(16, 8, naive.fixed(S)), rel=0.015)


@given(depths, dies, times, variations)
def test_never_above_the_capacity_nor_the_depth(depth, count, seconds, scv):
    got = parallelism.dies_iops(depth, dies=count, operation_s=seconds, operation_scv=scv)
    assert got * seconds <= min(depth, count) * (1 + 1e-12)


@given(dies, times, variations)
def test_a_single_operation_finds_an_idle_die(count, seconds, scv):
    got = parallelism.dies_iops(1, dies=count, operation_s=seconds, operation_scv=scv)
    assert got == pytest.approx(1 / seconds, rel=1e-12)


@given(depths, dies, times, variations)
def test_more_of_anything_is_no_loss(depth, count, seconds, scv):
    def rate(depth=depth, count=count, scv=scv):
        return parallelism.dies_iops(depth, dies=count, operation_s=seconds, operation_scv=scv)

    here = rate() * (1 - 1e-12)
    assert rate(depth=depth + 1) >= here
    assert rate(count=count + 1) >= here
    assert rate(scv=0.9 * scv) >= here


@given(depths, dies, times, variations)
def test_latency_closes_littles_law(depth, count, seconds, scv):
    got = parallelism.dies_iops(depth, dies=count, operation_s=seconds, operation_scv=scv)
    latency_s = queueing.latency_s(depth, iops=got)
    assert got * latency_s == pytest.approx(depth, rel=1e-12)
    assert latency_s >= seconds * (1 - 1e-12)


@pytest.mark.parametrize("scv", [0.0, 0.5, 1.0, 4.0])
def test_a_deep_queue_keeps_every_die_busy(scv):
    got = parallelism.dies_iops(60_000, dies=16, operation_s=S, operation_scv=scv)
    assert got == pytest.approx(16 / S, rel=2e-3)


@given(depths, dies, times)
def test_exponential_times_are_the_exact_case(depth, count, seconds):
    exact = parallelism.exponential_dies_iops(depth, dies=count, operation_s=seconds)
    got = parallelism.dies_iops(depth, dies=count, operation_s=seconds, operation_scv=1.0)
    assert got == pytest.approx(exact, rel=1e-12)


@given(st.floats(1e-3, 1e3), st.floats(0, 20))
def test_the_closed_form_solves_the_pollaczek_khinchine_equation(load, scv):
    got = parallelism.many_dies_iops(1000 * load, dies=1000, operation_s=S, operation_scv=scv)
    busy = got * S / 1000
    assert 0 < busy < 1
    # In terms of the idle share, which 1 - busy would lose to rounding near saturation.
    held = busy * (1 - busy) + busy**2 * (1 + scv) / 2
    assert held == pytest.approx(load * (1 - busy), rel=1e-9, abs=1e-9)


@given(st.floats(1e-3, 1e3))
def test_the_closed_form_of_fixed_times(load):
    got = parallelism.many_dies_iops(1000 * load, dies=1000, operation_s=S)
    assert got * S / 1000 == pytest.approx(1 + load - math.sqrt(1 + load**2), rel=1e-9)


@pytest.mark.parametrize("depth", [500, 2_000, 8_000])
@pytest.mark.parametrize("scv", [0.0, 0.5, 3.0])
def test_many_dies_come_to_the_closed_form(depth, scv):
    given = {"dies": 2_000, "operation_s": S, "operation_scv": scv}
    closed = parallelism.many_dies_iops(depth, **given)
    assert parallelism.dies_iops(depth, **given) == pytest.approx(closed, rel=2e-3)


@given(st.floats(0, 1), times, times)
def test_moments_of_two_kinds(share, one_s, other_s):
    mean_s, scv = parallelism.operation_time_moments([one_s, other_s], shares=[share, 1 - share])
    raw = share * one_s**2 + (1 - share) * other_s**2
    assert mean_s == pytest.approx(share * one_s + (1 - share) * other_s, rel=1e-12)
    assert mean_s**2 * (1 + scv) == pytest.approx(raw, rel=1e-12)


def test_moments_reduce_the_last_axis_and_take_relative_shares():
    seconds = [[1e-3, 3e-3], [2e-3, 2e-3]]
    mean_s, scv = parallelism.operation_time_moments(seconds, shares=[2.0, 2.0])
    np.testing.assert_allclose(mean_s, [2e-3, 2e-3], rtol=1e-12)
    np.testing.assert_allclose(scv, [0.25, 0.0], rtol=1e-12)


@pytest.mark.parametrize(
    ("seconds", "shares", "name"),
    [
        ([1e-3, 0.0], [0.5, 0.5], "class_operation_s"),
        ([1e-3, math.nan], [0.5, 0.5], "class_operation_s"),
        ([1e-3, 2e-3], [0.5, -0.5], "shares"),
        ([1e-3, 2e-3], [0.0, 0.0], "shares"),
    ],
)
def test_moments_name_the_argument_outside_its_domain(seconds, shares, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        parallelism.operation_time_moments(seconds, shares=shares)


@pytest.mark.parametrize("formula", [parallelism.dies_iops, parallelism.exponential_dies_iops])
@pytest.mark.parametrize("depth", [0, 1.5, 65_537, math.inf])
def test_depth_is_a_whole_number_that_a_queue_can_hold(formula, depth):
    with pytest.raises(DomainError, match=r"^queue_depth must be a whole number"):
        formula(depth, dies=4, operation_s=S)


@pytest.mark.parametrize("formula", [parallelism.dies_iops, parallelism.many_dies_iops])
def test_variation_is_finite(formula):
    with pytest.raises(DomainError, match=r"^operation_scv must be >= 0 and finite, got inf"):
        formula(4, dies=4, operation_s=S, operation_scv=math.inf)
