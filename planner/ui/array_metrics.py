"""The array in numbers: the headline, and the worst case as a triple."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.sections.plan import PlanReading
from planner.ui.array_answers import Computed
from planner.ui.explained import explain
from planner.ui.plain import plain, shown


def headline(plan: PlanReading, found: Computed) -> None:
    """Draw capacity, speed, loss by cause and replacements."""
    lost, array = found.lost, plan.array
    within = f"in {text('horizon_s', lost.risk.horizon_s)}"
    first, second = st.columns(4), st.columns(4)
    spares = f", {array.hot_spares} hot spares" if array.hot_spares else ""
    _metric(plan, first[0], "Usable capacity", plan["usable_bytes"],
            f"{array.name}, {array.members} drives{spares}")  # fmt: skip
    _metric(plan, first[1], f"IOPS at queue depth {found.queue.queue_depth:,.0f}", found.queue.iops,
            _among(found.queue.read_latency_s, "reads in {}"))  # fmt: skip
    loss = lost["array_loss_probability"]
    _metric(plan, first[2], f"Data loss {within}", loss, "by any cause")
    _metric(plan, first[3], f"Drives to replace {within}", lost["mean_replacements"],
            _among(lost["replacements_quantile"], "{} at most, 19 times in 20"))  # fmt: skip
    rows = (
        ("Loss by failures", "array_failed_loss_probability", "one drive too many"),
        ("Loss by unreadable sectors", "array_unreadable_loss_probability",
         "met without parity left"),
        ("Loss by wear-out", "array_wear_out_loss_probability",
         _among(lost["wear_out_life_s"], "worn out after {}")),
        ("Expected loss", "expected_lost_bytes", "probability times bytes"),
    )  # fmt: skip
    for column, (label, key, below) in zip(second, rows, strict=True):
        _metric(plan, column, label, lost[key], below)


def triple(plan: PlanReading, found: Computed) -> None:
    """Show the floor of the worst case, its probability, and what one drive has to do."""
    st.markdown("#### Worst case of all drives")
    members = plan.array.working
    columns = st.columns(3)
    _metric(plan, columns[0], "Floor, all drives in their worst case",
            plan["worst_case_floor_iops"], "operations of drives")  # fmt: skip
    _metric(plan, columns[1], "Probability of the floor", plan["aligned_stall_probability"],
            _among(plan["stall_probability"], "any drive stalled: {}"))  # fmt: skip
    _metric(plan, columns[2], "Drive percentile behind the p99", plan["member_quantile"],
            "for operations on all drives", digits=5)  # fmt: skip
    known = [part for part in found.queue.stalled if part.is_known]
    for column, part in zip(st.columns(3), known, strict=False):
        _metric(plan, column, QUANTITIES[part.key].label, part, "")
    statement = (
        _floor(plan["worst_case_floor_iops"], members),
        _seldom(plan["aligned_stall_probability"], plan["stall_probability"]),
        _quantile(plan["member_quantile"], members),
    )
    st.caption(plain(" ".join(statement)))


def _metric(
    plan: PlanReading,
    column: DeltaGenerator,
    label: str,
    answer: Answer,
    statement: str,
    digits: int = 3,
) -> None:
    known = answer.is_known
    column.metric(
        plain(label), plain(shown(answer, digits=digits)),
        plain(statement) if known and statement else None, delta_color="off", delta_arrow="off",
        help=plain(QUANTITIES[answer.key].meaning),
    )  # fmt: skip
    with column:
        explain(plan, answer, key=f"array {answer.key}")


def _among(answer: Answer, template: str) -> str:
    return "" if not answer.is_known else template.format(shown(answer, digits=3))


def _floor(answer: Answer, members: int) -> str:
    if not answer.is_known:
        return "The floor needs the worst case of one drive: enter it under Advanced."
    return (
        f"If all {members} drives were in their worst case at once, they would serve "
        f"{shown(answer)} together."
    )


def _seldom(aligned: Answer, any_stalled: Answer) -> str:
    if not aligned.is_known or not any_stalled.is_known:
        return (
            "Its probability depends on the share of time that a drive is stalled by garbage "
            "collection, which is unknown: enter it under Advanced."
        )
    return (
        "If drives stall independently, all are stalled at any moment with odds of "
        f"{shown(aligned)}, at least one with odds of {shown(any_stalled)}."
    )


def _quantile(answer: Answer, members: int) -> str:
    if not answer.is_known:
        return ""
    return (
        f"An operation that waits for all {members} meets the array's p99 only if each drive "
        f"meets it in {100 * answer.value:.5g} % of its operations."
    )
