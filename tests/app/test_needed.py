"""What would be needed, on the first screen: as the planner says, and only while it is open."""

from models.units import DAY_S, GIB, TB, YEAR_S
from planner.catalogue import find, load
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.search.size import drives_for, most_writes, spare_for_life
from planner.search.size.wording import headline
from planner.sections.plan import plan_drive


def test_what_is_needed_is_what_the_planner_says(open_app):
    app = open_app(needed="true", writes=30_000, neededyears=7, neededtb=5)
    assert not app.exception
    scene = plan_drive(
        find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=30_000 * GIB / DAY_S),
        array=Array(members=12, level=RaidLevel.RAID5),
    )  # fmt: skip
    statement = [element.value for element in app.markdown]
    for sized in (
        spare_for_life(scene, 7 * YEAR_S),
        most_writes(scene, 7 * YEAR_S),
        drives_for(scene, wear_out_life_s=7 * YEAR_S, usable_bytes=5 * TB),
    ):
        assert headline(sized) in statement


def test_nothing_is_worked_out_while_it_is_closed(app):
    assert not any("Endurance class" in element.value for element in app.markdown)
