"""The process behind `planner.quantity.door.aside`: it calls functions on what is given to it.

`python -m planner.quantity.door.reader_process BYTES` takes pickles of a function and its arguments
from standard input, and writes one for each to standard output: whether it is the last, whether an
error was raised (None: the function reports how far it is), and the result, the error or the
report. It ends where its memory is used up, or standard input; an answer is its last where it holds
memory that the next one could miss.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

from planner.quantity.door.reader import NO_MEMORY, enter_reader

_KEPT = 0.25  # of its memory, that a process may hold and still read another file


def main(arguments: Sequence[str], given: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nothing more is given."""
    (memory_bytes,) = map(int, arguments)

    def tell(numbers: object) -> None:
        pickle.dump((False, None, numbers), answers)
        answers.flush()

    enter_reader(tell)
    limit_memory(memory_bytes)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    is_last = False
    while not is_last:
        try:
            function, arguments = pickle.load(given)  # noqa: S301 - by the parent
            answer = _answer(function, arguments)
            is_last = held_bytes() > _KEPT * memory_bytes
            pickle.dump((is_last, *answer), answers, protocol=pickle.HIGHEST_PROTOCOL)
        except EOFError:
            return
        except MemoryError:
            os._exit(NO_MEMORY)  # without writing the rest of an answer
        answers.flush()


def _answer(function: Callable[..., object], arguments: Sequence[object]) -> tuple[bool, object]:
    """Call a function; return True and the error that it raised, or False and its result."""
    try:
        return False, function(*arguments)
    except (ValueError, OSError) as error:
        return True, error


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
