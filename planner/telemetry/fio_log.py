"""Logs of fio: lines of time, value and direction, averaged over periods of a second.

Columns: time [ms], value, direction (0 read, 1 write, 2 trim), block size [bytes]; since 3.0 also
the offset, later priority and issue time. With log_window_value=both the maximum follows the mean.
Values are ns (latency; us before fio 3), KiB/s (bandwidth) or IOPS; only the name of the file, such
as `NAME_iops.1.log`, says which.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from planner.telemetry.documents import decoded, head_text
from planner.telemetry.fio import Course, FioTest
from planner.telemetry.fio_course import consistency
from planner.telemetry.limits import MOST_PERIODS, within
from planner.telemetry.record import FileReading, Refused

Floats = NDArray[np.float64]

KINDS = ("read", "write", "trim")
# Tag in the file name: quantity, and its unit in the log in base units.
TAGS = {
    "iops": ("iops", 1.0),
    "bw": ("bytes_per_s", 1024.0),
    "lat": ("lat_s", 1e-9),
    "clat": ("clat_s", 1e-9),
    "slat": ("slat_s", 1e-9),
}
_NAME = re.compile(r"(?P<prefix>.*?)_?(?P<tag>iops|bw|clat|slat|lat)(?:\.\d+)?\.log(?:\.gz)?")
_LINE = re.compile(
    r"\s*(\d{1,15}), (\d{1,15})(?:, (\d{1,15}))??, ([0-2]), (\d{1,15})((?:, \w{1,20}){0,4})\s*"
)
_HEAD_LINES = 20
_LONGEST_LINE = 1000
_CHUNK = 1 << 18
_IDLE_S, _IDLE_RATIO = 3600, 20  # most seconds without a line: an hour, plus 20 per second with one
_LATE_MS = 100  # delay of a line after the end of its second


def looks_like(head: bytes) -> bool:
    """Whether a file begins with lines of a fio log, which have a blank after each comma.

    >>> looks_like(b"500, 124800, 1, 0, 0"), looks_like(b"1538323199,105352008,584,1,1576")
    (True, False)
    """
    text = head_text(head[: 1 << 14])
    lines = [line[:_LONGEST_LINE] for line in text.splitlines() if line.strip()][:_HEAD_LINES]
    fitting = sum(_LINE.fullmatch(line) is not None for line in lines)
    return fitting > 0.6 * len(lines)  # the reader refuses broken lines by number


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read a log into one course per direction; memory grows with its duration only."""
    named = _NAME.fullmatch(PurePath(file.replace("\\", "/")).name)
    if named is None:
        raise Refused(
            "line 1",
            "only the name of a fio log says what its values are: it must end in "
            f"{', '.join(f'_{tag}.1.log' for tag in TAGS)}",
        )
    periods, lines = _Periods(), 0
    for number, line in _lines(stream):
        if line.strip():
            periods.add(number, line)
            lines += 1
    if not lines:
        raise Refused("line 1", "the log contains no line")
    tag, prefix = named["tag"], named["prefix"]
    courses = tuple(
        _course(
            tag,
            prefix,
            kind,
            *periods.course(place, is_rate=tag in ("iops", "bw")),
            lines=periods.lines[place],
        )
        for place, kind in enumerate(KINDS)
        if periods.lines[place]
    )
    notes = tuple(periods.notes(tag))
    return FileReading(file=file, workload=FioTest(courses=courses, notes=notes), notes=notes)


