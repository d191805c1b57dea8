"""The verdict on screen: a sentence per question, the life bar, and what would be better."""

import math
from collections.abc import Collection
from typing import Any

import pandas as pd
import streamlit as st

from models.units import YEAR_S
from planner.application import Application
from planner.quantity.show import writes_text
from planner.scenario.risk import Risk
from planner.search.commits import commit_answer
from planner.search.verdict import Sentence, Verdict, dates, heading, lasts, verdict
from planner.search.verdict.safe import power_text
from planner.search.verdict.sentences import COMMIT, commits_of, worst
from planner.search.verdict.words import years
from planner.sections import stated_writes
from planner.sections.data_loss import data_loss
from planner.sections.loss_causes import loss_kinds
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, ranges_among
from planner.sections.used import counted_from
from planner.ui import application as load_of
from planner.ui import charts
from planner.ui import state as scenario
from planner.ui.explained import Explanation, button
from planner.ui.plain import plain
from planner.ui.theme import chart

JUDGED = ("Lasts", "Safe")
_LOSS = "array_loss_probability"
NOT_COUNTED = "No source says how often power fails: it is not in these probabilities."
# What is not of all that is typed.
GREYED = """<style>
.st-key-verdict > :not(.stAlert), .st-key-details { filter: grayscale(1); opacity: 0.6; }
</style>"""
COLOURS = {True: "green", False: "red", None: "orange"}


def draw(plan: PlanReading, said: Collection[str]) -> None:
    """Draw the sentences, the life bar between them, and the next change.

    Refusals of inputs in `said` are drawn elsewhere.
    """
    risk = scenario.risk()
    if scenario.is_stale():
        st.html(GREYED)
    with st.container(key="verdict"):
        for key, why in scenario.refused().items():
            if key not in said:
                st.error(plain(why))
        st.caption(plain(heading(plan, risk.horizon_s)))
        _sentence(plan, risk, lasts(plan, risk.horizon_s))  # what the browser can show first
        _life_bar(plan, risk.horizon_s)
        statement = _verdict(f"{scenario.key()} {risk}", plan, risk, scenario.application())
        _application()
        for sentence in (statement.worst, statement.safe, statement.cost):
            _sentence(plan, risk, sentence)
        _next(statement, plan)


@st.cache_resource(max_entries=scenario.KEPT_PLANS, show_spinner=False)
def _verdict(
    key: str,  # noqa: ARG001 - Streamlit caches by it
    _plan: PlanReading, _risk: Risk, _application: Application | None,
) -> Verdict:  # fmt: skip
    return verdict(_plan, _risk.horizon_s, _risk, application=_application)


def draw_sentence(statement: Sentence, *, is_stale: bool = False) -> None:
    """Draw a sentence of the verdict, its question in the colour of the answer."""
    is_judged = statement.question in JUDGED and not is_stale
    colour = COLOURS[statement.holds] if is_judged else "gray"
    question = plain(statement.question.upper())
    st.markdown(f":{colour}-badge[{question}] {plain(statement.text)}")


def _sentence(plan: PlanReading, risk: Risk, statement: Sentence) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        draw_sentence(statement, is_stale=scenario.is_stale())
        if statement.numbers:
            button(plan, lambda: _explanation(plan, risk, statement), key=statement.question)


def _explanation(plan: PlanReading, risk: Risk, statement: Sentence) -> Explanation:
    """Build the explanation of a sentence: its first number, the others, causes of data loss."""
    if statement.key == _LOSS:
        loss = data_loss(plan, risk)
        return Explanation(
            loss[_LOSS], ranged=lambda other: _loss_range(other, risk), notes=statement.reasons,
            kinds=loss_kinds(loss), remark=f"{power_text(plan)} {NOT_COUNTED}",
        )  # fmt: skip
    found = commits_of(plan, scenario.application()) if statement.key == COMMIT else None
    if found is not None:
        load = scenario.application()
        return Explanation(
            commit_answer(plan, found), statement.numbers[COMMIT],
            lambda other: worst(other, load).numbers.get(COMMIT), notes=statement.reasons,
        )  # fmt: skip
    others = [plan.reading[key] for key in statement.numbers if key != statement.key]
    return Explanation(plan.reading[statement.key], others=others)


def _loss_range(plan: PlanReading, risk: Risk) -> Range | None:
    loss = data_loss(plan, risk)
    return ranges_among([loss.reading], [loss[_LOSS]], plan.uncertain.every).get(_LOSS)


def _application() -> None:
    """Show the layers of an application that write to its drive."""
    load = scenario.application()
    if load is None:
        return
    times = load.figures["amplification"].typical
    statement = f"{times:,.3g} times what the application is given: {load_of.parts(load)}."
    st.markdown(f":gray-badge[WRITES] {plain(statement)}")


def _life_bar(plan: PlanReading, horizon_s: float) -> None:
    """Draw warranty, rating, wear and the years that must hold on one axis."""
    ends, horizon = dates(plan), horizon_s / YEAR_S
    parts = {"warranty": ends.warranty, "rating": ends.rating, "flash wear-out": ends.wear}
    bands: list[dict[str, Any]] = [
        {"kind": "band", "what": what, "label": f"{what} {years(part)}",
         "from": part.low / YEAR_S, "to": part.high / YEAR_S}
        for what, part in parts.items()
        if part is not None and math.isfinite(part.low)
    ]  # fmt: skip
    if not bands:
        return
    most = max(2.0 * horizon, min(max(band["to"] for band in bands), 20.0 * horizon))
    rows: list[dict[str, Any]] = [
        {"kind": "horizon", "label": f"must hold {horizon:.3g} years", "low": horizon},
        *(band | {"low": min(band["from"], most), "high": min(band["to"], most)} for band in bands),
        *(band | {"kind": "beyond", "low": most} for band in bands if band["to"] > most),
        {"kind": "end", "low": most},
    ]
    with st.container(key="life_bar"):
        chart(
            pd.DataFrame(rows), charts.LIFE_BAR, key="life_bar_chart",
            alt="Warranty, rated writes, flash wear and the years that must hold, on one axis",
        )  # fmt: skip
        if since := counted_from(plan.drive):
            st.caption(plain(f"Years left from {since} on."))


def _next(statement: Verdict, plan: PlanReading) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(f":blue-badge[NEXT] {plain(statement.change.text)}")
        inputs = dict(statement.change.inputs)
        said = stated_writes.writes_of({"writes": scenario.text_of("writes")})
        if said.fills and not inputs.keys().isdisjoint(("drive", "drives")):
            # The writes stay as many bytes: as DWPD they would grow with the drives.
            inputs["writes"] = writes_text(plan.workload.host_bytes_per_s)
        if inputs:
            st.button("Apply", key="next", on_click=_take, args=(inputs,), type="tertiary")


def _take(inputs: dict[str, str]) -> None:
    if "drive" in inputs:
        scenario.forget_drive()
        scenario.put_drive(inputs.pop("drive"))
    scenario.put(**inputs)
