"""A process behind `planner.quantity.door.aside`: it calls functions on what is given to it.

`python -m planner.quantity.door.reader_process BYTES NICENESS` takes pickles of a function and its
arguments from standard input, and writes one for each to standard output: whether it is the last,
whether an error was raised, and the pickle of the result or of the error. Until then it writes how
many bytes it has read of files. It ends where its memory is used up, or standard input; an answer
is its last where it holds memory that the next one could miss. A signal interrupts a call.
"""

import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import BinaryIO

from planner.quantity.door.reader import INTERRUPT, NO_MEMORY, DoorError, enter_reader

_KEPT = 0.25  # of its memory, that a process may hold and still read another file
_TOLD_S = 0.1  # between two numbers of bytes


def main(arguments: Sequence[str], given: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nothing more is given."""
    memory_bytes, niceness = map(int, arguments)
    progress = _Progress(answers)
    if memory_bytes:
        enter_reader(progress.tell)
        limit_memory(memory_bytes)
    with suppress(AttributeError, OSError):  # not on every system
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    if INTERRUPT is not None:
        signal.signal(INTERRUPT, _Call.interrupt)
    is_last = False
    while not is_last:
        try:
            function, arguments = pickle.load(given)  # noqa: S301 - by the parent
            progress.reached.clear()
            is_raised, result = _answer(function, arguments)
            is_last = held_bytes() > _KEPT * memory_bytes  # at once where the limit is 0
            answer = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
            pickle.dump((is_last, is_raised, answer), answers, pickle.HIGHEST_PROTOCOL)
        except EOFError:
            return
        except MemoryError:
            os._exit(NO_MEMORY)  # without writing the rest of an answer
        answers.flush()
        if not gc.get_freeze_count():  # what the first call has loaded stays, and is many objects
            gc.collect()
            gc.freeze()


def _answer(function: Callable[..., object], arguments: Sequence[object]) -> tuple[bool, object]:
    """Call a function; return True and the error that it raised, or False and its result."""
    try:
        with _Call():
            return False, function(*arguments)
    except (ValueError, OSError) as error:
        return True, error
    except _InterruptedCall:
        return True, DoorError("was interrupted")


class _InterruptedCall(BaseException):
    """Raised in a call by a signal; no handler of errors takes it for one of its own."""


class _Call:
    """The call that a signal interrupts; before and after it the signal does nothing."""

    is_running = False

    def __enter__(self) -> None:
        _Call.is_running = True

    def __exit__(self, *_: object) -> None:
        _Call.is_running = False

    @staticmethod
    def interrupt(*_: object) -> None:
        """Raise an error in the call."""
        if _Call.is_running:
            _Call.is_running = False
            raise _InterruptedCall


class _Progress:
    """Bytes that were read of the files of a request."""

    def __init__(self, answers: BinaryIO) -> None:
        self.reached: dict[int, int] = {}  # the furthest place in each file
        self._answers = answers
        self._told_s = 0.0

    def tell(self, file: int, place: int) -> None:
        """Note the place in a file; write the sum of all files now and then."""
        self.reached[file] = max(place, self.reached.get(file, 0))
        if time.monotonic() > self._told_s + _TOLD_S:
            self._told_s = time.monotonic()
            pickle.dump(sum(self.reached.values()), self._answers)
            self._answers.flush()


def held_bytes() -> int:
    """Return the memory that this process holds; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as numbers:  # noqa: PTH123 - of this process
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def limit_memory(memory_bytes: int) -> None:
    """Limit the memory of this process, as far as the operating system supports it."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


if __name__ == "__main__":
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    main(sys.argv[1:], sys.stdin.buffer, stream)
