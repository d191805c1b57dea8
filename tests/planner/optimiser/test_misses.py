"""Why not: the best of each need that a drive has, against every plan made one by one."""

import numpy as np
import pytest

from models.units import TB, YEAR_S
from planner.export.choice_record import choice_record
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Need, Requirements, choose
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from tests.planner.optimiser.drives import FAST, RATED, SMALL

WRITES = Workload(host_bytes_per_s=2e7, queue_depth=8.0)
GRID = Grid(drives=(SMALL, FAST, RATED), members=(4, 6, 8), levels=("10", "5"))
# More than any plan has of each; slots are kept, so that arrays of eight are none.
ASKED = Requirements(
    usable_bytes=20 * TB, iops=5e6, queue_depth=64, loss_probability=1e-9, rated_s=90 * YEAR_S,
    slots=6,
)  # fmt: skip


def one_by_one(drive):
    """The best of each need over the plans of a drive that fit into the slots."""
    risk = Risk()
    plans = [
        plan_drive(drive, WRITES, array=array) for array in GRID.arrays() if array.members <= 6
    ]
    rated = [one["printed_life_s"] for one in plans]
    known = [part.value for part in rated if part.is_known]
    return {
        Need.USABLE: max(one["usable_bytes"].value for one in plans),
        Need.IOPS: max(array_queue(one, queue_depth=64).iops.value for one in plans),
        Need.LOSS: min(data_loss(one, risk)["array_loss_probability"].value for one in plans),
        Need.RATED: max(known, default=None),
    }


@pytest.fixture(scope="module")
def choice():
    return choose(WRITES, ASKED, GRID)


def test_each_drive_lists_every_need_that_it_fails_with_the_best_that_it_has(choice):
    assert len(choice.rejected) == len(GRID.drives)
    for row in choice.rejected:
        assert row.is_whole
        assert row.array.members <= 6
        best = one_by_one(row.drive)
        fails = {each.need: each.available for each in row.fails}
        assert Need.SLOTS not in fails
        for need, value in best.items():
            if need is Need.LOSS and value <= 1e-9:
                assert need not in fails
            elif value is None:
                assert fails[need] is None
            else:
                assert fails[need] == pytest.approx(value, rel=1e-9), (row.drive.name, need)


def test_where_nothing_holds_the_closest_plan_and_the_best_of_each_need_are_named(choice):
    assert choice.best is None
    assert choice.closest.lacks.margin == max(row.lacks.margin for row in choice.rejected)
    whole = [one_by_one(drive) for drive in GRID.drives]
    reached = {each.need: each.available for each in choice.reach}
    for need in (Need.USABLE, Need.IOPS, Need.RATED):
        expected = np.nanmax([each[need] or np.nan for each in whole])
        assert reached[need] == pytest.approx(expected, rel=1e-9), need
    record = choice_record(choice)
    assert record["closest"]["members"] <= 6
    assert {row["need"] for row in record["reach"]} == {str(need) for need in ASKED.needs}


def test_a_plan_leaves_nothing_to_reach_for(choice):
    easy = choose(WRITES, Requirements(usable_bytes=TB), GRID)
    assert easy.closest is None
    assert not easy.reach
