"""Choose: drives, their number, layout and spare area that meet every requirement."""

from dataclasses import replace
from datetime import date

import pandas as pd
import streamlit as st

from planner.catalogue import search
from planner.catalogue.quotes import QuotesError, merged
from planner.export.choice_tables import (
    axis_title,
    front_rows,
    named_plan,
    needs_line,
    ranked_rows,
    rejected_rows,
    saving_rows,
    spare_of,
    unknown_lines,
)
from planner.export.procurement import Project, procurement_workbook
from planner.export.tables import to_csv
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.search.choose import Axis, Choice, Grid, choose
from planner.search.choose.request import drives_at, quotes_of
from planner.sections.plan import Plan, at_level, known_only
from planner.ui import state as scenario
from planner.ui.charts import front_chart
from planner.ui.choose_controls import Asked, controls
from planner.ui.plain import plain
from planner.ui.theme import chart

MOST_REJECTED = 15


def render() -> None:
    """Draw the page."""
    st.caption(
        "Writes and workload are those above; drive, number, RAID level and spare area are "
        "selected here."
    )
    left, right = st.columns([1, 3], gap="large")
    with left:
        asked = controls()
    with right:
        _results(asked, scenario.current())


def _results(asked: Asked, plan: Plan) -> None:
    level = asked.assumed
    known = known_only(plan) if level is None else at_level(plan, level)
    workload = replace(known.workload, measured_wa=None)
    try:
        found = _found(asked, workload, plan.firmware)
    except QuotesError as error:
        st.error(plain(error))
        return
    if found is None:
        st.warning(plain(f"No drive's name holds '{asked.words}'."))
        return
    _headline(found)
    st.caption(plain(f"{needs_line(found)}."))
    if found.candidates:
        table = pd.DataFrame(ranked_rows(found)).set_index("")
        st.dataframe(table, height="content")
        _take(found)
        _front(found)
    st.markdown(
        "#### Cheaper, but short of a requirement" if found.candidates else "#### The nearest"
    )
    st.dataframe(pd.DataFrame(rejected_rows(found, most=MOST_REJECTED)), hide_index=True,
                 height="content")  # fmt: skip
    for line in unknown_lines(found):
        st.caption(plain(f"Not available: {line}."))
    st.markdown("#### Saving if one requirement were 10 % lower")
    st.dataframe(pd.DataFrame(saving_rows(found)), hide_index=True, height="content")
    if found.notes:
        st.caption("  \n".join(plain(note) for note in found.notes))
    _downloads(found)


def _headline(found: Choice) -> None:
    best = found.best
    if best is None:
        st.error("No plan meets every requirement; below is the nearest plan of each drive.")
        return
    bound = f" Smallest margin: {spare_of(best.binding)}." if best.binding else ""
    st.success(f"**{plain(named_plan(best))}**: the least {plain(f'{found.objective}.{bound}')}")


def _take(found: Choice) -> None:
    """Offer to go on with one of the plans."""
    named = [f"{place}: {named_plan(one)}" for place, one in enumerate(found.candidates, start=1)]
    which, button = st.columns([4, 1], vertical_alignment="bottom")
    name = which.selectbox("Plan to look at", named)
    one = found.candidates[named.index(name)].plan
    if button.button(
        "Take it", on_click=scenario.take, args=(one.drive, one.array, one.partition_fraction),
        key="take",
    ):  # fmt: skip
        st.toast(plain(f"The plan is now {name.partition(': ')[2]}"))
        scenario.go("plan")


def _front(found: Choice) -> None:
    """Draw the plans that no other beats in both; those of the table are marked."""
    least, other = (axis_title(found, axis) for axis in found.axes)
    rows = pd.DataFrame(front_rows(found)).rename(columns={least: "y", other: "x"})
    st.markdown(f"#### {plain(found.objective.capitalize())} against {plain(found.axes[1])}")
    chart(
        rows, front_chart(other, least), key="front",
        alt="Plans that none beats in either figure",
    )  # fmt: skip
    st.caption("Plans that meet every requirement; no other gives more for less.")


def _downloads(found: Choice) -> None:
    if found.candidates:
        title = st.text_input("Project, on the workbook", key="c_title", bind="query-params")
        st.download_button(
            "Download procurement workbook (live formulas)",
            lambda: procurement_workbook(
                found, scenario.catalogue(), exported=date.today(), project=Project(title=title)
            ),
            "procurement.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            on_click="ignore", key="procurement_xlsx",
        )  # fmt: skip
    st.download_button(
        "Download plans as CSV",
        lambda: to_csv([dict(row) for row in ranked_rows(found)]),
        "plans.csv", "text/csv", on_click="ignore", key="plans_csv",
    )  # fmt: skip


def _found(asked: Asked, workload: Workload, firmware: Firmware) -> Choice | None:
    return _choice(repr((asked, workload, firmware)), asked, workload, firmware)


@st.cache_resource(max_entries=32, show_spinner="Choosing among the catalogue ...")
def _choice(
    key: str,  # noqa: ARG001 - Streamlit caches by it
    _asked: Asked,
    _workload: Workload,
    _firmware: Firmware,
) -> Choice | None:
    drives = [
        drive
        for drive in search(scenario.catalogue(), _asked.words)
        if not _asked.segments or set(drive.segment.split()) & set(_asked.segments)
    ]
    own = quotes_of(_asked.tables, dict(_asked.texts))
    drives = list(own if _asked.only_own else merged(drives, own))
    if not drives:
        return None
    return choose(
        _workload,
        _asked.requirements,
        Grid(
            drives=drives_at(drives, _asked.assumed, _workload, _asked.prices),
            assumed=_asked.assumed,
            prices=_asked.prices,
            members=_asked.counts,
            partition_fractions=tuple(1 - spare for spare in sorted(_asked.spares)),
            levels=_asked.levels,
            sets=tuple(sorted(_asked.sets)),
        ),
        objective=_asked.objective,
        terms=_asked.terms,
        risk=_asked.risk,
        firmware=_firmware,
        axes=(Axis.LEAST, _asked.axis),
    )


if __name__ == "__main__":
    render()
