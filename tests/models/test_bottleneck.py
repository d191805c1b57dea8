"""Which resource binds: operational laws against each other and against the closed queues."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import bottleneck, mixing
from models.errors import DomainError
from models.flash_reads import cache_read_iops, read_iops

rates = st.floats(1, 1e7)
times = st.floats(1e-7, 1e-2)


# By hand: 100K operations of 40 us keep 4 servers busy at once; of 8 that is a half.
def test_utilisation_by_hand():
    assert bottleneck.utilisation(100e3, servers=8, operation_s=40e-6) == pytest.approx(0.5)


def test_the_busiest_resource_is_named_by_its_place():
    servers, seconds = np.array([16, 4, 1]), np.array([60e-6, 10e-6, 2.7e-6])
    rate = read_iops(2_000, dies=16, channels=4, read_s=50e-6, transfer_s=10e-6, link_s=seconds[2])
    busy = bottleneck.utilisation(rate, servers=servers, operation_s=seconds)
    assert np.argmax(busy) == 0
    assert busy[0] == pytest.approx(1, rel=0.01)
    assert np.all(busy <= 1 + 1e-12)


@given(st.floats(0.1, 1e4), times, times)
def test_the_bounds_meet_at_the_knee(depth, unloaded_s, demand_s):
    knee = bottleneck.knee_queue_depth(unloaded_s, demand_s=demand_s)
    at_knee = bottleneck.bound_iops(knee, unloaded_s=unloaded_s, demand_s=demand_s)
    assert at_knee * demand_s == pytest.approx(1, rel=1e-12)
    bound = bottleneck.bound_iops(depth, unloaded_s=unloaded_s, demand_s=demand_s)
    slope, ceiling = depth / unloaded_s, 1 / demand_s
    assert bound == pytest.approx(slope if depth < knee else ceiling, rel=1e-12)


@pytest.mark.parametrize(("formula", "die_s"), [(read_iops, 60e-6), (cache_read_iops, 50e-6)])
def test_the_closed_queues_stay_below_the_bound(formula, die_s):
    depths = np.arange(1, 200)
    got = formula(depths, dies=16, channels=2, read_s=50e-6, transfer_s=10e-6, link_s=1e-6)
    demand_s = max(die_s / 16, 10e-6 / 2, 1e-6)
    bound = bottleneck.bound_iops(depths, unloaded_s=61e-6, demand_s=demand_s)
    assert np.all(got <= bound * (1 + 1e-12))
    assert got[0] == pytest.approx(bound[0], rel=1e-9)
    assert got[-1] == pytest.approx(bound[-1], rel=0.02)


@given(rates, rates, st.floats(0, 1))
def test_a_mix_lies_on_the_line_of_what_is_left(reads, writes, read_fraction):
    mixed = mixing.mixed_iops(reads, write_iops=writes, read_fraction=read_fraction)
    left = bottleneck.remaining_iops(
        reads, other_iops=writes, taken_iops=(1 - read_fraction) * mixed
    )
    assert left == pytest.approx(read_fraction * mixed, rel=1e-9, abs=1e-9 * reads)


@given(rates, rates, st.floats(1, 1e3))
def test_nothing_is_left_beside_a_full_load(iops, other, excess):
    assert bottleneck.remaining_iops(iops, other_iops=other, taken_iops=excess * other) == 0
    assert bottleneck.remaining_iops(iops, other_iops=other, taken_iops=0) == iops


LIMITS = ["media_iops", "bus_iops", "controller_iops", "link_iops", "queue_iops"]


@pytest.mark.parametrize("lowest", LIMITS)
def test_each_limit_can_bind(lowest):
    limits = dict.fromkeys(LIMITS, 50e3) | {lowest: 12e3}
    assert bottleneck.write_iops(limits.pop("media_iops"), **limits) == 12e3


def test_limits_that_are_not_known_do_not_bind():
    assert bottleneck.write_iops(50e3) == 50e3
    assert bottleneck.write_iops(math.inf, controller_iops=14e3) == 14e3


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_of_zero_is_refused_by_its_name(limit):
    limits = dict.fromkeys(LIMITS, 50e3) | {limit: 0.0}
    with pytest.raises(DomainError, match=rf"^{limit} must be > 0"):
        bottleneck.write_iops(limits.pop("media_iops"), **limits)
