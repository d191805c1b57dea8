"""Measure: files of drives, tests and traces: their contents, and their effect on the plan."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from planner.telemetry import FORMATS, FileReading
from planner.telemetry.fio import FioTest
from planner.telemetry.traces import Traced
from planner.ui import fio_results, measured_drive, measured_fleet, measured_trace
from planner.ui.plain import plain
from planner.ui.reading import readings
from planner.ui.uploads import given

STAYS = "Files are read here, on this machine; nothing of them is sent anywhere or kept."
DRIVE, FLEET = "A drive, a test, a trace", "A fleet"


def render() -> None:
    """Draw the page."""
    what = st.segmented_control(
        "What is measured", (DRIVE, FLEET), default=DRIVE, required=True, key="what",
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    st.caption(plain(STAYS))
    if what == FLEET:
        measured_fleet.draw()
    else:
        _files()


def _files() -> None:
    """Draw what single files say: of drives, of tests, of traces."""
    files = given(
        "Files: smartctl, exporters, nvme, OCP log, isdct, iostat, readings, fio, or a block trace",
        key="files",
        help="For a trace too large to upload, use the command `wa`.",
    )  # fmt: skip
    found = readings(files)
    if not files:
        names = ", ".join(known.name for known in FORMATS)
        st.info(plain(f"No file is read yet. Each is recognised by its content: {names}."))
        return
    named = [(file.name, one) for file, one in zip(files, found, strict=True)]
    _refused(named)
    held = [one for _, one in named if isinstance(one, FileReading) and one.refused is None]
    drives = [one for one in held if one.drives]
    if drives:
        measured_drive.draw(drives)
    for one in held:
        if isinstance(one.workload, FioTest):
            fio_results.draw(one.file, one.workload)
    for file, one in zip(files, found, strict=True):
        if isinstance(one, Traced):
            measured_trace.draw(file, one)


def _refused(named: Sequence[tuple[str, Any]]) -> None:
    for name, one in named:
        if isinstance(one, ValueError):
            st.error(plain(f"Refused: {name}: {one}"))
        elif isinstance(one, FileReading) and one.refused is not None:
            st.error(plain(f"Refused: {one.refused}"))


if __name__ == "__main__":
    render()
