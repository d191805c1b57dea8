"""Choose: drives, their number, layout and spare area that meet every requirement."""

import time
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from planner.catalogue.quotes import QuotesError
from planner.export.shown_choice import (
    ChoiceQuestion,
    ShownChoice,
    ShownPlan,
    ShownQuotes,
    procurement,
    shown_choice,
)
from planner.export.tables import to_csv
from planner.quantity.door import SEARCHES, STEP_S, aside
from planner.search.choose import Axis
from planner.search.choose.request import quotes_in
from planner.ui import state as scenario
from planner.ui.charts import front_chart
from planner.ui.choose_controls import Wanted, controls
from planner.ui.job import SEARCHED, Job
from planner.ui.plain import plain
from planner.ui.reading import AT_ONCE_S, is_short_file, one_reading, together
from planner.ui.tables import Rows, table
from planner.ui.theme import chart

FRONTS = [axis.value for axis in Axis if axis is not Axis.LEAST]
MOST_QUOTES = 12
PLACE = "No."
# The columns of the ranked plans, as many at a time as fit beside the form; each names its plan.
VIEWS = {
    "What decides": ("Usable", "Price", "Cost of owning", "Lowest margin"),
    "Prices": ("Price", "Priced", "Quote", "Cost of owning", "IOPS per USD"),
    "Speed and life": ("IOPS", "Worst floor", "Warranted until", "Flash wear-out", "Data loss"),
    "Facts to confirm": ("To confirm", "Assumed"),
}
VIEW_NAMES = tuple(VIEWS)
SHORT = ("Drive", "Nearest plan", "For", "Lacks", "Available", "Not reached")
HEAD = (
    "Writes and workload are those above; drive, number, RAID level and spare area are selected "
    "here."
)
SEARCHING = "Choosing among the catalogue. A pale answer is the one before."
CLIENT = (
    "It is a client drive, made and warranted for desktops, usually without power-loss "
    "protection: ask for that, or under “Which drives and layouts” for drives made for "
    "enterprise."
)


def render() -> None:
    """Draw the page."""
    head = st.empty()
    head.caption(HEAD)
    with st.container(key="choosing"):  # on a phone the answer stands above the form
        left, right = st.columns([1, 3], gap="large")
    with left:
        st.markdown("#### Requirements")
        wanted = controls()
    with right:
        with st.container(key="to_form"):
            st.markdown("[Change the requirements](#requirements)")
        _results(wanted, head)


def _results(wanted: Wanted, head: DeltaGenerator) -> None:
    quotes = _tables(wanted)
    if isinstance(quotes, ValueError):
        st.error(plain(quotes))
        return
    question = ChoiceQuestion(
        wanted.texts, wanted.words, wanted.minimise, quotes if wanted.tables else None,
        wanted.only_own,
    )  # fmt: skip
    found = _found(f"{wanted!r}", question, head)
    if found is None:
        return
    _headline(found)
    _quotes(found.quotes)
    st.caption(plain(f"{found.needs}. {found.rules}."))
    if found.plans:
        _ranked(found.ranked)
        st.caption(plain(found.undecided))
        _take(found.plans)
        _front(wanted, question, head)
    st.markdown("#### Cheaper, but short of a requirement" if found.plans else "#### The nearest")
    table([{**row, "Available": f"{row['Available']} of {row['Needed']}"}
           for row in found.rejected], columns=SHORT)  # fmt: skip
    for line in found.excluded:
        st.caption(plain(f"Excluded drives: {line}."))
    st.markdown("#### Saving if one requirement were 10 % lower")
    table(found.savings)
    if found.notes:
        st.caption("  \n".join(plain(note) for note in found.notes))
    _downloads(found, question)


def _found(key: str, question: ChoiceQuestion, head: DeltaGenerator) -> ShownChoice | None:
    """Return the answer of a search, which another process does; None where it was refused.

    Meanwhile the former answer remains, paler, and the head says so where that takes long. A change
    of an input ends the wait, as it ends all drawing; a search that nobody waits for ends too.
    """
    long_s = time.monotonic() + AT_ONCE_S
    while (answer := SEARCHED.answer(key, lambda: _search(question), STEP_S)) is None:
        head.caption(HEAD if time.monotonic() < long_s else SEARCHING)
    head.caption(HEAD)
    if isinstance(answer, ValueError):
        st.error(plain(answer))
        return None
    found: ShownChoice = answer
    return found


