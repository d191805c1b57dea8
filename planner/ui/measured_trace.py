"""A block trace: what it says, its write amplification here, and the plan with it."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from models.units import GIB, KIB, MB, MIB
from planner.export.trace_rows import class_rows, kind_rows, volume_rows
from planner.sections.plan import PlanReading
from planner.simulation.trace_wa import TraceWa, spare_of, trace_wa
from planner.telemetry.traces import Traced, TraceWorkload
from planner.ui import state as scenario
from planner.ui.job import Job
from planner.ui.marks import number, tip, word
from planner.ui.plain import plain
from planner.ui.reading import one_reading
from planner.ui.tables import table
from planner.ui.theme import chart
from planner.ui.uploads import GivenFile

PAGE_BYTES = 4 * KIB  # in which the app reads a trace, whatever the drive
TAKEN = (
    "The plan takes the mean transfer size and the trace's own classes of temperature, over all "
    "data of the drive."
)
_BAR = {"type": "bar", "cornerRadiusEnd": 3}
_KIND: dict[str, Any] = {"color": word("kind", legend={"orient": "top"})}
REWRITES: dict[str, Any] = {
    "height": 220,
    "mark": _BAR,
    "encoding": {
        "x": {"field": "what", "type": "ordinal", "sort": None,
              "title": "Writes of a page in the trace, up to"},
        "y": number("share", "Share of page writes [%]"),
        "tooltip": [{"field": "what", "type": "ordinal", "title": "Writes of a page, up to"},
                    tip("share", "Share of page writes [%]")],
    },
}  # fmt: skip
SIZES: dict[str, Any] = {
    "height": 220,
    "mark": _BAR,
    "encoding": _KIND | {
        "x": {"field": "what", "type": "ordinal", "sort": None, "title": "Size, up to"},
        "xOffset": {"field": "kind"},
        "y": number("share", "Share of requests [%]"),
        "tooltip": [word("kind", "Requests"),
                    {"field": "what", "type": "ordinal", "title": "Size, up to"},
                    tip("share", "Share of requests [%]")],
    },
}  # fmt: skip
COURSE: dict[str, Any] = {
    "height": 220,
    "mark": {"type": "line", "interpolate": "step-after", "clip": True},
    "encoding": _KIND | {
        "x": number("seconds", "Time [s]"),
        "y": number("rate", "Rate [MB/s]"),
        "tooltip": [word("kind", "Requests"), tip("seconds", "Time [s]", ",.3~r"),
                    tip("rate", "Rate [MB/s]", ",.3~r")],
    },
}  # fmt: skip


def draw(file: GivenFile, found: Traced) -> None:
    """Draw what a trace says, its write amplification here, and the plan with it."""
    st.subheader(plain(file.name), anchor=False)
    workload = found.workload
    if short := workload.shortage:
        st.error(f"### {plain(short.head)}\n{plain(short.reason)}")
    _figures(workload)
    _classes(workload)
    _pictures(workload, file.name)
    _amplification(found, file)
    for note in workload.notes:
        if short is None or note != short.reason:
            st.caption(plain(note))


def _figures(found: TraceWorkload) -> None:
    shown = {
        "Requests": f"{found.requests:,}",
        "Host writes": _bytes(found.host_bytes),
        "Footprint written": _bytes(found.written_footprint_bytes),
        "Writes per page": f"{found.overwrites:.3g}",
        "Reads": f"{100 * found.read_fraction:.3g} %",
        "Sequential": f"{100 * found.sequential_fraction:.3g} %",
        "TRIM": f"{100 * found.trim_share:.3g} %",
    }
    if found.minute is not None and found.minute.periods > 1:
        shown["Busy minute over mean"] = f"{found.minute.p99_over_mean:.3g}"
    columns = [*st.columns(4), *st.columns(4)]
    for column, (label, value) in zip(columns, shown.items(), strict=False):
        column.metric(plain(label), plain(value))
    st.caption(f"{plain(found.layout)}, read at {found.lines_per_s / 1e6:.2f} million lines/s.")


def _classes(found: TraceWorkload) -> None:
    """Draw the kinds of requests, the volumes, and the classes of pages by their rate of writes."""
    table(kind_rows(found))
    if found.volumes:
        st.markdown(f"**Volumes: the busiest of {found.volume_count:,}**")
        table(volume_rows(found))
    classes = class_rows(found)
    if len(classes) == 1:
        st.caption("The trace writes all its pages alike: a single class of temperature.")
    elif classes:
        with st.expander(f"Classes of temperature: {len(classes):d}"):
            table(classes)


def _pictures(found: TraceWorkload, name: str) -> None:
    left, middle, right = st.columns(3)
    with left:
        rows = [{"what": f"{at:g}", "share": 100 * share} for at, share in found.rewrites]
        chart(
            pd.DataFrame(rows),
            REWRITES,
            key=f"rewrites_chart {name}",
            alt="Page writes by write count.",
        )
    with middle:
        course = [
            {"seconds": at, "rate": rate / MB, "kind": kind}
            for at, write, read in found.course
            for kind, rate in (("writes", write), ("reads", read))
        ]
        if len(found.course) > 1:
            chart(pd.DataFrame(course), COURSE, key=f"course_chart {name}", alt="Rate over time.")
        else:
            st.info("The trace has no times, or a single one.")
    with right:
        sizes = [
            {"what": f"{at / KIB:g} KiB", "share": 100 * share, "kind": kind}
            for kind, mix in (("writes", found.write_sizes), ("reads", found.read_sizes))
            for at, share in mix
        ]
        chart(pd.DataFrame(sizes), SIZES, key=f"sizes_chart {name}", alt="Requests by size.")


def _amplification(found: Traced, file: GivenFile) -> None:
    answer = scenario.current()
    left = spare_of(answer)
    if not left.is_known or not found.writes.pages.size:
        st.info(f"{plain(answer.drive.name)}: no write amplification without raw flash and writes.")
        return
    unit = answer.drive.value("unit_bytes") or PAGE_BYTES
    notes: tuple[str, ...] = ()
    if unit > PAGE_BYTES:
        _refuse_units(answer, unit)
    else:
        notes = _computed(found, file, answer, float(left.value))
    short = found.workload.shortage
    st.button(
        "Use in plan", key=f"use {file.name}", on_click=_use, args=(found.workload,),
        disabled=short is not None,
        help="Sets writes, reads, sizes, sequential share, skew and TRIM of the plan."
        if short is None else plain(f"{short.head}. {short.reason}"),
    )  # fmt: skip
    st.caption(plain(TAKEN if short is None else f"{short.head} for a plan."))
    for note in notes:
        st.caption(plain(note))


def _computed(
    found: Traced, file: GivenFile, plan: PlanReading, op_ratio: float
) -> tuple[str, ...]:  # fmt: skip
    """Draw the write amplification of a trace on the drive, and return what is to be noted."""
    pages = plan.drive.value("pages_per_block")
    question = partial(
        trace_wa, op_ratio=op_ratio, pages_per_block=None if pages is None else int(pages),
        simulate=st.button("Replay in the simulator", key=f"replay {file.name}"),
    )  # fmt: skip
    got = one_reading(
        f"write amplification of {file.name}", (file.digest, question.keywords),
        lambda: Job(file.name, question, found.workload, found.writes, size_bytes=0),
    )  # fmt: skip
    if isinstance(got, ValueError):
        st.error(plain(got))
        return ()
    st.subheader(f"Write amplification on {plain(plan.drive.name)}", anchor=False)
    _wa_figures(got)
    return tuple(got.notes[len(found.workload.notes) :])


def _refuse_units(plan: PlanReading, unit_bytes: float) -> None:
    """Say that pages of 4 KiB tell too little of a drive that rewrites larger units."""
    st.info(
        f"{plain(plan.drive.name)} maps units of {unit_bytes / KIB:g} KiB, and files are read in "
        f"pages of {PAGE_BYTES / KIB:g} KiB here: its write amplification would come out too low. "
        "`ssd-planner wa --trace` reads a trace in units of the drive."
    )


def _wa_figures(got: TraceWa) -> None:
    columns = st.columns(5)
    columns[0].metric("The trace, repeated", f"{got.predicted.wa:.3g} x")
    columns[1].metric("At random times", f"{got.lasting_wa:.3g} x",
                      help="Its write frequencies without random scatter, with a single write "
                           "frontier.")  # fmt: skip
    columns[2].metric("Streams separated", f"{got.apart_wa:.3g} x")
    columns[3].metric("Parts of pages", f"{got.mapping_factor:.3g} x",
                      help="Additional cost of writes of parts of 4 KiB pages.")  # fmt: skip
    if got.replayed is not None:
        columns[4].metric(
            "Replayed", f"{got.replayed.wa:.3g} x",
            help=f"{got.replayed.blocks:,} blocks of {got.replayed.pages_per_block:,} pages; the "
            f"model of that drive says {got.replayed.model.wa:.3g}.",
        )  # fmt: skip


def _use(found: TraceWorkload) -> None:
    """Set the widgets of the scenario; those that the trace does not give stay."""
    scenario.put(**found.plan_inputs())
    scenario.show_plan("The plan now has the workload of the trace")


def _bytes(size: float) -> str:
    return f"{size / GIB:.3g} GiB" if size >= GIB else f"{size / MIB:.3g} MiB"
