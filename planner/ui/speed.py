"""Speed: fresh, at the cliff, in steady state, in the worst second, and reads by percentile."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.errors import Cancelled, DomainError
from models.nomenclature import QUANTITIES
from planner.export.tables import to_csv
from planner.graph.answer import Answer
from planner.quantity.show import complaint, span, text
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.speed import SHORT_TEST_S, Speed, member_workload, speed, speed_of
from planner.sections.speed_curve import SpeedCurve
from planner.sections.speed_ranges import assumed_behind, speed_ranges_of
from planner.simulation.speed import Replay, Simulated, simulate, speed_replay
from planner.ui import speed_charts, speed_frames
from planner.ui import state as scenario
from planner.ui.explained import explain
from planner.ui.plain import bullets, plain, shown
from planner.ui.rates import render_rates
from planner.ui.speed_beside import render_beside
from planner.ui.speed_frames import nines
from planner.ui.tables import pairs
from planner.ui.theme import chart

AS_SET, SPARED = speed_charts.SERIES
UNPARTITIONED = 0.25
SCALES = ("Log", "Linear")
ASSUMED = "Assumed for speed: "
GREEN = (
    "Simulated, as set: points are averages of stretches, the band one standard deviation of their "
    "seconds, triangles their slowest second."
)
POINTS = "Points are predictions, the thin line only connects them; without the host link."
KEPT = "speed_simulated"  # the last run, in the session


def render(plan: PlanReading) -> None:
    """Draw the part."""
    answers = _answers(plan)
    ranges = _without_rate(_but_rate(plan), plan, answers[AS_SET]).ranges
    _headline(plan, answers[AS_SET], ranges)
    _missing(answers[AS_SET])
    st.markdown("#### Consistency test: random 4 KiB writes to a drive filled in sequence")
    replay = speed_replay(answers[AS_SET])
    scale, series, clicked = _controls(can_simulate=replay is not None)
    run = None if replay is None else _simulation(replay, clicked=clicked)
    courses = speed_frames.courses(chosen := {name: answers[name] for name in series})
    _consistency_chart(chosen, courses, run, scale)
    _too_short(chosen)
    left, right = st.columns(2)
    with left:
        _read_chart(answers[AS_SET], run)
    with right:
        _basis(answers[AS_SET], replay, run)
    render_beside(answers[AS_SET], member_workload(plan))
    render_rates()
    _downloads(answers[AS_SET], courses, run)


def _answers(plan: PlanReading) -> dict[str, Speed]:
    """Return the speed of one drive as set, and with a quarter of it left unpartitioned."""
    try:
        as_set = speed_of(plan)
        return {AS_SET: as_set, SPARED: _without_rate(_but_rate(plan), plan, as_set).spared}
    except DomainError as error:
        scenario.stop(f"{plan.drive.name}: {complaint(error, {})}")


class WithoutRate(NamedTuple):
    """What does not hang on the rate of the writes, so that it stays while they change."""

    spared: Speed
    ranges: Mapping[str, Range]  # of figures, not of curves


def _but_rate(plan: PlanReading) -> str:
    """Return the cache key of the speed of one drive, without the rate of its writes."""
    workload = replace(plan.workload, host_bytes_per_s=0.0)
    return repr((plan.drive, dict(plan.drive.facts), workload, plan.partition_fraction,
                 plan.firmware))  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _without_rate(key: str, _plan: PlanReading, _as_set: Speed) -> WithoutRate:  # noqa: ARG001 - Streamlit caches by it
    spared = speed(
        _plan.drive, member_workload(_plan), partition_fraction=1 - UNPARTITIONED,
        firmware=_plan.firmware, with_readers=False,
    )  # fmt: skip
    return WithoutRate(spared, speed_ranges_of(_plan, _as_set, with_readers=False).answers)


def _headline(plan: PlanReading, answer: Speed, ranges: Mapping[str, Range]) -> None:
    first, second = st.columns(4), st.columns(4)
    rates = (
        ("Write IOPS, fresh", "fresh_write_iops"),
        ("Write IOPS, steady", "steady_write_iops"),
        ("Write IOPS, lowest", "lowest_write_iops"),
        ("Random read IOPS", "random_read_iops"),
    )
    for column, (label, name) in zip(first, rates, strict=True):
        limit = answer.binding.get(name)
        statement = f"by {limit}" if limit else "right after the cliff" if "lowest" in name else ""
        _metric(plan, column, label, getattr(answer, name), statement, ranges)
    worst = answer.worst_case_iops
    iops = "" if not worst.is_known else f"worst case {_shown(worst, digits=4)}"
    fact = answer.drive.facts.get("worst_case_iops")
    origin = "measured" if fact is not None and fact.kind != "assumption" else "modelled"
    _metric(plan, second[0], "Longest write latency", answer.max_latency_s,
            iops and f"{iops}, {origin}", ranges)  # fmt: skip
    _metric(plan, second[1], "Cliff after", answer.cliff_s, "spare area is used up", ranges)
    _metric(
        plan, second[2], "Steady state after", answer.settling_s, "within 5 % of steady", ranges
    )
    _metric(plan, second[3], "Model against data sheet", answer.steady_residual,
            "off the printed rate", ranges)  # fmt: skip


def _metric(
    plan: PlanReading,
    column: DeltaGenerator,
    label: str,
    answer: Answer,
    statement: str,
    ranges: Mapping[str, Range],
) -> None:
    each = ranges.get(answer.key)
    if each is not None and each.is_wide:
        statement = ", ".join(
            part for part in (span(answer.key, each.low, each.high, digits=3), statement) if part
        )
    column.metric(
        plain(label),
        plain(_shown(answer)),
        plain(statement) if answer.is_known else None,
        delta_color="off",
        delta_arrow="off",
        help=plain(QUANTITIES[answer.key].meaning),
    )
    with column:
        explain(plan, answer, key=f"speed {answer.key}", ends=each)


def _missing(answer: Speed) -> None:
    """Show the assumed values, then the unknown facts."""
    scenario.wide([item.reason for item in assumed_behind(answer)])
    scenario.unknown(answer.lacking)


def _controls(*, can_simulate: bool) -> tuple[str, list[str], bool]:
    """Return the scale, the series on show, and whether a simulation is wanted."""
    scale, spare, button = st.columns([1, 2, 1], vertical_alignment="bottom")
    with scale:
        picked = st.segmented_control(
            "Scale of IOPS", SCALES, default="Log", key="iops_scale", bind="query-params",
            persist_state="session",
        )  # fmt: skip
    with spare:
        series = st.pills(
            "Spare area", speed_charts.SERIES, selection_mode="multi",
            default=list(speed_charts.SERIES), key="spare_area", bind="query-params",
            persist_state="session",
            help="As set: what the scenario leaves unpartitioned, by default nothing. Reviews "
            "repeat the test with a quarter of the user capacity left unpartitioned.",
        )  # fmt: skip
    with button:
        clicked = st.button(
            "Check by simulation", key="simulate_speed", width="stretch",
            disabled=not can_simulate,
            help="Runs the event simulator on a small drive with the same dies, times and share "
            "of spare area; its time axis is stretched by the capacity. Needs "
            "the number of dies, 1,024 at most, and the times of the flash.",
        )  # fmt: skip
    return (
        str(picked or "Log").lower(),
        [name for name in speed_charts.SERIES if name in series],
        clicked,
    )


def _simulation(replay: Replay, *, clicked: bool) -> Simulated | None:
    """Run the small drives if asked to; a run stays on screen while the scenario does."""
    spot = st.empty()
    if clicked:
        st.session_state[KEPT] = _run(replay, spot)
    kept = st.session_state.get(KEPT)
    return kept[1] if kept and kept[0] == replay else None


def _run(replay: Replay, spot: DeltaGenerator) -> tuple[Replay, Simulated] | None:
    with spot.container():
        bar = st.progress(0.0, "Simulating; the first run compiles the simulator, half a minute")
        st.button("Cancel", key="cancel_simulation")  # any click ends the run
    try:
        result = simulate(
            replay,
            lambda done: bar.progress(done, f"Simulating the small drive: {done:.0%}") is not None,
        )
    except Cancelled:
        spot.info("The simulation was cancelled.")
        return None
    except DomainError as error:
        spot.error(plain(f"The small drive cannot be simulated: {error}"))
        return None
    spot.empty()
    return replay, result


def _consistency_chart(
    chosen: dict[str, Speed], courses: dict[str, SpeedCurve], run: Simulated | None, scale: str
) -> None:
    if not courses:
        st.info(plain(_why_no_course(chosen)))
        return
    names = (*courses, *(speed_charts.SIMULATED if run is not None else ()))
    statement = "; ".join(_finding(name, chosen[name]) for name in courses)
    chart(
        speed_frames.consistency_rows(chosen, courses, run),
        speed_charts.consistency(scale, names), key=f"consistency_{scale}",
        alt="Write IOPS over the time of the consistency test",
    )  # fmt: skip
    st.caption(plain(f"{statement}." if run is None else f"{statement}. {GREEN}"))


def _why_no_course(chosen: dict[str, Speed]) -> str:
    if not chosen:
        return "Nothing to draw: select a spare area."
    if any(not a.cliff_s.is_known and a.cliff_s.lacking for a in chosen.values()):
        return "The course of the test is unknown: the facts it needs are listed above."
    return "No cliff: the steady rate as printed is not below the fresh one."


def _finding(name: str, answer: Speed) -> str:
    parts = [
        f"{label} {_shown(part, digits=4)}"
        for label, part in (
            ("fresh", answer.fresh_write_iops),
            ("cliff after", answer.cliff_s),
            ("lowest", answer.lowest_write_iops),
            ("steady state after", answer.settling_s),
            ("steady", answer.steady_write_iops),
        )
        if part.is_known
    ]
    return f"{name}: {', '.join(parts)}"


def _too_short(chosen: dict[str, Speed]) -> None:
    """Name the curves whose steady state lies beyond a review's test."""
    late = [
        f"{name}: settled after {_shown(answer.settling_s)}"
        for name, answer in chosen.items()
        if answer.is_too_short(SHORT_TEST_S)
    ]
    if late:
        st.warning(
            f"A {SHORT_TEST_S:,.0f}-second test ends before the steady state "
            f"({plain('; '.join(late))})."
        )