def _search(question: ChoiceQuestion) -> Job:
    return Job("choice", shown_choice, question, limits=SEARCHES, is_shared=True)


def _tables(wanted: Wanted) -> Any:
    """Return the quotes in the tables that were given, or the refusal of one."""
    files = [(file.name, str(file.path)) for file in wanted.tables]
    money = {name: wanted.texts[name] for name in ("currency", "rate") if name in wanted.texts}
    if all(map(is_short_file, wanted.tables)):
        try:
            return quotes_in(files, money)
        except QuotesError as error:
            return error
    key = [(file.name, file.digest) for file in wanted.tables], money
    size_bytes = sum(file.size_bytes for file in wanted.tables)
    return one_reading(
        "quotes_read", key,
        lambda: Job(together(wanted.tables), quotes_in, files, money, size_bytes=size_bytes),
    )  # fmt: skip


def _headline(found: ShownChoice) -> None:
    if not found.decision:
        st.error("No plan meets every requirement; below is the nearest plan of each drive.")
        return
    st.success("  \n".join(plain(line) for line in found.decision))
    if found.is_client:
        st.warning(CLIENT)


def _quotes(quotes: ShownQuotes) -> None:
    """Draw what became of the rows of the tables of quotes."""
    if not quotes.counted:
        return
    shown = (quotes.counted, *quotes.lines[:MOST_QUOTES])
    draw = st.warning if quotes.are_set_aside else st.info
    draw("  \n".join(plain(line) for line in shown))
    if len(quotes.lines) > MOST_QUOTES:
        with st.expander("All lines on quotes"):
            st.caption("  \n".join(plain(line) for line in quotes.lines))


def _ranked(ranked: Rows) -> None:
    """Draw the plans in order, with some of their columns at a time."""
    view = st.segmented_control(
        "Columns", VIEW_NAMES, default=VIEW_NAMES[0], required=True, key="ranked_columns",
        persist_state="session", label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    rows = [{PLACE: row[""], **row} for row in ranked]
    table(rows, columns=(PLACE, "Drive", "Plan", *VIEWS[view]))


def _take(plans: tuple[ShownPlan, ...]) -> None:
    """Offer to go on with one of the plans."""
    named = [f"{place}: {one.name}" for place, one in enumerate(plans, start=1)]
    which, button = st.columns([4, 1], vertical_alignment="bottom")
    name = which.selectbox("Plan to look at", named)
    one = plans[named.index(name)]
    button.button(
        "Take it", on_click=_taken, args=(one,), key="take",
        disabled=one.array.nodes is not None, help="Goes to its plan; a plan is of one server.",
    )  # fmt: skip
    st.caption("  \n".join(plain(line) for line in one.lines))


def _taken(one: ShownPlan) -> None:
    scenario.take(one.drive, one.array, one.partition_fraction)
    scenario.show_plan(f"The plan is now {one.name}")


def _front(wanted: Wanted, question: ChoiceQuestion, head: DeltaGenerator) -> None:
    """Draw the plans that no other beats in both figures, while that is open."""
    part = st.expander("What more money buys", key="front_open", on_change="rerun",
                       bind="query-params")  # fmt: skip
    if not part.open:
        return
    with part:
        axis = st.selectbox("Against", FRONTS, key="against", bind="query-params")
        found = _found(f"{axis} {wanted!r}", question._replace(axis=Axis(axis)), head)
        if found is None:
            return
        least, other = found.front.titles
        rows = pd.DataFrame(found.front.rows).rename(columns={least: "y", other: "x"})
        chart(
            rows, front_chart(other, least), key="front",
            alt="Plans that no other plan beats in both figures",
        )  # fmt: skip
        st.caption(
            f"{len(rows):,} plans that meet every requirement; no other gives more for less."
        )


def _downloads(found: ShownChoice, question: ChoiceQuestion) -> None:
    if found.plans:
        load = scenario.application()
        title = st.text_input("Project, on the workbook", key="c_title", bind="query-params")
        st.download_button(
            "Download procurement workbook (live formulas)",
            lambda: aside(procurement, question, title, load, size_bytes=0, limits=SEARCHES),
            "procurement.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            on_click="ignore", key="procurement_xlsx",
        )  # fmt: skip
    st.download_button(
        "Download plans as CSV",
        lambda: to_csv([dict(row) for row in found.ranked]),
        "plans.csv", "text/csv", on_click="ignore", key="plans_csv",
    )  # fmt: skip


if __name__ == "__main__":
    render()
