"""Beside the write test: recovery by a TRIM, and the gain of a cache in the host's memory."""

import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer
from planner.quantity.inputs import stated
from planner.scenario.workload import Workload
from planner.sections.host_cache import HostCache, host_cache
from planner.sections.recovery import Recovery, recovery
from planner.sections.speed import Speed
from planner.ui import state as scenario
from planner.ui.plain import plain, shown

CACHE = ("host_cache", "flush", "crash_interval")


def render_beside(answer: Speed, workload: Workload) -> None:
    """Draw both questions side by side."""
    left, right = st.columns(2)
    with left:
        _trim(answer)
    with right:
        _memory(answer, workload)


def _trim(answer: Speed) -> None:
    st.markdown("#### After a TRIM")
    statement = scenario.texts("trimmed", defaults={"trimmed": "100%"})
    state = (answer.drive.drive_id, dict(answer.drive.facts), answer.op_ratio.value,
             answer.user_pages.value, answer.wa.value, statement)  # fmt: skip
    restored = _restored(repr(state), answer, stated(statement, ["trimmed"])["trimmed_fraction"])
    _table(restored.answers)
    st.caption(plain(restored.note))


@st.cache_resource(max_entries=32, show_spinner=False)
def _restored(key: str, _answer: Speed, _fraction: float) -> Recovery:  # noqa: ARG001 - Streamlit caches by it
    return recovery(_answer, trimmed_fraction=_fraction)


def _memory(answer: Speed, workload: Workload) -> None:
    st.markdown("#### A write-back cache in the host's memory")
    statement = scenario.texts(*CACHE, places=st.columns(3), defaults={"host_cache": "1 GiB"})
    cache = HostCache(**stated(statement, CACHE))
    cached = host_cache(answer, workload, cache)
    _table(cached.answers)
    st.caption(plain(" ".join(cached.notes)))


def _table(answers: tuple[Answer, ...]) -> None:
    rows = [(QUANTITIES[item.key].label, shown(item, digits=3)) for item in answers]
    st.dataframe(
        pd.DataFrame(rows, columns=["Quantity", "Value"]), hide_index=True, height="content"
    )
