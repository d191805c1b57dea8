"""Uncertainty of the life on screen, computed only while its part of the page is open."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.quantity.inputs import stated
from planner.quantity.show import complaint, text
from planner.search.uncertainty import (
    LIFE,
    Distribution,
    Swing,
    Uncertain,
    low_mid_high,
    tornado,
    uncertainty,
)
from planner.search.uncertainty.inputs import assumed_inputs, with_stated
from planner.search.uncertainty.wording import sentences
from planner.sections.plan import PlanReading
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.theme import chart
from planner.ui.uncertain_charts import LIVES, TORNADO

OFF = ("writes_off", "pe_cycles_off", "fill_off", "sequential_off")
SAMPLES = 1024
BINS = 40
LONGEST_YEARS = 500.0
READ = (
    "Each range is read as the 10 %, 50 % and 90 % points: one time in ten it is lower, one time "
    "in ten higher. The 10 % and 90 % points are next to the bars."
)


def how_sure(plan: PlanReading) -> None:
    """Draw what is known of life by endurance if inputs are not known exactly.

    What is assumed of the drive is drawn from its range, as the command `uncertainty` does.
    """
    part = st.expander("How certain is this?", key="how_sure", bind="query-params")
    if not part.open:
        return
    with part:
        years, inputs = _ranges(plan)
        try:
            plan = with_stated(plan, inputs)
            known = uncertainty(plan, assumed_inputs(plan) | inputs, samples=SAMPLES)
        except DomainError as error:
            st.error(plain(complaint(error, {})))
            return
        _draw(known, years)


def _ranges(plan: PlanReading) -> tuple[float, dict[str, Distribution]]:
    """Ask for the uncertainty of the inputs; one that is known exactly is left out.

    Cycles that are assumed have the range of what is assumed.
    """
    statement = scenario.texts(*OFF, places=st.columns(len(OFF)))
    values = stated(statement | scenario.texts_of(["years"]), ("years", *OFF))
    writes, cycles = values["writes_off"], values["pe_cycles_off"]
    fill, sequential = values["fill_off"], values["sequential_off"]
    is_assumed = any(item.quantity == "pe_cycles" for item in plan.assumed)
    workload = plan.workload
    if workload.is_in_field and not workload.sequential_fraction:  # nothing is said of it
        sequential = 0.0
    rated = None if is_assumed else plan.drive.value("pe_cycles")
    asked = {
        "host_bytes_per_s": _by_factor(workload.host_bytes_per_s, writes),
        "pe_cycles": None if rated is None else _by_factor(rated, cycles),
        "fill_fraction": _by_points(workload.fill_fraction, fill, 0.01),
        "sequential_fraction": _by_points(workload.sequential_fraction, sequential, 0.0),
    }
    uncertain = {name: known for name, known in asked.items() if known is not None}
    return values["horizon_s"] / YEAR_S, uncertain


def _by_factor(middle: float, factor: float) -> Distribution | None:
    return (
        None
        if factor == 1 or not middle
        else low_mid_high(middle / factor, middle, middle * factor)
    )


def _by_points(middle: float, points: float, least: float) -> Distribution | None:
    low, high = max(least, middle - points), min(1.0, middle + points)
    return None if points == 0 else low_mid_high(low, middle, high, least=-1.0)


def _draw(known: Uncertain, years: float) -> None:
    lives, swings = known.values(LIFE), tornado(known)
    if np.isnan(lives).all():
        st.info("No limit of this drive's life by endurance is known.")
        return
    statement = sentences(known, years * YEAR_S)
    st.markdown(f"**{plain(statement[0])}**")
    left, right = st.columns(2)
    with left:
        chart(_lives(lives / YEAR_S, years), LIVES, key="surelives",
              alt="Lives of the samples, and the years that must hold")  # fmt: skip
    bars = _bars(swings)
    if bars:
        with right:
            chart(pd.DataFrame(bars), TORNADO, key="suretornado",
                  alt="What each uncertain input does to the life")  # fmt: skip
    st.caption(plain(f"{' '.join(statement[1:])} {READ}"))


def _lives(years: np.ndarray[Any, Any], asked: float) -> pd.DataFrame:
    """Return a histogram of equal ratios with an edge at the required life."""
    shown = np.clip(years, 1e-3, LONGEST_YEARS)
    ratio = max(np.log(shown.max() / shown.min()) / BINS, 0.01)
    first = np.floor(np.log(shown.min() / asked) / ratio)
    last = np.ceil(np.log(shown.max() / asked) / ratio + 1e-9)
    edges = asked * np.exp(ratio * np.arange(first, last + 1))
    counts, _ = np.histogram(shown, edges)
    table = pd.DataFrame(
        {
            "kind": "lives",
            "begin": edges[:-1],
            "end": edges[1:],
            "share": 100 * counts / years.size,
            "side": np.where(edges[:-1] > 0.999 * asked, "long enough", "too short"),
        }
    )
    return pd.concat([table, pd.DataFrame([{"kind": "asked", "begin": asked}])])


def _bars(swings: tuple[Swing, ...]) -> list[dict[str, Any]]:
    """Return two bars per input that matters, from the middle to either end."""
    return [
        {
            "input": QUANTITIES[swing.name].label,
            "side": side,
            "end": text(swing.name, end),
            "middle": min(swing.middle / YEAR_S, LONGEST_YEARS),
            "life": min(life / YEAR_S, LONGEST_YEARS),
        }
        for swing in swings
        if swing.log_ratio
        for side, end, life in (
            ("10 % point", swing.low, swing.at_low),
            ("90 % point", swing.high, swing.at_high),
        )
    ]
