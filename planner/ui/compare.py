"""Compare: two to four drives under the scenario on screen."""

import pandas as pd
import streamlit as st

from planner.catalogue import find
from planner.export.tables import comparison
from planner.export.xlsx import workbook
from planner.ui import scenario

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
    st.dataframe(pd.DataFrame(comparison(plans)), hide_index=True, height="content")
    st.download_button(
        "Download workbook (live formulas)",
        lambda: workbook(plans, catalogue),
        "comparison.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        on_click="ignore",
        key="comparison_xlsx",
    )


if __name__ == "__main__":
    render()
