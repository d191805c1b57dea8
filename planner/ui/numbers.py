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


def render(answer: PlanReading) -> None:
    """Draw the part."""
    _maths(answer)
    _everything(answer)


def _maths(answer: PlanReading) -> None:
    figures = {
        QUANTITIES[key].label: node for key, node in answer.nodes.items() if node.is_computed
    }
    with st.expander("Show the maths"):
        label = st.selectbox(
            "Which number?",
            list(figures)[::-1],
            index=_life_index(list(figures)[::-1]),
            key="maths",
        )
        node = figures[label]
        behind(answer, node, key="maths")


def _life_index(labels: list[str]) -> int:
    wanted = QUANTITIES["rated_life_s"].label
    return labels.index(wanted) if wanted in labels else 0


def _everything(answer: PlanReading) -> None:
    with st.expander("Every number, its formula and its source"):
        table = pd.DataFrame(rows(answer, scenario.catalogue()))
        st.dataframe(table, hide_index=True)
        sources = scenario.catalogue().sources
        cites = [sources[name] for name in cited(answer, scenario.catalogue())]
        statement = [f"{one.title}, {one.publisher} {one.date} {one.link}" for one in cites]
        st.markdown(bullets([*answer.notes, *statement]))
    name, horizon_s, load = answer.drive.drive_id, scenario.horizon_s(), scenario.application()
    writes = None if load is None else load.record
    csv_column, xlsx_column, _ = st.columns([1, 2, 2])
    csv_column.download_button(
        "Download CSV",
        lambda: to_csv([asdict(row) for row in rows(answer, scenario.catalogue())]),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        key="csv",
    )
    xlsx_column.download_button(
        "Download workbook (live formulas)",
        lambda: workbook([answer], scenario.catalogue(), application=writes, horizon_s=horizon_s),
        f"{name}.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        on_click="ignore",
        key="xlsx",
    )
