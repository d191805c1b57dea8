"""The writes of a growing workload over the years, and when each drive is worn out by them."""

import numpy as np
import pandas as pd
import streamlit as st

from models.units import DAY_S, GIB, TB, YEAR_S
from planner.scenario.growth import course_text, is_steady, rate_bytes_per_s, written_bytes
from planner.sections.plan import PlanReading
from planner.sections.replacements import HORIZON_S, replacement_dates
from planner.ui import charts
from planner.ui.plain import plain, shown
from planner.ui.theme import chart

POINTS = 241


def growth_chart(plan: PlanReading) -> pd.DataFrame:
    """Draw rate and sum of the writes to one drive, unless they are constant."""
    if is_steady(plan.workload) or not plan["host_limit_bytes"].is_known:
        return pd.DataFrame()
    rate = plan.reading["member_bytes_per_s"]
    st.markdown("#### Writes to each drive over the years")
    table = pd.concat([_course(plan, float(rate.value)), _dates(plan)])
    dates = replacement_dates(plan)
    worn = "never" if not dates.is_known else f"after {shown(dates)}"
    note = f"{course_text(plan.workload).capitalize()}; drives are worn out {worn}."
    chart(table, charts.GROWTH, key="growth_chart", alt="Writes to each drive over the years")
    st.caption(f"{plain(note)} Red: a drive is worn out and is replaced by one of the same model.")
    return table


def _course(plan: PlanReading, host_bytes_per_s: float) -> pd.DataFrame:
    """Return the course over the time that `replacement_dates` covers."""
    ends_s = np.linspace(0, HORIZON_S, POINTS)
    now = {"host_bytes_per_s": host_bytes_per_s}
    return pd.DataFrame({
        "kind": "course",
        "years": ends_s / YEAR_S,
        "rate": np.asarray(rate_bytes_per_s(plan.workload, ends_s, **now)) * DAY_S / GIB,
        "written": np.asarray(written_bytes(plan.workload, ends_s, **now)) / TB,
    })  # fmt: skip


def _dates(plan: PlanReading) -> pd.DataFrame:
    dates = replacement_dates(plan)
    found = np.atleast_1d(np.inf if not dates.is_known else dates.value)
    return pd.DataFrame({"kind": "worn", "years": found[found <= HORIZON_S] / YEAR_S})
