"""The front against its definition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from models.units import TB, YEAR_S
from planner.scenario.workload import Workload
from planner.search.choose import Axis, Grid, Objective, Requirements, choose
from planner.search.choose.front import skyline
from planner.sections.plan import plan_drive
from tests.planner.optimiser.drives import FAST, LARGE, SMALL

GRID = Grid(
    drives=(SMALL, LARGE, FAST), members=tuple(range(2, 13)), partition_fractions=(0.7, 1.0),
    levels=("10", "5", "6"), sets=(1, 2),
)  # fmt: skip
ANY = Workload(host_bytes_per_s=2e7, queue_depth=8.0)


@given(arrays.arrays(float, st.tuples(st.integers(2, 3), st.integers(1, 60)),
                     elements=st.integers(0, 8).map(float)))  # fmt: skip
def test_nothing_on_the_skyline_is_beaten_and_everything_else_is(points):
    best = skyline(points)
    for place in range(points.shape[1]):
        others = points[:, best]
        beaten = np.all(others <= points[:, [place]], axis=0)
        assert beaten.any()
        if place in best:
            assert beaten.sum() == 1
    assert sorted(best.tolist()) == sorted(set(best.tolist()))


@pytest.mark.parametrize("other", [Axis.USABLE, Axis.LIFE, Axis.WORST])
@pytest.mark.parametrize("objective", list(Objective))
def test_a_point_of_the_front_is_a_plan_that_holds_and_costs_what_it_says(objective, other):
    requirements = Requirements(usable_bytes=1 * TB, life_s=2 * YEAR_S, loss_probability=1e-2)
    got = choose(ANY, requirements, GRID, objective=objective, axes=(Axis.LEAST, other))
    costs, merits = np.array([point.values for point in got.front]).T
    assert np.all(np.diff(costs) > 0)
    assert np.all(np.diff(merits) > 0)
    assert costs[0] == pytest.approx(got.best.objective)
    last = got.front[-1]
    again = plan_drive(
        last.drive, ANY, array=last.array, partition_fraction=last.partition_fraction
    )  # fmt: skip
    told = {
        Axis.USABLE: again["usable_bytes"].value,
        Axis.LIFE: again.lives.known[again.lives.endurance_limit].value,
        Axis.WORST: again["worst_case_floor_iops"].value,
    }
    assert merits[-1] == pytest.approx(told[other])


def test_three_axes_hold_the_front_of_two():
    requirements = Requirements(usable_bytes=1 * TB, life_s=2 * YEAR_S)
    two = choose(ANY, requirements, GRID, axes=(Axis.LEAST, Axis.USABLE)).front
    three = choose(ANY, requirements, GRID, axes=(Axis.LEAST, Axis.USABLE, Axis.LIFE)).front
    pairs = {tuple(np.round(point.values[:2], 6)) for point in three}
    assert {tuple(np.round(point.values, 6)) for point in two} <= pairs
    assert len(three) > len(two)


def test_cost_of_owning_is_that_of_the_plan():
    requirements = Requirements(usable_bytes=2 * TB, life_s=1 * YEAR_S)
    workload = replace(ANY, host_bytes_per_s=1e8, growth_per_year=0.1)
    best = choose(workload, requirements, GRID, objective=Objective.COST).best
    assert best.objective == pytest.approx(best.ownership["npv_usd"].value, rel=1e-9)
