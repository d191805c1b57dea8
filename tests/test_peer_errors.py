"""Errors that existing tools and guides make, each with the right answer asserted.

The docstring says what goes wrong elsewhere and what it gives; where the wrong figure can be
computed, the test shows that the right formula does not give it. Numbers follow the order of
the collection they were taken from; what no formula here answers yet is not in this file.
"""

import math

import numpy as np
import pytest

from models import (
    array_tail,
    endurance,
    queueing,
    redundancy,
    spare_area,
    wear_indicator,
    write_amplification,
)
from models.errors import DomainError
from models.units import DAY_S, GB, GIB, HOUR_S, MB, MIB, TB, TIB, YEAR_S
from tests.published import Printed


def test_t1_a_worn_drive_is_not_a_fifth_used():
    """smartmontools issue 13, 850 PRO 128 GB: host writes against 150 TBW say 21.4 % used.

    The erase counter says 98 %: write amplification was 25, and TBW alone cannot see it. A web
    calculator shows the 32.04 TB as "29.14 TB" on top, which are TiB.
    """
    host_bytes = 62_578_693_422 * 512
    assert Printed("32.04").admits(host_bytes / TB)
    assert Printed("29.14").admits(host_bytes / TIB)
    used = endurance.used_fraction(host_bytes, limit_bytes=150 * TB)
    assert Printed("21.4").admits(100 * used)

    raw, erases, points_used = 128 * GIB, 5_887, 98
    flash_bytes = endurance.write_limit_bytes(raw, pe_cycles=erases, wa=1)
    assert Printed("809").admits(flash_bytes / TB)
    wa = endurance.implied_wa(raw, pe_cycles=erases, rated_bytes=host_bytes)
    assert Printed("25").admits(wa)
    cycles = wear_indicator.pe_cycles(flash_bytes, raw_bytes=raw, points_used=points_used)
    assert Printed("6007").admits(cycles)
    wear_limit = endurance.write_limit_bytes(raw, pe_cycles=cycles, wa=wa)
    first = endurance.first_limit_bytes(wear_limit, rated_limit_bytes=150 * TB)
    assert endurance.used_fraction(host_bytes, limit_bytes=first) == pytest.approx(0.98, rel=1e-9)


def test_t3_wear_runs_22_times_ahead_of_the_rating():
    """CrystalDiskInfo issue 301, P400 Lite: 2 TB of 560 TBW read as 0.36 % used; wear is 8 %."""
    used = endurance.used_fraction(2 * TB, limit_bytes=560 * TB)
    assert Printed("0.36").admits(100 * used)
    assert Printed("22").admits(0.08 / used)


def test_t4_the_life_of_a_drive_that_rewrites_itself_is_not_its_tbw():
    """MX500 500 GB: 6.172 TB are 3.4 % of 180 TBW, and the drive reports 6 % used.

    Later 138 to 390 GB of host writes cost a whole point, so that its life is 14 to 39 TB of
    host writes and not 180: background writes decide, which TBW does not count.
    """
    used = endurance.used_fraction(6.172 * TB, limit_bytes=180 * TB)
    assert Printed("3.4").admits(100 * used)
    assert used < 0.06
    raw = 512 * GIB
    per_point = np.array([138, 390]) * GB
    host_cycles = wear_indicator.pe_cycles(per_point, raw_bytes=raw, points_used=1)
    low, high = endurance.write_limit_bytes(raw, pe_cycles=host_cycles, wa=1) / TB
    assert Printed("14").admits(low)
    assert Printed("39").admits(high)
    assert high < 180


