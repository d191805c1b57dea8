"""Plan: every part of the answer, below the sentence and the verdict."""

from collections.abc import Callable

import streamlit as st

from planner.sections.plan import PlanReading
from planner.ui import array, cost, endurance, numbers, protocols, speed
from planner.ui import state as scenario

PARTS: dict[str, Callable[[PlanReading], None]] = {
    "Endurance": endurance.render,
    "Speed": speed.render,
    "Protocols": protocols.render,
    "Array": array.render,
    "Cost": cost.render,
    "Every number": numbers.render,
}
NAMES = tuple(PARTS)


def render() -> None:
    """Draw the page."""
    answer = scenario.current()
    with st.container(key="details"):
        part = st.segmented_control(
            "Details", NAMES, default="Endurance", required=True, key="part",
            bind="query-params", persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
        PARTS[part](answer)


if __name__ == "__main__":
    render()
