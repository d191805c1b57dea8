"""From host writes to seconds: published tests of drives, then laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import consistency, queueing, transient, write_amplification
from models.errors import DomainError
from models.units import GB, GIB, KIB

PAGE = 4 * KIB
SUPERBLOCK = 256

# Cliffs after a sequential fill: flash, capacity written to, and IOPS as printed in AnandTech 7173
# (840 EVO, maximum 4 KiB random write) and, for the 845DC PRO, the 90,000 of AnandTech 8319.
CLIFFS = [
    pytest.param(1024, 1000, 90e3, 270, id="840 EVO 1 TB"),
    pytest.param(256, 250, 66e3, 92, id="840 EVO 250 GB"),
    pytest.param(512, 400, 90e3, 406, id="845DC PRO 400 GB"),
    pytest.param(1024, 750, 90e3, 948, id="840 EVO 1 TB, a quarter left empty"),
]


@pytest.mark.parametrize(("raw_gib", "user_gb", "iops", "seconds"), CLIFFS)
def test_the_cliff_of_a_reviewed_drive(raw_gib, user_gb, iops, seconds):
    op_ratio = raw_gib * GIB / (user_gb * GB) - 1
    got = consistency.cliff_s(op_ratio, user_bytes=user_gb * GB, host_bytes_per_s=iops * PAGE)
    assert round(got) == seconds


def test_the_cliff_is_when_the_writes_of_the_cliff_are_done():
    for filled in (0.0, 0.4, 1.0):
        fills = transient.cliff_fills(0.28, prefilled_fraction=filled)
        drive = {"user_bytes": 4e11, "host_bytes_per_s": 3.7e8, "prefilled_fraction": filled}
        assert consistency.cliff_s(0.28, **drive) == pytest.approx(fills * 4e11 / 3.7e8)


def saturation_test(op_ratio, user_bytes, rates):
    """Operations, times and write amplification of a 4 KiB random write test, filled before."""
    fills = np.linspace(0, op_ratio + 2, 4001)
    flash = transient.greedy_flash_fills(op_ratio, drive_fills=fills, pages_per_block=SUPERBLOCK)
    wa = np.diff(flash) / np.diff(fills)
    operations = fills * user_bytes / PAGE
    iops = consistency.transient_iops(wa, **rates)
    return fills, operations, consistency.elapsed_s(operations, iops=iops), iops


def settled_s(op_ratio, fills, times):
    settled = transient.greedy_settling_fills(op_ratio, pages_per_block=SUPERBLOCK)
    return float(np.interp(settled, fills, times))


def test_the_845dc_pro_settles_where_its_review_zooms_in():
    """AnandTech 8319: 400 GB, 50K IOPS; "beginning of steady-state operation (t=1400s)"."""
    op_ratio = 512 * GIB / (400 * GB) - 1
    steady_wa = write_amplification.greedy(op_ratio, pages_per_block=SUPERBLOCK)
    rates = {"burst_write_iops": 90e3, "steady_write_iops": 50e3, "steady_wa": steady_wa}
    fills, operations, times, iops = saturation_test(op_ratio, 400 * GB, rates)
    settling = settled_s(op_ratio, fills, times)
    assert 1400 < settling < 1600
    assert 0.2 < consistency.settled_fraction(2000, settling_s=settling) < 0.3
    by_second = consistency.second_iops(times, operations=operations)
    assert np.all(by_second[:405] == pytest.approx(90e3))
    assert np.min(by_second) == pytest.approx(np.min(iops), rel=1e-3)
    assert 0.75 < np.min(by_second) / 50e3 < 0.80  # slowest before it settles
    assert np.mean(by_second[1600:1900]) == pytest.approx(50e3, rel=0.03)


def test_2000_s_are_too_short_for_the_840_evo():
    """AnandTech 7173: 1 TB. Even if copies cost no more than host writes, 90K / A IOPS."""
    op_ratio = 1024 * GIB / (1000 * GB) - 1
    steady_wa = write_amplification.greedy(op_ratio, pages_per_block=SUPERBLOCK)
    rates = {
        "burst_write_iops": 90e3,
        "steady_write_iops": 90e3 / steady_wa,
        "steady_wa": steady_wa,
    }
    fills, _, times, _ = saturation_test(op_ratio, 1000 * GB, rates)
    settling = settled_s(op_ratio, fills, times)
    assert settling > 2600
    assert consistency.settled_fraction(2000, settling_s=settling) == 0


# Laws

rates = st.floats(1e3, 1e6)
amplifications = st.floats(1.01, 20)


@given(rates, st.floats(0.01, 1), amplifications)
def test_transient_iops_is_exact_at_both_ends(burst, share, steady_wa):
    given_rates = {
        "burst_write_iops": burst,
        "steady_write_iops": burst * share,
        "steady_wa": steady_wa,
    }
    assert consistency.transient_iops(1.0, **given_rates) == pytest.approx(burst, rel=1e-12)
    steady = consistency.transient_iops(steady_wa, **given_rates)
    assert steady == pytest.approx(burst * share, rel=1e-12)


@given(rates, st.floats(0.01, 0.99), amplifications, amplifications, amplifications)
def test_time_per_write_is_linear_in_copies(burst, share, steady_wa, one, other):
    given_rates = {
        "burst_write_iops": burst,
        "steady_write_iops": burst * share,
        "steady_wa": steady_wa,
    }
    times = [
        1 / consistency.transient_iops(wa, **given_rates) for wa in (one, (one + other) / 2, other)
    ]
    assert times[1] == pytest.approx((times[0] + times[2]) / 2, rel=1e-9)


def test_transient_iops_refuses_a_drive_that_gets_faster():
    with pytest.raises(DomainError, match=r"^steady_write_iops must be <= burst_write_iops"):
        consistency.transient_iops(2.0, burst_write_iops=5e4, steady_write_iops=6e4, steady_wa=2.0)
    with pytest.raises(DomainError, match=r"^wa must be >= 1, got 0\.9"):
        consistency.transient_iops(0.9, burst_write_iops=5e4, steady_write_iops=4e4, steady_wa=2.0)


steps = st.lists(st.tuples(st.floats(0, 1e6), st.floats(1, 1e6)), min_size=1, max_size=20)


@given(steps)
def test_the_end_is_all_work_over_its_rates(parts):
    work, iops = zip(*parts, strict=True)
    times = consistency.elapsed_s(np.cumsum([0.0, *work]), iops=iops)
    assert times[0] == 0
    assert times[-1] == pytest.approx(sum(n / x for n, x in parts), rel=1e-9, abs=1e-6)


@given(st.lists(st.floats(0.01, 10), min_size=2, max_size=20), rates, st.floats(0.05, 3))
def test_a_constant_rate_is_constant_in_every_interval(gaps, iops, interval):
    times = np.cumsum(gaps)
    times -= times[0]
    got = consistency.second_iops(times, operations=times * iops, interval_s=interval)
    assert got.size == pytest.approx(times[-1] / interval, abs=1.0001)
    np.testing.assert_allclose(got, iops, rtol=1e-9)


def test_intervals_keep_every_operation():
    rng = np.random.default_rng(7)
    times = np.concatenate([[0.0], np.sort(rng.uniform(0, 50, 400)), [50.0]])
    operations = np.concatenate([[0.0], np.cumsum(rng.exponential(1000, 401))])
    got = consistency.second_iops(times, operations=operations)
    assert got.size == 50
    assert got.sum() == pytest.approx(operations[-1])
    counted = [
        np.interp(s + 1, times, operations) - np.interp(s, times, operations) for s in (0, 7)
    ]
    assert got[[0, 7]] == pytest.approx(counted)


def test_elapsed_and_second_are_inverse_to_little():
    """At one rate, the time for n operations is n times latency over queue depth."""
    times = consistency.elapsed_s([0, 1e5], iops=[queueing.iops(32, latency_s=6.4e-3)])
    assert times[1] == pytest.approx(1e5 * 6.4e-3 / 32)


@given(st.floats(1, 1e6), st.floats(0, 1e6))
def test_the_settled_share_counts_what_is_left(test_s, settling_s):
    got = consistency.settled_fraction(test_s, settling_s=settling_s)
    assert got == pytest.approx(max(0.0, test_s - settling_s) / test_s, abs=1e-12)


def test_a_drive_that_never_settles_leaves_nothing():
    assert consistency.settled_fraction(2000, settling_s=math.inf) == 0


@pytest.mark.parametrize(
    ("formula", "first", "rest", "statement"),
    [
        ("elapsed_s", [0, 2, 1], {"iops": [1, 1]}, "^operations must be in rising order"),
        ("elapsed_s", [0, math.inf], {"iops": [1]}, "^operations must be finite"),
        ("elapsed_s", [0], {"iops": []}, "^operations must be two numbers or more"),
        ("elapsed_s", [[0, 1]], {"iops": [1]}, "^operations must be a sequence"),
        ("elapsed_s", [0, 1], {"iops": [0.0]}, "^iops must be > 0"),
        ("elapsed_s", [0, 1], {"iops": [1, 1]}, "^iops must be one per interval"),
        ("second_iops", [0, 1], {"operations": [0, 1, 2]}, "^operations must be as many"),
        ("second_iops", [0, -1], {"operations": [0, 1]}, "^times_s must be >= 0"),
        ("second_iops", [0, 1], {"operations": [0, 1], "interval_s": 0}, "^interval_s must be"),
    ],
)
def test_names_what_is_wrong_with_a_sequence(formula, first, rest, statement):
    with pytest.raises(DomainError, match=statement):
        getattr(consistency, formula)(first, **rest)


def test_the_spread_within_a_second_is_that_of_its_operations():
    """Two kinds of latency, counted: Q operations of every stall, and all others."""
    depth, between, stall_s, stalls = 32, 50_000.0, 6e-3, 160
    others = 2_000_000
    random = np.random.default_rng(2)
    usual = np.maximum(1e-9, random.normal(depth / between, 0.05 * depth / between, others))
    late = np.full(depth * stalls, depth / between + stall_s)
    rates = depth / np.concatenate((usual, late))
    seconds = (others + depth * stalls) / between + stalls * stall_s
    got = consistency.second_sd_iops(
        depth, iops=rates.size / seconds, latency_cv=0.05,
        max_latency_s=depth / between + stall_s, member_stall_fraction=stalls * stall_s / seconds,
    )  # fmt: skip
    assert got == pytest.approx(rates.std(), rel=0.01)


def test_a_second_without_spread_and_stalls_is_even():
    got = consistency.second_sd_iops(
        32, iops=5e4, latency_cv=0.0, max_latency_s=32 / 5e4, member_stall_fraction=0.0
    )
    assert got == 0


@pytest.mark.parametrize("interval_s", [1.0, 4.0])
def test_spread_of_seconds_is_that_of_simulated_stalls(interval_s):
    """A drive that serves 50K IOPS between stalls of 8 ms, which start at random."""
    depth, between, stall_s, stalled = 32, 50_000.0, 8e-3, 0.03
    random = np.random.default_rng(5)
    pauses = random.exponential(stall_s * (1 - stalled) / stalled, 200_000)
    edges = np.cumsum(np.column_stack((pauses, np.full(pauses.size, stall_s))).ravel())
    served = np.cumsum(np.column_stack((pauses * between, np.zeros(pauses.size))).ravel())
    seconds = np.arange(0.0, edges[-1], interval_s)
    rates = np.diff(np.interp(seconds, edges, served)) / interval_s
    got = consistency.interval_sd_iops(
        depth, iops=between * (1 - stalled), max_latency_s=depth / between + stall_s,
        member_stall_fraction=stalled, interval_s=interval_s,
    )  # fmt: skip
    assert got == pytest.approx(rates.std(), rel=0.03)


def test_seconds_without_stalls_are_even():
    got = consistency.interval_sd_iops(
        32, iops=5e4, max_latency_s=30 / 5e4, member_stall_fraction=0.02
    )
    assert got == 0
