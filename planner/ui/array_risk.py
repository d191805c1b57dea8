"""Widgets of the assumptions about failures: each keeps its value in the URL."""

import streamlit as st

from models.errors import DomainError
from planner.catalogue.priors_failures import AFR, UBER
from planner.quantity.inputs import FAILURES, stated
from planner.quantity.show import complaint, text
from planner.scenario.risk import Risk
from planner.sections.plan import PlanReading
from planner.ui import state as scenario
from planner.ui.plain import plain


def risk_controls(plan: PlanReading) -> Risk:
    """Draw the widgets of the assumptions about failures; the time is that of the sentence."""
    st.markdown("#### Assumptions about failures")
    columns = [*st.columns(3), *st.columns(3)]
    statement = scenario.texts(*FAILURES, places=columns, known=_known(plan))
    statement["years"] = scenario.text_of("years")
    try:
        return Risk(**stated(statement, ("years", *FAILURES)))
    except DomainError as error:
        st.error(plain(f"{plan.drive.name}: {complaint(error, {})}"))
        st.stop()


def _known(plan: PlanReading) -> dict[str, str]:
    """Return the placeholders of the empty fields."""
    uber = plan.drive.value("uber")
    return {
        "afr": "by the MTBF"
        if plan.drive.value("mtbf_s")
        else f"{text('afr_fraction', AFR)}, assumed",
        "uber": f"{UBER:g}, assumed" if uber is None else f"{uber:g}",
        "rebuild": "at half the write rate",
        "replace_at": "when worn out",
    }
