"""A fleet: when each of many drives is worn out, and what to order, from all their files."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from models.units import DAY_S
from planner.export.fleet_files import TABLES
from planner.export.fleet_files import table as file_of
from planner.export.fleet_tables import (
    growth_line,
    headline,
    labels,
    mended_lines,
    model_rows,
    month_rows,
    notes,
    retire_rows,
    spare_lines,
)
from planner.forecast.fleet import Fleet
from planner.quantity.door import FOLDERS
from planner.ui import charts
from planner.ui.fleet_reading import fleet_of_files, fleet_of_paths
from planner.ui.job import Job
from planner.ui.plain import bullets, plain
from planner.ui.reading import one_reading, together
from planner.ui.tables import table
from planner.ui.theme import chart
from planner.ui.uploads import GivenFile, given

ALLOWED = "--allow-paths"  # after the name of the script: `streamlit run app.py -- --allow-paths`
MOST_REFUSED = 20
_KEPT = "fleet"


def draw() -> None:
    """Draw the tab."""
    answer = _answer()
    if answer is None:
        st.info(
            "No drive is read yet. Give the files of all drives at once: SMART logs of one day or "
            "of many, pages of exporters, daily CSV of Backblaze, or a table with serial, date and "
            "host_bytes or percent_used, as CSV or Parquet."
        )
    else:
        _shown(answer)


def draw_files(files: Sequence[GivenFile]) -> None:
    """Draw the fleet of files that were given elsewhere."""
    _shown(_of_files(files))


def _shown(answer: Any) -> None:
    if isinstance(answer, ValueError):
        st.error(plain(f"Refused: {answer}"))
    elif not answer.histories.drives:
        st.error("No drive could be read.")
        _refused(answer)
    else:
        _draw(answer)


def _answer() -> Any:
    """Return the fleet in what was given: files, or a folder of this machine where allowed."""
    files = given("Files of all drives", key="fleet_files")
    paths = _paths()
    if paths:
        if st.button("Read again", key="fleet_again"):
            st.session_state.pop(_KEPT, None)
        return one_reading(_KEPT, paths, lambda: Job("the folders", fleet_of_paths, paths,
                                                     size_bytes=0, limits=FOLDERS))  # fmt: skip
    return _of_files(files) if files else None


def _of_files(files: Sequence[GivenFile]) -> Any:
    """Return the fleet in files, or why they cannot be read."""
    named = [(file.name, str(file.path)) for file in files]
    size_bytes = sum(file.size_bytes for file in files)
    return one_reading(
        _KEPT, [(file.name, file.digest) for file in files],
        lambda: Job(together(files), fleet_of_files, named, size_bytes=size_bytes),
    )  # fmt: skip


def _paths() -> list[str]:
    """Return the folders and patterns that were named, one a line."""
    if ALLOWED not in sys.argv[1:]:
        st.caption(f"For files too large to give, start the app with {ALLOWED}.")
        return []
    named = st.text_area(
        "Or folders and patterns on this machine, one a line", key="fleet_paths",
        placeholder="/var/lib/smart\n/data/daily/*.parquet",
    )  # fmt: skip
    return [line.strip() for line in named.splitlines() if line.strip()]


def _draw(answer: Fleet) -> None:
    st.subheader(plain(headline(answer)), anchor=False)
    st.caption(plain(f"Dates: {labels(answer)}."))
    st.markdown("#### Retire first")
    table(retire_rows(answer))
    st.markdown("#### By model")
    table(model_rows(answer))
    if growth := growth_line(answer):
        st.caption(plain(f"{growth}."))
    st.markdown("#### Drives to order, by month")
    _orders(answer)
    if spares := spare_lines(answer):
        head = f"**Spares for a lead time of {answer.lead_s / DAY_S:g} days**"
        st.markdown(bullets(spares, head=head))
    st.caption("  \n".join(plain(line) for line in notes(answer)))
    if mended := mended_lines(answer):
        with st.expander(f"Mended readings: {len(mended):,} kinds"):
            st.markdown(bullets(mended))
    _refused(answer)
    _downloads(answer)


def _orders(answer: Fleet) -> None:
    months = pd.DataFrame([
        {"month": one.month, "expected": one.expected, "low": one.low, "high": one.high}
        for one in answer.orders
    ])  # fmt: skip
    chart(months, charts.ORDERS, key="orders_chart", alt="Drives to order, by month")
    with st.expander("The next twelve months as a table"):
        table(month_rows(answer))


def _refused(answer: Fleet) -> None:
    """Name the files that could not be used, and why."""
    if not answer.refused:
        return
    lines = [f"{one.file}: {one.reason}" for one in answer.refused[:MOST_REFUSED]]
    more = len(answer.refused) - MOST_REFUSED
    if more > 0:
        lines.append(f"and {more:,} more")
    st.warning(bullets(lines, head="**Not used**"))


def _downloads(answer: Fleet) -> None:
    """Offer a row for each drive, in each format of the command."""
    for column, ending in zip(st.columns(len(TABLES)), TABLES, strict=True):
        column.download_button(
            plain(f"Every drive as {ending.removeprefix('.').upper()}"),
            partial(file_of, answer, Path(f"fleet{ending}")), f"fleet{ending}",
            on_click="ignore", key=f"fleet{ending}",
        )  # fmt: skip
