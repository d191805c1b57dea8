"""Runs of fio: their results and courses, the drive that they are of, and that drive fitted."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import MB, MS
from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.export.scenario_file import facts_of
from planner.export.telemetry_tables import course_rows, fio_rows
from planner.quantity.show import complaint, text
from planner.simulation.fit import Fit, contradictions, drive_of_test, fit
from planner.telemetry.fio import Course, FioRun
from planner.ui import state as scenario
from planner.ui.marks import number, tip, word
from planner.ui.plain import bullets, plain
from planner.ui.tables import table
from planner.ui.theme import chart

POINTS = 1000  # of a drawn course
# Of each kind of log: the title of its axis, its unit, and its name among logs of that axis.
AXES = {
    "iops": ("Rate [IOPS]", 1.0, ""), "bytes_per_s": ("Rate [MB/s]", MB, ""),
    "lat_s": ("Latency [ms]", MS, "latency"),
    "clat_s": ("Latency [ms]", MS, "completion latency"),
    "slat_s": ("Latency [ms]", MS, "submission latency"),
}  # fmt: skip
CHOOSE = "The file does not name its drive{}. Nothing is compared until you choose it."


def draw(run: FioRun, beside: Drive | None) -> None:
    """Draw a run, and what it says of its drive: the one that it names, `beside` it, or chosen."""
    st.subheader(plain(run.name), anchor=False)
    if jobs := [row for test in run.tests for row in fio_rows(test)]:
        table(jobs)
    _courses(run)
    if notes := [note for test in run.tests for note in test.notes]:
        st.markdown(bullets(notes))
    if (drive := _drive(run, beside)) is None:
        _offer(run, None, why="Choose the drive of the test first.")
    elif wrong := contradictions(drive, run.tests):
        st.error(bullets(wrong, head=f"**This test is not of {plain(drive.name)}**"))
        _offer(run, None, why="The test is not of this drive.")
    else:
        _fitted(run, drive)


def _courses(run: FioRun) -> None:
    """Draw the logs of a run over time, those of one unit in one chart, and their figures."""
    logs = [(file, course) for file, test in run.files.items() for course in test.courses]
    if not logs:
        return
    titles = dict.fromkeys(AXES[course.quantity][0] for _, course in logs)
    for place, title in zip(st.columns(len(titles)), titles, strict=True):
        those = [one for one in logs if AXES[one[1].quantity][0] == title]
        with place:
            chart(
                _points(those), _axes(title), key=f"course {title} {run.name}",
                alt=f"{title} over time",
            )  # fmt: skip
    rows = [row for file, course in logs for row in course_rows(file, [course])]
    table(rows)


def _points(logs: Sequence[tuple[str, Course]]) -> pd.DataFrame:
    """Return the points of some courses; of a long one, means of several periods."""
    parts = []
    for file, course in logs:
        _, unit, name = AXES[course.quantity]
        is_alone = sum(other.kind == course.kind and other.quantity == course.quantity
                       for _, other in logs) == 1  # fmt: skip
        what = f"{course.kind} {name}" if name else f"{course.kind}s"
        kind = what if is_alone else f"{what}, {file}"
        steps = max(1, -(-len(course.values) // POINTS))
        starts = np.arange(0, len(course.values), steps)
        sums = np.add.reduceat(np.array(course.values), starts)
        counts = np.diff([*starts, len(course.values)])
        seconds = np.array(course.seconds)[starts]
        parts.append(
            pd.DataFrame({"seconds": seconds, "value": sums / counts / unit, "kind": kind})
        )
    return pd.concat(parts)


def _axes(title: str) -> dict[str, Any]:
    return {
        "height": 220,
        "mark": {"type": "line", "interpolate": "step-before", "clip": True},
        "encoding": {
            "x": number("seconds", "Time [s]"),
            "y": number("value", title),
            "color": word("kind", legend={"orient": "top", "labelLimit": 300}),
            "tooltip": [word("kind", "Log"), tip("seconds", "Time [s]", ",.3~r"),
                        tip("value", title, ",.3~r")],
        },
    }  # fmt: skip


def _drive(run: FioRun, beside: Drive | None) -> Drive | None:
    """Return the drive of a run: that which it names, that of the file beside it, or the chosen."""
    named = drive_of_test(run.tests, run.name)
    offered = list(named.drives) if named else [beside] if beside else []
    taken, why = None, ""
    if named and named.drive:
        taken, why = named.drive, f"Its drive by {named.where}."
    elif beside and beside in offered:
        taken, why = beside, "Its drive by the SMART log given with the test."
    key = f"drive of {run.name}: {taken.name if taken else ''}"
    if key not in st.session_state:
        st.session_state[key] = taken.name if taken else None
    asked = st.container()
    names = [name for name in scenario.names() if name != scenario.OWN]
    on_screen = scenario.drive_name()
    first = dict.fromkeys([*(drive.name for drive in offered), on_screen])
    name = st.selectbox(
        "Drive of this test", [*first, *(each for each in names if each not in first)], index=None,
        key=key, placeholder="Type a model and a capacity",
    )  # fmt: skip
    if name is None:
        disks = ", ".join(dict.fromkeys(disk for test in run.tests for disk in test.disks))
        on = f", only {disks}" if disks else ""
        sizes = f" It names {named.drives[0].vendor} {named.drives[0].model}." if named else ""
        asked.warning(plain(f"{CHOOSE.format(on)}{sizes}"))
        st.button(
            plain(f"It is the drive of the plan, {on_screen}"), key=f"plan's {run.name}",
            on_click=partial(st.session_state.__setitem__, key, on_screen),
        )  # fmt: skip
        return None
    if taken is not None and name == taken.name:
        st.caption(plain(why))
    return scenario.current().drive if name == on_screen else find(load(), name)


def _fitted(run: FioRun, drive: Drive) -> None:
    """Set predictions beside the results of a run, and offer the fitted facts to the plan."""
    plan = scenario.current()
    try:
        found = fit(
            drive, run.tests, plan.workload, partition_fraction=plan.partition_fraction,
            firmware=plan.firmware,
        )  # fmt: skip
    except DomainError as error:
        st.info(plain(f"No fit to {drive.name}: {complaint(error, {}).rstrip('.')}."))
        _offer(run, None, why="The test gives no fact of the drive.")
        return
    _fit(drive.name, found)
    facts = tuple(facts_of(found.drive, known=drive).values())
    _offer(run, drive.name, facts, why="" if facts else "The test gives no fact of the drive.")


def _offer(run: FioRun, drive: str | None, facts: tuple[str, ...] = (), *, why: str) -> None:
    st.button(
        "Use in plan", key=f"fit {run.name}", on_click=_use, args=(drive, facts),
        disabled=bool(why), help=plain(why or "Sets the drive, and its facts that the test gives."),
    )  # fmt: skip


def _fit(drive: str, found: Fit) -> None:
    """Set each measured figure beside that of the plan, before and after the fit."""
    rows = [
        {"Figure": point.name, "Measured": text(point.quantity, point.measured, digits=3),
         f"Predicted of {drive}": _shown(point.quantity, point.before),
         "Fitted": _shown(point.quantity, point.after)}
        for point in found.points
    ]  # fmt: skip
    if rows:
        table(rows)
    if found.facts:
        statement = (f"{QUANTITIES[fact.quantity].label}: {text(fact.quantity, fact.after)}"
                for fact in found.facts)  # fmt: skip
        st.markdown(bullets(statement, head="**What the test says of the drive**"))
    if found.notes:
        st.markdown(bullets(found.notes))


def _shown(quantity: str, value: float | None) -> str:
    return "missing" if value is None else text(quantity, value, digits=3)


def _use(drive: str, facts: tuple[str, ...]) -> None:
    """Put the drive of a test on screen, with the facts that it gives."""
    if drive != scenario.drive_name():
        scenario.forget_drive()
        scenario.put_drive(drive)
    scenario.put(fact="; ".join(facts))
    scenario.show_plan("The plan now has what the test says of its drive")
