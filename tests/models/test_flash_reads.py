"""Reads through dies, channels and link against an event-by-event simulation and their laws."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models import parallelism, queueing
from models.errors import DomainError
from models.flash_reads import cache_read_iops, read_iops
from tests import naive_closed_network as naive

# Dies, channels, queue depth, transfer over sense, link over die time per read and die.
GRID = [
    (8, 8, 8, 0.2, 0.0),
    (8, 4, 4, 0.5, 0.5),
    (8, 2, 32, 0.2, 0.9),
    (8, 1, 8, 0.1, 0.0),
    (16, 4, 16, 0.05, 0.5),
    (16, 8, 64, 0.5, 0.0),
    (16, 2, 4, 0.2, 0.9),
    (16, 4, 32, 0.2, 1.5),
    (32, 8, 32, 0.5, 0.0),
    (32, 4, 64, 0.1, 0.9),
]
FEW_OR_SLOW = [
    (4, 2, 2, 0.2, 0.0),
    (4, 1, 4, 0.5, 0.9),
    (4, 4, 8, 0.2, 0.5),
    (8, 4, 8, 1.0, 0.0),
    (16, 4, 16, 1.0, 0.5),
    (32, 16, 64, 1.0, 0.9),
]


def errors(formula, grid, *, cache_read):
    found = []
    for n, channels, depth, ratio, load in grid:
        network = {"dies": n, "channels": channels, "transfer_s": 50e-6 * ratio}
        network["link_s"] = load * 50e-6 * (1 + ratio) / n
        simulated = naive.iops(
            depth,
            service=naive.fixed(50e-6),
            cache_read=cache_read,
            commands=25_000,
            seed=1000 * n + 10 * depth + channels,
            **network,
        )
        found.append(abs(formula(depth, read_s=50e-6, **network) / simulated - 1))
    return found


# Requirement: 5 % from 8 dies on, 10 % with 4 dies or transfers as long as the sense.
def test_held_dies_agree_with_the_simulation():
    found = errors(read_iops, GRID, cache_read=False)
    assert np.mean(found) <= 0.02
    assert np.max(found) <= 0.05
    found = errors(read_iops, FEW_OR_SLOW, cache_read=False)
    assert np.mean(found) <= 0.05
    assert np.max(found) <= 0.10


# Cache reads meet the mean; single cases miss 5 % on the low side where channels and dies have
# about equal work, see the page of the formula.
def test_cache_reads_agree_with_the_simulation():
    found = errors(cache_read_iops, GRID, cache_read=True)
    assert np.mean(found) <= 0.02
    assert np.max(found) <= 0.08
    found = errors(cache_read_iops, FEW_OR_SLOW, cache_read=True)
    assert np.mean(found) <= 0.05
    assert np.max(found) <= 0.14


networks = st.fixed_dictionaries(
    {
        "channels": st.integers(1, 16),
        "read_s": st.floats(1e-6, 1e-3),
        "transfer_s": st.floats(1e-7, 1e-3),
        "link_s": st.one_of(st.just(0.0), st.floats(1e-8, 1e-3)),
    }
)
depths = st.integers(1, 100)
dies = st.integers(1, 64)
formulas = pytest.mark.parametrize("formula", [read_iops, cache_read_iops])


@formulas
@given(depths, dies, networks)
def test_never_above_any_capacity(formula, depth, count, network):
    got = formula(depth, dies=count, **network)
    read_s, transfer_s, link_s = network["read_s"], network["transfer_s"], network["link_s"]
    die_s = read_s + (transfer_s if formula is read_iops else 0)
    limit = 1 + 1e-12
    assert got * (read_s + transfer_s + link_s) <= depth * limit
    assert got * die_s <= count * limit
    assert got * transfer_s <= min(network["channels"], count) * limit
    assert got * link_s <= limit


@formulas
@given(dies, networks)
def test_a_single_read_meets_nobody(formula, count, network):
    unloaded_s = network["read_s"] + network["transfer_s"] + network["link_s"]
    assert formula(1, dies=count, **network) == pytest.approx(1 / unloaded_s, rel=1e-9)


SLOW_CHANNEL = {"channels": 1, "read_s": 1e-4, "transfer_s": 1.38530518e-4, "link_s": 8.228e-7}


@formulas
@given(depths, dies, networks)
@example(4, 3, SLOW_CHANNEL)
def test_more_reads_outstanding_are_no_loss(formula, depth, count, network):
    less = formula(depth, dies=count, **network)
    assert formula(depth + 1, dies=count, **network) >= less * (1 - 1e-12)


@formulas
@given(depths, st.integers(1, 16), st.integers(1, 8), networks)
def test_more_channels_are_no_loss(formula, depth, channels, per_channel, network):
    def rate(channels, count):
        return formula(depth, dies=count, **network | {"channels": channels})

    count = channels * per_channel
    here = rate(channels, count) * (1 - 1e-12)
    assert rate(channels + 1, (channels + 1) * per_channel) >= here
    assert rate(2 * channels, 2 * count) >= here
    assert rate(channels + 1, count) >= here


@formulas
@given(depths, st.integers(1, 16), st.integers(1, 8), st.floats(0.001, 0.75), networks)
def test_twice_the_dies_are_no_loss(formula, depth, channels, per_channel, ratio, network):
    network |= {"channels": channels, "transfer_s": ratio * network["read_s"]}
    less = formula(depth, dies=channels * per_channel, **network)
    assert formula(depth, dies=2 * channels * per_channel, **network) >= less * (1 - 1e-12)


@given(depths, dies, networks)
def test_a_die_that_is_free_earlier_is_no_loss(depth, count, network):
    held = read_iops(depth, dies=count, **network)
    assert cache_read_iops(depth, dies=count, **network) >= held * (1 - 1e-12)


@formulas
@given(depths, dies, networks)
def test_latency_closes_littles_law(formula, depth, count, network):
    got = formula(depth, dies=count, **network)
    assert got * queueing.latency_s(depth, iops=got) == pytest.approx(depth, rel=1e-12)


# By hand, all times 1, two dies with channels of their own. Held: the second read finds 1/6 of a
# read at its die of time 2 and 1/6 at the link; else 1/12 at die and channel each.
@pytest.mark.parametrize(("formula", "two"), [(read_iops, 4 / 7), (cache_read_iops, 3 / 5)])
def test_two_reads_step_by_step(formula, two):
    given = {"dies": 2, "channels": 2, "read_s": 1.0, "transfer_s": 1.0, "link_s": 1.0}
    got = formula(np.array([1, 2]), **given)
    np.testing.assert_allclose(got, [1 / 3, two], rtol=1e-12)


# Alone on its channel, a die that holds its page is a server of sense and transfer together.
@given(depths, dies, st.floats(1e-6, 1e-3), st.floats(1e-6, 1e-3))
def test_a_channel_for_each_die_leaves_the_dies_alone(depth, count, read_s, transfer_s):
    got = read_iops(depth, dies=count, channels=count, read_s=read_s, transfer_s=transfer_s)
    alone = parallelism.dies_iops(depth, dies=count, operation_s=read_s + transfer_s)
    assert got == pytest.approx(alone, rel=1e-9)


@formulas
def test_without_transfers_only_the_dies_count(formula):
    got = formula(24, dies=16, channels=4, read_s=50e-6, transfer_s=1e-15)
    assert got == pytest.approx(parallelism.dies_iops(24, dies=16, operation_s=50e-6), rel=1e-6)


@formulas
def test_channels_beyond_the_dies_are_of_no_use(formula):
    given = {"dies": 4, "read_s": 50e-6, "transfer_s": 10e-6}
    assert formula(8, channels=16, **given) == formula(8, channels=4, **given)


@formulas
@pytest.mark.parametrize(
    ("changed", "capacity"), [({"link_s": 40e-6}, 1 / 40e-6), ({"transfer_s": 50e-6}, 4 / 50e-6)]
)
def test_a_deep_queue_fills_the_narrowest_resource(formula, changed, capacity):
    given = {"dies": 16, "channels": 4, "read_s": 50e-6, "transfer_s": 10e-6, "link_s": 1e-6}
    assert formula(2_000, **given | changed) == pytest.approx(capacity, rel=0.01)


@formulas
@pytest.mark.parametrize("link_s", [-1e-9, math.inf, math.nan])
def test_link_time_is_finite(formula, link_s):
    given = {"dies": 16, "channels": 4, "read_s": 50e-6, "transfer_s": 10e-6}
    with pytest.raises(DomainError, match=r"^link_s must be >= 0"):
        formula(8, **given, link_s=link_s)


@formulas
@pytest.mark.parametrize("depth", [2.5, 65_537])
def test_depth_is_a_whole_number_that_a_queue_can_hold(formula, depth):
    with pytest.raises(DomainError, match=r"^queue_depth must be a whole number"):
        formula(depth, dies=16, channels=4, read_s=50e-6, transfer_s=10e-6)
