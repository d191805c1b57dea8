"""The what-if app: `streamlit run app.py`, or `make run`."""

import streamlit as st

from planner.ui import state as scenario
from planner.ui.plain import plain

st.set_page_config(page_title="SSD planner", layout="wide")
page = st.navigation(
    [
        st.Page("planner/ui/what_if.py", title="What if", default=True),
        st.Page("planner/ui/speed.py", title="Speed"),
        st.Page("planner/ui/array.py", title="Array"),
        st.Page("planner/ui/amplification.py", title="Write amplification"),
        st.Page("planner/ui/your_drive.py", title="Your drive"),
        st.Page("planner/ui/your_workload.py", title="Your workload"),
        st.Page("planner/ui/choose.py", title="Choose"),
        st.Page("planner/ui/compare.py", title="Compare"),
        st.Page("planner/ui/drives.py", title="Drives"),
    ],
    position="top",
)
st.title(f"SSD planner: {plain(page.title.lower())}", anchor=False)
scenario.controls()
page.run()
