"""A file of drives, of a test, or of a trace, whichever its content is."""

from typing import TYPE_CHECKING, BinaryIO, Union

from planner.quantity.door import UPLOADED, parsed
from planner.telemetry.formats import TRACE, kind_of, read
from planner.telemetry.record import FileReading, Refused

if TYPE_CHECKING:
    from planner.telemetry.traces import Traced


def read_path(name: str, path: str) -> Union[FileReading, "Traced"]:
    """Read a file under the name that it was given by.

    >>> read_path("a.toml", "pyproject.toml").refused[:36]
    'a.toml: byte 0: unknown format: begi'

    Raises:
        Refused: If it is a trace that cannot be read.
    """
    return parsed(_read, path, name, limits=UPLOADED)


def _read(stream: BinaryIO, name: str) -> Union[FileReading, "Traced"]:
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


def _trace(stream: BinaryIO) -> "Traced":
    from planner.telemetry.traces import trace  # noqa: PLC0415 - loads pyarrow

    return trace(stream)
