"""Behind a number: formula, inputs, sources, range, measured error, and a simulation beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer, walk
from planner.graph.explain import call_text, maths
from planner.quantity.show import text
from planner.scenario.firmware import Layout
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.why import why
from planner.simulation.plan import replay, simulated
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain, shown
from planner.ui.reports import errors_of
from planner.ui.tables import table

if TYPE_CHECKING:
    from models.simulator import Result


def explain(plan: PlanReading, number: Answer, *, key: str, ends: Range | None = None) -> None:
    """Draw a button that shows what is behind a known number; nothing is worked out until then."""
    if not number.is_known:
        return
    part = st.popover("Explain", on_change="rerun", key=f"explain {key}", type="tertiary")
    if part.open:
        with part:
            behind(plan, number, key=key, ends=ends)


def behind(
    plan: PlanReading,
    number: Answer,
    *,
    key: str,
    ends: Range | None = None,
    reasons: Sequence[str] = (),
) -> None:
    """Show a number's formula with its inputs and sources, its range and how far off it may be."""
    quantity = QUANTITIES[number.key]
    st.markdown(f"**{plain(f'{quantity.label} = {shown(number)}')}**")
    st.caption(plain(quantity.meaning))
    ends = ends or plan.range_of(number.key)
    if ends is not None and ends.is_wide:
        first, *parts = why(number.key, ends)
        st.markdown(bullets(parts, head=f"**{plain(first)}**"))
    _formula(number)
    if reasons:
        st.markdown(bullets(reasons, head="**What makes it wide**"))
    _measured(number)
    _beside(plan, number, key)


def _formula(number: Answer) -> None:
    """Show the formula with its inputs, as it is called in base units; or the source of a fact."""
    named = number.inputs if number.is_computed else {number.key: number}
    if number.is_computed:
        page = maths(number.formula)
        if page.equation:
            st.latex(page.equation)
    table([_input_row(name, part) for name, part in named.items()])
    if number.is_computed:
        st.caption(plain(f"{page.summary} {page.validity} {number.note} In base units:"))
        st.code(call_text(number.formula, number.arguments, number.part), wrap_lines=True)


def _input_row(name: str, part: Answer) -> dict[str, str]:
    """Return a row of the table of a formula's inputs."""
    origin = part.source if part.is_given else part.formula
    source = scenario.catalogue().sources.get(origin)
    return {
        "Argument": name,
        "Symbol": QUANTITIES[part.key].symbol,
        "Quantity": QUANTITIES[part.key].label,
        "Value": text(part.key, part.value),
        "From": source.title if source else origin,
        "Note": part.note,
    }


def _measured(number: Answer) -> None:
    """Show the errors of the formulas behind a number against simulators."""
    found = errors_of(dict.fromkeys(part.formula for part in walk([number]).values()))
    rows = [
        {"Formula": name, "Cases": f"{error.cases}, {error.group}", "Mean error": error.mean,
         "Worst": error.worst, "Report": error.topic}
        for name, each in found.items() for error in each
    ]  # fmt: skip
    if rows:
        st.markdown("**Formulas behind it against simulators**")
        table(rows)


def _beside(plan: PlanReading, number: Answer, key: str) -> None:
    """Offer the simulator beside a number that rests on write amplification."""
    known = walk([number])
    if "workload_wa" not in known:
        return
    result = simulation(plan, key=f"simulate {key}")
    if result is not None:
        formula = text("workload_wa", plan.run_wa.value, digits=4)
        st.caption(plain(f"Write amplification of such writes by the formulas: {formula}."))


def simulation(plan: PlanReading, *, key: str) -> "Result | None":
    """Offer a run of the reference simulator for the plan's spare area, workload and firmware."""
    config = replay(plan)
    if config is None or not st.button("Check by simulation", key=key):
        return None
    bar = st.progress(
        0.0, f"Simulating {config.blocks:,} blocks of {config.pages_per_block:,} pages"
    )
    result = simulated(plan, config, lambda done: bar.progress(done) is not None)
    bar.empty()
    for warning in result.warnings:
        st.warning(plain(warning))
    placed = ", with a single write frontier" if plan.firmware.layout is Layout.UNKNOWN else ""
    st.success(
        f"Simulated {result.wa:.4g} ({result.wa_low:.4g} to {result.wa_high:.4g}) in "
        f"{1000 * result.seconds:.0f} ms{placed}: {result.host_writes:,} host writes, "
        f"{result.copies:,} copies."
    )
    return result
