"""Compare: two to four drives under the scenario on screen."""

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from planner.catalogue import find
from planner.export.tables import best, comparison
from planner.export.workbook.book import workbook
from planner.sections.plan import Plan
from planner.ui import state as scenario

BEST = "color: #1a7f37; font-weight: bold"
EXAMPLES = ["Samsung 845DC EVO 480 GB"]


def render() -> None:
    """Draw the page."""
    catalogue = scenario.catalogue()
    others = st.multiselect(
        "Compare with",
        [drive.name for drive in catalogue.drives.values()],
        EXAMPLES,
        max_selections=3,
        key="with",
        bind="query-params",
        persist_state="session",
    )
    plans = [scenario.current()]
    plans += [scenario.plan_of(find(catalogue, name)) for name in others]
    st.dataframe(_table(plans), hide_index=True, height="content")
    st.caption("Green: the better figure, where one direction is better.")
    st.download_button(
        "Download workbook (live formulas)",
        lambda: workbook(plans, catalogue),
        "comparison.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        on_click="ignore",
        key="comparison_xlsx",
    )


def _table(plans: list[Plan]) -> Styler:
    """Return the comparison with the best figure of each row marked."""
    table, marks = pd.DataFrame(comparison(plans)), best(plans)

    def marked(row: pd.Series) -> list[str]:
        places = marks.get(str(row.iloc[0]), [])
        return ["", *(BEST if place in places else "" for place in range(len(plans)))]

    return table.style.apply(marked, axis=1)


if __name__ == "__main__":
    render()
