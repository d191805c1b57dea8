"""Remaining life: coverage on simulated histories, evidence combined, and what cannot be said."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner as ssd
from models.units import DAY_S, GB, HOUR_S, TB, YEAR_S
from planner.catalogue import find, load
from planner.export.forecast_screen import forecast_lines
from planner.export.telemetry_tables import forecast_record, forecast_rows, left_rows
from planner.forecast import Interval, NoForecast, chances, forecast
from planner.forecast.answer import RemainingWrites
from planner.forecast.evidence import disagreements
from planner.telemetry import DriveReading, Observed, read
from tests import synthetic_drives as made

START_S = 1_700_000_000.0


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


def test_a_series_gives_both_intervals_around_the_true_end():
    """100 GB a day, 2 TB a point, from 0: the end is after 2,000 days, 1,600 more."""
    answer = forecast(steady(400))
    assert (answer.basis, answer.clock, answer.readings) == ("series", "calendar", 401)
    assert (answer.label, answer.weeks) == ("90 %", 57)
    stays = answer.steady
    assert answer.early_s < stays.early_s < 1_600 * DAY_S < stays.late_s < answer.late_s
    assert answer.middle_s == pytest.approx(1_600 * DAY_S, rel=0.05)
    assert stays.late_s / stays.early_s < 1.2
    assert answer.late_s / answer.early_s > 2  # a year of calm is no promise
    assert answer.open == Interval(
        early_s=answer.early_s, middle_s=answer.middle_s, late_s=answer.late_s
    )
    early, middle, late = chances(answer, [answer.early_s, answer.middle_s, answer.late_s])
    assert (early, middle, late) == pytest.approx((0.05, 0.5, 0.95), abs=1e-3)
    assert any("an assumption that no reading can check" in note for note in answer.notes)
    assert forecast(steady(400)) == answer


@pytest.mark.parametrize(
    ("days", "every", "label"),
    [
        (181, 1, "rough, from 25 weeks"), (182, 1, "90 %"), (182, 7, "90 %"),
        (56, 7, "rough, from 8 weeks"), (55, 1, "rough, within a factor of two"),
        (360, 60, "rough, within a factor of two"), (360, 30, "90 %"),
    ],
)  # fmt: skip
def test_a_short_history_is_called_rough_and_never_90_percent(days, every, label):
    answer = forecast(steady(days, every=every))
    assert answer.label == label
    assert (answer.steady is None) == (answer.open is None) == label.endswith("two")
    shown = f"{forecast_rows(answer)} {answer.notes}"
    assert ("90 %" in shown) == ("Early (5 % of drives)" in shown) == (label == "90 %")
    record = forecast_record(answer)
    assert record["coverage"] == (0.9 if label == "90 %" else None)
    assert (record["label"], record["weeks"]) == (label, days // 7)


def test_a_date_without_an_interval_is_right_to_a_factor_of_two():
    answer = forecast([reading(0, 10 * TB, 20), reading(50, 15 * TB, 30)])
    assert answer.middle_s == pytest.approx(69.5 / 10 * 50 * DAY_S)
    assert answer.early_s == pytest.approx(answer.middle_s / 2)
    assert answer.late_s == pytest.approx(answer.middle_s * 2)


def test_a_drive_past_its_rated_life_has_no_dates_but_a_word():
    for answer in (
        forecast([reading(0, 124 * TB, 124, hours=9_000)]),
        forecast(steady(300, per_day=100 * GB, point=TB, start=133 * TB, every=7)),
    ):
        assert answer.is_past
        rows = forecast_rows(answer)
        assert {row["Date"] for row in rows} == {""}
        assert {[*row.values()][1] for row in rows} == {"past its rated life"}


def test_the_rate_of_late_decides_and_not_the_average_of_the_life():
    """T8 d: 100 TB over a life at 10 GB a day, then 400 GB a day."""
    recent = steady(210, per_day=400 * GB, point=6 * TB, start=100 * TB)
    answer = forecast(recent)
    assert answer.host_bytes_per_s * DAY_S == pytest.approx(400 * GB)
    assert answer.early_s / DAY_S < (600 - 184) * TB / (400 * GB) < answer.late_s / DAY_S
    assert answer.steady.late_s / DAY_S < 1_300  # the average of the life would give 8,400


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_counts_make_no_distribution(count):
    readings = [reading(0, 10 * TB, 5), reading(100, 12 * TB, 5 + count)]
    answer = forecast(readings)
    assert answer.curve is None
    assert answer.clock == "calendar"
    assert answer.early_s < answer.late_s
    assert any("more counts of wear" in statement for statement in answer.better)


def test_writes_before_the_first_whole_block_are_no_blocks():
    days = [*(day / 4 for day in range(8)), *range(2, 2 + 57)]
    readings = [reading(day, min(day, 1) * TB, None) for day in days]
    pro = find(load(), "845DC PRO 400")
    assert forecast(readings, drive=pro).host_bytes_per_s > 0


def test_better_is_said_with_its_time():
    answer = forecast(steady(100, per_day=100 * GB))  # five counts in 100 days
    assert answer.better[0].startswith("5 more counts of wear: in about 3 months; 10 counts")
    assert answer.better[1].startswith("Readings for 3 months more: from 26 weeks on")
    assert forecast(steady(400)).better == ()
    assert "A reading every week" in forecast(steady(400, every=100)).better[0]


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
    assert by_power.early_s == pytest.approx(by_power.middle_s / 2)
    assert by_power.label == "rough, within a factor of two"
    by_calendar = forecast([one], in_service_s=START_S - YEAR_S)
    assert by_calendar.clock == "calendar"
    assert by_calendar.middle_s / by_power.middle_s == pytest.approx(3)


def test_no_point_is_no_estimate_and_one_point_is_wide():
    """T8 c: 0 % used is no endless life, 1 % is known to a factor of two at best."""
    none = forecast([reading(0, TB, 0, hours=1_000)])
    assert none.middle_s is None
    assert none.early_s == pytest.approx(99 * 1_000 * HOUR_S / 2)
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
    assert any(
        "times as much; the wear indicator is used" in statement
        for statement in answer.disagreements
    )
    assert answer.middle_s == pytest.approx(2 / 98 * YEAR_S)


def test_a_drive_that_has_used_up_all_is_no_contradiction():
    """Both leave nothing; one that leaves 1 TB contradicts one that leaves nothing."""
    worn, rated = (
        RemainingWrites(kind=kind, field="", low_bytes=0.0, value_bytes=0.0, high_bytes=0.0)
        for kind in ("wear indicator", "rated TBW")
    )
    assert disagreements([worn, rated]) == ()
    assert len(disagreements([worn, replace(rated, low_bytes=TB, high_bytes=TB)])) == 1
    assert len(disagreements([replace(worn, low_bytes=TB, high_bytes=TB), rated])) == 1


def test_flash_writes_narrow_what_the_wear_leaves_open():
    """40,000 cycles, 600 of them a year: 1.5 points, of which two or three counts are seen."""

    def year(cycles):
        return forecast(
            [
                reading(day, (400 + day) * TB, math.floor(1.1 + 0.008 * day), erase_cycles=
                        None if cycles is None else exact(cycles * (400 + day)))
                for day in range(0, 365, 7)
            ],
            drive=find(load(), "845DC PRO 400"),
        )  # fmt: skip

    alone, both, far = year(None), year(3.0), year(60.0)
    assert both.steady.early_s > 1.1 * alone.steady.early_s
    assert both.steady.late_s < alone.steady.late_s / 1.1
    assert not any("flash writes" in statement for statement in both.disagreements)
    assert (far.early_s, far.late_s) == (alone.early_s, alone.late_s)
    assert any("the flash writes leaves" in statement for statement in far.disagreements)


def test_a_rating_alone_gives_both_intervals_of_a_series():
    """500 GB a day against 7,300 TB, of which 300 are left: 600 days."""
    readings = [reading(day, 7_000 * TB + (day - 280) * 500 * GB, None) for day in range(0, 281, 7)]
    answer = forecast(readings, drive=find(load(), "845DC PRO 400"))
    assert (answer.left[0].kind, answer.label) == ("rated TBW", "90 %")
    assert answer.steady.middle_s / DAY_S == pytest.approx(600, rel=0.02)
    assert answer.early_s < answer.steady.early_s < answer.steady.late_s < answer.late_s


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
        ([DriveReading(used_fraction=points(5))], "gives no power-on time; state since when"),
        ([reading(0, TB, 5)], "gives no power-on time; state since when"),
        ([reading(0, 0, 5, hours=9)], "the host has written nothing yet"),
        ([reading(0, TB, 1), reading(0, 2 * TB, 2)], "the same time"),
        ([reading(0, 2 * TB, 1), reading(9, TB, 2)], "host writes fall"),
        ([reading(0, TB, 7), reading(9, 2 * TB, 5)], "the percentage used falls"),
        ([reading(0, TB, 5), reading(9, TB, 5)], "nothing was written between"),
        (
            [reading(0, TB, 5, identity="a"), reading(9, 2 * TB, 5, identity="b")],
            "belong to several drives",
        ),
        ([reading(0, TB, 5), DriveReading(host_bytes=exact(2 * TB))], "a reading has no date"),
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
        ("yesterday,1,2", "line 2: date is not ISO"),
        ("2024-01-01,-5,2", "line 2: host_bytes is not a whole number"),
        ("2024-01-01,5,NaN", "line 2: percentage_used is not a whole number"),
        ('2024-01-01,"5,2', "line 2: is not a line of CSV"),
        ("", "line 2: there are no readings"),
    ):
        told = read("h.csv", f"date,host_bytes,percentage_used\n{broken}\n".encode()).refused
        assert told.startswith(f"h.csv: {why}"), told


def test_a_script_has_both_intervals_as_numbers(tmp_path):
    rows = [f"{1_700_000_000 + day * 86_400},{day * 10**11},{day // 20}" for day in range(366)]
    year = tmp_path / "year.csv"
    year.write_text("\n".join(["date,host_bytes,percentage_used", *rows]))
    left = ssd.remaining_life(year)
    assert (left.label, left.weeks, left.life.unit) == ("90 %", 52, "years")
    assert left.life.low < left.steady.low < left.steady < left.steady.high < left.life.high
    one = tmp_path / "one.json"
    one.write_bytes(made.encoded(made.nvme_json()))
    since = ssd.remaining_life(one, since="2022-11-14")
    assert (since.label, since.steady) == ("rough, within a factor of two", None)
    assert ssd.remaining_life(one).life != since.life
    with pytest.raises(NoForecast, match="the same time"):
        ssd.remaining_life(one, one)
    with pytest.raises(ValueError, match="since must be a date such as"):
        ssd.remaining_life(one, since="May")
    one.write_text("{")
    with pytest.raises(ValueError, match=r"one\.json"):
        ssd.remaining_life(one)


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
    assert (answer.steady, answer.label) == (None, "rough, within a factor of two")


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
    assert all(isinstance(line, str) and "nan" not in line for line in forecast_lines(answer))
    left_rows(answer)
