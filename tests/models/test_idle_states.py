"""Idle states: residency against drawn gaps and a clock, waits, and energy of a task."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import energy
from models.errors import DomainError
from models.units import HOUR_S

GAPS = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30)


def test_exponential_gaps_that_are_drawn_have_the_shares_of_the_formula():
    gaps = np.random.default_rng(7).exponential(2.0, 400_000)
    shares = energy.idle_shares(gaps, transitions_s=[0.3, 5.0])
    light, deep = (energy.asleep_fraction(wait, mean_gap_s=2.0) for wait in (0.3, 5.0))
    expected = [1 - light, light - deep, deep]
    np.testing.assert_allclose(shares.time_fraction, expected, atol=5e-3)
    np.testing.assert_allclose(shares.woken_fraction, expected, atol=3e-3)


@given(GAPS, st.floats(0, 100), st.floats(0, 100))
def test_shares_of_gaps_are_those_of_a_clock(gaps, light_s, more_s):
    """Each gap is walked through: how long awake, how long in which sleep, where it ended."""
    deep_s = light_s + more_s
    spent, ends = np.zeros(3), np.zeros(3)
    for gap in gaps:
        awake = min(gap, light_s)
        light = min(max(gap - light_s, 0.0), more_s)
        spent += awake, light, gap - awake - light
        ends[2 if gap >= deep_s else 1 if gap >= light_s else 0] += 1
    shares = energy.idle_shares(gaps, transitions_s=[light_s, deep_s])
    np.testing.assert_allclose(shares.time_fraction, spent / sum(gaps), atol=1e-9)
    np.testing.assert_allclose(shares.woken_fraction, ends / len(gaps), atol=1e-12)


def test_mean_power_and_wait_are_means_over_the_states():
    shares = energy.idle_shares([1.0, 2.0, 7.0], transitions_s=[1.5, 5.0])
    asleep, deep = 1 - shares.time_fraction[0], shares.time_fraction[2]
    got = energy.mean_idle_power_w(
        0.3, light_power_w=0.03, deep_power_w=0.005, light_fraction=asleep, deep_fraction=deep
    )
    assert got == pytest.approx(shares.time_fraction @ [0.3, 0.03, 0.005])
    woken = 1 - shares.woken_fraction[0], shares.woken_fraction[2]
    wait = energy.mean_wake_s(
        1e-3, deep_wake_s=20e-3, light_fraction=woken[0], deep_fraction=woken[1]
    )
    assert wait == pytest.approx(shares.woken_fraction @ [0, 1e-3, 20e-3])


def test_a_linux_host_prints_these_idle_times():
    """linux-nvme issue 11: ITPT of 275 and 1,200 ms; a state of 5 + 25 ms needs 1.5 s."""
    latencies = ((0.5e-3, 5e-3), (2e-3, 22e-3), (5e-3, 25e-3))
    waits = [
        energy.transition_s(entry, exit_latency_s=leave, patience_ratio=50)
        for entry, leave in latencies
    ]
    np.testing.assert_allclose(waits, [0.275, 1.2, 1.5])


def test_a_battery_feeds_a_drive_for_ever_that_takes_nothing():
    assert energy.battery_s(50 * HOUR_S, power_w=0.0) == np.inf


@pytest.mark.parametrize(
    ("gaps", "transitions", "words"),
    [
        ([], [1.0], "gaps_s must be a list"),
        ([1.0], [2.0, 1.0], "transitions_s must be a list of numbers >= 0 that rise"),
        ([0.0], [1.0], "gaps_s must be > 0"),
        ([[1.0]], [1.0], "gaps_s must be a list"),
    ],
)
def test_gaps_and_transitions_that_are_none_are_refused(gaps, transitions, words):
    with pytest.raises(DomainError, match=words):
        energy.idle_shares(gaps, transitions_s=transitions)


@given(st.floats(0, 5), st.floats(0.1, 20), st.floats(1e7, 1e10), st.floats(1e9, 1e13))
def test_a_task_at_full_rate_takes_the_power_of_the_data_sheet(idle, more, rate, size):
    """Bytes at full rate, no pause: active power over the time."""
    above = energy.transfer_j_per_byte(idle + more, idle_power_w=idle, throughput_bytes_per_s=rate)
    got = energy.task_j(idle, time_s=size / rate, read_bytes=0, written_bytes=size,
                        read_j_per_byte=0, written_j_per_byte=above)  # fmt: skip
    assert got == pytest.approx((idle + more) * size / rate)
    each = energy.moved_j_per_byte(idle + more, throughput_bytes_per_s=rate)
    assert got == pytest.approx(each * size)
    assert energy.bytes_per_j(rate, active_power_w=idle + more) == pytest.approx(1 / each)
