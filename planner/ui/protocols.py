"""Protocols: the course of a published test on the drive of the plan, beside others and a run."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from models.errors import DomainError
from planner.catalogue import find
from planner.catalogue.drive import Drive
from planner.export.protocol_table import (
    measured_rows,
    notes,
    order_sentence,
    phase_rows,
    protocol_list,
    scatter_rows,
)
from planner.quantity.show import complaint
from planner.sections.plan import PlanReading
from planner.simulation.fit import contradictions, drive_of_test
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer, protocol_answer
from planner.simulation.protocol.measured import MeasuredProtocol, measured_protocol
from planner.simulation.protocol.presets import Protocol, own_protocol, protocol_named
from planner.telemetry.fio import FioTest
from planner.ui import protocol_charts, reading, uploads
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.tables import table
from planner.ui.theme import chart

MOST_BESIDE = 3
OWN = "own phases"
FIRST_PHASES = "erase\nfill\nwrite random 4KiB depth 32 for 2000 s"
_TITLES = dict(protocol_list()) | {OWN: "Phases of your own"}
MEASURED = "measured"
ALT = "Data rate over the time of the test, by drive"
POINTS = 400  # of a course on a screen


def render(plan: PlanReading) -> None:
    """Draw the part of a plan: a protocol on its drive, and on others beside it."""
    left, right = st.columns(2)
    with left:
        protocol = _chosen()
    with right:
        names = [name for name in scenario.names() if name != plan.drive.name]
        beside = st.multiselect(
            "Beside", names, key="protocol_beside", max_selections=MOST_BESIDE,
            placeholder="Other drives, to rank", bind="query-params",
        )  # fmt: skip
    plans = [plan, *(scenario.plan_of(find(scenario.catalogue(), name)) for name in beside)]
    if protocol is not None:
        draw(protocol, plans)


def compare(plans: Sequence[PlanReading]) -> None:
    """Draw a protocol on the drives of several plans."""
    protocol = _chosen()
    if protocol is not None:
        draw(protocol, plans)


def draw(protocol: Protocol, plans: Sequence[PlanReading]) -> None:
    """Draw the courses of some drives, their order, their phases, and a run of fio."""
    answers = list(_answers(protocol, plans))
    if not answers:
        return
    _headline(answers)
    place = st.container()
    run = _run(answers[0])
    rows = pd.DataFrame(list(_rows(answers, run)))
    names = tuple(dict.fromkeys(rows["series"]))
    with place:
        axis = st.radio(
            "Over", list(protocol_charts.AXES), key="protocol_axis", horizontal=True,
            bind="query-params",
        )  # fmt: skip
        chart(rows, protocol_charts.courses(names, axis), key="protocol_course", alt=ALT)
    if run is not None:
        table(measured_rows(answers[0], run))
    for answer in answers:
        st.markdown(f"**{plain(answer.drive.name)}**")
        table(phase_rows(answer))
        table(scatter_rows(answer))
    st.caption(plain(" ".join(notes(answers))))


def _chosen() -> Protocol | None:
    """Return the protocol of the fields; of none that can be read, the reason on the page."""
    name = st.selectbox("Protocol", list(_TITLES), key="protocol", bind="query-params")
    if name != OWN:
        st.caption(plain(_TITLES[name]))
        return protocol_named(name)
    typed = st.text_area(
        "Phases, one a line", FIRST_PHASES, key="protocol_phases", max_chars=5000,
        help="erase, fill, trim 50%, idle 30 s, replay heavy, write random 4KiB depth 32 over 8GB "
        "for 3 min, read sequential 128KiB up to 32GB, mix 70% reads random 4KiB for 60 s",
    )  # fmt: skip
    try:
        return own_protocol(tuple(filter(None, map(str.strip, typed.splitlines()))))
    except DomainError as error:
        st.error(plain(f"{error}"))
        return None


def _answers(protocol: Protocol, plans: Sequence[PlanReading]) -> Iterator[ProtocolAnswer]:
    for plan in plans:
        try:
            yield protocol_answer(plan, protocol)
        except DomainError as error:
            st.error(plain(complaint(error, {})))


def _run(answer: ProtocolAnswer) -> MeasuredProtocol | None:
    """Return the run of the files that were given, compared with the drive of the plan."""
    files = uploads.given("A run by fio on this drive: JSON or logs", key="protocol_run")
    if not files:
        return None
    tests = []
    for file, found in zip(files, reading.readings(files), strict=True):
        test = getattr(found, "workload", None)
        if isinstance(test, FioTest):
            tests += _of_drive(answer.drive, file.name, test)
        else:
            st.error(plain(f"{file.name}: {getattr(found, 'refused', None) or 'no test by fio'}"))
    if not tests:
        return None
    try:
        return measured_protocol(answer, tests)
    except DomainError as error:
        st.error(plain(f"{error}"))
        return None


def _of_drive(drive: Drive, file: str, test: FioTest) -> list[FioTest]:
    """Return a test, unless it names another drive than this or cannot be a test of this one."""
    named = drive_of_test([test], file)
    if named and drive.drive_id not in {one.drive_id for one in named.drives}:
        other = f"{named.drives[0].vendor} {named.drives[0].model} by {named.where}"
        st.error(plain(f"{file} is a test of {other}, not of {drive.name}"))
        return []
    if wrong := contradictions(drive, [test]):
        st.error(plain(f"{file} is no test of {drive.name}. {wrong[0]}"))
        return []
    return [test]


def _headline(answers: Sequence[ProtocolAnswer]) -> None:
    """Draw the order of several drives; one alone has none."""
    if len(answers) > 1:
        judged = answers[0].protocol.judged_text
        st.markdown(f"**Order in {plain(judged)}**: {plain(order_sentence(answers))}")
        st.caption(r"An order with \> is decided with a probability of 90 %, one with \~ is a tie.")


def _rows(
    answers: Sequence[ProtocolAnswer], run: MeasuredProtocol | None
) -> Iterator[dict[str, object]]:
    """Yield the rows of the chart: courses, ranges of the means, and what was measured."""
    for answer in answers:
        yield from _predicted(answer)
    if run is None:
        return
    starts = _starts(answers[0])
    courses = {course.name: course for course in run.courses}
    for phase in run.phases:
        each, begin = phase.answer, starts[phase.name]
        moved = phase.bytes_per_s * _lasts_s(each)
        yield {
            "series": MEASURED, "kind": "mean", "phase": phase.name,
            "rate": phase.bytes_per_s / 1e6, **_places(begin, 0.0, 0.0),
            **_places(begin, _lasts_s(each), moved, "until_"),
        }  # fmt: skip
    for course in courses.values():
        begin, step = starts[course.name], max(1, len(course.seconds) // POINTS)
        moved_bytes = np.cumsum(course.bytes_per_s * np.diff(course.seconds, prepend=0.0))
        lines = zip(course.seconds, moved_bytes, course.bytes_per_s, strict=True)
        for second, moved, rate in list(lines)[::step]:
            yield {
                "series": MEASURED, "kind": "second", "phase": course.name,
                "rate": float(rate) / 1e6, **_places(begin, float(second), float(moved)),
            }  # fmt: skip


def _lasts_s(each: PhaseAnswer) -> float:
    return float(each.course.seconds[-1] - each.course.seconds[0])


def _starts(answer: ProtocolAnswer) -> dict[str, tuple[float, float]]:
    """Return seconds and bytes at which each measured phase begins, without the others."""
    starts, second, moved = {}, 0.0, 0.0
    for each in answer.phases:
        starts[each.phase.name] = second, moved
        second, moved = second + _lasts_s(each), moved + float(each.course.moved_bytes[-1])
    return starts


def _places(
    begin: tuple[float, float], second: float, moved: float, of: str = ""
) -> dict[str, float]:
    """Return a place of the chart on both its axes."""
    return {f"{of}seconds": begin[0] + second, f"{of}gigabytes": (begin[1] + moved) / 1e9}


def _predicted(answer: ProtocolAnswer) -> Iterator[dict[str, object]]:
    name, starts = answer.drive.name, _starts(answer)
    for each in answer.phases:
        begin, mean, course = starts[each.phase.name], each.bytes_per_s, each.course
        seconds = course.seconds - course.seconds[0]
        places = [
            _places(begin, float(second), float(moved))
            for second, moved in zip(seconds, course.moved_bytes, strict=True)
        ]
        end = _places(begin, float(seconds[-1]), float(course.moved_bytes[-1]), "until_")
        yield {
            "series": name, "kind": "range", "phase": each.phase.name,
            "rate": mean.typical / 1e6, "low": mean.low / 1e6, "high": mean.high / 1e6,
            **places[0], **end,
        }  # fmt: skip
        for start, end, rate in zip(places[:-1], places[1:], course.bytes_per_s, strict=True):
            for place in (start, end):
                yield {
                    "series": name, "kind": "course", "phase": each.phase.name,
                    "line": f"{name} {each.phase.name}", "rate": float(rate) / 1e6, **place,
                }  # fmt: skip
