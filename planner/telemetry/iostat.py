"""Output of `iostat -o JSON` (sysstat): mean rates of block devices in one or several reports.

The first of several reports is the mean since the system started and is left out; a single one
counts. The record holds the counts of a mean second. Keys by `iostat.c` of sysstat: of the plain
report tps and kB_wrtn/s, of the extended one (`-x`) w/s and wkB/s; MB with `-m`; blocks of 512
bytes with POSIXLY_CORRECT.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO

from models.units import KIB, MIB
from planner.telemetry.block_devices import SECTOR_BYTES, device_reading, is_drive, total
from planner.telemetry.documents import at, documents, head_text, whole_text
from planner.telemetry.limits import MOST_DRIVES, MOST_PERIODS, within
from planner.telemetry.record import Activity, DriveReading, FileReading, Observed, Refused

# Keys of a rate in a report, each with what one of it is.
_WRITTEN = {
    "wkB/s": KIB, "wMB/s": MIB, "wsec/s": SECTOR_BYTES, "kB_wrtn/s": KIB, "MB_wrtn/s": MIB,
    "Blk_wrtn/s": SECTOR_BYTES, "wkB": KIB, "wMB": MIB, "wsec": SECTOR_BYTES,
}  # fmt: skip
_READ = {
    "rkB/s": KIB, "rMB/s": MIB, "rsec/s": SECTOR_BYTES, "kB_read/s": KIB, "MB_read/s": MIB,
    "Blk_read/s": SECTOR_BYTES, "rkB": KIB, "rMB": MIB, "rsec": SECTOR_BYTES,
}  # fmt: skip
_WRITES = {"w/s": 1.0, "w": 1.0}
_READS = {"r/s": 1.0, "r": 1.0}
_FIRST = "Of one report only, which is the mean since the system started unless -y was given."
_NO_WRITES = "no report separates writes from reads; run iostat without -s"


def looks_like(head: bytes) -> bool:
    """Whether a file begins like the JSON of sysstat."""
    text = head_text(head)
    return '"sysstat"' in text and '"statistics"' in text


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the mean rates of every drive that wrote or read."""
    drives: list[DriveReading] = []
    notes: tuple[str, ...] = ()
    for place, document in documents(whole_text(stream)):
        hosts = at(document, "sysstat", "hosts")
        for host in hosts if isinstance(hosts, list) else ():
            reports = at(host, "statistics")
            kept = [one for one in reports if at(one, "disk")] if isinstance(reports, list) else []
            within(len(kept), MOST_PERIODS, place, "reports")
            if len(kept) == 1:
                notes = (_FIRST,)
            drives += _drives(kept[1:] or kept)
            within(len(drives), MOST_DRIVES, place, "drives")
    if not drives:
        raise Refused("line 1", f"contains no drive that wrote or read, or {_NO_WRITES}")
    return FileReading(file=file, drives=tuple(drives), notes=notes)


def _drives(reports: list[Any]) -> Iterator[DriveReading]:
    """Yield the drives of one host, with the means of their reports."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for report in reports:
        disks = at(report, "disk")
        for row in disks if isinstance(disks, list) else ():
            name = at(row, "disk_device")
            if isinstance(name, str):
                rows.setdefault(name, []).append(row)
    last = _moment(at(reports[-1], "timestamp")) if reports else None
    for name, of in rows.items():
        if not is_drive(name, rows):
            continue
        written, got, writes, reads = (
            _mean(of, units, len(reports)) for units in (_WRITTEN, _READ, _WRITES, _READS)
        )
        if written is not None and written.value + (got.value if got else 0.0) > 0:
            activity = Activity(
                host_bytes=written, read_bytes=got, writes=writes, reads=reads, span_s=1.0,
                since_start=False,
            )  # fmt: skip
            yield device_reading(name, activity, read_at_s=last)


def _mean(
    rows: list[Mapping[str, Any]], units: Mapping[str, float], reports: int
) -> Observed | None:
    """Return the mean of a rate over the reports; a device without a row in one was idle."""
    for key, unit in units.items():
        values = [rate for row in rows if (rate := _rate(row.get(key))) is not None]
        if values:
            return total(unit * sum(values) / reports, key)
    return None


def _rate(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < math.inf else None


def _moment(text: object) -> float | None:
    """Return the time of a report if it has a time zone, which iostat prints as +0100."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment.timestamp() if moment is not None and moment.tzinfo is not None else None
