"""What would be needed, on the first screen: as the planner says, and only while it is open."""

from models.units import TB, YEAR_S
from planner.search.size import drives_for, most_writes, spare_for_life
from planner.search.size.answer import at_levels
from planner.search.size.wording import headline
from planner.sections.plan import at_level
from planner.sections.request import plan_of
from tests.app.conftest import EXAMPLE


def test_what_is_needed_is_what_the_planner_says(open_app):
    app = open_app(**EXAMPLE | {"writes": 30_000}, needed="true", neededyears=7, neededtb=5)
    assert not app.exception
    plan = plan_of("845DC PRO 400", writes="30000 GiB/day", drives="12", raid="5")
    statement = [element.value for element in app.markdown]
    for ask in (
        lambda scene: spare_for_life(scene, 7 * YEAR_S),
        lambda scene: most_writes(scene, 7 * YEAR_S),
        lambda scene: drives_for(scene, wear_out_life_s=7 * YEAR_S, usable_bytes=5 * TB),
    ):
        sized = at_levels(lambda level, ask=ask: ask(at_level(plan, level)), "cautious")
        assert headline(sized) in statement


def test_nothing_is_worked_out_while_it_is_closed(app):
    assert not any("Endurance class" in element.value for element in app.markdown)
