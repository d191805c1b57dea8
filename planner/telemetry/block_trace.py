"""The format of block traces; their reader is imported only when one is read."""

import io
from typing import BinaryIO

from planner.telemetry.record import FileReading, Refused

_ZSTD = b"\x28\xb5\x2f\xfd"


def looks_like(head: bytes) -> bool:
    """Whether a file begins like a block trace; no other format is compressed by zstd.

    >>> looks_like(b"fio version 3 iolog"), looks_like(b"model,hours")
    (True, False)
    """
    from planner.telemetry.traces.layouts import detect  # noqa: PLC0415 - loads pyarrow

    if head.startswith(_ZSTD):
        return True
    try:
        detect(head)
    except Refused:
        return False
    return True


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the workload of a block trace."""
    from planner.telemetry.traces import trace  # noqa: PLC0415 - loads pyarrow

    if not stream.seekable():
        stream = io.BytesIO(stream.read())
    workload = trace(stream).workload
    return FileReading(file=file, workload=workload, notes=workload.notes)
