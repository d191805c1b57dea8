"""Jobs: calls of functions in other processes that end once nobody wants their answer.

A job of a session ends with its tab. A shared job serves all sessions that ask alike; it ends a
moment after the last of them has stopped to ask, because it goes on to another question or place.
What is asked here is not drawn here: `planner.ui.reading` and `planner.ui.choose` do that.
"""

import pickle
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import IO, Any

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from planner.quantity.door import UPLOADED, DoorError, FileLimits, ReaderCall

CANCELLED = "was cancelled; remove the file and give it again to read it"
UNASKED_S = 1.5  # that a shared job goes on; those who wait ask a few times in each second
MOST_SHARED = 64


class Job:
    """A call for a session: it ends with the job, or when the tab of its session is closed.

    A shared one ends when nobody has asked for its answer for a moment.
    """

    def __init__(
        self, name: str, function: Callable[..., object], *arguments: object,
        size_bytes: float = 0.0, limits: FileLimits = UPLOADED, is_shared: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        context = get_script_run_ctx()
        self._asked_s, self._lock = [time.monotonic()], Lock()  # until when somebody waits
        self._call = ReaderCall(
            function, *arguments, size_bytes=size_bytes, limits=limits,
            is_wanted=partial(_is_asked, self._asked_s) if is_shared
            else partial(_is_open, context.session_id if context else ""),
        )  # fmt: skip
        self._answer = TemporaryFile()  # noqa: SIM115 - of the job
        self._future: Future[None] = Future()
        weakref.finalize(self, _ended, self._call, self._answer)
        Thread(target=_run, args=(self._call, self._answer, self._future), daemon=True).start()

    @property
    def read_fraction(self) -> float:
        """Share of the file that was read."""
        return self._call.read_fraction

    @property
    def readings_before(self) -> int | None:
        """Number of files before this one in the queue; None once it is read."""
        return self._call.readings_before

    @property
    def was_left(self) -> bool:
        """Whether it ended because nobody wanted it any more."""
        if not self._future.done() or self._future.exception() is None:
            return False
        return self._call.was_left

    def answer(self, wait_s: float) -> Any:
        """Return the result, or the refusal that was raised; None while there is neither.

        The result is kept on the disk: the memory of the server is for those who look at one.
        """
        self._asked_s[:] = [time.monotonic() + wait_s]
        if not wait([self._future], wait_s).done:
            return None
        error = self._future.exception()
        if isinstance(error, ValueError):
            return error
        if error is not None:
            raise error
        with self._lock:
            self._answer.seek(0)
            return pickle.load(self._answer)  # noqa: S301 - written by this program

    def end(self) -> None:
        """Give the reading up."""
        self._call.end(CANCELLED)


class SharedJobs:
    """The latest jobs by what they answer: sessions that ask alike share one, also once done."""

    def __init__(self, most: int = MOST_SHARED) -> None:
        self._most, self._lock = most, Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def answer(self, key: str, start: Callable[[], Job], wait_s: float) -> Any:
        """Return the answer of a job, which is started if there is none; None where it is not done.

        A job that was left, and a refusal by limits of processes, are not kept.
        """
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is None or job.was_left:
                job = start()
            self._jobs[key] = job
            if len(self._jobs) > self._most:
                self._jobs.popitem(last=False)
        answer = job.answer(wait_s)
        if isinstance(answer, DoorError):
            with self._lock:
                if self._jobs.get(key) is job:
                    del self._jobs[key]
        return None if job.was_left else answer


SEARCHED = SharedJobs()  # of all sessions


def _run(call: ReaderCall, answer: IO[bytes], future: "Future[None]") -> None:
    try:
        answer.write(call.run())
        answer.flush()
        future.set_result(None)
    except Exception as error:  # noqa: BLE001 - whoever asks for the answer gets it
        future.set_exception(error)


def _ended(call: ReaderCall, answer: IO[bytes]) -> None:
    call.end()
    with suppress(OSError):
        answer.close()


def _is_asked(until_s: Sequence[float]) -> bool:
    return time.monotonic() < until_s[0] + UNASKED_S


def _is_open(session: str) -> bool:
    """Whether the tab of a session is open, as far as there are tabs."""
    return not runtime.exists() or bool(runtime.get_instance().is_active_session(session))
