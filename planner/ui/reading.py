"""Files given to the app, each read by a process of its own: with progress, and a way to stop it.

What one file takes, another session does not miss; what was read is kept in the session by the
whole content of the file, as long as the file is there.
"""

import hashlib
import os
import pickle
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

import planner
from planner.quantity.door import OUT_OF_MEMORY
from planner.quantity.untrusted import escaped
from planner.telemetry.limits import MOST_SECONDS, MOST_TAKEN_BYTES
from planner.telemetry.record import Refused
from planner.ui.plain import plain

COMMAND = (sys.executable, "-m", "planner.telemetry.limited_process")
# Libraries that start a thread for each processor take memory for each, and time from others.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
AT_ONCE_S = 1.0  # until then, no progress is drawn
STEP_S = 0.2
TOO_SLOW = Refused("reading", f"takes more than {MOST_SECONDS} s, which is the limit in the app")
TOO_LARGE = Refused(
    "reading", f"takes more than {MOST_TAKEN_BYTES >> 20} MiB of memory, which is the limit"
)
CANCELLED = Refused("reading", "was cancelled; remove the file and give it again to read it")


def readings(files: Sequence[UploadedFile]) -> list[Any]:
    """Return the content of each file, or its refusal, in the order of the files.

    A rerun of the page while a file is read waits for the same reading.
    """
    kept: dict[tuple[str, str], Any] = st.session_state.setdefault("readings", {})
    keys = [(file.name, hashlib.sha256(file.getbuffer()).hexdigest()) for file in files]
    for gone in kept.keys() - set(keys):
        found = kept.pop(gone)
        if isinstance(found, Job):
            found.end()
    for key, file in zip(keys, files, strict=True):
        if key not in kept:
            kept[key] = Job(file.name, file.getbuffer())
        if isinstance(kept[key], Job):
            kept[key] = awaited(kept[key], f"cancel {key[1]}")
    return [kept[key] for key in keys]


def awaited(job: "Job", key: str) -> Any:
    """Return the result of a job; show its progress and a button to cancel it meanwhile."""
    answer = job.answer(AT_ONCE_S)
    if answer is not None:
        return answer
    spot = st.empty()
    with spot.container():
        bar = st.progress(0.0, f"Reading {plain(job.name)}")
        st.button("Cancel", key=key, on_click=job.end)
    while answer is None:
        bar.progress(job.read_fraction, f"Reading {plain(job.name)}")  # ends where the page does
        answer = job.answer(STEP_S)
    spot.empty()
    return answer


class Job:
    """A file that a process of its own reads; the process ends with the job."""

    def __init__(self, name: str, data: bytes | memoryview, command: Sequence[str] = ()) -> None:
        self.name = name
        self._size = max(1, len(data))
        self._is_ended = False
        self._given, self._answer = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - of the job
        self._given.write(data)
        self._given.flush()
        self._given.seek(0)
        path = [str(Path(planner.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(  # noqa: S603 - this program, with a name as argument
            [*(command or COMMAND), escaped(name)],
            stdin=self._given, stdout=self._answer, stderr=subprocess.DEVNULL,
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, path))},
        )  # fmt: skip
        weakref.finalize(self, _ended, self._process, self._given, self._answer)

    @property
    def read_fraction(self) -> float:
        """Share of the file that was read; both processes share the place in it."""
        return min(1.0, os.lseek(self._given.fileno(), 0, os.SEEK_CUR) / self._size)

    def answer(self, wait_s: float) -> Any:
        """Return the content of the file, or its refusal; None while it is read."""
        try:
            code = self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return None
        if code == 0:
            self._answer.seek(0)
            return pickle.load(self._answer)  # noqa: S301 - written by this program
        if self._is_ended:
            return CANCELLED
        if -code == getattr(signal, "SIGALRM", None):
            return TOO_SLOW
        if code in OUT_OF_MEMORY:
            return TOO_LARGE
        return Refused("reading", f"failed: its process ended with code {code}")

    def end(self) -> None:
        """Give the reading up."""
        self._is_ended = True
        _ended(self._process)


def _ended(process: "subprocess.Popen[bytes]", *files: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for file in files:
        file.close()
