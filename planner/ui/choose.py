"""Choose: drives, their number, layout and spare area that meet every requirement."""

from datetime import date
from typing import Any

import pandas as pd
import streamlit as st

from models.errors import DomainError
from planner.catalogue import search
from planner.catalogue.quotes import QuotesError, QuoteTables, merged
from planner.export.choice_tables import (
    axis_title,
    excluded_lines,
    front_rows,
    named_plan,
    needs_line,
    nodes_lines,
    ranked_rows,
    rejected_rows,
    rules_line,
    saving_rows,
    undecided_line,
    unknown_lines,
)
from planner.export.decision_text import decision_lines
from planner.export.owning_text import parts_text
from planner.export.procurement import Project, procurement_workbook
from planner.export.quote_text import quote_lines, quotes_line
from planner.export.tables import to_csv
from planner.quantity.show import complaint
from planner.search.choose import Axis, Choice, choose
from planner.search.choose.answer import ASIDE
from planner.search.choose.request import choice_request, quotes_in
from planner.sections.plan import PlanReading
from planner.ui import state as scenario
from planner.ui.charts import front_chart
from planner.ui.choose_controls import Wanted, controls
from planner.ui.job import Job
from planner.ui.plain import plain
from planner.ui.reading import is_short_file, one_reading, together
from planner.ui.theme import chart

FRONTS = [axis.value for axis in Axis if axis is not Axis.LEAST]
MOST_REJECTED, MOST_QUOTES = 15, 12
CLIENT = (
    "It is a client drive, made and warranted for desktops, usually without power-loss "
    "protection: ask for that, or under “Which drives and layouts” for drives made for "
    "enterprise."
)


def render() -> None:
    """Draw the page."""
    st.caption(
        "Writes and workload are those above; drive, number, RAID level and spare area are "
        "selected here."
    )
    left, right = st.columns([1, 3], gap="large")
    with left:
        wanted = controls()
    with right:
        _results(wanted)


def _results(wanted: Wanted) -> None:
    quotes = _tables(wanted)
    if isinstance(quotes, ValueError):
        st.error(plain(quotes))
        return
    try:
        found = _choice(repr(wanted), wanted, quotes, None)
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        return
    if found is None:
        st.warning(plain(f"No drive's name holds '{wanted.words}'."))
        return
    _headline(found)
    _quotes(found)
    st.caption(plain(f"{needs_line(found)}. {rules_line(found)}."))
    if found.candidates:
        table = pd.DataFrame(ranked_rows(found)).set_index("")
        st.dataframe(table, height="content")
        st.caption(plain(undecided_line(found)))
        _take(found)
        _front(wanted, quotes)
    st.markdown(
        "#### Cheaper, but short of a requirement" if found.candidates else "#### The nearest"
    )
    st.dataframe(pd.DataFrame(rejected_rows(found, most=MOST_REJECTED)), hide_index=True,
                 height="content")  # fmt: skip
    for line in (*unknown_lines(found), *excluded_lines(found)):
        st.caption(plain(f"Excluded drives: {line}."))
    st.markdown("#### Saving if one requirement were 10 % lower")
    st.dataframe(pd.DataFrame(saving_rows(found)), hide_index=True, height="content")
    if found.notes:
        st.caption("  \n".join(plain(note) for note in found.notes))
    _downloads(found)


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


def _headline(found: Choice) -> None:
    best = found.best
    if best is None:
        st.error("No plan meets every requirement; below is the nearest plan of each drive.")
        return
    st.success("  \n".join(plain(line) for line in decision_lines(found)))
    if best.plan.drive.segment.startswith("client"):
        st.warning(CLIENT)


def _quotes(found: Choice) -> None:
    """Draw what became of the rows of the tables of quotes."""
    counted, lines = quotes_line(found), quote_lines(found)
    if not counted:
        return
    shown = (counted, *lines[:MOST_QUOTES])
    if found.quotes is not None and found.quotes.total(ASIDE):
        st.warning("  \n".join(plain(line) for line in shown))
    else:
        st.info("  \n".join(plain(line) for line in shown))
    if len(lines) > MOST_QUOTES:
        with st.expander("All lines on quotes"):
            st.caption("  \n".join(plain(line) for line in lines))


def _take(found: Choice) -> None:
    """Offer to go on with one of the plans."""
    named = [f"{place}: {named_plan(one)}" for place, one in enumerate(found.candidates, start=1)]
    which, button = st.columns([4, 1], vertical_alignment="bottom")
    name = which.selectbox("Plan to look at", named)
    one = found.candidates[named.index(name)]
    button.button(
        "Take it", on_click=_taken, args=(one.plan, name.partition(": ")[2]), key="take",
        disabled=one.nodes is not None, help="Goes to its plan; a plan is of one server.",
    )  # fmt: skip
    currency, parts = one.ownership.terms.currency, parts_text(one.ownership)
    owned = f"Cost of owning, present value in {currency}: {parts}" if parts else ""
    st.caption("  \n".join(plain(line) for line in (owned, *nodes_lines(one)) if line))


def _taken(plan: PlanReading, name: str) -> None:
    scenario.take(plan.drive, plan.array, plan.partition_fraction)
    scenario.show_plan(f"The plan is now {name}")


def _front(wanted: Wanted, quotes: QuoteTables) -> None:
    """Draw the plans that no other beats in both figures, while that is open."""
    part = st.expander("What more money buys", key="front_open", on_change="rerun",
                       bind="query-params")  # fmt: skip
    if not part.open:
        return
    with part:
        axis = st.selectbox("Against", FRONTS, key="against", bind="query-params")
        found = _choice(f"{axis} {wanted!r}", wanted, quotes, Axis(axis))
        if found is None:
            return
        least, other = (axis_title(found, axis) for axis in found.axes)
        rows = pd.DataFrame(front_rows(found)).rename(columns={least: "y", other: "x"})
        chart(
            rows, front_chart(other, least), key="front",
            alt="Plans that no other plan beats in both figures",
        )  # fmt: skip
        st.caption(
            f"{len(rows):,} plans that meet every requirement; no other gives more for less."
        )


def _downloads(found: Choice) -> None:
    if found.candidates:
        load = scenario.application()
        title = st.text_input("Project, on the workbook", key="c_title", bind="query-params")
        st.download_button(
            "Download procurement workbook (live formulas)",
            lambda: procurement_workbook(
                found, scenario.catalogue(), exported=date.today(), project=Project(title=title),
                application=load,
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


@st.cache_resource(max_entries=32, show_spinner="Choosing among the catalogue ...")
def _choice(
    key: str,  # noqa: ARG001 - Streamlit caches by it
    _wanted: Wanted,
    _quotes: QuoteTables,
    _axis: Axis | None,
) -> Choice | None:
    named = search(scenario.catalogue(), _wanted.words)
    drives = _quotes.drives if _wanted.only_own else merged(named, _quotes.drives)
    if not drives:
        return None
    request = choice_request(
        drives, minimise=_wanted.minimise, is_named=bool(_wanted.words),
        quotes=_quotes if _wanted.tables else None, **_wanted.texts,
    )  # fmt: skip
    return choose(**request, axes=(Axis.LEAST, _axis) if _axis else ())


if __name__ == "__main__":
    render()
