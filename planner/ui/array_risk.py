"""Widgets of what is assumed of failures: each keeps its value in the URL."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.errors import DomainError
from models.units import DAY_S, HOUR_S, YEAR_S
from planner.quantity.show import complaint
from planner.reliability.failure_assumptions import AFR, SPREAD, UBER, Risk
from planner.sections.plan import Plan

__all__ = ["risk_controls"]

HORIZON_YEARS = 5
UNITS = {
    "horizon": ("horizon_s", YEAR_S),
    "afr": ("afr_fraction", 0.01),
    "uber": ("uber", 1.0),
    "rebuild": ("rebuild_s", HOUR_S),
    "spread": ("life_cv", 0.01),
    "replaced": ("replaced_fraction", 0.01),
    "apart": ("stagger_s", DAY_S),
}


def risk_controls(plan: Plan) -> Risk:
    """Draw the widgets of what is assumed of failures; each keeps its value in the URL."""
    st.markdown("#### What is assumed of failures")
    first, second = st.columns(4), st.columns(4)
    _number(first[0], "Horizon [years]", "horizon", 0.1, 100.0, f"{HORIZON_YEARS}")
    known = plan.drive.value("mtbf_s")
    assumed = "by the MTBF" if known else f"{100 * AFR:g}, assumed"
    _number(first[1], "Failures, AFR [% a year]", "afr", 0.0, 99.0, assumed)
    known = plan.drive.value("uber")
    assumed = f"{known:g}" if known else f"{UBER:g}, assumed"
    _number(first[2], "Unreadable, UBER [per bit read]", "uber", 0.0, 1e-6, assumed)
    _number(first[3], "Rebuild [hours]", "rebuild", 1e-3, 1e5, "at half the write rate")
    _number(second[0], "Spread of life [%, one sigma]", "spread", 0.1, 15.0,
            f"{100 * SPREAD:g}, assumed")  # fmt: skip
    _number(second[1], "Replaced at [% of mean life]", "replaced", 1.0, 1000.0, "when worn out")
    _number(second[2], "Bought apart [days each]", "apart", 0.0, 3650.0, "0, all at once")
    state = st.session_state
    told = {
        name: state[key] * unit for key, (name, unit) in UNITS.items() if state[key] is not None
    }
    try:
        return Risk(**{"horizon_s": HORIZON_YEARS * YEAR_S} | told)
    except DomainError as error:
        st.error(f"{plan.drive.name}: {complaint(error, {})}")
        st.stop()


def _number(
    column: DeltaGenerator, label: str, key: str, lowest: float, highest: float, otherwise: str
) -> None:
    column.number_input(
        label, lowest, highest, None, key=key, bind="query-params", placeholder=otherwise,
        format="%0.10g",
    )  # fmt: skip