def _read_chart(answer: Speed, run: Simulated | None) -> None:
    st.markdown("#### Read latency beside the workload")
    latency = answer.read_latency_s
    if not latency:
        quantiles = answer.read_quantiles_s
        lacking = quantiles.lacking if not quantiles.is_known else ()
        st.info(
            "Unknown: the facts it needs are listed above."
            if lacking
            else "The workload only reads, so that no write delays a read."
        )
        return
    load = _load(answer)
    if not all(math.isfinite(seconds) for seconds in latency.values()):
        st.warning(f"{plain(load)} need more die time than there is; reads wait without end.")
        return
    if answer.saturation:
        st.warning(plain(answer.saturation))
    low, high = latency[min(latency)], latency[max(latency)]
    note = (
        f"With {load}, half of the reads take at most {text('read_s', low)}, "
        f"all but one in 100,000 at most {text('read_s', high)}."
    )
    known = speed_frames.reads(answer, run)
    chart(
        speed_frames.percentile_rows(known),
        speed_charts.percentiles(tuple(known)),
        alt="Read latency by percentile",
        key="percentiles",
    )
    st.caption(plain(f"{note} {_closed(answer)}{POINTS}"))


def _closed(answer: Speed) -> str:
    """Describe the latencies of readers at the queue depth."""
    latency = answer.closed_read_latency_s
    readers = f"{answer.queue_depth:.0f} readers who each wait for their last read"
    if not latency:
        return ""
    if not all(math.isfinite(seconds) for seconds in latency.values()):
        return f"At this depth {readers} would leave the writes no time. "
    middle, late = (text("read_s", latency[level]) for level in (50.0, 99.9))
    return f"{readers.capitalize()} see {middle} at the median, {late} at p99.9. "