@pytest.mark.parametrize(
    ("nand_gib", "days", "years", "wrong_rounded", "wrong_calendar"),
    [
        (128, "2890", "7.91", "7.92", None),
        (256, "5780", "15.83", "15.84", None),
        (512, "11560", "31.67", None, "31.65"),
        (768, "17341", "47.51", None, "47.48"),
        (1024, "23121", "63.34", "63.35", "63.30"),
    ],
)
def test_t6_lifespans_need_365_days_and_truncation(
    nand_gib, days, years, wrong_rounded, wrong_calendar
):
    """AnandTech 7173: rounding gives 7.92, 15.84 and 63.35; years of 365.25 days 31.65 and so on.

    The printed table is reproduced only by 365-day years cut after two decimals.
    """
    limit = endurance.write_limit_bytes(nand_gib * GIB, pe_cycles=1129, wa=1)
    life_s = endurance.lifetime_s(limit, host_bytes_per_s=50 * GIB / DAY_S)
    assert Printed(days, "truncated").admits(life_s / DAY_S)
    assert Printed(years, "truncated").admits(life_s / YEAR_S)
    if wrong_rounded:
        assert Printed(wrong_rounded).admits(life_s / YEAR_S)
        assert not Printed(years).admits(life_s / YEAR_S)
    if wrong_calendar:
        julian_years = life_s / (365.25 * DAY_S)
        assert Printed(wrong_calendar).admits(julian_years)
        assert not Printed(years, "truncated").admits(julian_years)
        assert not Printed(years).admits(julian_years)


def test_t7_the_worst_case_of_an_array_comes_with_its_probability():
    """AnandTech 8319: 12 drives drop from 600K to 60K IOPS at worst.

    True as a floor that is met with probability 2.4e-16 if stalls of 5 % of the time are
    independent; what happens 46 % of the time is that some drive stalls.
    """
    best = redundancy.budget_iops(
        92_000,
        write_iops=50_000,
        members=12,
        read_fraction=0,
        reads_per_write=0,
        writes_per_write=1,
    )
    one_worst = queueing.worst_case_iops(32, max_latency_s=6.4e-3)
    assert Printed("600000").admits(best)
    assert Printed("60000").admits(array_tail.worst_case_iops(one_worst, members=12))
    assert Printed("46").admits(100 * array_tail.stall_probability(0.05, members=12))
    assert Printed("2.4e-16").admits(array_tail.aligned_stall_probability(0.05, members=12))


def test_t8a_terabytes_written_are_decimal():
    """A scrutiny fork divides bytes by 1024^4 and the result by decimal TBW.

    600 TB become "545.70" and a drive at its rating shows 90.95 % used.
    """
    written = 600 * TB
    assert Printed("545.70").admits(written / TIB)
    used = endurance.used_fraction(written, limit_bytes=600 * TB)
    assert used == 1
    assert not Printed("90.95").admits(100 * used)


def test_t8b_power_on_hours_are_not_calendar_time():
    """Taking power-on hours for elapsed time makes a PC used 8 hours a day die 3 times too soon."""
    written, left = 10 * TB, 90 * TB
    elapsed_s = 365 * DAY_S
    power_on_s = 365 * 8 * HOUR_S
    right = endurance.lifetime_s(left, host_bytes_per_s=written / elapsed_s)
    wrong = endurance.lifetime_s(left, host_bytes_per_s=written / power_on_s)
    assert right / YEAR_S == pytest.approx(9)
    assert right / wrong == pytest.approx(3)


def test_t8c_one_whole_point_leaves_the_life_open():
    """A tool extrapolates from 1 % used as if it were exact; 0 % it reads as endless life.

    One point is anything up to two, so that only a lower end exists; from none there is no
    estimate at all.
    """
    known = {"raw_bytes": 1 * TB, "points_used": 1}
    estimate = wear_indicator.pe_cycles(10 * TB, **known)
    low, high = wear_indicator.pe_cycles_interval(10 * TB, **known)
    assert estimate / low == pytest.approx(2)
    assert high == math.inf
    with pytest.raises(DomainError, match=r"^points_used must be > 0, got 0$"):
        wear_indicator.pe_cycles(10 * TB, raw_bytes=1 * TB, points_used=0)


def test_t8d_the_recent_rate_decides_not_the_average_of_a_lifetime():
    """A tool computes the recent rate and then predicts with the lifetime average.

    100 TB in 1,000 days, of late 400 GB a day: 500 TB more last 1,250 days and not 5,000.
    """
    left = 500 * TB
    average = endurance.lifetime_s(left, host_bytes_per_s=100 * TB / (1_000 * DAY_S))
    recent = endurance.lifetime_s(left, host_bytes_per_s=400 * GB / DAY_S)
    assert average / DAY_S == pytest.approx(5_000)
    assert recent / DAY_S == pytest.approx(1_250)


DATA_UNIT_BYTES = 512_000  # NVM Express: 1,000 units of 512 bytes


