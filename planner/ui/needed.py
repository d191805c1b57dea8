"""What would be needed? Worked out only while its part of the page is open."""

from collections.abc import Callable

import streamlit as st

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue.priors import supply
from planner.quantity.inputs import stated
from planner.quantity.show import complaint
from planner.search.size import Sizing, drives_for, endurance_class, most_writes, spare_for_life
from planner.search.size.answer import at_levels
from planner.search.size.wording import headline, sentence
from planner.sections.plan import PlanReading, at_level
from planner.ui import state as scenario
from planner.ui.plain import plain


def what_is_needed(plan: PlanReading) -> None:
    """Draw what would have to change for the drives to last, and how many are enough."""
    part = st.expander("What would be needed?", key="needed", bind="query-params")
    if not part.open:
        return
    with part:
        statement = scenario.texts("usable", known={"usable": "not required"})
        values = stated(statement | scenario.texts_of(["years"]), ("years", "usable"))
        life_s = values.pop("horizon_s")
        years = life_s / YEAR_S
        targets = {"wear_out_life_s": life_s, **values}
        questions: dict[str, Callable[[PlanReading], Sizing]] = {
            f"Spare area to last {years:g} years": lambda plan: spare_for_life(plan, life_s),
            f"Most writes for {years:g} years": lambda plan: most_writes(plan, life_s),
            "Endurance class": lambda plan: endurance_class(plan, life_s),
            "Number of drives": lambda plan: drives_for(plan, **targets),
        }
        for column, (title, ask) in zip(st.columns(2) * 2, questions.items(), strict=True):
            with column:
                _draw(title, ask, plan)


def _draw(title: str, ask: Callable[[PlanReading], Sizing], plan: PlanReading) -> None:
    st.markdown(f"**{plain(title)}**")
    try:
        sized = at_levels(lambda level: ask(at_level(plan, level)), "cautious")
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        return
    st.markdown(plain(headline(sized)))
    lines = [sentence(margin) for margin in sized.margins] + [
        supply(name) for name in sized.lacking
    ]
    st.caption("  \n".join(plain(line) for line in lines))
