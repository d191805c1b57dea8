"""Endurance: curves of life and write amplification, the limits of life, and the needed drive."""

import numpy as np
import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from models.spare_area import spare_fraction_from_op_ratio
from models.units import DAY_S, GB, YEAR_S
from planner.graph.answer import Answer
from planner.quantity.show import span
from planner.quantity.spare import spare_text
from planner.quantity.writes import unambiguous
from planner.search.sweeps import life_curve, life_range_s, wa_curve
from planner.sections.plan import PlanReading
from planner.ui import amplification, charts
from planner.ui import state as scenario
from planner.ui.explained import explain
from planner.ui.growth import growth_chart
from planner.ui.needed import what_is_needed
from planner.ui.plain import plain, shown
from planner.ui.theme import chart
from planner.ui.uncertain import how_sure

SPARE = np.geomspace(0.03, 0.65, 40)  # each a short simulation where no formula is known
WRITES_GB_PER_DAY = [
    mantissa * 10.0**power for power in range(6) for mantissa in (1, 1.5, 2, 3, 5, 7)
]  # fmt: skip
WRITES = np.geomspace(min(WRITES_GB_PER_DAY), max(WRITES_GB_PER_DAY), 120)
MOST_SPARE = 75  # of the user capacity in percent, as far as its slider goes


def render(plan: PlanReading) -> None:
    """Draw the part."""
    _sliders(plan)
    _headline(plan)
    _missing(plan)
    left, right = st.columns(2)
    with left:
        _wa_chart(plan)
    with right:
        _life_chart(plan)
    _uneven(plan)
    growth_chart(plan)
    amplification.render(plan)
    how_sure(plan)
    what_is_needed(plan)


def _sliders(plan: PlanReading) -> None:
    """Draw two sliders that set inputs: people move them to see what follows."""
    state, (writes, spare) = st.session_state, st.columns(2)
    per_day = float(f"{float(plan.workload.host_bytes_per_s) * DAY_S / GB:.3g}")
    at = {
        "writes_slider": per_day,
        "spare_slider": min(MOST_SPARE, round(100 * (1 - plan.partition_fraction))),
    }
    for key, value in at.items():
        if state.get(key) != value:  # one that is set is sent back, over what is moved meanwhile
            state[key] = value
    writes.select_slider(
        "Host writes [GB/day]", sorted({*WRITES_GB_PER_DAY, per_day}), per_day, key="writes_slider",
        format_func=lambda value: f"{value:,.0f}" if value >= 10 else f"{value:g}",
        on_change=lambda: scenario.put(
            writes=unambiguous(f"{state['writes_slider']:,.10g} GB/day")
        ),
    )  # fmt: skip
    spare.slider(
        "Left unpartitioned [%]", 0, MOST_SPARE, at["spare_slider"], key="spare_slider",
        on_change=lambda: scenario.put(spare=f"{state['spare_slider']}%"),
    )  # fmt: skip


def _headline(plan: PlanReading) -> None:
    """Draw what the verdict leaves out: how the life comes about."""
    endurance, lasts = plan.lives.endurance_limit, plan["endurance_life_s"]
    assumed = life_range_s(plan)
    spread = f"{span('endurance_life_s', *assumed, digits=3)} years" if assumed else ""
    figures = (
        ("Life by endurance", lasts,
         spread or (f"by {endurance}" if endurance else "no limit is known or met"),
         "Time until flash wear or rated endurance, the earlier."),
        ("Write amplification", plan["workload_wa"], _between(plan, plan["workload_wa"]),
         QUANTITIES["workload_wa"].meaning),
        ("Spare area", plan["cleaning_op_ratio"], _between(plan, plan["cleaning_op_ratio"]),
         "Flash beyond the data that is kept, over that data."),
        ("Drive writes a day", plan["required_dwpd"],
         _or(plan["rated_dwpd"], "rated {}", "no rating is known"),
         QUANTITIES["required_dwpd"].meaning),
        ("A drive may be written", plan["host_limit_bytes"],
         _between(plan, plan["host_limit_bytes"]) or (f"by {endurance}" if endurance else ""),
         QUANTITIES["host_limit_bytes"].meaning),
    )  # fmt: skip
    for column, (label, number, below, meaning) in zip(st.columns(5), figures, strict=True):
        column.metric(
            plain(label), plain(shown(number, digits=3)), plain(below),
            delta_color="off", delta_arrow="off", help=plain(meaning),
        )  # fmt: skip
        with column:
            explain(plan, number, key=f"endurance {label}")


