"""Array: what many drives give together, their worst case, and how likely they lose data."""

import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.priors_failures import AFR, assumed_uber
from planner.export.tables import to_csv
from planner.quantity.inputs import FAILURES, stated
from planner.quantity.show import complaint, text
from planner.scenario.risk import Risk
from planner.sections.answers import ARRAY
from planner.sections.plan import PlanReading
from planner.ui import array_frames
from planner.ui import state as scenario
from planner.ui.array_answers import Computed, computed
from planner.ui.array_metrics import headline, triple
from planner.ui.array_views import course_chart, course_rows, iops_chart, level_chart, loss_chart
from planner.ui.plain import bullets, shown
from planner.ui.tables import pairs


def render(plan: PlanReading) -> None:
    """Draw the part."""
    top = st.container()
    risk = risk_controls(plan)
    found = computed(plan, risk)
    with top:
        headline(plan, found)
        _missing(plan, found)
    triple(plan, found)
    left, right = st.columns(2)
    with left:
        losses = loss_chart(found)
    with right:
        levels = level_chart(plan, found)
    _over_time_and_depth(plan, found)
    _notes(plan, found)
    st.download_button(
        "Download CSV",
        lambda: to_csv(array_frames.table(
            (*plan.sections[ARRAY], *found.queue.answers, *found.queue.further,
             *found.lost.answers, *found.lost.further),
            {"iops": array_frames.iops_rows(plan, found.queue), "loss": losses,
             "replacements": course_rows(found), "levels": levels},
        )),
        f"{plan.drive.name} array.csv", "text/csv", on_click="ignore",
    )  # fmt: skip


def risk_controls(plan: PlanReading) -> Risk:
    """Draw the widgets of the assumptions about failures; the time is that of the sentence."""
    st.markdown("#### Assumptions about failures")
    columns = [*st.columns(4), *st.columns(4)]
    statement = scenario.texts(*FAILURES, places=columns, known=_known(plan))
    statement["years"] = scenario.text_of("years")
    try:
        return Risk(**stated(statement, ("years", *FAILURES)))
    except DomainError as error:
        scenario.stop(f"{plan.drive.name}: {complaint(error, {})}")


def _known(plan: PlanReading) -> dict[str, str]:
    """Return the placeholders of the empty fields."""
    uber = plan.drive.value("uber")
    return {
        "afr": "by the MTBF"
        if plan.drive.value("mtbf_s")
        else f"{text('afr_fraction', AFR)}, assumed",
        "uber": f"{assumed_uber(plan.drive):g}, assumed" if uber is None else f"{uber:g}",
        "rebuild": "at half the write rate",
        "replace_at": "when worn out",
    }


def _over_time_and_depth(plan: PlanReading, found: Computed) -> None:
    """Draw what takes most of the time to compute, while it is open."""
    part = st.expander("IOPS over queue depth; drives to replace over the years", key="courses",
                       on_change="rerun", bind="query-params")  # fmt: skip
    if not part.open:
        return
    with part:
        left, right = st.columns(2)
        with left:
            iops_chart(plan, found)
        with right:
            course_chart(found)


def _missing(plan: PlanReading, found: Computed) -> None:
    """Name the facts that unknown answers need; the stall has an input of its own below."""
    scenario.wide(plan.wide)
    parts = (*plan.sections[ARRAY], *found.queue.answers, *found.lost.answers)
    lacking = dict.fromkeys(name for part in parts if not part.is_known for name in part.lacking)
    lacking.pop("member_stall_fraction", None)
    scenario.unknown(lacking)


def _notes(plan: PlanReading, found: Computed) -> None:
    st.markdown("#### Basis and assumptions")
    parts = (*found.lost.notes, *found.queue.notes, *plan.array_notes)
    st.markdown(bullets(dict.fromkeys(parts)))
    keys = ("afr_fraction", "rebuild_s", "unreadable_probability", "wear_out_life_s")
    steps = (*(found.lost[key] for key in keys), *found.lost.further, *found.queue.further)
    rows = [(QUANTITIES[item.key].label, shown(item), QUANTITIES[item.key].meaning)
            for item in steps if item.is_known]  # fmt: skip
    pairs(rows, "Quantity", "Value", "What it is")