def test_t9_an_nvme_data_unit_is_512_000_bytes():
    """A log analyser takes a data unit for 0.5 KB: 1,000 times too few bytes, 1,000 times the life.

    23,437,500 units in a year are 12 TB; 600 TBW last 50 years and not 50,000.
    """
    units_per_s = 23_437_500 / YEAR_S
    right = queueing.throughput_bytes_per_s(units_per_s, transfer_bytes=DATA_UNIT_BYTES)
    wrong = queueing.throughput_bytes_per_s(units_per_s, transfer_bytes=512)
    assert endurance.lifetime_s(600 * TB, host_bytes_per_s=right) / YEAR_S == pytest.approx(50)
    assert endurance.lifetime_s(600 * TB, host_bytes_per_s=wrong) / YEAR_S == pytest.approx(50_000)


def test_t9_gib_per_day_over_decimal_capacity_is_no_dwpd():
    """The same tool divides GiB a day by decimal GB: drive writes per day come out 7 % low."""
    asked = endurance.required_dwpd(1_000 * GIB / DAY_S, user_bytes=1_000 * GB)
    assert Printed("1.074").admits(asked)
    assert asked > 1.07 * (1_000 / 1_000)


@pytest.mark.parametrize("true_wa", [1.5, 3, 25])
def test_t9_assuming_no_write_amplification_is_the_rosiest_case(true_wa):
    """Without a flash counter the tool assumes WA 1.0 and calls that conservative."""
    known = {"pe_cycles": 3_000}
    assumed = endurance.write_limit_bytes(1 * TB, **known, wa=1)
    real = endurance.write_limit_bytes(1 * TB, **known, wa=true_wa)
    assert assumed / real == pytest.approx(true_wa)


def test_t10_ten_dwpd_of_800_gb_are_14_600_tb():
    """A design guide computes its 800 GB drive with 0.4 TB: 7,300 TBW, half of the right ones."""
    got = endurance.tbw_bytes(10, user_bytes=800 * GB, period_s=5 * YEAR_S)
    assert Printed("14600").admits(got / TB)
    assert not Printed("7300").admits(got / TB)


@pytest.mark.parametrize(
    ("convention", "rating_wa", "tbw", "years"),
    [
        pytest.param("host writes at the rating workload", 1.5, 600, "32.85", id="TBW"),
        pytest.param(
            "flash writes, as the calculator has it", 1.0, 400, "21.9", id="divided by WA"
        ),
    ],
)
def test_t11_dividing_tbw_by_wa_counts_it_twice(convention, rating_wa, tbw, years):
    """A web calculator: 600 TBW at 50 GB a day and "WAF 1.5" are 21.9 years.

    TBW are host writes with the rating's write amplification inside: under a workload of the
    same WA the 600 TB stay 600 TB, 32.85 years. The shorter life is right only if the rating
    were made at WA 1. (The calculator's years have 365.25 days.)
    """
    limit = endurance.effective_tbw_bytes(600 * TB, rating_wa=rating_wa, workload_wa=1.5)
    assert limit / TB == pytest.approx(tbw)
    life_s = endurance.lifetime_s(limit, host_bytes_per_s=50 * GB / DAY_S)
    assert Printed(years).admits(life_s / (365.25 * DAY_S))


def test_t12_a_dwpd_column_follows_from_its_own_tbw():
    """A community sheet prints 3.24 DWPD for a 1.6 TB P4610 of 10,613 TBW over five years.

    Its own figures give 3.635; drives of 1,000 GB entered as 1,024 lose 2.3 % more.
    """
    five_years = {"period_s": 5 * YEAR_S}
    got = endurance.dwpd(10_613 * TB, user_bytes=1.6 * TB, **five_years)
    assert Printed("3.635").admits(got)
    assert Printed("-11").admits(100 * (3.24 / got - 1))
    decimal = endurance.dwpd(600 * TB, user_bytes=1_000 * GB, **five_years)
    binary = endurance.dwpd(600 * TB, user_bytes=1_024 * GB, **five_years)
    assert Printed("-2.3").admits(100 * (binary / decimal - 1))


