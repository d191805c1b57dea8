"""Measure: files of drives, tests and traces: their contents, and their effect on the plan."""

from collections.abc import Sequence
from typing import Any, TypeGuard

import streamlit as st

from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.telemetry import FORMATS, FileReading
from planner.telemetry.fio import FioTest, runs
from planner.telemetry.record import count_drives
from planner.telemetry.traces import Traced
from planner.ui import fio_results, measured_drive, measured_fleet, measured_trace
from planner.ui.plain import plain
from planner.ui.reading import readings
from planner.ui.uploads import GivenFile, given

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
    if said := summary(found):
        st.markdown(plain(said))
    _refused([(file.name, one) for file, one in zip(files, found, strict=True)])
    _draw(files, found)


def _draw(files: Sequence[GivenFile], found: Sequence[object]) -> None:
    """Draw the fleet of several drives or the history of one, then tests, then traces."""
    of_drives = [at for at, one in enumerate(found) if _is_good(one) and one.drives]
    if drives_of(found) > 1:
        measured_fleet.draw_files([files[at] for at in of_drives])
    elif of_drives:
        measured_drive.draw([one for one in found if _is_good(one) and one.drives])
    tests = [(one.file, one.workload) for one in found if _is_good(one)]
    beside = _known_drive(found)
    for run in runs([(name, test) for name, test in tests if isinstance(test, FioTest)]):
        fio_results.draw(run, beside)
    for file, one in zip(files, found, strict=True):
        if isinstance(one, Traced):
            measured_trace.draw(file, one)


def _known_drive(found: Sequence[object]) -> Drive | None:
    """Return the drive of the files if they are of one, and the catalogue has it."""
    readings = [drive for one in found if _is_good(one) for drive in one.drives]
    names = [drive.drive_id for drive in readings if drive.drive_id]
    return find(load(), names[-1]) if names and count_drives(readings) == 1 else None


def _is_good(one: object) -> TypeGuard[FileReading]:
    return isinstance(one, FileReading) and one.refused is None


def drives_of(found: Sequence[object]) -> int:
    """Count the drives in files; those of one serial number are one."""
    return count_drives([drive for one in found if _is_good(one) for drive in one.drives])


def summary(found: Sequence[object]) -> str:
    """Summarise the reading of several files, or of several drives in one; else nothing.

    >>> summary([FileReading(file="a", refused="is empty"), FileReading(file="b")])
    '2 files: 1 refused.'
    """
    good = [one for one in found if _is_good(one)]
    traces = sum(isinstance(one, Traced) for one in found)
    of_drives, drives = sum(bool(one.drives) for one in good), drives_of(found)
    if len(found) < 2 and drives < 2:
        return ""
    as_what = "shown as a fleet" if drives > 1 else "shown as its history"
    parts = [
        f"{_count(drives, 'drive')} in {_count(of_drives, 'file')}, {as_what}" if drives else "",
        _count(sum(isinstance(one.workload, FioTest) for one in good), "fio result"),
        _count(traces, "trace"),
        f"{refused} refused" if (refused := len(found) - len(good) - traces) else "",
    ]
    return f"{_count(len(found), 'file')}: {'; '.join(filter(None, parts))}."


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}" if number else ""


def _refused(named: Sequence[tuple[str, Any]]) -> None:
    for name, one in named:
        if isinstance(one, ValueError):
            st.error(plain(f"Refused: {name}: {one}"))
        elif isinstance(one, FileReading) and one.refused is not None:
            st.error(plain(f"Refused: {one.refused}"))


if __name__ == "__main__":
    render()
