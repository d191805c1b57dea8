"""Write amplification: over spare area, by layout, with a simulation beside it."""

import numpy as np
import pandas as pd
import streamlit as st

from models.simulator import Classes, Config, Result, Uniform, run
from models.spare_area import op_ratio_from_spare_fraction, spare_fraction_from_op_ratio
from models.write_amplification import required_accuracy, separation_gain
from planner.bands import Band, band, required_op_ratio
from planner.figures import Missing
from planner.plan import Plan
from planner.quantities import text
from planner.ui import charts, scenario
from planner.workload import Workload

SPARE = np.linspace(0.03, 0.6, 115)
LIVE_PAGES = 128
LIVE_BLOCKS = 512


def render() -> None:
    """Draw the page."""
    answer = scenario.current()
    size, target = st.columns(2)
    pages = size.select_slider(
        "Pages per collection block", [None, 16, 32, 64, 128, 256, 512, 1024], key="block_pages",
        format_func=lambda pages: "large" if pages is None else str(pages),
        help="Large: whole superblocks, the limit that most drives are near.",
    )  # fmt: skip
    wanted = target.number_input(
        "Target write amplification", 1.01, 20.0, 2.0, 0.1, key="target", bind="query-params",
        persist_state="session",
    )  # fmt: skip
    ratios = np.asarray(op_ratio_from_spare_fraction(SPARE))  # type: ignore[arg-type]  # an array
    curves = band(ratios, answer.workload, pages_per_block=pages)
    _headline(answer, curves, wanted)
    _chart(answer, curves, _simulation(answer))
    _accuracy(answer, wanted)


def _headline(answer: Plan, curves: Band, wanted: float) -> None:
    columns = st.columns(4)
    columns[0].metric("This plan", _shown(answer), help="By the model that the plan uses.")
    gain = separation_gain(answer.workload.write_shares, page_shares=answer.workload.page_shares)
    columns[1].metric(
        "Spare area multiplied by", f"{gain:.3g}",
        help="What perfect separation of hot and cold data (streams, FDP) is worth.",
    )  # fmt: skip
    for column, name, values in (
        (columns[2], "one log", curves.high),
        (columns[3], "separated", curves.low),
    ):
        ratio = required_op_ratio(wanted, values, curves.op_ratio)
        column.metric(
            f"Spare for {wanted:g} x, {name}",
            "outside" if ratio is None else f"{100 * ratio:.3g} % of user",
        )


def _chart(answer: Plan, curves: Band, simulated: Result | None) -> None:
    frame = pd.DataFrame(
        {"spare": 100 * SPARE, "low": curves.low, "wa": curves.typical, "high": curves.high}
    ).assign(kind="band", label="")
    ratio, wa = answer.lifetime.effective_op_ratio, answer.lifetime.workload_wa
    points = []
    if not isinstance(ratio, Missing) and not isinstance(wa, Missing):
        spare = 100 * spare_fraction_from_op_ratio(ratio.value)
        points.append({"kind": "now", "spare": spare, "wa": wa.value, "label": f"{wa.value:.3g}"})
        if simulated is not None:
            points.append(
                {"kind": "simulated", "spare": spare, "wa": simulated.wa,
                 "low": simulated.wa_low, "high": simulated.wa_high,
                 "label": f"simulated {simulated.wa:.3g}"}
            )  # fmt: skip
    st.vega_lite_chart(
        pd.concat([frame, pd.DataFrame(points)]), charts.WA_BAND, key="band_chart",
        alt="Write amplification over spare area: band from separated to one log.",
    )  # fmt: skip
    st.caption(
        "Band: from hot and cold data kept apart (low) to one log for everything (high); line: "
        "typical drive with separate frontiers for host writes and copies, an estimate."
    )


def _simulation(answer: Plan) -> Result | None:
    """Offer a run of the reference simulator at the plan's spare area."""
    ratio = answer.lifetime.effective_op_ratio
    if isinstance(ratio, Missing) or not st.button("Check by simulation", key="simulate"):
        return None
    bar = st.progress(0.0, "Simulating one log with greedy cleaning, 128 pages per block")
    config = Config(
        pages_per_block=LIVE_PAGES,
        blocks=LIVE_BLOCKS,
        op_ratio=float(ratio.value),
        workload=_classes(answer.workload),
        warmup_overwrites=30,
        measured_overwrites=10,
    )
    result = run(config, lambda done: bar.progress(done) is not None)
    bar.empty()
    for warning in result.warnings:
        st.warning(warning)
    st.success(
        f"Simulated {result.wa:.4g} ({result.wa_low:.4g} to {result.wa_high:.4g}) in "
        f"{1000 * result.seconds:.0f} ms: {result.host_writes:,} host writes, "
        f"{result.copies:,} copies."
    )
    return result


def _classes(workload: Workload) -> Uniform | Classes:
    if len(workload.write_shares) == 1:
        return Uniform()
    return Classes(write_shares=workload.write_shares, page_shares=workload.page_shares)


def _accuracy(answer: Plan, wanted: float) -> None:
    """Say how often a classifier of hot and cold writes must be right to reach the target."""
    ratio, workload = answer.lifetime.effective_op_ratio, answer.workload
    if isinstance(ratio, Missing) or len(workload.write_shares) != 2:
        return
    needed = required_accuracy(
        wanted, op_ratio=float(ratio.value), write_shares=workload.write_shares,
        page_shares=workload.page_shares, pages_per_block=256,
    )  # fmt: skip
    if np.isnan(needed):
        st.info(f"Not even perfect separation reaches {wanted:g} x at this spare area.")
    elif needed <= 0.5:
        st.info(f"{wanted:g} x is reached without separation.")
    else:
        st.info(f"Two streams reach {wanted:g} x if {needed:.1%} of writes are classified right.")


def _shown(answer: Plan) -> str:
    wa = answer.lifetime.workload_wa
    return "missing" if isinstance(wa, Missing) else text(wa.key, wa.value, digits=3)


if __name__ == "__main__":
    render()
