"""A reading in a process of its own, whose time and memory are limited.

`python -m planner.telemetry.apart NAME` takes a file on standard input and pickles what it holds on
standard output: of a block trace a `Traced`, of any other a `Reading`, or why it is refused. The
process ends by itself when its time or memory is used up.
"""

import io
import pickle
import signal
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from planner.telemetry.limits import MOST_SECONDS, MOST_TAKEN_BYTES
from planner.telemetry.record import Refused

__all__ = ["NO_MEMORY", "main"]

NO_MEMORY = 99  # exit code


def _read(name: str, stream: BinaryIO) -> object:
    from planner.telemetry.formats import TRACE, kind_of, read  # noqa: PLC0415 - after the limit

    kind = kind_of(stream)
    if kind == TRACE:
        return _trace(stream)
    if kind:
        return read(name, stream)
    try:
        return _trace(stream)  # packings that only traces have
    except Refused:
        stream.seek(0)
        return read(name, stream)  # which names what is known


def _trace(stream: BinaryIO) -> object:
    from planner.telemetry.traces import trace  # noqa: PLC0415 - loads pyarrow

    return trace(stream)


def main(arguments: Sequence[str], given: BinaryIO, answer: BinaryIO) -> None:
    """Read a file within the limits, and write what it holds."""
    (name,) = arguments
    _limit()
    try:
        found = _read(name, given)
    except Refused as refused:
        found = refused
    except MemoryError:
        sys.exit(NO_MEMORY)
    pickle.dump(found, answer)


def _limit() -> None:
    """Limit time and memory, where the system can."""
    if hasattr(signal, "alarm"):
        signal.alarm(MOST_SECONDS)
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_TAKEN_BYTES, MOST_TAKEN_BYTES))


if __name__ == "__main__":
    stream: Any = io.FileIO(0)  # unbuffered, so that its place says how far the reading is
    main(sys.argv[1:], stream, sys.stdout.buffer)
