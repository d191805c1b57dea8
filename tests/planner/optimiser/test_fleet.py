"""Mixed fleets against every mix there is, and against one kind alone."""

from time import monotonic

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.units import TB, YEAR_S
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Need, Objective, Requirements, choose, mixed_fleet
from planner.search.choose.mix_solver import SolverTime, cheapest
from planner.sections.plan import plan_drive
from tests.planner.optimiser.drives import FAST, LARGE, SMALL

ANY = Workload(host_bytes_per_s=5e7, queue_depth=32.0)  # of the printed rates
KINDS = Grid(drives=(SMALL, LARGE, FAST), members=(4,), levels=("5",))
LIFE_S = 4 * YEAR_S


def what_one_gives():
    """Price, usable bytes, IOPS and years that one array of each kind alone would take."""
    plans = [plan_drive(drive, ANY, array=KINDS.arrays()[0]) for drive in KINDS.drives]
    return np.array(
        [
            (
                one["total_price_usd"].value,
                one["usable_bytes"].value,
                one["budget_iops"].value,
                one.lives.known[one.lives.endurance_limit].value,
            )
            for one in plans
        ]
    )


GIVEN = what_one_gives()
EVERY = np.indices((25, 25, 25)).reshape(3, -1).T  # numbers of arrays of each kind
EXACT = 1 - 1e-13


@settings(max_examples=25, deadline=None)
@given(st.floats(1e12, 9e12), st.floats(1e4, 3e5), st.booleans())
def test_no_mix_of_few_arrays_costs_less(usable, iops, lasting):
    requirements = Requirements(usable_bytes=usable, iops=iops, life_s=LIFE_S if lasting else None)
    fleet = mixed_fleet(ANY, requirements, KINDS)
    prices, sizes, rates, years = (EVERY @ GIVEN).T
    enough = (sizes >= usable * EXACT) & (rates >= iops * EXACT) & (prices > 0)
    if lasting:
        enough &= years >= LIFE_S * EXACT
    assert fleet.objective == pytest.approx(prices[enough].min())
    assert fleet.gap == 0


def test_a_mix_costs_no_more_than_one_kind():
    requirements = Requirements(usable_bytes=10 * TB, life_s=5 * YEAR_S, life_confidence=0.9)
    grid = Grid(drives=KINDS.drives, members=(4, 6, 8, 12, 24), levels=("5", "6", "10"))
    few = Workload(host_bytes_per_s=1e7, queue_depth=8.0)
    alone = choose(few, requirements, grid).best
    fleet = mixed_fleet(few, requirements, grid)
    assert fleet.objective <= alone.objective
    assert sum(pool.write_share for pool in fleet.pools) == pytest.approx(1)
    assert fleet.available[Need.USABLE] >= 10 * TB * (1 - 1e-9)
    assert fleet.available[Need.LIFE] >= 5 * YEAR_S * (1 - 1e-9)


def test_more_endurance_is_bought_where_drives_would_wear_out_together():
    requirements = Requirements(usable_bytes=2 * TB, life_s=5 * YEAR_S, loss_probability=1e-2)
    fleet = mixed_fleet(ANY, requirements, KINDS)
    assert fleet.available[Need.LOSS] <= 1e-2
    assert fleet.available[Need.LIFE] > 5 * YEAR_S


def test_what_no_mix_can_hold_is_an_answer():
    fleet = mixed_fleet(ANY, Requirements(usable_bytes=50 * TB, slots=8), KINDS)
    assert (fleet.objective, fleet.pools) == (None, ())


def test_a_fleet_of_one_kind_is_found_where_more_parity_is_the_only_way():
    """More endurance would not help: nothing is asked of life, and loss is by wear-out."""
    requirements = Requirements(usable_bytes=1 * TB, loss_probability=1e-5)
    grid = Grid(drives=(SMALL, FAST), members=tuple(range(4, 17)), levels=("5", "6"))
    busy = Workload(host_bytes_per_s=2e7, queue_depth=8.0)
    alone, fleet = choose(busy, requirements, grid).best, mixed_fleet(busy, requirements, grid)
    assert fleet.objective <= alone.objective
    assert fleet.available[Need.LOSS] <= 1e-5


@pytest.mark.parametrize("objective", list(Objective))
def test_a_fleet_costs_no_more_than_the_best_plan_whatever_is_made_least(objective):
    requirements = Requirements(usable_bytes=2 * TB, life_s=5 * YEAR_S)
    grid = Grid(drives=(SMALL, LARGE), members=(4, 8, 12), levels=("5", "10"))
    few = Workload(host_bytes_per_s=5e6, queue_depth=8.0)
    alone = choose(few, requirements, grid, objective=objective).best
    fleet = mixed_fleet(few, requirements, grid, objective=objective)
    assert fleet.objective <= alone.objective * (1 + 1e-9)


def test_the_life_of_a_fleet_follows_the_growth_of_writes():
    grown = Workload(host_bytes_per_s=1e7, growth_per_year=0.5)
    kind = Grid(drives=(SMALL,), members=(4,), levels=("5",))
    fleet = mixed_fleet(grown, Requirements(usable_bytes=1 * TB, life_s=1 * YEAR_S), kind)
    (pool,) = fleet.pools
    own = Workload(host_bytes_per_s=1e7 / pool.arrays, growth_per_year=0.5)
    one = plan_drive(SMALL, own, array=pool.array)
    life = one.lives.known[one.lives.endurance_limit].value
    assert fleet.available[Need.LIFE] == pytest.approx(life, rel=1e-9)


def test_the_solver_ends_when_its_time_is_over():
    rng = np.random.default_rng(7)
    needs = (Need.USABLE, Need.IOPS, Need.LIFE, Need.WORST)
    shares = {need: rng.lognormal(-3, 1, 20_000) for need in needs}
    price = sum(shares.values()) * rng.uniform(0.9, 1.1, 20_000)
    solver = SolverTime(0.2)
    started = monotonic()
    counts = cheapest(price, shares, solver)
    assert monotonic() - started < 60
    assert solver.is_over
    (note,) = solver.notes()
    assert "ended after 0.2 s" in note
    assert "--time 1s" in note
    assert (solver.gap is None) == (counts is None)


def test_a_kind_that_another_one_beats_in_everything_is_left_out():
    shares = {Need.USABLE: np.array([0.5, 0.5, 3.0, 2.0]), Need.POWER: np.array([0.1, 0.2, 0.3, 9])}
    price = np.array([1.0, 1.0, 2.5, 2.4])  # the last one takes more power than there is
    assert cheapest(price, shares, SolverTime(5.0)).tolist() == [2, 0, 0, 0]
