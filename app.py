"""The what-if app: `streamlit run app.py`, or `make run`.

Streamlit runs this file for each visit, as `__main__`; its server imports it once, for `app`.
"""

import streamlit as st

from planner.ui import state as scenario
from planner.ui.guard import GUARDS
from planner.ui.plain import plain

SCREENS = {
    "what_if": "What if",
    "speed": "Speed",
    "array": "Array",
    "amplification": "Write amplification",
    "your_drive": "Your drive",
    "your_workload": "Your workload",
    "choose": "Choose",
    "compare": "Compare",
    "drives": "Drives",
}


def visit() -> None:
    """Draw the page that is open, under what all pages share."""
    st.set_page_config(page_title="SSD planner", layout="wide")
    pages = [
        st.Page(f"planner/ui/{name}.py", title=title, default=name == "what_if")
        for name, title in SCREENS.items()
    ]
    page = st.navigation(pages, position="top")
    st.title(f"SSD planner: {plain(page.title.lower())}", anchor=False)
    scenario.controls()
    page.run()


if __name__ == "__main__":
    visit()
else:
    app = st.App(__file__, middleware=GUARDS)