def _load(answer: Speed) -> str:
    if not answer.read_quantiles_s.is_computed:
        return "this load"
    nodes = answer.nodes
    reads, writes = (
        text("random_read_iops", nodes[name].value, digits=3)
        for name in ("offered_read_iops", "offered_write_iops")
    )
    return f"{reads} of reads and {writes} of writes to one drive"


def _basis(answer: Speed, replay: Replay | None, run: Simulated | None) -> None:
    """Set the simulation beside the formulas; say what either assumes."""
    st.markdown("#### Basis and assumptions")
    if replay is not None and run is not None:
        _compared(answer, replay, run)
    elif replay is not None:
        st.caption("Check by simulation, above, compares these numbers with an independent run.")
    assumed = [note for note in answer.notes if note.startswith(ASSUMED)]
    st.markdown(bullets(note for note in answer.notes if note not in assumed))
    _by_collection(answer)
    if assumed:
        with st.expander(
            f"Assumed for the flash, because no data sheet gives it: {len(assumed):,}"
        ):
            st.markdown(bullets(note.removeprefix(ASSUMED) for note in assumed))


def _by_collection(answer: Speed) -> None:
    """Show the effect of the way of garbage collection, which no data sheet states."""
    known = [item for item in answer.collection if item.is_computed]
    if not known:
        return
    with st.expander("Longest write latency, by way of garbage collection"):
        rows = [(QUANTITIES[item.key].label, _shown(item), item.note) for item in known]
        heads = ["Garbage collection", "Saturated", "A write waits for"]
        pairs(rows, *heads)


