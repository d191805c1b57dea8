"""Every number of the plan: its formula, its inputs, its source, and the files to take away."""

from dataclasses import asdict

import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from planner.export.tables import cited, rows, to_csv
from planner.export.workbook.book import workbook
from planner.sections.plan import PlanReading
from planner.ui import state as scenario
from planner.ui.explained import behind
from planner.ui.plain import bullets


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
        behind(plan, node, key="maths")


def _life_index(labels: list[str]) -> int:
    wanted = QUANTITIES["rated_life_s"].label
    return labels.index(wanted) if wanted in labels else 0


def _everything(plan: PlanReading) -> None:
    with st.expander("Every number, its formula and its source"):
        table = pd.DataFrame(rows(plan, scenario.catalogue()))
        st.dataframe(table, hide_index=True)
        sources = scenario.catalogue().sources
        cites = [sources[name] for name in cited(plan, scenario.catalogue())]
        statement = [f"{one.title}, {one.publisher} {one.date} {one.link}" for one in cites]
        st.markdown(bullets([*plan.notes, *statement]))
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
