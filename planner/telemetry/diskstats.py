"""/proc/diskstats, once or several times, each after a line that says when.

The line is that of /proc/uptime, seconds since 1970 (`date +%s`) or an ISO date with its offset
(`date -Is`):

    cat /proc/uptime /proc/diskstats > disks.txt; sleep 3600
    cat /proc/uptime /proc/diskstats >> disks.txt

Columns by Linux, Documentation/admin-guide/iostats.rst: major, minor, name, then reads completed,
merged, sectors read, milliseconds, writes completed, merged, sectors written, milliseconds, and
seven to thirteen more.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, NamedTuple

from planner.telemetry.block_devices import SECTOR_BYTES, between, device_reading, is_drive, total
from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import LATEST_S
from planner.telemetry.limits import MOST_DRIVES, MOST_LINES, within
from planner.telemetry.record import Activity, DriveReading, FileReading, Refused

_LINE = re.compile(
    r"\s*\d{1,5}\s+\d{1,8}\s+(?P<name>\S{1,60})(?P<numbers>(?:\s+\d{1,20}){11,20})\s*"
)
_UPTIME = re.compile(r"\s*(\d{1,12}\.\d{2}) \d{1,15}\.\d{2}\s*")
_SECONDS = re.compile(r"\s*(\d{9,11}(?:\.\d{1,9})?)\s*")
_NO_TIME = "comes before a line that says when: that of /proc/uptime, `date +%s` or `date -Is`"
_ONE = "is one reading at a date; a second, or /proc/uptime in place of the date, gives a rate"
_HEAD_LINES = 4


class _Snapshot(NamedTuple):
    place: str
    time_s: float
    is_uptime: bool
    devices: dict[str, tuple[float, ...]]


def looks_like(head: bytes) -> bool:
    """Whether one of the first lines is of /proc/diskstats."""
    lines = [line for line in head_text(head).splitlines() if line.strip()][:_HEAD_LINES]
    return any(_LINE.fullmatch(line[:500]) for line in lines)


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the drives: writes between the first and the last time, or since the system started."""
    snapshots = list(_snapshots(whole_text(stream)))
    if not snapshots:
        raise Refused("line 1", "has no line of /proc/diskstats")
    last = snapshots[-1]
    drives = [
        drive
        for name in last.devices
        if is_drive(name, last.devices) and (drive := _drive(name, snapshots)) is not None
    ]
    if not drives:
        raise Refused(last.place, "counts writes or reads of no drive")
    return FileReading(file=file, drives=tuple(drives))


def _snapshots(text: str) -> Iterator[_Snapshot]:
    now: _Snapshot | None = None
    for number, line in enumerate(text.splitlines(), 1):
        within(number, MOST_LINES, f"line {number}", "lines")
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            if now is not None and now.devices:
                yield now
            now = _Snapshot(f"line {number}", *_time(number, line), {})
            continue
        if now is None:
            raise Refused(f"line {number}", _NO_TIME)
        if found["name"] in now.devices:
            raise Refused(f"line {number}", f"names a device again; it {_NO_TIME}")
        now.devices[found["name"]] = tuple(map(float, found["numbers"].split()))
        within(len(now.devices), MOST_DRIVES, f"line {number}", "devices")
    if now is not None and now.devices:
        yield now


def _time(number: int, line: str) -> tuple[float, bool]:
    """Return a time in seconds, and whether it counts from the start of the system."""
    if found := _UPTIME.fullmatch(line):
        return float(found[1]), True
    if found := _SECONDS.fullmatch(line):
        return float(found[1]), False
    try:
        moment = datetime.fromisoformat(line.strip()[:60])
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 0 < moment.timestamp() < LATEST_S:
        raise Refused(
            f"line {number}", "is not a line of /proc/diskstats or /proc/uptime, or a date"
        )
    return moment.timestamp(), False


def _drive(name: str, snapshots: list[_Snapshot]) -> DriveReading | None:
    """Return the activity of a drive from the first to the last snapshot; None if it had none."""
    first, *_, last = [*(one for one in snapshots if name in one.devices)] * 2
    activity = _activity(name, last)
    if activity.host_bytes.value + (activity.read_bytes or activity.host_bytes).value <= 0:
        return None
    if first.is_uptime != last.is_uptime:
        raise Refused(last.place, "has the time by another clock than the reading before")
    if first is not last:
        counted = between(_activity(name, first), activity)
        if counted is None:
            raise Refused(last.place, "counts less than the one before: the system restarted")
        activity = counted
    elif not last.is_uptime:
        raise Refused(last.place, _ONE)
    return device_reading(name, activity, read_at_s=None if last.is_uptime else last.time_s)


def _activity(name: str, at: _Snapshot) -> Activity:
    reads, _, read_sectors, _, writes, _, write_sectors = at.devices[name][:7]
    return Activity(
        host_bytes=total(write_sectors * SECTOR_BYTES, "sectors written"),
        read_bytes=total(read_sectors * SECTOR_BYTES, "sectors read"),
        writes=total(writes, "writes completed"), reads=total(reads, "reads completed"),
        span_s=at.time_s, since_start=True,
    )  # fmt: skip
