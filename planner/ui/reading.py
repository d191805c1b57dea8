"""Readings of files given to the app: by a reader process, with progress, and a way to stop them.

What one file takes, another session does not miss; what was read is kept for the session by the
whole content of the file, as long as the file is there. A reading ends with its tab.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from planner.quantity.door import MOST_READERS, SHORT_BYTES, STEP_S, content, is_short
from planner.telemetry import read
from planner.telemetry.drive_or_trace import read_path
from planner.telemetry.formats import TRACE, kind_of
from planner.ui.job import Job
from planner.ui.plain import plain
from planner.ui.uploads import GivenFile

AT_ONCE_S = 1.0  # until then, no progress is drawn


def readings(files: Sequence[GivenFile]) -> list[Any]:
    """Return the content of each file, or its refusal, in the order of the files.

    A rerun of the page while a file is read waits for the same reading.
    """
    kept: dict[tuple[str, str], Any] = st.session_state.setdefault("readings", {})
    keys = [(file.name, file.digest) for file in files]
    for gone in kept.keys() - set(keys):
        _end(kept.pop(gone))
    found = []
    for key, file in zip(keys, files, strict=True):
        if key not in kept or _was_left(kept[key]):
            kept[key] = _started(file)
        one = kept[key]
        found.append(awaited(one, f"cancel {file.digest}") if isinstance(one, Job) else one)
    return found


def _started(file: GivenFile) -> Any:
    """Return the content of a short text, or the job that reads another file."""
    if is_short_file(file):
        data = content(file.path, SHORT_BYTES)
        if kind_of(io.BytesIO(data)) not in ("", TRACE):
            return read(file.name, data)
    return Job(file.name, read_path, file.name, str(file.path), size_bytes=file.size_bytes)


def together(files: Sequence[GivenFile]) -> str:
    """Return a name for files that are read together."""
    return files[0].name if len(files) == 1 else f"{len(files)} files"


def is_short_file(file: GivenFile) -> bool:
    """Whether a file is a short text, which is parsed without a reader process."""
    return file.size_bytes <= SHORT_BYTES and is_short(content(file.path, SHORT_BYTES))


def one_reading(place: str, key: object, start: Callable[[], Job]) -> Any:
    """Return the answer of a job; the session keeps one of a place, for as long as its key is it.

    Another key, such as that of a changed file, ends the job.
    """
    before = st.session_state.get(place)
    if before is None or before[0] != key or before[1].was_left:
        if before is not None:
            before[1].end()
        before = key, start()
        st.session_state[place] = before
    return awaited(before[1], f"cancel {place}")


def awaited(job: Job, key: str) -> Any:
    """Return the answer of a job; show its progress and a button to cancel it meanwhile."""
    answer = job.answer(AT_ONCE_S)
    if answer is not None:
        return answer
    spot = st.empty()
    with spot.container():
        bar = st.progress(0.0, plain(_progress(job)))
        st.button("Cancel", key=key, on_click=job.end)
    while answer is None:
        bar.progress(job.read_fraction, plain(_progress(job)))  # ends where the page does
        answer = job.answer(STEP_S)
    spot.empty()
    return answer


def _progress(job: Job) -> str:
    before = job.readings_before
    if before is None:
        return f"Reading {job.name}"
    queue = f"place {before + 1} in the queue; the server reads {MOST_READERS} files at a time"
    return f"Waiting to read {job.name}: {queue}"


def _was_left(one: Any) -> bool:
    return isinstance(one, Job) and one.was_left


def _end(one: Any) -> None:
    if isinstance(one, Job):
        one.end()
