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
