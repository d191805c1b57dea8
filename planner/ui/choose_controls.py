"""Widgets of what must hold and among what: each keeps its value in the URL."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from models.errors import DomainError
from models.units import MS, TB, YEAR_S
from planner.ownership import Terms
from planner.ownership.terms import assumed_terms
from planner.quantity.show import complaint, text
from planner.reliability.failure_assumptions import Risk
from planner.search.choose import Axis, Objective, Requirements
from planner.ui import state as scenario

__all__ = ["Asked", "controls"]

USABLE_TB = 4.0
LIFE_YEARS = 5.0
LEVELS = [level for level in scenario.LEVELS if level != "1"]
COUNTS = (2, 24)
SPARES = [0, 5, 7, 10, 14, 20, 28, 40, 50]
SEGMENTS = ["client", "enterprise"]
FRONTS = [axis.value for axis in Axis if axis is not Axis.LEAST]
# Key of a widget, its label, the field of `Requirements`, what one is in base units, its default.
NEEDS = (
    ("usable", "Usable capacity [TB], at least", "usable_bytes", TB, USABLE_TB),
    ("iops", "IOPS at the mix, at least", "iops", 1.0, None),
    ("depthq", "Operations outstanding at the array", "queue_depth", 1.0, None),
    ("floor", "IOPS of members in the worst second, at least", "worst_case_iops", 1.0, None),
    ("p999", "99.9 % read latency of a member [ms], at most", "read_p999_s", MS, None),
    ("years", "Life by endurance [years], at least", "life_s", YEAR_S, LIFE_YEARS),
    ("loss", "Data loss in the horizon [%], at most", "loss_probability", 0.01, 0.1),
    ("watts", "Power [W], at most", "power_w", 1.0, None),
    ("slots", "Drives, at most", "slots", 1.0, None),
    ("budget", "Price of all drives [USD], at most", "budget_usd", 1.0, None),
    ("warranty_min", "Warranty [years], at least", "warranty_s", YEAR_S, None),
)
TERMS = (
    ("owned", "Horizon [years]", "horizon_s", YEAR_S, 5.0),
    ("rate", "Discount rate [% a year]", "discount_rate", 0.01, None),
    ("kwh", "Electricity [USD/kWh]", "energy_usd_per_j", 1 / 3.6e6, None),
    ("pue", "PUE", "pue", 1.0, None),
    ("slot", "Slot [USD/year]", "slot_usd_per_year", 1.0, None),
    ("labour", "Labour of a replacement [USD]", "labour_usd", 1.0, None),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the page is asked."""

    requirements: Requirements
    terms: Terms
    risk: Risk
    objective: Objective
    axis: Axis
    levels: tuple[str, ...]
    counts: tuple[int, int]
    spares: tuple[int, ...]
    sets: tuple[int, ...]
    words: str
    segments: tuple[str, ...]
    assume: bool


def controls() -> Asked:
    """Draw the widgets; a bad input stops with its sentence."""
    st.markdown("#### What must hold")
    needs = _told(NEEDS, _need)
    sure = st.slider("How sure the life must be [%]", 50, 99, 90, key="sure", bind="query-params")
    st.markdown("#### Among what")
    words = st.text_input(
        "Drives whose name holds", key="like", bind="query-params", placeholder="all of them"
    )
    segments = st.multiselect("Made for", SEGMENTS, key="segments", bind="query-params",
                              placeholder="anything")  # fmt: skip
    levels = st.multiselect("Layouts", LEVELS, ["10", "5", "6"], key="levels", bind="query-params")
    counts = st.slider("Numbers of drives", 1, 60, COUNTS, key="counts", bind="query-params")
    spares = st.multiselect("Left unpartitioned [%]", SPARES, [0, 7, 28], key="spares",
                            bind="query-params")  # fmt: skip
    sets = st.multiselect("Sets with parity of their own", [1, 2, 3, 4, 6, 8], [1, 2], key="c_sets",
                          bind="query-params")  # fmt: skip
    st.markdown("#### What counts")
    objective = st.radio("Make least", [each.value for each in Objective], key="least",
                         bind="query-params") or Objective.PRICE  # fmt: skip
    axis = st.selectbox("Against", FRONTS, key="against", bind="query-params")
    with st.expander("Terms of owning"):
        terms: dict[str, Any] = _told(TERMS, _term)
        terms["currency"] = st.text_input(
            "Currency of all prices", "USD", max_chars=12, key="c_currency", bind="query-params",
            help="Printed, never converted.",
        )  # fmt: skip
    try:
        owned = Terms(**terms)
        return Asked(
            requirements=replace(Requirements(), **needs, life_confidence=sure / 100),
            terms=owned, risk=Risk(horizon_s=owned.horizon_s), objective=Objective(objective),
            axis=Axis(axis), levels=tuple(levels), counts=counts, spares=tuple(spares),
            sets=tuple(sets), words=words, segments=tuple(segments),
            assume=st.session_state["assume"],
        )  # fmt: skip
    except DomainError as error:
        st.error(complaint(error, {}))
        st.stop()


def _told(
    widgets: tuple[tuple[str, str, str, float, float | None], ...],
    draw: Callable[[str, str, str, float | None], float | None],
) -> dict[str, float]:
    """Draw one number for each field; return those that are given, in base units."""
    told = {
        field: (draw(key, label, field, default), unit)
        for key, label, field, unit, default in widgets
    }
    return {field: value * unit for field, (value, unit) in told.items() if value is not None}


def _need(key: str, label: str, _: str, default: float | None) -> float | None:
    return _number(key, label, default, "not asked")


def _term(key: str, label: str, field: str, default: float | None) -> float | None:
    known = assumed_terms().get(field)
    otherwise = "assumed" if known is None else f"{text(field, known.typical)}, assumed"
    return _number(key, label, default, otherwise)


def _number(key: str, label: str, default: float | None, otherwise: str) -> float | None:
    return st.number_input(
        label, 0.0, 1e12, default, key=f"c_{key}", bind="query-params", placeholder=otherwise,
        format="%0.10g",
    )  # fmt: skip
