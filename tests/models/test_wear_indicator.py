"""Wear indicator: the printed estimate, and what a whole point leaves open."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import wear_indicator
from models.units import GIB
from tests.published import Printed

writes = st.floats(1e9, 1e17)
sizes = st.floats(1e9, 1e14)
points = st.integers(1, 100)


# AnandTech 7173, "Samsung SSD 840 EVO Endurance Estimation": 1129.94 is printed as 1129.
def test_cycles_reproduce_anandtech_840_evo():
    got = wear_indicator.pe_cycles(4338.98 * GIB, raw_bytes=128 * GIB, points_used=3)
    assert Printed("1129", "truncated").admits(got)
    assert not Printed("1129").admits(got)


# The same table, raw value 35 average cycles at the same three points (derived).
def test_cycles_from_the_raw_counter():
    got = wear_indicator.pe_cycles(35 * 128 * GIB, raw_bytes=128 * GIB, points_used=3)
    assert Printed("1166.67").admits(got)


def test_three_points_are_anything_between_two_and_four():
    low, high = wear_indicator.pe_cycles_interval(4338.98 * GIB, raw_bytes=128 * GIB, points_used=3)
    at_four, at_two = (
        wear_indicator.pe_cycles(4338.98 * GIB, raw_bytes=128 * GIB, points_used=n) for n in (4, 2)
    )
    assert low == pytest.approx(at_four, rel=1e-12)
    assert high == pytest.approx(at_two, rel=1e-12)


@given(writes, sizes, points)
def test_points_times_cycles_are_the_drive_writes(host_bytes, raw_bytes, points_used):
    got = wear_indicator.pe_cycles(host_bytes, raw_bytes=raw_bytes, points_used=points_used)
    assert got * points_used / 100 * raw_bytes == pytest.approx(host_bytes, rel=1e-12)


@given(writes, sizes, points, st.floats(1e-6, 1))
def test_the_interval_holds_the_estimate(host_bytes, raw_bytes, points_used, coverage):
    known = {"raw_bytes": raw_bytes, "points_used": points_used}
    estimate = wear_indicator.pe_cycles(host_bytes, **known)
    low, high = wear_indicator.pe_cycles_interval(host_bytes, **known, coverage=coverage)
    assert low < estimate < high


@given(writes, sizes, points, st.floats(1e-6, 1), st.floats(1e-6, 1))
def test_more_coverage_needs_a_wider_interval(host_bytes, raw_bytes, points_used, a, b):
    known = {"raw_bytes": raw_bytes, "points_used": points_used}
    low, high = wear_indicator.pe_cycles_interval(
        host_bytes, **known, coverage=[min(a, b), max(a, b)]
    )
    assert low[1] <= low[0]
    assert high[0] <= high[1]


@pytest.mark.parametrize("points_used", [0.5, 1])
def test_one_point_sets_no_upper_end(points_used):
    low, high = wear_indicator.pe_cycles_interval(100 * GIB, raw_bytes=GIB, points_used=points_used)
    assert low == pytest.approx(1e4 / (points_used + 1), rel=1e-12)
    assert high == math.inf


@pytest.mark.parametrize("coverage", [0.5, 0.9, 0.95, 1.0])
def test_the_interval_covers_what_it_promises(coverage):
    """Read a counter that drops fractions before and after a known wear of 3 to 6 points."""
    draw = np.random.default_rng(7)
    start = draw.uniform(0, 50, 40_000)
    true_points = draw.uniform(3, 6, start.size)
    read = np.floor(start + true_points) - np.floor(start)
    low, high = wear_indicator.pe_cycles_interval(
        true_points / 100, raw_bytes=1, points_used=read, coverage=coverage
    )
    covered = np.mean((low <= 1) & (high >= 1))
    assert covered == pytest.approx(coverage, abs=0.01)


# AnandTech 7173, three points: both ends at random, and from a fresh drive.
@pytest.mark.parametrize(("coverage", "expected"), [(0.95, (898, 1525)), (0.68, (987, 1321))])
def test_what_three_points_leave_open(coverage, expected):
    interval = wear_indicator.pe_cycles_interval(
        4338.98 * GIB, raw_bytes=128 * GIB, points_used=3, coverage=coverage
    )
    assert interval == pytest.approx(expected, rel=5e-4)


def test_the_printed_estimate_is_an_end_of_what_a_fresh_drive_leaves_open():
    known = {"raw_bytes": 128 * GIB, "points_used": 3}
    estimate = wear_indicator.pe_cycles(4338.98 * GIB, **known)
    low, high = wear_indicator.pe_cycles_rounded_down(4338.98 * GIB, **known)
    assert high == pytest.approx(estimate, rel=1e-12)
    assert Printed("847").admits(low)
    low, high = wear_indicator.pe_cycles_rounded_up(4338.98 * GIB, **known)
    assert low == pytest.approx(estimate, rel=1e-12)
    assert Printed("1695").admits(high)


def test_raw_count_of_the_same_drive():
    """35 cycles of 128 GiB for 4338.98 GiB: WA 1.03; three to four points: 875 to 1167 cycles."""
    wa = 35 * 128 / 4338.98
    assert Printed("1.03").admits(wa)
    low, high = wear_indicator.pe_cycles_rounded_down(
        35 * 128 * GIB, raw_bytes=128 * GIB, points_used=3
    )
    assert (round(low), round(high)) == (875, 1167)


@pytest.mark.parametrize(
    ("formula", "read"),
    [
        (wear_indicator.pe_cycles_rounded_down, np.floor),
        (wear_indicator.pe_cycles_rounded_up, np.ceil),
    ],
)
@pytest.mark.parametrize("coverage", [0.5, 0.95, 1.0])
def test_a_fresh_drive_covers_what_it_promises(formula, read, coverage):
    true_points = np.random.default_rng(7).uniform(3, 6, 40_000)
    low, high = formula(
        true_points / 100, raw_bytes=1, points_used=read(true_points), coverage=coverage
    )
    assert np.mean((low <= 1) & (high >= 1)) == pytest.approx(coverage, abs=0.01)


def test_relative_spread_of_a_difference_of_two_readings():
    """n + U1 - U2 has the standard deviation 1/sqrt(6): the 68 % interval is near twice it."""
    draw = np.random.default_rng(1)
    spread = np.std(draw.uniform(size=400_000) - draw.uniform(size=400_000))
    assert spread == pytest.approx(1 / math.sqrt(6), rel=0.005)
    low, high = wear_indicator.pe_cycles_interval(1, raw_bytes=1, points_used=1e6, coverage=0.65)
    estimate = wear_indicator.pe_cycles(1, raw_bytes=1, points_used=1e6)
    assert (high - low) / 2 / estimate * 1e6 == pytest.approx(1 / math.sqrt(6), rel=0.005)


@pytest.mark.parametrize(("points_used", "percent"), [(10, 8), (30, 2.6)])
def test_ten_points_are_good_to_8_percent_and_thirty_to_3(points_used, percent):
    low, high = wear_indicator.pe_cycles_interval(
        100 * GIB, raw_bytes=GIB, points_used=points_used, coverage=0.95
    )
    middle = 1e4 / points_used
    assert (high - low) / 2 / middle == pytest.approx(percent / 100, abs=0.0025)


@given(st.floats(0.001, 0.5), st.floats(0.5, 0.999))
def test_as_many_points_as_needed_keep_the_error(error_ratio, coverage):
    points_used = wear_indicator.points_needed(error_ratio, coverage=coverage)
    known = {"raw_bytes": 1, "points_used": points_used}
    _, high = wear_indicator.pe_cycles_interval(1, **known, coverage=coverage)
    estimate = wear_indicator.pe_cycles(1, **known)
    assert high / estimate - 1 == pytest.approx(error_ratio, rel=1e-9)
