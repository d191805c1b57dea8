"""Every number of the plan: its formula, its inputs, its source, and the files to take away."""

from dataclasses import asdict
from itertools import groupby

import streamlit as st

from models.nomenclature import QUANTITIES
from planner.export.tables import Row, cited, rows, to_csv
from planner.export.workbook.book import workbook
from planner.graph.answer import Answer
from planner.quantity.show import span
from planner.sections.plan import PlanReading
from planner.ui import state as scenario
from planner.ui.explained import Explanation, behind
from planner.ui.plain import bullets, plain, shown
from planner.ui.tables import table

SOURCES = "Sources"  # listed below the numbers


def render(plan: PlanReading) -> None:
    """Draw the part."""
    _maths(plan)
    _everything(plan)


def _maths(plan: PlanReading) -> None:
    figures = {QUANTITIES[key].label: node for key, node in plan.nodes.items() if node.is_computed}
    with st.expander("Show the maths"):
        label = st.selectbox(
            "Which number?",
            list(figures)[::-1],
            index=_life_index(list(figures)[::-1]),
            key="maths",
        )
        node = figures[label]
        behind(plan, Explanation(node), key="maths")


def _life_index(labels: list[str]) -> int:
    wanted = QUANTITIES["rated_life_s"].label
    return labels.index(wanted) if wanted in labels else 0


def _everything(plan: PlanReading) -> None:
    part = st.expander("Every number, its formula and its source", key="every_number",
                       on_change="rerun")  # fmt: skip
    if part.open:
        with part:
            _tables(plan)
    name, risk, load = plan.drive.drive_id, scenario.risk(), scenario.application()
    csv_column, xlsx_column, _ = st.columns([1, 2, 2])
    csv_column.download_button(
        "Download CSV",
        lambda: to_csv([asdict(row) for row in rows(plan, scenario.catalogue())]),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        key="csv",
    )
    xlsx_column.download_button(
        "Download workbook (live formulas)",
        lambda: workbook([plan], scenario.catalogue(), application=load, risk=risk),
        f"{name}.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        on_click="ignore",
        key="xlsx",
    )


def _tables(plan: PlanReading) -> None:
    """Draw the numbers by section, then what they assume and their sources."""
    answered = [answer for group in plan.sections.values() for answer in group]
    answers = {each.key: each for each in (*answered, *plan.placement, *plan.nodes.values())}
    sources = scenario.catalogue().sources
    for section, each in groupby(rows(plan, scenario.catalogue()), lambda row: row.section):
        if section != SOURCES:
            st.markdown(f"**{plain(section)}**")
            table([_cells(row, answers[row.quantity], plan) for row in each])
    cites = [sources[name] for name in cited(plan, scenario.catalogue())]
    statement = [f"{one.title}, {one.publisher} {one.date} {one.link}" for one in cites]
    st.markdown(bullets([*plan.notes, *statement]))


def _cells(row: Row, answer: Answer, plan: PlanReading) -> dict[str, str]:
    """Return a number as people read it: with its unit, its range and its origin."""
    source, ends = scenario.catalogue().sources.get(row.source), plan.range_of(row.quantity)
    between = ends is not None and ends.is_wide and span(row.quantity, ends.low, ends.high)
    return {
        "Quantity": row.label,
        "Value": shown(answer),
        "Range": between or "",
        "From": row.formula or (source.title if source else row.source),
        "Note": row.note,
    }
