"""Write amplification: over spare area, by layout, with a simulation beside it."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from models.spare_area import op_ratio_from_spare_fraction, spare_fraction_from_op_ratio
from models.write_amplification import required_accuracy, separation_gain
from planner.quantity.inputs import stated
from planner.quantity.spare import spare_text
from planner.search.sweeps import Band, band, required_op_ratio
from planner.sections.plan import PlanReading
from planner.ui import charts
from planner.ui import state as scenario
from planner.ui.explained import explain, simulation
from planner.ui.plain import plain, shown
from planner.ui.theme import chart

SPARE = np.linspace(0.03, 0.6, 115)

if TYPE_CHECKING:
    from models.simulator import Result


def render(plan: PlanReading) -> None:
    """Draw the part, while it is open."""
    part = st.expander("Write amplification by placement, with a simulation",
                       key="placements", on_change="rerun", bind="query-params")  # fmt: skip
    if part.open:
        with part:
            _draw(plan)


def _draw(plan: PlanReading) -> None:
    wanted = stated(scenario.texts("target"), ["target"])["wa"]
    ratios = np.asarray(op_ratio_from_spare_fraction(SPARE))  # type: ignore[arg-type]  # an array
    curves = band(plan, ratios)
    _headline(plan, curves, wanted)
    _chart(plan, curves, simulation(plan, key="simulate"))
    _accuracy(plan, wanted)


def _headline(plan: PlanReading, curves: Band, wanted: float) -> None:
    columns = st.columns(5)
    columns[0].metric(
        "This plan",
        plain(shown(plan["workload_wa"], digits=3)),
        help="By the collection and placement of Advanced; typical where placement is unknown.",
    )
    write_shares, page_shares = plan.workload.classes
    gain = separation_gain(write_shares, page_shares=page_shares)
    one_log, _ = plan.placements
    worth = [f"Perfect separation of hot and cold is worth {gain:.3g} times the spare area."]
    worth += [f"{QUANTITIES[row.key].label}: {shown(row)}."
              for row in plan.placement if row.is_known]  # fmt: skip
    columns[1].metric(
        "Streams separated (FDP)",
        plain(shown(plan.apart_wa, digits=3)),
        help=plain(" ".join(worth)),
    )
    columns[2].metric(
        "Single write frontier",
        plain(shown(one_log, digits=3)),
        help=plain(QUANTITIES[one_log.key].meaning),
    )
    for column, number in zip(columns, (plan["workload_wa"], plan.apart_wa, one_log), strict=False):
        with column:
            explain(plan, number, key=f"placement {number.key}")
    for column, name, values in (
        (columns[3], "high", curves.high),
        (columns[4], "apart", curves.apart),
    ):
        ratio = required_op_ratio(wanted, values, curves.op_ratio)
        column.metric(
            f"Spare for {wanted:g} x, {plain(name)}",
            "outside" if ratio is None else f"{100 * ratio:.3g} %",
            help="Spare over user bytes." if ratio is None else plain(f"{spare_text(ratio)}."),
        )


def _chart(plan: PlanReading, curves: Band, simulated: "Result | None") -> None:
    frame = pd.DataFrame(
        {"spare": 100 * SPARE, "low": curves.low, "wa": curves.typical, "high": curves.high}
    ).assign(kind="band", label="")
    ratio, wa = plan["cleaning_op_ratio"], plan["workload_wa"]
    points = []
    if ratio.is_known and wa.is_known:
        spare = 100 * spare_fraction_from_op_ratio(ratio.value)
        points.append({"kind": "now", "spare": spare, "wa": wa.value, "label": f"{wa.value:.3g}"})
        if simulated is not None:
            points.append(
                {"kind": "simulated", "spare": spare, "wa": simulated.wa,
                 "low": simulated.wa_low, "high": simulated.wa_high,
                 "label": f"simulated {simulated.wa:.3g}"}
            )  # fmt: skip
    chart(
        pd.concat([frame, pd.DataFrame(points)]), charts.WA_BAND, key="band_chart",
        alt="Write amplification over spare area: low, typical and high by placement.",
    )  # fmt: skip
    st.caption(
        "Band: between a single write frontier and separate frontiers for host and GC writes; "
        "line: typical, as two measured drives were. Placement by temperature or age could reach "
        "less."
    )


def _accuracy(plan: PlanReading, wanted: float) -> None:
    """Show the accuracy that a classifier of hot and cold writes needs to reach the target."""
    ratio, (write_shares, page_shares) = plan["cleaning_op_ratio"], plan.workload.classes
    if not ratio.is_known or len(write_shares) == 1:
        return
    needed = required_accuracy(
        wanted, op_ratio=float(ratio.value), write_shares=write_shares,
        page_shares=page_shares,
    )  # fmt: skip
    if np.isnan(needed):
        st.info(f"Not even perfect separation reaches {wanted:g} x at this spare area.")
    elif needed <= 0.5:
        st.info(f"{wanted:g} x is reached without separation.")
    else:
        st.info(
            f"Two streams reach {wanted:g} x if {needed:.1%} of writes are classified correctly."
        )
