"""Prometheus text of node_exporter: the block devices of one host at one moment.

Names by `collector/diskstats_linux.go` of node_exporter: `node_disk_written_bytes_total` since
release 0.16, `node_disk_bytes_written` before; `node_disk_info` with model and serial number since
1.4. Counters start with the system, whose start and clock are `node_boot_time_seconds` and
`node_time_seconds`.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import BinaryIO

from planner.telemetry.block_devices import device_reading, is_drive, total
from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import LATEST_S
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.prometheus import Sample, samples
from planner.telemetry.record import Activity, DriveReading, FileReading, Observed, Refused

MARK = "node_"
_BEGIN = re.compile(r"^(?:# (?:HELP|TYPE) )?node_[a-z0-9_]+[ {]", re.MULTILINE)
_INFO = "node_disk_info"
_CLOCKS = {
    "node_time_seconds": "now", "node_time": "now",
    "node_boot_time_seconds": "start", "node_boot_time": "start",
}  # fmt: skip
_SPINS = "is a hard disk, not an SSD"
_UNUSED = "counts writes or reads of no drive"
_COUNTERS = {
    "node_disk_written_bytes_total": "host_bytes", "node_disk_bytes_written": "host_bytes",
    "node_disk_read_bytes_total": "read_bytes", "node_disk_bytes_read": "read_bytes",
    "node_disk_writes_completed_total": "writes", "node_disk_writes_completed": "writes",
    "node_disk_reads_completed_total": "reads", "node_disk_reads_completed": "reads",
}  # fmt: skip


def looks_like(head: bytes) -> bool:
    """Whether a file begins like a page of node_exporter; its disks come late in it."""
    return _BEGIN.search(head_text(head)) is not None


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read every drive of a page that wrote or read anything."""
    drives, left_out = drives_of(samples(whole_text(stream), MARK))
    return FileReading(file=file, drives=tuple(drives), notes=tuple(map(str, left_out)))


def drives_of(page: Iterable[Sample]) -> tuple[list[DriveReading], list[Refused]]:
    """Return every drive of the samples of one moment, and why others are left out."""
    counted: dict[str, dict[str, Observed]] = {}
    info: dict[str, dict[str, str]] = {}
    clocks: dict[str, float] = {}
    places: dict[str, str] = {}
    for sample in page:
        device = sample.labels.get("device", "")
        if sample.name in _CLOCKS:
            clocks[_CLOCKS[sample.name]] = sample.value
        elif sample.name == _INFO:
            info[device] = sample.labels
            places[device] = sample.place
        elif sample.name in _COUNTERS and 0 <= sample.value < math.inf:
            called = counted.setdefault(device, {})
            called[_COUNTERS[sample.name]] = total(sample.value, sample.name)
            within(len(counted), MOST_DRIVES, sample.place, "devices")
    if not counted:
        raise Refused("line 1", "is a page of node_exporter without its disks (node_disk_*)")
    now, start = clocks.get("now", math.nan), clocks.get("start", math.nan)
    if not (0 < start < now < LATEST_S):
        raise Refused(
            "line 1", "has no node_time_seconds after node_boot_time_seconds, so counters of the "
            "disks have no time"
        )  # fmt: skip
    used = [
        device
        for device, counters in counted.items()
        if is_drive(device, counted) and "host_bytes" in counters
        and sum(one.value for one in counters.values()) > 0
    ]  # fmt: skip
    spinning = [device for device in used if info.get(device, {}).get("rotational") == "1"]
    drives = [
        _drive(device, counted[device], info.get(device, {}), now, start)
        for device in used
        if device not in spinning
    ]
    if not drives:
        raise Refused(places[spinning[0]], _SPINS) if spinning else Refused("line 1", _UNUSED)
    return drives, [Refused(places[device], _SPINS) for device in spinning]


def _drive(
    device: str, counters: Mapping[str, Observed], info: Mapping[str, str], now: float, start: float
) -> DriveReading:
    activity = Activity(
        host_bytes=counters["host_bytes"], read_bytes=counters.get("read_bytes"),
        writes=counters.get("writes"), reads=counters.get("reads"), span_s=now - start,
        since_start=True,
    )  # fmt: skip
    return device_reading(
        device, activity, model=info.get("model", ""), serial=info.get("serial", ""), read_at_s=now
    )
