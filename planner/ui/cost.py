"""Cost: what the drives cost to own over the years, part by part and year by year."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.quantity.inputs import OWNING
from planner.quantity.show import complaint, span
from planner.scenario.terms import assumed_texts
from planner.sections.ownership import Ownership, owned_ranges, ownership, risk_of, terms_of
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.ui import charts
from planner.ui import state as scenario
from planner.ui.explained import explain
from planner.ui.plain import bullets, plain, shown
from planner.ui.tables import table
from planner.ui.theme import chart

SHOWN = ("discount_rate", "electricity", "pue", "slot", "labour", "shelf", "residual")


def render(plan: PlanReading) -> None:
    """Draw the part."""
    with st.expander("Terms of owning", key="terms", on_change="rerun") as drawer:
        pass
    if drawer.open:
        with drawer:
            scenario.texts(*SHOWN, places=st.columns(4), known=assumed_texts(SHOWN))
    statement = scenario.texts_of(OWNING)
    try:
        owned, ranges = _owned(scenario.key(), plan, statement)
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        return
    _headline(plan, owned, ranges, statement)
    _years(owned)
    rows = [
        {"Quantity": QUANTITIES[part.key].label, "Value": shown(part, digits=3),
         "Range": _between(part.key, ranges), "What it is": QUANTITIES[part.key].meaning}
        for part in owned.answers if part.is_known and not np.ndim(part.value)
    ]  # fmt: skip
    table(rows)
    scenario.unknown(owned.lacking)
    st.markdown(bullets(owned.notes))


@st.cache_resource(max_entries=scenario.KEPT_PLANS, show_spinner=False)
def _owned(
    key: str,  # noqa: ARG001 - Streamlit caches by it
    _plan: PlanReading,
    _statement: Mapping[str, str],
) -> tuple[Ownership, Mapping[str, Range]]:
    owned = ownership(_plan, terms_of(_statement), risk_of(_statement))
    return owned, owned_ranges(_plan, owned)


def _headline(
    plan: PlanReading, owned: Ownership, ranges: Mapping[str, Range], statement: Mapping[str, str]
) -> None:
    def ranged(other: PlanReading, key: str) -> Range | None:
        owned = ownership(other, terms_of(statement), risk_of(statement))
        return owned_ranges(other, owned).get(key)

    parts = tuple(owned[key] for key in ("npv_usd", "equivalent_usd_per_year", "capital_usd"))
    for column, part in zip(st.columns(len(parts)), parts, strict=True):
        column.metric(
            plain(QUANTITIES[part.key].label), plain(shown(part, digits=3)),
            plain(_between(part.key, ranges)), delta_color="off", delta_arrow="off",
        )  # fmt: skip
        with column:
            explain(
                plan, part, key=f"cost {part.key}", ends=ranges.get(part.key),
                ranged=partial(ranged, key=part.key),
            )  # fmt: skip


def _between(key: str, ranges: Mapping[str, Range]) -> str:
    """Write the range of a cost, nothing where it is one number."""
    part = ranges.get(key)
    return span(key, part.low, part.high, digits=3) if part and part.is_wide else ""


def _years(owned: Ownership) -> None:
    """Draw what each year costs, by part."""
    rows = [
        {"year": year, "usd": float(np.ravel(part.value)[place]), "part": name}
        for name, part in owned.course.items()
        if part.is_known
        for place, year in enumerate(owned.terms.years)
    ]
    if rows:
        chart(
            pd.DataFrame(rows), charts.COST_BY_YEAR, key="cost_chart", alt="Cost by year, by part"
        )
        years = f"{len(owned.terms.years)} years"
        st.caption(plain(f"Cost of each of {years} by part, undiscounted."))
