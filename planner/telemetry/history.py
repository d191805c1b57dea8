"""Wear history: a CSV table of a drive's counters over time, or of several drives.

Columns: `date` (ISO, or seconds since 1970), and `host_bytes` or `percent_used` (`percentage_used`)
or both; optional `power_on_hours`, `flash_bytes`, `model` and `serial`, without which all rows are
of one drive. Other columns are ignored.
"""

from datetime import UTC, datetime
from typing import BinaryIO

from planner.quantity.door.texts import csv_rows
from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import LATEST_S, drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_READINGS, within
from planner.telemetry.record import DriveReading, FileReading, Refused

_USED = ("percentage_used", "percent_used")
_SERIAL = ("serial", "serial_number")
_MOST_CELLS = 200


def looks_like(head: bytes) -> bool:
    """Whether a file begins with the required columns."""
    first = head_text(head).lstrip().partition("\n")[0]
    return _is_complete(_names(first.split(",")[:_MOST_CELLS]))


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the readings of a drive, or of several, in the order of the file."""
    drives, lines = list[DriveReading](), whole_text(stream).splitlines()
    rows = ((line, row) for line, row in csv_rows(lines, strict=True) if row)
    names = _names(next(rows, (1, list[str]()))[1])
    if not _is_complete(names):
        raise Refused("line 1", "date, or both of host_bytes and percent_used, are missing")
    for line, row in rows:
        drives.append(_drive(line, dict(zip(names, row, strict=False))))
        within(len(drives), MOST_READINGS, f"line {line}", "readings")
    if not drives:
        raise Refused(f"line {len(lines)}", "there are no readings under the columns")
    return FileReading(file=file, drives=tuple(drives))


def _is_complete(names: list[str]) -> bool:
    return "date" in names and not {"host_bytes", *_USED}.isdisjoint(names)


def _names(cells: list[str]) -> list[str]:
    return [cell.strip().strip('"').casefold() for cell in cells]


def _drive(line: int, cells: dict[str, str]) -> DriveReading:
    place, evidence = f"line {line}", Evidence()
    evidence.read_at_s = _moment(place, cells.get("date", ""))
    evidence.model = cells.get("model", "").strip()[:200]
    evidence.serial = next((cells[name].strip()[:200] for name in _SERIAL if name in cells), "")
    evidence.host_bytes = evidence.exact(_cell(cells, "host_bytes"), "host_bytes")
    if "host_bytes" in cells and evidence.host_bytes is None:
        raise Refused(place, "host_bytes is not a whole number of bytes")
    evidence.flash_bytes = evidence.exact(_cell(cells, "flash_bytes"), "flash_bytes")
    evidence.hours(_cell(cells, "power_on_hours"), "power_on_hours")
    for name in _USED:
        points = evidence.counters.take(_cell(cells, name), name)
        if points is not None:
            evidence.state_used(points, name)
    if evidence.counters.unused:
        wrong = evidence.counters.unused[0]
        raise Refused(place, f"{wrong.field} {wrong.reason}")
    return drive_reading(evidence)


def _cell(cells: dict[str, str], name: str) -> str | None:
    written = cells.get(name, "").strip().removesuffix("%").strip()
    return written or None


def _moment(place: str, written: str) -> float:
    text = written.strip()
    try:
        if text.isdecimal() and len(text) > 8:
            seconds = float(int(text[:20]))
        else:
            moment = datetime.fromisoformat(text)
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise Refused(place, "date is not ISO or seconds since 1970") from None
    if seconds >= LATEST_S:
        raise Refused(place, "date is after 2100")
    return seconds