def _compared(answer: Speed, replay: Replay, run: Simulated) -> None:
    rows = [
        ("Steady write IOPS", _shown(answer.steady_write_iops), f"{run.steady_iops:,.0f} IOPS"),
        ("Standard deviation by the second", "", f"{run.steady_spread_iops:,.0f} IOPS"),
        ("Write amplification", _shown(answer.wa), f"{run.steady_wa:.4g} x"),
        ("Longest write latency", _shown(answer.max_latency_s),
         text("max_latency_s", run.max_latency_s)),
        *_compared_reads(answer, run),
    ]  # fmt: skip
    pairs(rows, "Quantity", "Planner", "Simulated")
    drive = replay.writes
    st.caption(
        f"Simulated in {run.run_s:.1f} s: {drive.dies:,} dies of {drive.blocks_per_die:,} blocks, "
        f"{run.host_writes + run.host_reads:,} operations measured. The drive has "
        f"{replay.scale:,.0f} times as many pages, so the time axis is stretched by the same "
        "factor."
    )
    st.markdown(bullets((*replay.notes, *run.warnings)))


def _compared_reads(answer: Speed, run: Simulated) -> list[tuple[str, str, str]]:
    measured = {round(nines(percent), 2): s for percent, s in run.read_latency_s.items()}
    return [
        (f"Read latency p{percent:.7g}", text("read_s", seconds), text("read_s", measured[place]))
        for percent, seconds in answer.read_latency_s.items()
        if (place := round(nines(percent), 2)) in measured
    ]


def _downloads(answer: Speed, courses: dict[str, SpeedCurve], run: Simulated | None) -> None:
    st.download_button(
        "Download CSV", lambda: to_csv(speed_frames.table(answer, courses, run)),
        f"{answer.drive.drive_id}-speed.csv", "text/csv", on_click="ignore", key="speed_csv",
    )  # fmt: skip


def _shown(answer: Answer, *, digits: int = 3) -> str:
    """Write a value, or why there is none."""
    return shown(answer, digits=digits) if answer.is_known else answer.absence
