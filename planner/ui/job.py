"""Jobs of sessions: calls of functions in reader processes that end with the tab of their session.

What is asked here is not drawn here: `planner.ui.reading` does that.
"""

import pickle
import weakref
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, Any

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from planner.quantity.door import UPLOADED, FileLimits, ReaderCall

CANCELLED = "was cancelled; remove the file and give it again to read it"


class Job:
    """A reading for a session: it ends with the job, or when the tab of its session is closed."""

    def __init__(
        self, name: str, function: Callable[..., object], *arguments: object, size_bytes: float,
        limits: FileLimits = UPLOADED,
    ) -> None:  # fmt: skip
        self.name = name
        context = get_script_run_ctx()
        self._call = ReaderCall(
            function, *arguments, size_bytes=size_bytes, limits=limits,
            is_wanted=partial(_is_open, context.session_id if context else ""),
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
        """Whether it ended because its tab was closed."""
        return self._future.done() and self._call.was_left

    def answer(self, wait_s: float) -> Any:
        """Return the result, or the refusal that was raised; None while there is neither.

        The result is kept on the disk: the memory of the server is for those who look at one.
        """
        if not wait([self._future], wait_s).done:
            return None
        error = self._future.exception()
        if isinstance(error, ValueError):
            return error
        if error is not None:
            raise error
        self._answer.seek(0)
        return pickle.load(self._answer)  # noqa: S301 - written by this program

    def end(self) -> None:
        """Give the reading up."""
        self._call.end(CANCELLED)


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


def _is_open(session: str) -> bool:
    """Whether the tab of a session is open, as far as there are tabs."""
    return not runtime.exists() or bool(runtime.get_instance().is_active_session(session))
