"""Block devices of a system: which of them are drives, and what was counted of each.

Source: Linux, Documentation/admin-guide/iostats.rst (sectors count 512 bytes whatever the drive
says; counters start with the system) and Documentation/admin-guide/devices.txt (names).
"""

import re
from collections.abc import Collection
from dataclasses import replace

from planner.telemetry.drive_record import digest
from planner.telemetry.gate import FASTEST_BYTES_PER_S
from planner.telemetry.record import Activity, DriveReading, Observed, Unused

SECTOR_BYTES = 512.0
_VIRTUAL = re.compile(r"(?:loop|z?ram|dm-|md|sr|fd|nbd|drbd|rbd|zd|bcache|nvme\d+c\d+n)\d*.*")
_PARTITION = re.compile(r"(?P<of>[a-z]+[a-z]|nvme\d+n\d+|mmcblk\d+)(?P<mark>p|boot)?\d+")


def is_drive(device: str, devices: Collection[str]) -> bool:
    """Whether a block device is a whole drive: neither virtual nor a part of another that is named.

    >>> names = ["sda", "sda1", "nvme0n1", "nvme0n1p2", "dm-0", "xvda1"]
    >>> [name for name in names if is_drive(name, names)]
    ['sda', 'nvme0n1', 'xvda1']
    """
    if not device or _VIRTUAL.fullmatch(device):
        return False
    part = _PARTITION.fullmatch(device)
    return part is None or part["of"] not in devices


def total(value: float, field: str) -> Observed:
    """Return a counter of the system, which is exact."""
    return Observed(value=value, field=field, low=value, high=value)


def device_reading(
    device: str,
    activity: Activity,
    *,
    model: str = "",
    serial: str = "",
    read_at_s: float | None = None,
) -> DriveReading:
    """Return the record of a drive with only the system's counters.

    Counters beyond what any interface carries are not used. An operation moves a sector at least.
    """
    most = FASTEST_BYTES_PER_S * max(activity.span_s, 1.0)
    beyond = [one for one in (activity.host_bytes, activity.read_bytes) if one and one.value > most]
    operations = most / SECTOR_BYTES
    many = [one for one in (activity.writes, activity.reads) if one and one.value > operations]
    unused = tuple(
        Unused(
            field=one.field, text=f"{one.value:.6g}{unit}", reason="is more than a drive can take"
        )
        for unit, found in ((" B", beyond), ("", many))
        for one in found
    )
    activity = replace(
        activity,
        writes=None if activity.writes in many else activity.writes,
        reads=None if activity.reads in many else activity.reads,
    )
    return DriveReading(
        model=model.strip()[:200], identity=digest(serial), device=device[:60],
        read_at_s=read_at_s, activity=None if beyond else activity, unused=unused,
    )  # fmt: skip


def between(first: Activity, last: Activity) -> Activity | None:
    """Return the activity between two snapshots of a drive; None if its counters restarted."""
    if not (first.since_start and last.since_start):
        return None
    span_s = last.span_s - first.span_s
    if span_s <= 0 or last.host_bytes.value < first.host_bytes.value:
        return None
    return replace(
        last, span_s=span_s, since_start=False,
        host_bytes=total(last.host_bytes.value - first.host_bytes.value, last.host_bytes.field),
        read_bytes=_rise(first.read_bytes, last.read_bytes),
        writes=_rise(first.writes, last.writes), reads=_rise(first.reads, last.reads),
    )  # fmt: skip


def _rise(first: Observed | None, last: Observed | None) -> Observed | None:
    if first is None or last is None:
        return None
    return total(max(last.value - first.value, 0.0), last.field)