def _missing(plan: PlanReading) -> None:
    """Show the assumed values, then the unknown facts."""
    scenario.wide(plan.wide)
    lacking = dict.fromkeys(name for item in plan.missing for name in item.lacking)
    lacking.pop("member_stall_fraction", None)
    scenario.unknown(lacking)


def _wa_chart(plan: PlanReading) -> None:
    st.markdown("#### Write amplification against spare area")
    curve = pd.DataFrame(
        {"kind": "curve", "spare": 100 * SPARE, "wa": wa_curve(plan, SPARE), "label": ""}
    )
    ratio, wa = plan.nodes.get("effective_op_ratio"), plan["workload_wa"]
    note = "The spare area of this drive is not known; the curve holds for any drive."
    if ratio is not None and wa.is_known:
        spare = 100 * spare_fraction_from_op_ratio(ratio.value)
        now = {"kind": "now", "spare": spare, "wa": wa.value, "label": f"{wa.value:.3g}"}
        curve = pd.concat([curve, pd.DataFrame([now])])
        note = f"At {spare_text(ratio.value)}, each host byte costs {wa.value:.3g} flash bytes."
    chart(curve, charts.WA_CURVE, key="wa_chart", alt="Write amplification against spare area")
    st.caption(plain(f"{note} {plan.life_notes[0]}"))


def _life_chart(plan: PlanReading) -> None:
    st.markdown("#### Life against host writes")
    curve = life_curve(plan, WRITES * GB / DAY_S)
    frames = [
        pd.DataFrame(
            {"kind": "curve", "writes": WRITES, "years": seconds / YEAR_S, "limit": str(limit)}
        )
        for limit, seconds in curve.seconds_by_limit.items()
    ]
    if not frames:
        st.info("No limit of this drive's life is known.")
        return
    table = pd.concat(frames)
    table = table[np.isfinite(table["years"])]
    table = table[table["years"].between(0.05, 500)]
    writes = float(plan.workload.host_bytes_per_s) * DAY_S / GB
    points = [
        {"kind": "now", "writes": writes, "years": node.value / YEAR_S, "limit": str(limit),
         "label": shown(node, digits=3) if limit is plan.lives.endurance_limit else ""}
        for limit, node in plan.lives.known.items()
        if node.value / YEAR_S < 500
    ]  # fmt: skip
    table = pd.concat([table, pd.DataFrame(points)])
    chart(table, charts.LIFE_CURVE, key="life_chart", alt="Life against host writes, by limit")
    st.caption(plain(f"At the writes of the plan, the {plan.lives.limit} comes first."))


def _uneven(plan: PlanReading) -> None:
    """Show the life under uneven wear, and the rating divided by write amplification."""
    wear = {level: shown(node, digits=3) for level, node in plan.lives.known_wear.items()}
    lines = []
    if wear:
        template = "With uneven wear, flash wear comes after {low} to {high}, typically {typical}."
        lines.append(template.format(**wear))
    if plan["naive_life_s"].is_known:
        naive = shown(plan["naive_life_s"], digits=3)
        lines.append(
            f"Rated TBW over write amplification would be {naive}, and counts the latter twice."
        )
    if lines:
        st.caption(plain(" ".join(lines)))


def _between(plan: PlanReading, part: Answer) -> str:
    """Write the range of an answer, nothing where it is one number."""
    each = plan.ranges.get(part.key)
    return span(part.key, each.low, each.high, digits=3) if each and each.is_wide else ""


def _or(answer: Answer, template: str, otherwise: str) -> str:
    return otherwise if not answer.is_known else template.format(shown(answer, digits=3))
