"""Arrays under stalls: the simulator, integration step by step, drawn windows, laws."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from models import array_freeze, array_speed, array_stalls, array_windows, registry
from models.array_speed import HostOperations, MemberTimes
from models.errors import DomainError
from models.simulator.arrays import Config, run

PRO = {"members": 12, "stall_s": 5.76e-3}

# 12 drives of 50K IOPS, stalls included, at queue depth 32 each; simulated once over 100 s by
# another program than the simulator here: mean IOPS in thousands, stalls random and together.
PRINTED_MEANS = [(1, 579, None), (4, 548, 591)]


def pro(stalls_per_s):
    """Share of operations that stall and their time, for a mean of 20 us."""
    chance = stalls_per_s * 20e-6
    return chance, 20e-6 - chance * PRO["stall_s"]


@pytest.mark.parametrize(("stalls_per_s", "random", "together"), PRINTED_MEANS)
def test_twelve_drives_of_50k_at_queue_depth_32_each(stalls_per_s, random, together):
    chance, operation_s = pro(stalls_per_s)
    known = {**PRO, "operation_s": operation_s}
    got = array_stalls.stalled_iops(384, **known, stalls_per_operation=chance)
    assert got == pytest.approx(random * 1e3, rel=0.02)
    if together:
        free = array_stalls.stalled_iops(384, **known, stalls_per_operation=0)
        got = array_stalls.synchronised_iops(free, stall_s=5.76e-3, stall_interval_s=0.25)
        assert got == pytest.approx(together * 1e3, rel=0.005)


def test_stripes_over_twelve_drives_lose_what_synchronised_stalls_save():
    chance, operation_s = pro(4)
    known = {"operation_s": operation_s, "stall_s": 5.76e-3, "stalls_per_operation": chance}
    apart, together = (array_stalls.stalled_stripe_iops(n, **known) for n in (12, 1))
    assert apart == pytest.approx(40.3e3, rel=0.015)
    assert together == pytest.approx(50.0e3, rel=0.001)


CASES = [  # members, depth of each, stall, share of operations that stall; 50K IOPS without
    (4, 1, 1e-3, 1e-3),
    (4, 32, 5e-3, 5e-4),
    (8, 4, 1e-3, 1e-3),
    (12, 8, 4e-3, 1e-3),
    (12, 32, 5e-3, 5e-4),
    (24, 4, 5e-3, 2e-4),
    (24, 16, 2e-3, 1e-3),
]


def from_measured_rates(members, each, stall_s, chance):
    """IOPS by rates that have the stalls in them, as a test of one drive measures them."""
    mean_s = 20e-6 + chance * stall_s
    known = {"queue_depth": members * each, "members": members}
    even = array_speed.array_speed(
        **known, read_fraction=1.0, times=MemberTimes(mean_s, mean_s),
        host_operations=HostOperations(1, 0, 1),
    )  # fmt: skip
    return array_stalls.independent_stalled_iops(
        even.iops, **known, operation_s=mean_s, stall_s=stall_s,
        member_stall_fraction=chance * stall_s / mean_s,
    )  # fmt: skip


def test_mean_iops_under_random_stalls_agree_with_the_simulator():
    errors = []
    for members, each, stall_s, chance in CASES:
        result = run(
            Config(
                members=members, read_s=20e-6, write_s=20e-6, queue_depth=members * each,
                stall_s=stall_s, stall_probability=chance, warmup_s=0.5, measured_s=6.0,
            )
        )  # fmt: skip
        got = array_stalls.stalled_iops(
            members * each, members=members, operation_s=20e-6, stall_s=stall_s,
            stalls_per_operation=chance,
        )  # fmt: skip
        assert from_measured_rates(members, each, stall_s, chance) == pytest.approx(got, rel=1e-12)
        errors.append(abs(got / result.iops - 1))
    assert np.mean(errors) <= 0.03
    assert max(errors) <= registry.CHECKED["stalled_iops"].error


depths, sizes = st.integers(1, 2000), st.integers(2, 32)
stalls = st.floats(1e-4, 1)


@given(depths, sizes, stalls)
def test_completions_in_a_stall_are_the_integral(depth, members, stall_s):
    def rate(_, held):
        a = (depth - held) / (members - 1)
        return (members - 1) / 20e-6 * (1 + a - np.hypot(1, a)) / members

    solved = solve_ivp(
        rate, (0, stall_s), [depth / members], method="LSODA", rtol=1e-9, atol=1e-9
    ).y[0, -1]
    got = array_freeze.completions_during_stall(
        stall_s, queue_depth=depth, members=members, operation_s=20e-6
    )
    assert got == pytest.approx(members * (solved - depth / members), rel=1e-5, abs=1e-5)
    assert 0 < got <= depth * (members - 1) * (1 + 1e-12)


@settings(max_examples=50)
@given(st.integers(1, 300), st.integers(1, 32), stalls)
def test_a_stall_costs_at_most_its_length_and_less_with_a_longer_queue(depth, members, stall_s):
    known = {"members": members, "operation_s": 20e-6}
    short = array_freeze.frozen_s(stall_s, queue_depth=depth, **known)
    long = array_freeze.frozen_s(stall_s, queue_depth=2 * depth, **known)
    assert 0 <= long <= short * (1 + 1e-9) + 1e-12
    assert short <= stall_s


@pytest.mark.parametrize("members", [1e6, 1e9, 1e12])
def test_among_many_members_a_stall_stops_only_what_meets_it(members):
    """Of Q operations Q T / (s n) meet the stall of T and wait T / 2: T^2 / (2 s n) are lost."""
    known = {"queue_depth": 32, "members": members, "operation_s": 20e-6}
    assert array_freeze.frozen_s(5e-3, **known) * members == pytest.approx(0.625, rel=0.02)


@pytest.mark.parametrize("members", [1e9, 1e17, 1e30, 1e300])
def test_more_members_than_operations_complete_as_if_none_stalled(members):
    known = {"queue_depth": 32, "members": members, "operation_s": 20e-6}
    got = array_freeze.completions_during_stall(5e-3, **known)
    assert got == pytest.approx(32 * 5e-3 / 20e-6, rel=1e-6)


@pytest.mark.parametrize("depth", [1e9, 1e15])
def test_behind_an_endless_queue_the_other_members_work_through_a_stall(depth):
    known = {"queue_depth": depth, "members": 12, "operation_s": 20e-6}
    got = array_freeze.completions_during_stall([1e-6, 5e-3], **known)
    np.testing.assert_allclose(got, [11 / 20, 11 * 250], rtol=1e-6)


@pytest.mark.parametrize(
    "iops",
    [
        lambda **known: array_freeze.frozen_s(5e-3, **known),
        lambda **known: array_stalls.stalled_iops(**known, stall_s=5e-3, stalls_per_operation=1e-4),
        lambda **known: array_stalls.independent_stalled_iops(
            1e5, **known, stall_s=5e-3, member_stall_fraction=0.02
        ),
    ],
)
def test_more_members_than_numbers_can_tell_apart_are_refused(iops):
    known = {"queue_depth": 32, "operation_s": 20e-6}
    assert np.isfinite(iops(**known, members=1e12))
    for members in (1e13, 1e30, [4, 1e30]):
        with pytest.raises(DomainError, match=r"^members must be <= 1e\+12, got 1e\+"):
            iops(**known, members=members)


def test_one_drive_alone_loses_all_of_every_stall():
    got = array_stalls.stalled_iops(
        32, members=1, operation_s=20e-6, stall_s=5e-3, stalls_per_operation=1e-4
    )
    assert got == pytest.approx(1 / (20e-6 + 1e-4 * 5e-3), rel=1e-12)


@settings(max_examples=50)
@given(st.integers(1, 300), sizes, st.floats(1e-3, 0.1), st.floats(0, 1e-3))
def test_stalls_never_add_iops_and_never_take_more_than_their_time(depth, members, stall_s, p):
    known = {"members": members, "operation_s": 20e-6, "stall_s": stall_s}
    got, free = (
        array_stalls.stalled_iops(depth, **known, stalls_per_operation=chance)
        for chance in (p, 0.0)
    )
    assert got <= min(free, members / (20e-6 + p * stall_s)) * (1 + 1e-12)
    assert got >= 0.9 / (1 / free + p * stall_s)


def drawn_losses(cost_s, between_s, window_s, windows=100_000):
    """Stalls at random times, their parts in windows of one length."""
    rng = np.random.default_rng(0)
    numbers = rng.poisson((window_s + cost_s) / between_s, windows)
    lost = np.zeros(windows)
    for held in range(int(numbers.max())):
        start = rng.uniform(-cost_s, window_s, windows)
        part = np.minimum(start + cost_s, window_s) - np.maximum(start, 0)
        lost += np.where(held < numbers, part, 0)
    return np.minimum(lost / window_s, 1)


@pytest.mark.parametrize(
    ("cost_s", "between_s", "window_s"),
    [(2e-3, 1 / 12, 0.01), (2e-3, 0.02, 0.01), (20e-3, 0.1, 0.01), (2e-3, 1 / 48, 1.0)],
)
def test_windows_agree_with_drawn_ones(cost_s, between_s, window_s):
    lost = drawn_losses(cost_s, between_s, window_s)
    for quantile in (0.5, 0.1, 0.01):
        got = array_windows.window_iops(
            quantile,
            iops=1 - cost_s / between_s,
            stall_free_iops=1.0,
            stall_interval_s=between_s,
            interval_s=window_s,
        )
        assert got == pytest.approx(1 - np.quantile(lost, 1 - quantile), abs=0.01)


# Lowest of 100 windows of 1 s and 1st percentile of windows of 10 ms, in thousands, of the
# runs above.
@pytest.mark.parametrize(("stalls_per_s", "second", "hundredth"), [(1, 567, 449), (4, 524, 338)])
def test_windows_of_twelve_drives(stalls_per_s, second, hundredth):
    chance, operation_s = pro(stalls_per_s)
    known = {**PRO, "operation_s": operation_s}
    mean, free = (
        array_stalls.stalled_iops(384, **known, stalls_per_operation=p) for p in (chance, 0.0)
    )
    test = {"iops": mean, "stall_free_iops": free, "stall_interval_s": 1 / (12 * stalls_per_s)}
    lowest = array_windows.lowest_window_quantile(100)
    assert array_windows.window_iops(lowest, **test, interval_s=1.0) == pytest.approx(
        second * 1e3, rel=0.03
    )
    assert array_windows.window_iops(0.01, **test, interval_s=0.01) == pytest.approx(
        hundredth * 1e3, rel=0.10
    )


@given(st.integers(1, 10**6), st.floats(0.01, 0.99))
def test_the_lowest_of_many_windows_inverts(windows, probability):
    q = array_windows.lowest_window_quantile(windows, probability=probability)
    assert -np.expm1(windows * np.log1p(-q)) == pytest.approx(probability, rel=1e-9)


def test_many_windows_are_those_of_one_in_little_memory():
    levels = np.linspace(0.001, 1, 4000)
    test = {"iops": 5.5e5, "stall_free_iops": 6e5, "stall_interval_s": 0.1, "interval_s": 0.3}
    tracemalloc.start()
    many = array_windows.window_iops(levels, **test)
    bytes_each = tracemalloc.get_traced_memory()[1] / levels.size
    tracemalloc.stop()
    assert bytes_each < 2000
    assert many[::799].tolist() == [
        array_windows.window_iops(level, **test) for level in levels[::799]
    ]


def test_without_stalls_every_window_is_alike():
    known = {"stall_free_iops": 5e5, "stall_interval_s": 0.1, "interval_s": 1.0}
    got = array_windows.window_iops([1e-6, 0.5, 1.0], iops=5e5, **known)
    np.testing.assert_allclose(got, 5e5, rtol=1e-12)


def test_members_that_never_stall_change_nothing_and_those_that_always_do_stand_still():
    """Stalls that never come, ever rarer ones, and one after the other."""
    assert array_stalls.synchronised_iops(5e5, stall_s=1.0, stall_interval_s=np.inf) == 5e5
    assert array_stalls.synchronised_iops(5e5, stall_s=1.0, stall_interval_s=1.0) == 0
    windows = {"quantile": 0.01, "iops": 5e5, "stall_free_iops": 5e5, "interval_s": 1.0}
    assert array_windows.window_iops(**windows, stall_interval_s=np.inf) == 5e5
    known = {"queue_depth": 96, "members": 12, "operation_s": 20e-6, "stall_s": 5e-3}
    none, rare = (
        array_stalls.independent_stalled_iops(5e5, **known, member_stall_fraction=share)
        for share in (0.0, 1e-9)
    )
    assert none == pytest.approx(5e5, rel=1e-12)
    assert rare == pytest.approx(5e5, rel=1e-6)


@given(st.floats(1e-6, 0.99), st.floats(1e-5, 1), st.integers(1, 64))
def test_synchronised_stalls_leave_the_measured_rate(share, stall_s, members):
    """What is gained between stalls is lost in them; n members stall n times as often."""
    free_iops = array_stalls.stall_free_iops(5e4, member_stall_fraction=share)
    known = {"stall_s": stall_s, "member_stall_fraction": share}
    one_s = array_stalls.stall_interval_s(**known)
    left = array_stalls.synchronised_iops(free_iops, stall_s=stall_s, stall_interval_s=one_s)
    assert left == pytest.approx(5e4, rel=1e-9)
    assert array_stalls.stall_interval_s(**known, members=members) * members == pytest.approx(one_s)


@pytest.mark.parametrize("formula", ["stall_free_iops", "stall_interval_s"])
def test_a_member_that_always_stalls_has_no_rate_between_stalls(formula):
    with pytest.raises(DomainError, match=r"^member_stall_fraction must be in \[0, 1\), got 1"):
        getattr(array_stalls, formula)(1.0, member_stall_fraction=1.0)


def test_stalls_cannot_add_to_a_window_or_outlast_their_interval():
    with pytest.raises(DomainError, match=r"^iops must be <= stall_free_iops"):
        array_windows.window_iops(
            0.5, iops=2.0, stall_free_iops=1.0, stall_interval_s=1.0, interval_s=1.0
        )
    with pytest.raises(DomainError, match=r"^stall_s must be <= stall_interval_s"):
        array_stalls.synchronised_iops(1e5, stall_s=2.0, stall_interval_s=1.0)


def test_different_arrays_climb_together_and_are_those_alone(monkeypatch):
    rng = np.random.default_rng(6)
    depth, members = rng.integers(1, 300, 200), rng.integers(1, 25, 200)
    load = {"operation_s": 2e-5, "stall_s": 5e-3, "stalls_per_operation": 1e-4}
    alone = [
        array_stalls.stalled_iops(q, members=n, **load) for q, n in zip(depth, members, strict=True)
    ]
    asked = []

    def counted(queue_depth, **rest):
        asked.append(np.size(queue_depth))
        return array_speed.array_speed(queue_depth, **rest)

    monkeypatch.setattr(array_freeze, "array_speed", counted)
    together = array_stalls.stalled_iops(depth, members=members, **load)
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    assert set(asked) == {200}
    assert len(asked) <= 2
