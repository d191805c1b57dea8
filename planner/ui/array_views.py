"""The array in pictures, each with its finding in words; they return what they draw."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from planner.quantity.show import odds, text
from planner.sections.data_loss import Remedy
from planner.sections.plan import PlanReading
from planner.ui import array_charts, array_frames
from planner.ui.array_answers import Computed
from planner.ui.plain import plain, shown
from planner.ui.theme import chart

WORN = (
    "Wear-out counts drives that wear out during the rebuild of another, and failures or "
    "unreadable sectors during the rebuild of a worn-out drive."
)
ALIKE = (
    "All else is equal: the same drive, workload, spare area and hot spares. All drives are "
    "bought at the same time here."
)


def iops_chart(plan: PlanReading, found: Computed) -> None:
    """Draw the speed of the array over its queue depth."""
    st.markdown("#### IOPS over queue depth")
    rows = array_frames.iops_rows(plan, found.queue)
    if not len(rows):
        st.info("Unknown: the facts it needs are listed above.")
        return
    note = (
        f"{shown(found.queue.iops)} with {found.queue.queue_depth:,.0f} operations outstanding: "
        f"reads take {shown(found.queue.read_latency_s, digits=3)} and writes "
        f"{shown(found.queue.write_latency_s, digits=3)} on average, a drive is busy "
        f"{shown(found.queue['member_utilisation'], digits=3)} of the time."
    )
    chart(rows, array_charts.IOPS, key="array_iops_chart", alt="IOPS over queue depth")
    st.caption(plain(note))


def loss_chart(found: Computed) -> pd.DataFrame:
    """Draw loss by cause, as it is and after each change of plan."""
    st.markdown("#### Changes that lower the probability of data loss")
    floor = array_frames.floor(found.changes)
    rows = array_frames.loss_rows(found.changes, floor)
    if not len(rows):
        st.info("Unknown: the facts it needs are listed above.")
        return rows
    note = (
        f"Data loss within {text('horizon_s', found.lost.risk.horizon_s)}, {_best(found.changes)}"
    )
    chart(rows, array_charts.losses(floor), key="array_loss_chart",
          alt="Probability of data loss by cause, after each change")  # fmt: skip
    st.caption(plain(f"{note} {WORN}"))
    return rows


def level_chart(plan: PlanReading, found: Computed) -> pd.DataFrame:
    """Draw capacity and loss of other levels and numbers of drives."""
    st.markdown("#### Usable TB and data loss by level")
    if found.grid is None:
        st.info("Unknown: the facts it needs are listed above.")
        return pd.DataFrame()
    rows = array_frames.level_rows(found.grid, plan.array)
    within = text("horizon_s", found.lost.risk.horizon_s)
    framed = "; framed: this plan" if rows["is_current"].any() else ""
    note = f"Numbers are usable TB, colours the data loss in {within}{framed}. {ALIKE}"
    chart(rows, array_charts.LEVELS, key="array_level_chart",
          alt="Usable capacity and data loss by level and number of drives")  # fmt: skip
    st.caption(plain(note))
    return rows


def course_rows(found: Computed) -> pd.DataFrame:
    """Return the drives to replace in each period of the horizon; none where unknown."""
    if found.replaced is None:
        return pd.DataFrame()
    return array_frames.course_rows(found.ends_s, found.replaced)


def course_chart(found: Computed) -> None:
    """Draw the replacements expected in each period of the horizon."""
    st.markdown("#### Drives to replace")
    rows = course_rows(found)
    if found.replaced is None:
        st.info("Unknown: the facts it needs are listed above.")
        return
    worst = rows.iloc[int(np.argmax(rows["drives"]))]
    note = (
        f"{found.replaced[-1]:.3g} drives in all, the most from year {worst['from_years']:.3g} to "
        f"{worst['until_years']:.3g}: {worst['drives']:.3g}. All are new at the start."
    )
    chart(rows, array_charts.REPLACED, key="array_course_chart",
          alt="Drives to replace in each period")  # fmt: skip
    st.caption(plain(note))


def _best(changes: Sequence[Remedy]) -> str:
    """Describe the probability of loss that remains after each change."""
    known = [
        (change.name, change.data_loss["array_loss_probability"].value)
        for change in changes
        if change.data_loss["array_loss_probability"].is_known
    ]
    ((_, now), *others) = known
    statement = [f"{name[0].lower()}{name[1:]}: {odds(loss)}" for name, loss in others]
    return f"as it is: {odds(now)}; {'; '.join(statement)}."
