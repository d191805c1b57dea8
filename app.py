"""The app: `streamlit run app.py`, or `make run`.

Streamlit runs this file for each visit, as `__main__`; its server imports it once, for `app`.
"""

import sys
from collections.abc import Callable

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from planner.ui import box, history, sentence, verdict
from planner.ui import state as scenario
from planner.ui.guard import GUARDS
from planner.ui.upload_store import swept

PLACES = {
    "plan": "Plan",
    "choose": "Choose",
    "compare": "Compare",
    "measure": "My drive",
    "drives": "Drives",
    "how_right": "Accuracy",
}
# Streamlit leaves an eighth of the screen empty above a page, and gaps between its parts.
STYLE = """<style>
.stMainBlockContainer { padding-top: 4rem; }
.st-key-verdict, .st-key-sentence, .st-key-fields, .st-key-history { gap: 0.5rem; }
.stMultiSelect [data-tag] { background: #80808033; }
.stMultiSelect [data-tag], .stMultiSelect [data-tag] * { color: inherit; }
.st-key-examples button { min-height: 1.75rem; }
.stPopover button[aria-expanded=true] { color: inherit; }
[data-testid=stPopoverBody]:has([class*=st-key-tree]) { width: min(44rem, 96vw); }
[class*=st-key-tree] { gap: 0.4rem; }
[class*=st-key-tree] .stExpander summary { opacity: 1; }
[class*=st-key-tree] .stExpander details > div {
  border-left: 2px solid #80808066; padding-left: 0.6rem;
}
[data-testid=stMetricValue] { font-size: 1.75rem; }
:is([data-testid=stMetricValue], [data-testid=stMetricDelta]),
:is([data-testid=stMetricValue], [data-testid=stMetricDelta]) * {
  white-space: normal !important; overflow: visible;
}
.st-key-underlined em { font-style: normal; text-decoration: underline wavy; }
@media (max-width: 640px) {
  .stMainBlockContainer { padding: 4rem 0.75rem; }
  .stMainBlockContainer > .stVerticalBlock { gap: 0.5rem; }
  .st-key-history button { min-height: 1.75rem; padding: 0 0.5rem; }
  .st-key-sentence { padding: 0.5rem; }
  .st-key-examples, .st-key-questions, .st-key-box label { display: none; }
  .st-key-fields > * { flex: 1 1 8rem; }
  .st-key-fields > .st-key-drives { flex: 0 0 4.5rem; }
  .st-key-fields > .st-key-drive { flex: 1 1 12rem; }
  .st-key-verdict .stHorizontalBlock { flex-wrap: wrap; gap: 0; justify-content: flex-end; }
  .st-key-verdict .stHorizontalBlock > :first-child { flex: 1 0 100%; }
  .st-key-verdict button { min-height: 1.5rem; }
  .st-key-verdict .stPopover { position: relative; z-index: 1; }
  [class*=st-key-tree] .stExpander details > div { padding-left: 0.3rem; }
  .st-key-choosing > * > .stHorizontalBlock { flex-direction: column-reverse; flex-wrap: nowrap; }
  .st-key-choosing > * > .stHorizontalBlock > * { width: 100%; flex: none; }
  .stTable :is(th, td), .stMarkdown :is(th, td) {
    font-size: 0.75rem; padding: 0.15rem 0.2rem; min-width: 2.2rem;
  }
  :is(.stTable, .stMarkdown) table:has(th:nth-child(6)) :is(th, td) {
    font-size: 0.65rem; padding: 0.1rem;
  }
  .stTable table:not(:has(th:nth-child(7))) :is(th, td) { min-width: 3.2rem; }
  .stTable :is(th, td) *, .stMarkdown :is(th, td) {
    overflow-wrap: anywhere !important; hyphens: auto;
  }
}
@media (min-width: 641px) { .st-key-to_form { display: none; } }
</style>"""
# A run lets the thread that sends its messages in after so long. After 5 ms, as Python has it, the
# messages of one run reach the browser one by one, and it draws the page for each anew.
SWITCH_S = 0.0005
WITHOUT_SCENARIO = ("My drive", "Accuracy")
# Addresses of former screens, and the part of a place that each is now.
FORMER = {
    "what_if": ("plan", "Endurance"), "speed": ("plan", "Speed"), "array": ("plan", "Array"),
    "amplification": ("plan", "Endurance"), "your_drive": ("measure", ""),
    "your_workload": ("measure", ""),
}  # fmt: skip


def visit() -> None:
    """Draw the place that is open, under what all places share."""
    st.set_page_config(page_title="SSD planner", layout="wide")
    st.html(STYLE)
    places = {
        name: st.Page(f"planner/ui/{name}.py", title=title, default=name == "plan")
        for name, title in PLACES.items()
    }
    former = [
        st.Page(_moved(*where), title=PLACES[where[0]], url_path=name, visibility="hidden")
        for name, where in FORMER.items()
    ]
    page = st.navigation([*places.values(), *former], position="top")
    scenario.read_link(page.title)
    box.read_link()
    scenario.follow(page.title)
    if page.title in WITHOUT_SCENARIO:
        page.run()
    else:
        _with_scenario(page)
    scenario.write_link()


def _with_scenario(page: StreamlitPage) -> None:
    """Draw a place under the scenario; what can be undone is known when all inputs are drawn.

    The verdict goes first to the browser, which then shows it before all else. What places share
    is drawn here: a widget that a page draws is another one on the next page.
    """
    top, above = st.container(), st.container()
    try:
        try:
            sentence.read()
            load, refused = scenario.load_or_refusal()
            if page.title == "Plan" and (load or not refused):
                verdict.draw(scenario.current(), sentence.ALL_FIELDS)
        finally:
            with above:
                sentence.controls(page.title)
            sentence.further_controls(page.title)
        page.run()
    finally:  # also of a place that stops at a bad input
        with top:
            history.buttons()


def _moved(place: str, part: str) -> Callable[[], None]:
    """Return a page that goes to a part of a place."""

    def page() -> None:
        if part:
            st.session_state["part"] = part
        scenario.go(place)

    return page


if __name__ == "__main__":
    visit()
else:
    sys.setswitchinterval(SWITCH_S)
    app = st.App(__file__, middleware=GUARDS, lifespan=swept)