def test_t13_raid_5_has_different_drives_for_reads_and_for_writes():
    """RAID calculators know one IOPS figure and a penalty: N x IOPS / (R + W x 4).

    8 drives of 500K reads and 100K writes at 70/30 become 2.105 million; the members are busy
    at 0.930 million, 2.26 times less.
    """
    members, read_fraction, penalty = 8, 0.7, 4
    web = members * 500e3 / (read_fraction + (1 - read_fraction) * penalty)
    assert Printed("2.105").admits(web / 1e6)
    got = redundancy.budget_iops(
        500e3,
        write_iops=100e3,
        members=members,
        read_fraction=read_fraction,
        reads_per_write=redundancy.reads_per_write(members, parities=1),
        writes_per_write=redundancy.writes_per_write(1, parities=1),
    )
    assert Printed("0.930").admits(got / 1e6)
    assert Printed("2.26").admits(web / got)


def test_t18_flash_is_built_in_gib():
    """A vendor's table takes 128 GB of flash for 120 GB: 6.7 % over-provisioning, WA 8.17.

    The flash is 128 GiB: 14.5 % and WA 4.12. The slip doubles write amplification.
    """
    nominal = spare_area.op_nominal(128 * GIB, user_bytes=120 * GB)
    physical = spare_area.op_ratio(128 * GIB, user_bytes=120 * GB)
    assert Printed("6.7").admits(100 * nominal)
    assert Printed("14.5").admits(100 * physical)
    assert spare_area.op_ratio_from_op_nominal(nominal) == pytest.approx(physical, rel=1e-12)
    assert Printed("8.17").admits(write_amplification.fifo(nominal))
    assert Printed("4.12").admits(write_amplification.fifo(physical))
    assert Printed("4.13").admits(write_amplification.fifo(0.145))  # from the rounded 14.5 %
    # Simulated with blocks of 32 pages and few blocks, so only to 5 %: 6.88 and 3.77.
    greedy = write_amplification.greedy([nominal, physical], pages_per_block=32)
    np.testing.assert_allclose(greedy, [6.88, 3.77], rtol=0.05)


def test_t19_28_percent_of_what():
    """Simulators and vendors call both spare/user and spare/raw "over-provisioning".

    28 % of the user capacity is WA 2.48; 28 % of the raw flash is 38.9 % and WA 1.99.
    """
    assert Printed("2.48").admits(write_amplification.fifo(0.28))
    as_share_of_raw = spare_area.op_ratio_from_spare_fraction(0.28)
    assert Printed("0.389").admits(as_share_of_raw)
    assert Printed("1.99").admits(write_amplification.fifo(as_share_of_raw))


def test_t21_petabytes_written_and_drive_writes_must_agree():
    """A P4610 of 12.25 PBW is quoted as "around 3.5" DWPD; 1.6 TB in five years make it 4.20.

    A second list has 10,613 TBW and 3.24 DWPD. All four differ by more than 5 %.
    """
    five_years = {"user_bytes": 1.6 * TB, "period_s": 5 * YEAR_S}
    got = endurance.dwpd(12_250 * TB, **five_years)
    assert Printed("4.20").admits(got)
    assert got / 3.5 - 1 > 0.05
    assert got / endurance.dwpd(10_613 * TB, **five_years) - 1 > 0.05


def test_t22_a_year_has_365_days():
    """A repository divides by 36 x 24 x 3600 for a year: every life is 10.14 times too long."""
    life_s = endurance.lifetime_s(150 * TB, host_bytes_per_s=50 * GB / DAY_S)
    assert Printed("8.22").admits(life_s / YEAR_S)
    wrong = life_s / (36 * 24 * 3600)
    assert Printed("10.14").admits(wrong / (life_s / YEAR_S))


def test_t23_a_rating_cannot_exceed_its_flash():
    """A guide gives 4 TB of 100 cycles 800 TBW and 43.8 years at 50 GB a day.

    100 cycles of 4 TB are 400 TB at most, 21.9 years; the rating implies WA 0.5, or 200 cycles.
    """
    limit = endurance.write_limit_bytes(4 * TB, pe_cycles=100, wa=1)
    assert limit == 400 * TB
    implied = endurance.implied_wa(4 * TB, pe_cycles=100, rated_bytes=800 * TB)
    assert implied == 0.5
    cycles = wear_indicator.pe_cycles(800 * TB, raw_bytes=4 * TB, points_used=100)
    assert cycles == 200
    first = endurance.first_limit_bytes(limit, rated_limit_bytes=800 * TB)
    life_s = endurance.lifetime_s(first, host_bytes_per_s=50 * GB / DAY_S)
    assert Printed("21.9").admits(life_s / YEAR_S)
    assert not Printed("43.8").admits(life_s / YEAR_S)


