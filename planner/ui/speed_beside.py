"""Beside the write test: recovery by a TRIM, a cache in the host's memory, energy and heat."""

from collections.abc import Mapping

import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer
from planner.quantity.inputs import SURROUNDINGS, stated
from planner.quantity.show import complaint
from planner.scenario.workload import Workload
from planner.sections.heat import Surroundings, heat_of
from planner.sections.host_cache import HostCache, host_cache
from planner.sections.ranges import Range
from planner.sections.recovery import Recovery, recovery
from planner.sections.speed import Speed
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain, shown
from planner.ui.tables import pairs

CACHE = ("host_cache", "flush", "crash_interval")


def render_beside(answer: Speed, workload: Workload) -> None:
    """Draw the questions beside the test, each read only where it is open."""
    beside = st.expander("After a TRIM; with a write-back cache in the host's memory",
                         key="beside", on_change="rerun", bind="query-params")  # fmt: skip
    if beside.open:
        with beside:
            left, right = st.columns(2)
            with left:
                _trim(answer)
            with right:
                _memory(answer, workload)
    heat = st.expander("Energy, idle states and heat",
                       key="heat", on_change="rerun", bind="query-params")  # fmt: skip
    if heat.open:
        with heat:
            _heat(answer.drive)


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


def _heat(drive: Drive) -> None:
    statement = scenario.texts(*SURROUNDINGS, places=st.columns(len(SURROUNDINGS)))
    try:
        found = heat_of(drive, Surroundings(**stated(statement, SURROUNDINGS)))
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        return
    st.caption(plain(found.sentence))
    for place, (title, answers) in zip(st.columns(3), found.parts.items(), strict=True):
        with place:
            st.markdown(f"#### {plain(title)}")
            _table(answers, found.ranges)
    st.caption(plain(" ".join(found.notes)))
    with st.expander(f"Assumed of energy and heat: {len(found.assumed):,}"):
        st.markdown(bullets(item.reason for item in found.assumed))


def _table(answers: tuple[Answer, ...], ranges: Mapping[str, Range] | None = None) -> None:
    """Draw numbers, with the ends of their ranges where there are any."""
    rows = [
        (QUANTITIES[item.key].label, shown(item, digits=3) + _ends(item.key, ranges))
        for item in answers
    ]
    pairs(rows, "Quantity", "Value")


def _ends(key: str, ranges: Mapping[str, Range] | None) -> str:
    each = None if ranges is None else ranges.get(key)
    return "" if each is None else each.ends(key, digits=3)
