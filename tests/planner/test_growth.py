"""Growth, steps and phase-in reach every date of a plan."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from models import growth
from models.errors import DomainError
from models.units import TB, YEAR_S
from planner.catalogue.drive import own_drive, with_user_facts
from planner.quantity.parse import parse_duration, parse_step
from planner.scenario.array import Array, RaidLevel
from planner.scenario.growth import (
    course_of,
    course_text,
    is_steady,
    rate_bytes_per_s,
    written_bytes,
)
from planner.scenario.risk import Risk
from planner.scenario.workload import MOST_STEPS, Workload
from planner.search.array_levels import level_grid
from planner.search.sweeps import life_curve
from planner.sections.data_loss import data_loss
from planner.sections.life import Limit
from planner.sections.plan import plan_drive
from planner.sections.replacements import MOST_DATES, replacement_course, replacement_dates

BUSY = Workload(host_bytes_per_s=3e7)
COURSES = {
    "steady": BUSY,
    "growth": replace(BUSY, growth_per_year=0.3),
    "shrinking": replace(BUSY, growth_per_year=-0.2),
    "step": replace(BUSY, rate_steps=((2 * YEAR_S, 3.0),)),
    "steps": replace(BUSY, rate_steps=((4 * YEAR_S, 0.25), (YEAR_S, 3.0))),
    "phase-in": replace(BUSY, phase_in_s=3 * YEAR_S),
    "all": replace(
        BUSY, growth_per_year=0.2, rate_steps=((YEAR_S, 2.0), (4 * YEAR_S, 0.5)), phase_in_s=YEAR_S
    ),
}
EACH_COURSE = pytest.mark.parametrize("workload", COURSES.values(), ids=COURSES)


@EACH_COURSE
def test_every_life_writes_its_limit(pro_400, workload):
    life = plan_drive(pro_400, workload)
    dates = (
        life["wear_life_s"], life["rated_life_s"],
        *(life[f"{level}_wear_life_s"] for level in ("low", "typical", "high")),
        life["printed_life_s"], life["naive_life_s"],
    )  # fmt: skip
    for date in dates:
        limit_bytes = date.inputs["limit_bytes"].value
        if np.isfinite(date.value):
            assert written_bytes(workload, date.value) == pytest.approx(limit_bytes, rel=1e-12)
        else:
            assert written_bytes(workload, 1000 * YEAR_S) < limit_bytes


def test_the_warranty_does_not_follow(pro_400):
    life = plan_drive(pro_400, COURSES["all"])
    assert life["warranty_s"].value == 5 * YEAR_S


def test_a_steady_plan_asks_for_neither_steps_nor_phase_in(pro_400):
    inputs = plan_drive(pro_400, BUSY).nodes["wear_life_s"].inputs
    assert list(inputs) == ["limit_bytes", "host_bytes_per_s", "growth_per_year"]
    assert is_steady(BUSY)
    assert course_text(BUSY) == ""


def test_each_step_is_a_number_of_the_plan_in_the_order_of_time(pro_400):
    nodes = plan_drive(pro_400, COURSES["steps"]).nodes
    told = [nodes[f"step_{n}_{what}"].value for n in (1, 2) for what in ("s", "factor")]
    assert told == [YEAR_S, 3.0, 4 * YEAR_S, 0.25]
    assert nodes["wear_life_s"].formula == "models.growth.growing_lifetime_s"
    assert course_text(COURSES["steps"]) == "x3 after 1 years, x0.25 after 4 years"


def test_arrays_of_rates_and_growth_pass_through_steps(pro_400):
    rates, yearly = np.array([1e7, 3e7]), np.array([[0.0], [0.4]])
    course = {"rate_steps": ((YEAR_S, 2.0),), "phase_in_s": YEAR_S / 2}
    got = plan_drive(pro_400, Workload(host_bytes_per_s=rates, growth_per_year=yearly, **course))
    each = [
        [
            plan_drive(pro_400, Workload(host_bytes_per_s=rate, growth_per_year=g, **course))
            .nodes["wear_life_s"].value
            for rate in rates
        ]
        for g in yearly[:, 0]
    ]  # fmt: skip
    np.testing.assert_allclose(got.nodes["wear_life_s"].value, each, rtol=1e-13)


def test_a_sweep_of_writes_keeps_the_course(pro_400):
    answer = plan_drive(pro_400, COURSES["all"])
    curve = life_curve(answer, np.array([1e7, 3e7]))
    life = answer["rated_life_s"].value
    assert curve.seconds_by_limit[Limit.RATED_TBW][1] == pytest.approx(life, rel=1e-13)


def test_a_member_of_an_array_grows_as_the_array_does(pro_400):
    answer = plan_drive(pro_400, COURSES["all"], array=Array(members=12, level=RaidLevel.RAID5))
    rate = answer.reading["member_bytes_per_s"].value
    date = answer.nodes["rated_life_s"]
    got = written_bytes(COURSES["all"], date.value, host_bytes_per_s=rate)
    assert got == pytest.approx(date.inputs["limit_bytes"].value, rel=1e-12)


def test_the_rate_and_what_is_written_are_those_of_the_formulas():
    workload = COURSES["all"]
    ends_s = np.array([0.5, 3.0, 9.0]) * YEAR_S
    told = {"host_bytes_per_s": 3e7, **course_of(workload)}
    np.testing.assert_array_equal(
        written_bytes(workload, ends_s), growth.written_bytes(ends_s, **told)
    )
    np.testing.assert_array_equal(
        rate_bytes_per_s(workload, ends_s), growth.rate_bytes_per_s(ends_s, **told)
    )


# Replacements ------------------------------------------------------------------------------


@EACH_COURSE
def test_each_drive_is_written_the_same_limit(pro_400, workload):
    answer = plan_drive(pro_400, replace(workload, host_bytes_per_s=8e7))
    dates = replacement_dates(answer)
    limit_bytes = answer["host_limit_bytes"].value
    written = np.asarray(written_bytes(answer.workload, dates.value))
    np.testing.assert_allclose(np.diff(written, prepend=0.0), limit_bytes, rtol=1e-10)
    ends = written_bytes(answer.workload, 10 * YEAR_S)
    assert len(dates.value) == ends // limit_bytes
    assert np.diff(dates.value, prepend=0.0).min() > 0


def test_growth_without_end_wears_out_as_many_drives_as_are_listed(pro_400):
    answer = plan_drive(pro_400, Workload(host_bytes_per_s=8e7, growth_per_year=1e40))
    assert len(replacement_dates(answer).value) == MOST_DATES


def test_later_drives_live_shorter_under_growth_and_as_long_without(pro_400):
    growing, steady = (
        np.diff(replacement_dates(plan_drive(pro_400, COURSES[name])).value, prepend=0.0)
        for name in ("growth", "steady")
    )
    assert (np.diff(growing) < 0).all()
    np.testing.assert_allclose(steady, steady[0], rtol=1e-12)


def test_the_first_date_is_told_whenever_it_comes_and_what_lacks_is_named(pro_400):
    slow = replacement_dates(plan_drive(pro_400, Workload(host_bytes_per_s=1e5)))
    assert len(slow.value) == 1
    assert slow.value[0] > 100 * YEAR_S
    never = Workload(host_bytes_per_s=1e5, growth_per_year=-0.9)
    assert replacement_dates(plan_drive(pro_400, never)).value.tolist() == [np.inf]
    fast = replacement_dates(plan_drive(pro_400, Workload(host_bytes_per_s=1e10)))
    assert len(fast.value) == MOST_DATES
    unknown = replacement_dates(plan_drive(own_drive(1 * TB), BUSY))
    assert not unknown.is_known
    assert "rated_bytes" in unknown.lacking


@EACH_COURSE
@pytest.mark.parametrize("years", [6, 12])
def test_wear_counts_the_lives_that_are_written(pro_400, workload, years):
    """Without failures k drives are worn by H if k lives, of Normal spread, are written by H."""
    answer = plan_drive(pro_400, workload, array=Array(members=4))
    risk = Risk(horizon_s=years * YEAR_S, afr_fraction=0.0, life_cv=0.08)
    spent = {
        "limit_bytes": answer.reading["new_limit_bytes"],
        "host_bytes_per_s": answer.reading["member_bytes_per_s"],
    }
    written = written_bytes(
        workload, risk.horizon_s, host_bytes_per_s=spent["host_bytes_per_s"].value
    )
    lives, k = written / spent["limit_bytes"].value, np.arange(1, 200)
    expected = 4 * np.sum(stats.norm.cdf((lives - k) / (0.08 * np.sqrt(k))))
    lost = data_loss(answer, risk)
    assert lost["mean_replacements"].value == pytest.approx(expected, rel=2e-3, abs=1e-6)
    ends_s = np.array([0.5, 1.0]) * risk.horizon_s
    course = replacement_course(lost, ends_s)
    halfway = data_loss(answer, replace(risk, horizon_s=ends_s[0]))
    assert course == pytest.approx(
        [halfway["mean_replacements"].value, lost["mean_replacements"].value], rel=1e-9
    )


def simulated(answer, risk, arrays=20_000):
    """Count the replacements of one slot: lives in bytes, failures in time."""
    random, course = np.random.default_rng(5), course_of(answer.workload)
    spent = {
        "limit_bytes": answer.reading["new_limit_bytes"].value,
        "host_bytes_per_s": answer.reading["member_bytes_per_s"].value,
    }
    rate = {"host_bytes_per_s": spent["host_bytes_per_s"], **course}
    time, written, count = np.zeros(arrays), np.zeros(arrays), 0
    while time.size:
        lives = spent["limit_bytes"] * random.normal(1, risk.life_cv, time.size)
        worn = growth.growing_lifetime_s(written + lives, **rate)
        failed = time + random.exponential(YEAR_S / -np.log1p(-risk.afr_fraction), time.size)
        time = np.minimum(worn, failed)
        time = time[time < risk.horizon_s]
        written, count = growth.written_bytes(time, **rate), count + time.size
    return count / arrays


@pytest.mark.parametrize("name", ["growth", "step", "all"])
def test_failures_beside_wear_are_counted_close_to_a_simulation(pro_400, name):
    """Failures come in time and wear in bytes; the count takes both in bytes."""
    answer = plan_drive(pro_400, COURSES[name])
    risk = Risk(horizon_s=8 * YEAR_S, afr_fraction=0.05, life_cv=0.08)
    got = data_loss(answer, risk)["mean_replacements"].value
    assert got == pytest.approx(simulated(answer, risk), rel=0.02)


def test_the_array_of_the_grid_counts_the_same_lives(pro_400):
    answer = plan_drive(pro_400, COURSES["all"], array=Array(members=6, level=RaidLevel.RAID5))
    risk = Risk(horizon_s=8 * YEAR_S)
    lost = data_loss(answer, risk)
    grid = level_grid(answer, risk, levels=["5"], members=[6])
    assert grid.loss_probability.ravel() == pytest.approx(
        [lost["array_loss_probability"].value], rel=1e-6
    )


def test_growth_is_said_where_lives_are_counted(pro_400):
    def notes(workload):
        return " ".join(data_loss(plan_drive(pro_400, workload)).notes)

    assert "later drives wear out sooner" not in notes(BUSY)
    assert "mean life is that of all drives" in notes(COURSES["growth"])


# What a workload accepts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("growth_per_year", np.inf, r"growth_per_year must be > -1 and finite, got inf"),
        ("phase_in_s", -1.0, r"phase_in_s must be >= 0, got -1"),
        ("phase_in_s", np.inf, r"phase_in_s must be >= 0 and finite, got inf"),
        ("rate_steps", ((1.0, 2.0), (-1.0, 2.0)), r"step_2_s must be >= 0, got -1"),
        ("rate_steps", ((np.inf, 2.0),), r"step_1_s must be >= 0 and finite, got inf"),
        ("rate_steps", ((1.0, 0.0),), r"step_1_factor must be > 0 and finite, got 0"),
        ("rate_steps", ((1.0, np.inf),), r"step_1_factor must be > 0 and finite, got inf"),
        ("rate_steps", ((1.0, 2.0),) * (MOST_STEPS + 1), r"rate_steps must be at most 6, got 7"),
    ],
)
def test_names_the_field_and_its_range(field, value, complaint):
    with pytest.raises(DomainError, match=f"^{complaint}$"):
        Workload(host_bytes_per_s=1e6, **{field: value})


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_a_step_is_read_as_it_is_written(factor, years):
    time_s, read = parse_step("--step", f"x{factor:.12g} after {years:.12g} years")
    assert (time_s, read) == (pytest.approx(years * YEAR_S), pytest.approx(factor))


@pytest.mark.parametrize("written", ["1 year", "12 months", "365days", "52.142857142857146 weeks"])
def test_times_are_read_in_any_unit(written):
    assert parse_duration("--phase-in", written) == pytest.approx(YEAR_S)


@pytest.mark.parametrize(
    "written", ["1.5 after 2", "x1.5", "after 2 years", "2 years x1.5", "x2% after 1 year"]
)
def test_what_is_no_step_is_refused(written):
    with pytest.raises(
        DomainError, match=r"^--step must be a factor and a time such as x1\.5 after"
    ):
        parse_step("--step", written)


def test_wear_alone_ends_drives_that_are_not_rated(pro_400):
    worn = with_user_facts(own_drive(1 * TB), raw_bytes=1.1 * TB, pe_cycles=3000)
    answer = plan_drive(worn, COURSES["growth"])
    date = answer.nodes["wear_life_s"]
    assert date.is_computed
    assert replacement_dates(answer).value[0] == pytest.approx(date.value, rel=1e-12)
