"""Read a file in a separate process with limited time and memory.

`python -m planner.telemetry.limited_process NAME` reads a file from standard input and writes a
pickle to standard output: a `Traced` for a block trace, a `Reading` for any other file, or the
`Refused` that was raised. The process ends itself when its time or memory is used up.
"""

import io
import pickle
import signal
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from planner.quantity.door import NO_MEMORY, enter_reader
from planner.quantity.door.reader_process import limit_memory
from planner.telemetry.limits import MOST_SECONDS, MOST_TAKEN_BYTES
from planner.telemetry.record import Refused


def _read(name: str, stream: BinaryIO) -> object:
    from planner.telemetry.formats import TRACE, kind_of, read  # noqa: PLC0415 - after the limit

    kind = kind_of(stream)
    if kind == TRACE:
        return _trace(stream)
    if kind:
        return read(name, stream)
    try:
        return _trace(stream)  # compressed in a way that only traces are
    except Refused:
        stream.seek(0)
        return read(name, stream)  # its refusal lists the known formats


def _trace(stream: BinaryIO) -> object:
    from planner.telemetry.traces import trace  # noqa: PLC0415 - loads pyarrow

    return trace(stream)


def main(arguments: Sequence[str], given: BinaryIO, answer: BinaryIO) -> None:
    """Read a file within the limits, and write the result."""
    (name,) = arguments
    limit()
    try:
        result = _read(name, given)
    except Refused as refused:
        result = refused
    except MemoryError:
        sys.exit(NO_MEMORY)
    pickle.dump(result, answer)


def limit() -> None:
    """Limit the time and memory of this process, as far as the operating system supports it."""
    enter_reader()
    if hasattr(signal, "alarm"):
        signal.alarm(MOST_SECONDS)
    limit_memory(MOST_TAKEN_BYTES)


if __name__ == "__main__":
    stream: Any = io.FileIO(0)  # unbuffered: the parent reads its position as progress
    main(sys.argv[1:], stream, sys.stdout.buffer)