def test_t24_a_rate_per_second_carries_through_to_drive_writes_per_day():
    """A guide to write-ahead logs finds 672 MB/s and continues with 2.5 TB a day.

    12 drives x 100 MB/s x 8 % x 7 are 58.1 TB a day, 23 times as much.
    """
    host_bytes_per_s = 12 * 100 * MB * 0.08 * 7
    assert Printed("672").admits(host_bytes_per_s / MB)
    asked = endurance.required_dwpd(host_bytes_per_s, user_bytes=1 * TB)
    assert Printed("58.1").admits(asked)
    assert Printed("23").admits(asked / endurance.required_dwpd(2.5 * TB / DAY_S, user_bytes=TB))


def test_t25_dwpd_divides_by_365_days():
    """A guide prints the divisor 265; its result of 0.436 needs 365, with 265 it would be 0.600."""
    drive_writes_per_year = 159
    known = {"user_bytes": 1 * TB}
    limit = drive_writes_per_year * TB
    assert Printed("0.436").admits(endurance.dwpd(limit, **known, period_s=YEAR_S))
    assert Printed("0.600").admits(endurance.dwpd(limit, **known, period_s=265 * DAY_S))


def test_t26_12_645_years_round_to_12_6():
    """A calculator shows 12.7 years for 300 TBW, 50 GB a day and WA 1.3 (divided, as in T11)."""
    limit = endurance.effective_tbw_bytes(300 * TB, rating_wa=1, workload_wa=1.3)
    years = endurance.lifetime_s(limit, host_bytes_per_s=50 * GB / DAY_S) / YEAR_S
    assert Printed("12.645").admits(years)
    assert Printed("12.6").admits(years)
    assert not Printed("12.7").admits(years)


def test_t30_the_calendar_is_an_argument():
    """A table takes five years for 1,826 days: 3 TB x 1,826 are 5,478 TB; 5 x 365 give 5,475.

    Years of 365 or of 365.25 days are 0.07 % apart, so the period is given in seconds.
    """
    known = {"user_bytes": 3 * TB}
    with_leap_day = endurance.tbw_bytes(1, **known, period_s=1_826 * DAY_S)
    without = endurance.tbw_bytes(1, **known, period_s=5 * YEAR_S)
    assert Printed("5478").admits(with_leap_day / TB)
    assert Printed("5475").admits(without / TB)
    julian = endurance.tbw_bytes(1, **known, period_s=5 * 365.25 * DAY_S)
    assert Printed("0.07").admits(100 * (julian / without - 1))


def test_t8e_the_unit_of_a_counter_is_the_models_own():
    """A monitor multiplies every host-write counter by the sector size.

    On models that count units of 32 MiB it reads 65,536 times too little and shows 0.00 TB.
    """
    count, rated_bytes = 500_000, 600 * TB
    used = endurance.used_fraction(count * 32 * MIB, limit_bytes=rated_bytes)
    wrong = endurance.used_fraction(count * 512, limit_bytes=rated_bytes)
    assert used / wrong == pytest.approx(65_536)
    assert f"{count * 512 / TB:.2f}" == "0.00"
    assert used == pytest.approx(0.02796, rel=1e-3)


def test_t29_a_fleets_amplification_is_a_ratio_of_sums():
    """A dashboard averages the drives' own ratios, whatever each of them wrote.

    A drive that writes little and idles much then counts as much as one that does the work:
    the fleet of the row reads 2.67 where its bytes give 2.42.
    """
    raw_bytes, cycles, host_bytes = 1 * TB, np.array([30.0, 400.0]), np.array([5 * TB, 200 * TB])
    each = endurance.implied_wa(raw_bytes, pe_cycles=cycles, rated_bytes=host_bytes)
    fleet = endurance.implied_wa(raw_bytes, pe_cycles=cycles.sum(), rated_bytes=host_bytes.sum())
    assert np.mean(each) == pytest.approx(4.0)
    assert fleet == pytest.approx(430 / 205)
    assert fleet < np.mean(each)
