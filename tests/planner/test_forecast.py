"""Remaining life: coverage on simulated histories, evidence combined, and what cannot be said."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import lfilter

from models import wear_forecast
from models.units import DAY_S, GB, HOUR_S, TB, YEAR_S
from planner.catalogue import find, load
from planner.export.telemetry_tables import forecast_record, forecast_rows, left_rows
from planner.forecast import NoForecast, chances, forecast, series
from planner.telemetry import DriveReading, Observed, read
from tests import synthetic_drives as made

START_S = 1_700_000_000.0
DRIVES = 300


def exact(value, field="counter"):
    return Observed(value=value, field=field, low=value, high=value)


def points(value, field="percentage"):
    """A whole point to each side, as readers give it."""
    return Observed(
        value=value / 100, field=field, low=max(value - 1, 0) / 100, high=(value + 1) / 100
    )


def reading(day, host_bytes, used, *, hours=None, **known):
    return DriveReading(
        model="Any SSD", read_at_s=START_S + day * DAY_S, host_bytes=exact(host_bytes),
        used_fraction=None if used is None else points(used),
        power_on_s=None if hours is None else exact(hours * HOUR_S), **known,
    )  # fmt: skip


def steady(days, *, per_day=100 * GB, point=2 * TB, start=0.0, every=1):
    return [
        reading(day, start + day * per_day, math.floor((start + day * per_day) / point))
        for day in range(0, days + 1, every)
    ]


def written(rng, correlation, days):
    """Daily writes of mean 1 and coefficient of variation 0.5: gamma, or AR(1) of logarithms."""
    if correlation == 0:
        return rng.gamma(4.0, 0.25, days)
    noise = rng.normal(0, math.sqrt(1 - correlation**2), days)
    noise[0] = rng.normal()
    sigma = math.sqrt(math.log(1.25))
    return np.exp(sigma * lfilter([1], [1, -correlation], noise) - sigma**2 / 2)


def covered(correlation, days):
    """Share of simulated drives that end within their 90 % interval, and how many there were."""
    inside = drives = 0
    for number in range(DRIVES):
        rng = np.random.default_rng([7, number])
        pace = rng.uniform(0.02, 0.2)  # points a day: 1.4 to 14 years of life
        used = rng.uniform(0, 30) + np.concatenate(
            [[0.0], np.cumsum(pace * written(rng, correlation, days + int(300 / pace)))]
        )
        counts = np.floor(used[: days + 1])
        known = series.History(
            times_s=np.arange(days + 1) * DAY_S, host_bytes=used[: days + 1] * TB, points=counts
        )
        if known.counts < 2 or used[days] >= 99 or used[-1] < 100:
            continue
        after = int(np.argmax(used >= 100))
        end = after - 1 + (100 - used[after - 1]) / (used[after] - used[after - 1])
        drawn = series.draws(known, 0.0, math.inf)
        chance = wear_forecast.mixed_first_passage_probability(
            (end - days) * DAY_S, distance_bytes=drawn.distance_bytes,
            host_bytes_per_s=drawn.host_bytes_per_s, dispersion_bytes=drawn.dispersion_bytes,
        )  # fmt: skip
        drives += 1
        inside += 0.05 <= chance <= 0.95
    assert drives > 0.95 * DRIVES
    return inside / drives


@pytest.mark.parametrize("days", [120, 365])
def test_nine_of_ten_drives_of_independent_days_end_in_their_interval(days):
    assert 0.85 <= covered(0, days) <= 0.95


@pytest.mark.parametrize("days", [120, 365])
def test_days_that_resemble_each_other_cost_some_coverage(days):
    assert covered(0.9, days) >= 0.75


def test_days_that_hardly_change_still_get_a_forecast():
    """AR(1) of 0.98: mean rates drawn below zero or lives that are over must not break it."""
    assert covered(0.98, 365) >= 0.5


def test_a_series_gives_three_dates_around_the_true_one():
    """100 GB a day, 2 TB a point, from 0: the end is after 2,000 days, 1,600 more."""
    answer = forecast(steady(400))
    assert (answer.basis, answer.clock, answer.readings) == ("series", "calendar", 401)
    assert answer.early_s < 1_600 * DAY_S < answer.late_s
    assert answer.middle_s == pytest.approx(1_600 * DAY_S, rel=0.03)
    assert answer.late_s / answer.early_s < 1.2
    early, middle, late = chances(answer, [answer.early_s, answer.middle_s, answer.late_s])
    assert (early, middle, late) == pytest.approx((0.05, 0.5, 0.95), rel=1e-6)
    assert forecast(steady(400)) == answer


def test_the_rate_of_late_decides_and_not_the_average_of_the_life():
    """T8 d: 100 TB over a life at 10 GB a day, then 400 GB a day."""
    recent = steady(210, per_day=400 * GB, point=6 * TB, start=100 * TB)
    answer = forecast(recent)
    assert answer.host_bytes_per_s * DAY_S == pytest.approx(400 * GB)
    assert answer.early_s / DAY_S < (600 - 184) * TB / (400 * GB) < answer.late_s / DAY_S
    assert answer.late_s / DAY_S < 1_300  # the average of the life would give 8,400


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_counts_make_no_distribution(count):
    readings = [reading(0, 10 * TB, 5), reading(100, 12 * TB, 5 + count)]
    answer = forecast(readings)
    assert answer.draws is None
    assert answer.clock == "calendar"
    assert answer.early_s < answer.late_s
    assert any("more counts of wear" in said for said in answer.better)


def test_writes_before_the_first_whole_block_are_no_blocks():
    days = [*(day / 4 for day in range(8)), *range(2, 2 + 57)]
    readings = [reading(day, min(day, 1) * TB, None) for day in days]
    pro = find(load(), "845DC PRO 400")
    assert forecast(readings, drive=pro).host_bytes_per_s > 0


def test_better_is_said_with_its_time():
    answer = forecast(steady(100, per_day=100 * GB))  # five counts in 100 days
    assert answer.better[0].startswith("5 more counts of wear: in about 3 months; 10 counts")
    assert "eight blocks of 28 days" in answer.better[1]
    assert forecast(steady(400)).better == ()


def test_a_life_that_is_used_up_has_no_time_left():
    worn = steady(60, per_day=100 * GB, point=TB, start=98 * TB)
    assert worn[-1].used_fraction.value > 1
    answer = forecast(worn)
    assert (answer.early_s, answer.late_s) == (0, 0)
    near = forecast(steady(19, per_day=100 * GB, point=TB, start=97.5 * TB))
    assert 0 <= near.early_s < near.late_s < 30 * DAY_S


def test_one_reading_gives_an_interval_by_the_clock_it_has():
    """T8 b: 8 hours a day are a third of the calendar."""
    one = reading(0, 10 * TB, 10, hours=365 * 8)
    by_power = forecast([one])
    assert by_power.clock == "power-on"
    assert any("power-on time" in note for note in by_power.notes)
    assert by_power.middle_s == pytest.approx(9 * 365 * 8 * HOUR_S)
    assert by_power.early_s == pytest.approx(10 * TB * 89 / 11 / (10 * TB) * 365 * 8 * HOUR_S)
    by_calendar = forecast([one], in_service_s=START_S - YEAR_S)
    assert by_calendar.clock == "calendar"
    assert by_calendar.middle_s / by_power.middle_s == pytest.approx(3)


def test_no_point_is_no_estimate_and_one_point_is_wide():
    """T8 c: 0 % used is no endless life, 1 % is known to a factor of two at best."""
    none = forecast([reading(0, TB, 0, hours=1_000)])
    assert none.middle_s is None
    assert none.early_s == pytest.approx(99 * 1_000 * HOUR_S)
    assert math.isinf(none.late_s)
    one = forecast([reading(0, TB, 1, hours=1_000)])
    assert one.early_s < one.middle_s / 2
    assert math.isinf(one.late_s)


def test_wear_goes_before_the_rating_and_the_difference_is_said():
    """T1 and T3: wear runs ahead of the rated TBW."""
    pro = find(load(), "850 PRO 256")
    worn = DriveReading(
        model="Samsung SSD 850 PRO 256GB", host_bytes=exact(32.04 * TB), power_on_s=exact(YEAR_S),
        used_fraction=points(98),
    )  # fmt: skip
    answer = forecast([worn], drive=pro)
    assert [left.kind for left in answer.left][:1] == ["wear indicator"]
    assert answer.left[0].value_bytes < TB
    rating = next(left for left in answer.left if left.kind == "rated TBW")
    assert rating.value_bytes > 100 * TB
    assert any("times apart; the wear indicator is taken" in said for said in answer.disagreements)
    assert answer.middle_s == pytest.approx(2 / 98 * YEAR_S)


def test_flash_writes_narrow_what_the_wear_leaves_open():
    pro = find(load(), "845DC PRO 400")  # 40,000 cycles
    known = {"model": "845DC", "host_bytes": exact(500 * TB), "power_on_s": exact(YEAR_S)}
    alone = forecast([DriveReading(**known, used_fraction=points(3))], drive=pro)
    both = forecast(
        [DriveReading(**known, used_fraction=points(3), erase_cycles=exact(1_200.0))], drive=pro
    )
    assert both.early_s > alone.early_s
    assert both.late_s < alone.late_s
    assert not any("flash writes" in said for said in both.disagreements)
    far = forecast(
        [DriveReading(**known, used_fraction=points(3), erase_cycles=exact(12_000.0))], drive=pro
    )
    assert (far.early_s, far.late_s) == (alone.early_s, alone.late_s)
    assert any("the flash writes leaves" in said for said in far.disagreements)


def test_host_writes_alone_are_held_against_the_rating():
    pro = find(load(), "845DC PRO 400")
    host_only = DriveReading(model="845DC", host_bytes=exact(7_000 * TB), power_on_s=exact(YEAR_S))
    answer = forecast([host_only], drive=pro)
    assert answer.middle_s == pytest.approx(300 / 7_000 * YEAR_S)
    with pytest.raises(NoForecast, match="neither wear nor a rating is known"):
        forecast([host_only])


def test_write_amplification_is_that_between_the_readings():
    """Of late 2, over the life 10."""
    first = reading(0, 10 * TB, 5, flash_bytes=exact(100 * TB))
    last = reading(300, 20 * TB, 10, flash_bytes=exact(120 * TB), wa=exact(6.0))
    assert forecast([first, last]).wa == pytest.approx(2)
    assert forecast([last, reading(400, 30 * TB, 12)]).wa is None


def test_the_share_of_time_under_power_is_said():
    pair = [reading(0, 10 * TB, 5, hours=100), reading(300, 20 * TB, 10, hours=100 + 2_400)]
    assert "The drive was on for 33.3 % of the time." in forecast(pair).notes


@pytest.mark.parametrize(
    ("readings", "why"),
    [
        ([], "no reading says how much the host has written"),
        ([DriveReading(used_fraction=points(5))], "no reading says how much"),
        ([reading(0, TB, 5)], "gives no power-on time; enter since when"),
        ([reading(0, 0, 5, hours=9)], "the host has written nothing yet"),
        ([reading(0, TB, 1), reading(0, 2 * TB, 2)], "at the same time"),
        ([reading(0, 2 * TB, 1), reading(9, TB, 2)], "host writes fall"),
        ([reading(0, TB, 7), reading(9, 2 * TB, 5)], "the percentage used falls"),
        ([reading(0, TB, 5), reading(9, TB, 5)], "nothing was written between"),
        (
            [reading(0, TB, 5, identity="a"), reading(9, 2 * TB, 5, identity="b")],
            "are of several drives",
        ),
        (
            [reading(0, TB, 5), DriveReading(host_bytes=exact(2 * TB))],
            "a reading does not say when it was taken",
        ),
    ],
)
def test_what_no_forecast_can_be_made_of(readings, why):
    with pytest.raises(NoForecast, match=why):
        forecast(readings)


def test_a_table_of_counters_is_a_series():
    rows = ["date,host_bytes,percentage_used"]
    rows += [f"2024-{1 + day // 28:02}-{1 + day % 28:02},{day * 10**11},{day // 20}"
             for day in range(300)]  # fmt: skip
    table = read("history.csv", "\r\n".join(rows).encode())
    assert (table.kind, len(table.drives)) == ("wear history CSV", 300)
    assert forecast(table.drives).middle_s / DAY_S == pytest.approx(1_700, rel=0.2)
    for broken, why in (
        ("yesterday,1,2", "line 2: date is neither"),
        ("2024-01-01,-5,2", "line 2: host_bytes is no whole number"),
        ("2024-01-01,5,NaN", "line 2: percentage_used is no whole number"),
        ('2024-01-01,"5,2', "line 2: is no line of CSV"),
        ("", "line 2: there are no readings"),
    ):
        told = read("h.csv", f"date,host_bytes,percentage_used\n{broken}\n".encode()).refused
        assert told.startswith(f"h.csv: {why}"), told


def test_two_files_of_one_drive_are_a_series():
    first = made.nvme_json(log=made.nvme_log(units=10**8, used=5))
    second = made.nvme_json(
        log=made.nvme_log(units=2 * 10**8, used=10),
        local_time={"time_t": 1_700_000_000 + 365 * 86_400},
    )
    drives = [read("f", made.encoded(one)).drive for one in (second, first)]
    answer = forecast(drives)
    assert answer.drive_id == "intel-dc-p3700-400gb"
    assert answer.points_used == 5
    assert answer.middle_s / YEAR_S == pytest.approx(18, rel=0.15)
    assert any("Too few readings" in note for note in answer.notes)


counters = st.floats(1, 3e38) | st.integers(0, 10**15).map(float)


@st.composite
def drive_readings(draw):
    """Return readings of any size whose counters rise, as those of one drive do."""
    number = draw(st.integers(1, 7))
    times = sorted(draw(st.lists(st.floats(1, 1e11), min_size=number, max_size=number)))
    hosts = sorted(draw(st.lists(counters, min_size=number, max_size=number)))
    used = sorted(draw(st.lists(st.integers(0, 110), min_size=number, max_size=number)))
    return [
        DriveReading(
            model="Any SSD", read_at_s=time, host_bytes=exact(host),
            used_fraction=points(point) if draw(st.integers(0, 5)) else None,
            power_on_s=draw(st.sampled_from([None, exact(time)])),
            erase_cycles=draw(st.sampled_from([None, exact(float(point))])),
            flash_bytes=draw(st.sampled_from([None, exact(host)])),
        )
        for time, host, point in zip(times, hosts, used, strict=True)
    ]  # fmt: skip


@given(drive_readings(), st.sampled_from([None, "845DC PRO 400"]), st.none() | st.floats(0, 1e11))
def test_any_readings_give_ordered_dates_or_a_reason(readings, name, since):
    drive = None if name is None else find(load(), name)
    try:
        answer = forecast(readings, drive=drive, in_service_s=since)
    except NoForecast:
        return
    assert 0 <= answer.early_s <= answer.late_s
    if answer.middle_s is not None:
        assert answer.early_s <= answer.middle_s <= answer.late_s
    forecast_record(answer)
    forecast_rows(answer)
    left_rows(answer)
