"""Other levels and numbers of drives, all at once, and the course of replacements."""

import numpy as np
import pytest

from models.units import DAY_S, GIB, YEAR_S
from planner.catalogue.drive import own_drive
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.array_levels import changes, further_parity, level_grid
from planner.sections.data_loss import data_loss, remedies
from planner.sections.plan import plan_drive
from planner.sections.replacements import replacement_course
from planner.sections.request import plan_of

BUSY = Workload(host_bytes_per_s=30_000 * GIB / DAY_S, sequential_fraction=0.3, growth_per_year=0.1)
RISKS = (
    Risk(),
    Risk(horizon_s=8 * YEAR_S, rebuild_s=DAY_S, uber=1e-15, life_cv=0.1),
    Risk(replaced_fraction=0.9, afr_fraction=0.03),
)


@pytest.mark.parametrize("risk", RISKS, ids=["usual", "long", "replaced"])
def test_every_cell_is_what_its_plan_says(pro_400, risk):
    answer = plan_drive(pro_400, BUSY, array=Array(members=12, level=RaidLevel.RAID5, hot_spares=1))
    levels = ("0", "1", "10", "5", "6", "ec:4+2")
    grid = level_grid(answer, risk, levels=levels, members=(2, 3, 9))
    own = level_grid(answer, risk, levels=["5"], members=[12])
    assert own.loss_probability == pytest.approx(
        [data_loss(answer, risk)["array_loss_probability"].value], rel=1e-9
    )
    assert list(zip(grid.levels, (array.members for array in grid.arrays), strict=True)) == [
        ("0", 2), ("0", 3), ("0", 9), ("1", 3), ("1", 9), ("10", 9), ("5", 9), ("6", 9),
        ("ec:4+2", 9), ("5", 12),
    ]  # fmt: skip
    for array, usable, loss in zip(
        grid.arrays, grid.usable_bytes, grid.loss_probability, strict=True
    ):
        alone = answer.again(array=array)
        assert array.hot_spares == 1
        assert usable == pytest.approx(alone["usable_bytes"].value, rel=1e-12)
        assert loss == pytest.approx(
            data_loss(alone, risk)["array_loss_probability"].value, rel=1e-9, abs=1e-15
        )


def test_wear_that_is_not_known_is_not_counted():
    answer = plan_drive(own_drive(1e12), BUSY, array=Array(members=6, level=RaidLevel.RAID6))
    grid = level_grid(answer, Risk(), levels=["6"], members=[6])
    assert grid.loss_probability == pytest.approx(
        [data_loss(answer)["array_loss_probability"].value], rel=1e-9
    )
    assert level_grid(answer, Risk(), levels=["10"], members=[3]).arrays == (answer.array,)


@pytest.mark.parametrize(
    "layout",
    [
        {"drives": 2, "raid": 1}, {"drives": 48, "raid": 6}, {"drives": 1},
        {"drives": 24, "raid": "draid2:8d:24c:2s"}, {"drives": 12, "keep": "3 copies on 4 hosts"},
        {"drives": 12, "raid": "raidz2", "sets": 2}, {"drives": 8, "raid": 5, "hot_spares": 2},
    ],
)  # fmt: skip
def test_the_plan_is_among_the_cells_whatever_its_layout(layout):
    plan = plan_of("PM9A3 3.84", writes="1 TB/day", **layout)
    grid = level_grid(plan, Risk(), levels=("0", "5", "raidz2"), members=range(2, 13))
    (place,) = [at for at, array in enumerate(grid.arrays) if array == plan.array]
    assert grid.usable_bytes[place] == pytest.approx(plan["usable_bytes"].value)
    assert grid.loss_probability[place] == pytest.approx(
        data_loss(plan, Risk())["array_loss_probability"].value, rel=1e-9, abs=1e-15
    )


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (Array(members=3), "RAID 5"),
        (Array(members=4, level=RaidLevel.RAID5), "RAID 6"),
        (Array(members=12, level=RaidLevel.RAID6), "9+3"),
        (Array(members=12, level=RaidLevel.RAID10), "1+2"),
        (Array(members=12, level=RaidLevel.EC, data_members=8, parity_members=3), "8+4"),
        (Array(members=11, level=RaidLevel.EC, data_members=8, parity_members=3), "7+4"),
    ],
)
def test_one_more_parity_is_one_more_failure_put_up_with(array, name):
    more = further_parity(array)
    assert more.name == name
    assert more.members == array.members
    assert more.tolerated_failures == array.tolerated_failures + 1


def test_a_mirror_of_all_drives_takes_another_drive():
    assert further_parity(Array(members=2, level=RaidLevel.RAID1)).members == 3


def test_no_room_is_no_change(pro_400):
    assert further_parity(Array(members=2)) is None
    answer = plan_drive(pro_400, BUSY, array=Array(members=2))
    names = [remedy.name for remedy in changes(answer, Risk())]
    assert names == [remedy.name for remedy in remedies(answer, Risk())]


def test_changes_end_with_one_more_parity(pro_400):
    answer = plan_drive(pro_400, BUSY, array=Array(members=12, level=RaidLevel.RAID5))
    *_, last = changes(answer, RISKS[1])
    assert last.name == "One more parity: RAID 6"
    wider = answer.again(array=Array(members=12, level=RaidLevel.RAID6))
    assert (
        last.data_loss["array_loss_probability"].value
        == data_loss(wider, RISKS[1])["array_loss_probability"].value
    )


@pytest.mark.parametrize("risk", RISKS, ids=["usual", "long", "replaced"])
def test_the_course_ends_in_all_replacements_and_has_waves(pro_400, risk):
    lost = data_loss(
        plan_drive(pro_400, BUSY, array=Array(members=12, level=RaidLevel.RAID5)), risk
    )
    course = replacement_course(lost, np.linspace(0, risk.horizon_s, 9)[1:])
    assert course[-1] == pytest.approx(lost["mean_replacements"].value, rel=1e-9)
    each = np.diff(course)
    assert (each > -1e-9).all()
    assert each.max() > 10 * np.median(each) or each.max() > 4


def test_drives_that_do_not_wear_fail_at_a_steady_rate():
    lost = data_loss(
        plan_drive(own_drive(1e12), BUSY, array=Array(members=10)), Risk(afr_fraction=0.02)
    )
    course = replacement_course(lost, np.array([1, 2, 3]) * YEAR_S)
    assert course == pytest.approx(-10 * np.log1p(-0.02) * np.array([1, 2, 3]), rel=1e-3)
