"""The known formats, in the order in which they are tried, and the reading of a file.

A format is a line in `FORMATS`: its name, a test of the first bytes, and a reader. A reader gets
the file's name (for error messages) and a stream at its beginning, decompressed if it was gzip, xz
or zstd; it returns a `FileReading` or raises `Refused`.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from os import PathLike, fspath
from typing import BinaryIO

from planner.quantity.door import NAMED, DoorError, FileLimits, is_bounded, parsed
from planner.quantity.door.packing import BROKEN, unpacked
from planner.telemetry import (
    block_trace,
    diskstats,
    fio_json,
    fio_log,
    history,
    iostat,
    isdct,
    node_exporter,
    nvme_cli,
    nvme_text,
    prometheus_json,
    scrutiny,
    smartctl_exporter,
    smartctl_json,
    smartctl_text,
)
from planner.telemetry.limits import MOST_BYTES
from planner.telemetry.other_files import described
from planner.telemetry.record import FileReading, Refused

HEAD_BYTES = 1 << 16  # bytes from which a format is detected
TRACE = "block trace"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name, a test of its first bytes, and its reader."""

    name: str
    looks_like: Callable[[bytes], bool]
    reader: Callable[[str, BinaryIO], FileReading]


# The first format that recognises a file reads it: narrow tests come before wide ones.
FORMATS: list[Format] = [
    Format("Scrutiny JSON", scrutiny.looks_like, scrutiny.read),
    Format("Prometheus JSON", prometheus_json.looks_like, prometheus_json.read),
    Format("smartctl JSON", smartctl_json.looks_like, smartctl_json.read),
    Format("Intel isdct JSON", isdct.looks_like_json, isdct.read_json),
    Format("nvme-cli smart-log JSON", nvme_cli.looks_like_smart_log, nvme_cli.read),
    Format("OCP extended log JSON", nvme_cli.looks_like_ocp_log, nvme_cli.read),
    Format("nvme-cli smart-log text", nvme_text.looks_like, nvme_text.read),
    Format("smartctl text", smartctl_text.looks_like, smartctl_text.read),
    Format("Intel isdct text", isdct.looks_like_text, isdct.read_text),
    Format("smartctl_exporter text", smartctl_exporter.looks_like, smartctl_exporter.read),
    Format("node_exporter text", node_exporter.looks_like, node_exporter.read),
    Format("iostat JSON", iostat.looks_like, iostat.read),
    Format("diskstats text", diskstats.looks_like, diskstats.read),
    Format("wear history CSV", history.looks_like, history.read),
    Format("fio JSON", fio_json.looks_like, fio_json.read),
    Format("fio log", fio_log.looks_like, fio_log.read),
    Format(TRACE, block_trace.looks_like, block_trace.read),
]


def read(file: str, data: bytes | BinaryIO, *, kind: str | None = None) -> FileReading:
    """Read a file, or refuse it with one sentence that names file and position.

    `data` is its bytes or a seekable stream; gzip, xz and zstd are decompressed. `kind` is the name
    of the format, by default detected.

    >>> read("empty.json", b"").refused
    'empty.json: byte 0: the file is empty'
    """
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    named = kind or ""
    try:
        stream = unpacked(stream, MOST_BYTES if is_bounded() else inf)
        known = detect(_head(stream), kind)
        named = known.name
        return replace(known.reader(file, stream), file=file, kind=named)
    except (Refused, DoorError) as refused:
        sentence = " ".join(str(refused).split())
        return FileReading(file=file, kind=named, refused=f"{file}: {sentence}")
    except BROKEN as error:
        return FileReading(
            file=file, kind=named, refused=f"{file}: packed bytes: {_first_line(error)}"
        )


def read_file(
    name: str | PathLike[str], data: bytes | bytearray | None = None, *, kind: str | None = None,
    limits: FileLimits = NAMED,
) -> FileReading:  # fmt: skip
    """Read a file, or bytes under a name, within limits; or refuse it with one sentence.

    >>> read_file("/dev/null").refused
    '/dev/null: is not a regular file'
    """
    file = fspath(name)
    try:
        return parsed(_reading, file if data is None else data, file, kind, limits=limits)
    except DoorError as error:
        return FileReading(file=file, kind=kind or "", refused=f"{file}: {error}")


def _reading(stream: BinaryIO, file: str, kind: str | None) -> FileReading:
    return read(file, stream, kind=kind)


def detect(head: bytes, kind: str | None = None) -> Format:
    """Return the format named `kind`, or that of a file that begins with `head`, or refuse it."""
    if not head:
        raise Refused("byte 0", "the file is empty")
    for known in FORMATS:
        if known.name == kind or (kind is None and known.looks_like(head)):
            return known
    raise Refused(
        "byte 0", f"unknown format: {described(head)}; known are JSON and text of smartctl, "
        "nvme-cli and isdct, Scrutiny, exporters' text, Prometheus, iostat, diskstats, fio, block "
        "traces and CSV tables",
    )  # fmt: skip


def kind_of(stream: BinaryIO) -> str:
    """Return the name of a file's format, or an empty text if it is unknown.

    >>> kind_of(io.BytesIO(b'{"smartctl": {}}'))
    'smartctl JSON'
    """
    try:
        return detect(_head(unpacked(stream, MOST_BYTES if is_bounded() else inf))).name
    except (Refused, DoorError, *BROKEN):
        return ""
    finally:
        stream.seek(0)


def _head(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD_BYTES)
    stream.seek(0)
    return head


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