class _Periods:
    """Sums of values by direction and second."""

    def __init__(self) -> None:
        self.sums: tuple[dict[int, list[float]], ...] = ({}, {}, {})
        self.lines = [0, 0, 0]
        self.last_ms = [0.0, 0.0, 0.0]
        self.repeated = 0
        self.backward = 0
        self.idle = 0
        self.has_largest: bool | None = None  # whether a maximum follows each mean

    def add(self, number: int, line: str) -> None:
        """Add a line, or refuse it."""
        match = _LINE.fullmatch(line)
        has_largest = match is not None and match[3] is not None
        if match is None or self.has_largest not in (None, has_largest):
            raise Refused(f"line {number}", _reason(line))
        self.has_largest = has_largest
        time_ms, value, kind = int(match[1]), float(match[2]), int(match[4])
        self.repeated += bool(self.lines[kind]) and time_ms == self.last_ms[kind]
        self.backward += time_ms < self.last_ms[kind]
        self.last_ms[kind] = time_ms
        self.lines[kind] += 1
        cell = self.sums[kind].setdefault(max(1, -(-(time_ms - _LATE_MS) // 1000)), [0.0, 0.0])
        cell[0] += value
        cell[1] += 1
        held = sum(map(len, self.sums))
        within(held, MOST_PERIODS, f"line {number}", "seconds with values")

    def course(self, kind: int, *, is_rate: bool) -> tuple[float, Floats, Floats]:
        """Return the length of a period, the ends of the periods and the mean of each.

        A period is a second, or longer if the log is coarser. fio logs nothing while idle: such
        periods of a rate are zero.
        """
        cells = sorted(self.sums[kind].items())
        ends = np.array([second for second, _ in cells], float)
        means = np.array([total / count for _, (total, count) in cells])
        step = float(np.median(np.diff(ends))) if ends.size > 1 else 1.0
        places = np.round((ends - ends[0]) / step)
        if not is_rate or places[-1] + 1 == ends.size:
            return step, ends, means
        if places[-1] >= min(MOST_PERIODS, _IDLE_S + _IDLE_RATIO * ends.size):
            raise Refused(f"line {sum(self.lines)}", "the times of the log are too far apart")
        course = np.zeros(int(places[-1]) + 1)
        course[places.astype(int)] = means
        self.idle += course.size - np.unique(places).size
        return step, ends[0] + step * np.arange(course.size), course

    def notes(self, tag: str) -> list[str]:
        """Report irregular times."""
        notes = []
        if self.idle:
            notes.append(f"{self.idle} periods without a line count as zero.")
        if self.backward:
            notes.append(f"{self.backward} lines go back in time: do several jobs share this log?")
        elif self.repeated > 2 * len(KINDS) and tag in ("bw", "iops"):
            notes.append(
                f"{self.repeated} lines repeat the time of the line before: if several jobs share "
                "this log, its rates are the mean of theirs, not the sum."
            )
        return notes


def _reason(line: str) -> str:
    parts = [part.strip() for part in line[:_LONGEST_LINE].split(",")]
    if any(re.fullmatch(r"-[\d.]+", part) for part in parts):
        return "contains a negative number"
    if any(part.isdecimal() and len(part) > 15 for part in parts):
        return "contains a number that is too large"
    return "is not a line of a log: time, value, direction (0, 1 or 2), block size"


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; a line without end is refused."""
    number, rest, start = 1, "", stream.read(4)
    mark = start[:3] == b"\xef\xbb\xbf"
    if not mark and start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        rest = decoded(start + stream.read(_CHUNK))  # UTF-16: a small file, as its mark shows
        if stream.read(1):
            raise Refused("byte 0", "is UTF-16, which is supported for short logs only")
    else:
        rest = _text(start[3:] if mark else start, 1)
    while True:
        block = stream.read(_CHUNK)
        *whole, rest = (rest + _text(block, number)).split("\n")
        for line in whole:
            yield number, line
            number += 1
        if len(rest) > _LONGEST_LINE and block:
            raise Refused(f"line {number}", f"is longer than {_LONGEST_LINE} characters")
        if not block:
            yield number, rest
            return


def _text(block: bytes, number: int) -> str:
    try:
        return block.decode("ascii")
    except UnicodeDecodeError:
        raise Refused(
            f"line {number}", "or one after it contains bytes that are not text"
        ) from None


def _course(
    tag: str, prefix: str, kind: str, period_s: float, ends: Floats, means: Floats, *, lines: int
) -> Course:
    quantity, unit = TAGS[tag]
    values = means * unit
    return Course(
        quantity=quantity,
        kind=kind,
        prefix=prefix,
        period_s=period_s,
        seconds=tuple(ends.tolist()),
        values=tuple(values.tolist()),
        lines=lines,
        consistency=consistency(values, period_s=period_s, falls=tag in ("iops", "bw")),
        fields={"seconds": "column 1 (time, ms)", "values": f"column 2 of the {tag} log"},
    )
