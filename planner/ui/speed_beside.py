"""Beside the write test: what a TRIM restores, and what a cache in the host's memory gains."""

import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB
from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.scenario.workload import Workload
from planner.speed import Speed
from planner.speed.host_cache import HostCache, host_cache
from planner.speed.recovery import recovery

__all__ = ["render_beside"]


def render_beside(answer: Speed, workload: Workload) -> None:
    """Draw both questions side by side."""
    left, right = st.columns(2)
    with left:
        _trim(answer)
    with right:
        _memory(answer, workload)


def _trim(answer: Speed) -> None:
    st.markdown("#### After a TRIM")
    share = st.slider(
        "Data trimmed [%]", 0, 100, 100, key="trimmed", bind="query-params",
        help="100 %: a quick format. The drive then works while the host is idle.",
    )  # fmt: skip
    restored = recovery(answer, trimmed_fraction=share / 100)
    _table(restored.answers)
    st.caption(restored.note)


def _memory(answer: Speed, workload: Workload) -> None:
    st.markdown("#### A write-back cache in the host's memory")
    size, flush, crashes = st.columns(3)
    cache = HostCache(
        cache_bytes=GIB * size.number_input(
            "Cache [GiB]", 0.01, 10_000.0, 1.0, key="cache_gib", bind="query-params",
            format="%0.10g",
        ),
        flush_s=flush.number_input(
            "Flushed every [s]", 0.01, 1e6, 5.0, key="flush", bind="query-params",
            format="%0.10g",
        ),
        crash_interval_s=DAY_S * crashes.number_input(
            "Days between crashes", 0.01, 1e6, 90.0, key="crashes", bind="query-params",
            format="%0.10g",
        ),
    )  # fmt: skip
    cached = host_cache(answer, workload, cache)
    _table(cached.answers)
    st.caption(" ".join(cached.notes))


def _table(answers: tuple[Answer, ...]) -> None:
    rows = [
        (QUANTITIES[item.key].label, "missing" if not item.is_known
         else text(item.key, item.value, digits=3))
        for item in answers
    ]  # fmt: skip
    st.dataframe(
        pd.DataFrame(rows, columns=["Quantity", "Value"]), hide_index=True, height="content"
    )
