"""Endurance formulas against printed figures, then against their own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import endurance, wear_forecast
from models.units import DAY_S, GB, GIB, PB, TB, YEAR_S
from tests.published import Printed

# AnandTech 7173, "Endurance": days and years at 50 GiB/day, years at 100 GiB/day, 1129 cycles,
# WA 1. Several rows show truncation and a 365-day year: 15.837 prints as 15.83.
ANANDTECH_840_EVO = [
    (128, "2890", "7.91", "3.95"),
    (256, "5780", "15.83", "7.91"),
    (512, "11560", "31.67", "15.83"),
    (768, "17341", "47.51", "23.75"),
    (1024, "23121", "63.34", "31.67"),
]


@pytest.mark.parametrize(("nand_gib", "days", "years", "years_at_100"), ANANDTECH_840_EVO)
def test_lifetime_reproduces_anandtech_840_evo(nand_gib, days, years, years_at_100):
    limit = endurance.write_limit_bytes(nand_gib * GIB, pe_cycles=1129, wa=1)
    at_50 = endurance.lifetime_s(limit, host_bytes_per_s=50 * GIB / DAY_S)
    at_100 = endurance.lifetime_s(limit, host_bytes_per_s=100 * GIB / DAY_S)
    assert Printed(days, "truncated").admits(at_50 / DAY_S)
    assert Printed(years, "truncated").admits(at_50 / YEAR_S)
    assert Printed(years_at_100, "truncated").admits(at_100 / YEAR_S)


# AnandTech 8319, specification tables, five years; 860 PRO (AnandTech, specifications), derived.
RATINGS = [
    pytest.param(400, 7_300, "10", id="845DC PRO 400"),
    pytest.param(800, 14_600, "10", id="845DC PRO 800"),
    pytest.param(256, 300, "0.642", id="860 PRO 256"),
    pytest.param(4096, 4_800, "0.642", id="860 PRO 4096"),
]


@pytest.mark.parametrize(("user_gb", "tbw", "printed"), RATINGS)
def test_dwpd_reproduces_ratings(user_gb, tbw, printed):
    got = endurance.dwpd(tbw * TB, user_bytes=user_gb * GB, period_s=5 * YEAR_S)
    assert Printed(printed).admits(got)


# AnandTech 8319: cycles and TBW of the 845DC drives imply (derived) these write amplifications.
@pytest.mark.parametrize(
    ("nand_gib", "cycles", "tbw", "printed"),
    [(512, 40_000, 7_300, "3.01"), (1024, 40_000, 14_600, "3.01"), (256, 3_000, 150, "5.5")],
)
def test_implied_wa_of_the_845dc(nand_gib, cycles, tbw, printed):
    got = endurance.implied_wa(nand_gib * GIB, pe_cycles=cycles, rated_bytes=tbw * TB)
    assert Printed(printed).admits(got)


sizes = st.floats(1e9, 1e15)
cycles = st.floats(1, 1e6)
amplification = st.floats(0.1, 100)
limits = st.floats(1e9, 1e18)
flows = st.floats(1, 1e10)
periods = st.floats(1e5, 1e9)


@given(sizes, cycles, amplification, st.floats(1, 1e3))
def test_write_limit_scales(raw_bytes, pe_cycles, wa, factor):
    one = endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=wa)
    for many in (
        endurance.write_limit_bytes(factor * raw_bytes, pe_cycles=pe_cycles, wa=wa),
        endurance.write_limit_bytes(raw_bytes, pe_cycles=factor * pe_cycles, wa=wa),
        endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=wa / factor),
    ):
        assert many == pytest.approx(factor * one, rel=1e-12)


@given(sizes, cycles, amplification)
def test_implied_wa_inverts_the_write_limit(raw_bytes, pe_cycles, wa):
    limit = endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=wa)
    back = endurance.implied_wa(raw_bytes, pe_cycles=pe_cycles, rated_bytes=limit)
    assert back == pytest.approx(wa, rel=1e-12)


@given(sizes, cycles, amplification, amplification)
def test_a_rating_at_the_wear_limit_converts_to_the_wear_limit(raw_bytes, pe_cycles, a, b):
    """Rated and flash limits are the same flash bytes, whichever workload counts them."""
    rated = endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=a)
    got = endurance.effective_tbw_bytes(rated, rating_wa=a, workload_wa=b)
    wear = endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=b)
    assert got == pytest.approx(wear, rel=1e-12)


@given(limits, st.floats(0.01, 3))
def test_what_is_left_is_what_the_wear_so_far_leaves(limit, used):
    """Points of wear seen while some bytes were written leave the points that remain."""
    total = endurance.worn_limit_bytes(limit, used_fraction=used)
    left = endurance.left_bytes(total, used_fraction=used)
    if used < 1:
        points = {"host_bytes": limit, "points_used": 100 * used}
        wanted = wear_forecast.points_left_bytes(100 - 100 * used, **points)
        assert left == pytest.approx(wanted, rel=1e-9)
    else:
        assert left == 0


def test_a_warranty_that_is_over_leaves_nothing():
    left = endurance.left_s([5.0, 3.0], age_s=4.0)
    assert list(left) == [1.0, 0.0]


@given(limits, amplification)
def test_the_rating_workload_keeps_its_rating(rated_bytes, wa):
    got = endurance.effective_tbw_bytes(rated_bytes, rating_wa=wa, workload_wa=wa)
    assert got == rated_bytes


@given(limits, amplification, amplification)
def test_conversion_between_workloads_inverts(rated_bytes, a, b):
    there = endurance.effective_tbw_bytes(rated_bytes, rating_wa=a, workload_wa=b)
    back = endurance.effective_tbw_bytes(there, rating_wa=b, workload_wa=a)
    assert back == pytest.approx(rated_bytes, rel=1e-12)


@given(limits, flows)
def test_lifetime_is_spent_exactly(limit_bytes, host_bytes_per_s):
    life = endurance.lifetime_s(limit_bytes, host_bytes_per_s=host_bytes_per_s)
    assert life * host_bytes_per_s == pytest.approx(limit_bytes, rel=1e-12)


@given(limits, sizes, periods)
def test_dwpd_and_tbw_invert(limit_bytes, user_bytes, period_s):
    rate = endurance.dwpd(limit_bytes, user_bytes=user_bytes, period_s=period_s)
    back = endurance.tbw_bytes(rate, user_bytes=user_bytes, period_s=period_s)
    assert back == pytest.approx(limit_bytes, rel=1e-12)
    assert rate * user_bytes * period_s / DAY_S == pytest.approx(limit_bytes, rel=1e-12)


@given(limits, sizes, periods)
def test_writing_the_rated_dwpd_lasts_exactly_the_period(limit_bytes, user_bytes, period_s):
    flow = limit_bytes / period_s
    asked = endurance.required_dwpd(flow, user_bytes=user_bytes)
    rated = endurance.dwpd(limit_bytes, user_bytes=user_bytes, period_s=period_s)
    assert asked == pytest.approx(rated, rel=1e-12)


@given(limits, limits)
def test_the_first_limit_is_the_smaller(wear, rated):
    assert endurance.first_limit_bytes(wear, rated_limit_bytes=rated) == min(wear, rated)


@given(st.floats(0, 1e18), limits)
def test_used_and_left_sum_to_one(host_bytes, limit_bytes):
    used = endurance.used_fraction(host_bytes, limit_bytes=limit_bytes)
    assert used * limit_bytes == pytest.approx(host_bytes, rel=1e-12)


def test_nothing_written_uses_nothing_and_more_than_the_limit_more_than_all():
    assert endurance.used_fraction(0, limit_bytes=1e12) == 0
    assert endurance.used_fraction(3e12, limit_bytes=1e12) == 3


def test_petabytes_times_cycles_do_not_overflow_as_integers():
    raw = np.array([100 * int(PB), 2 * int(TB)], np.int64)
    worn = np.array([100_000, 3_000], np.int32)
    got = endurance.write_limit_bytes(raw, pe_cycles=worn, wa=2)
    np.testing.assert_allclose(got, [5e21, 3e15], rtol=1e-15)
    assert endurance.tbw_bytes(np.int64(60_000), user_bytes=np.int64(PB), period_s=YEAR_S) == (
        60_000 * PB * 365
    )
    implied = endurance.implied_wa(raw, pe_cycles=worn, rated_bytes=raw)
    np.testing.assert_allclose(implied, worn, rtol=1e-15)
