"""JSON of nvme-cli: `nvme smart-log`, `nvme ocp smart-add-log`, or both in a row."""

from typing import Any, BinaryIO

from planner.telemetry.documents import documents, head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.nvme import MEDIA_KEYS, media_bytes, take_health
from planner.telemetry.record import DriveReading, FileReading, Refused

_HEALTH = ("percent_used", "percentage_used", "data_units_written")
_DEEPEST = 3  # the log may be nested under the name of a device or a tool


def looks_like_smart_log(head: bytes) -> bool:
    """Whether a file begins like the health log."""
    text = head_text(head)
    return text.lstrip()[:1] in ("{", "[") and '"data_units_written"' in text and (
        '"percent_used"' in text or '"percentage_used"' in text
    )  # fmt: skip


def looks_like_ocp_log(head: bytes) -> bool:
    """Whether a file begins like the extended log."""
    text = head_text(head)
    return text.lstrip()[:1] in ("{", "[") and any(f'"{key}"' in text for key in MEDIA_KEYS)


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the logs of a file; a health log and an extended log after it belong to one drive."""
    drives: list[DriveReading] = []
    open_drive: Evidence | None = None
    seen: set[str] = set()
    for place, value in documents(whole_text(stream)):
        logs = list(_logs(value, _DEEPEST))
        if not logs:
            raise Refused(place, "contains neither a health log nor an extended log")
        for kind, log in logs:
            if open_drive is not None and kind in seen:
                drives.append(drive_reading(open_drive))
                within(len(drives), MOST_DRIVES, place, "drives")
                open_drive, seen = None, set()
            open_drive = open_drive or Evidence(protocol="NVMe")
            seen.add(kind)
            _take(open_drive, kind, log)
    if open_drive is None:
        raise Refused("line 1", "contains no log")
    drives.append(drive_reading(open_drive))
    return FileReading(file=file, drives=tuple(drives))


def _take(evidence: Evidence, kind: str, log: dict[str, Any]) -> None:
    if kind == "health":
        take_health(evidence, log)
    else:
        media_bytes(evidence, log)


def _logs(value: object, deepest: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the logs in a JSON value, under any keys."""
    if isinstance(value, list):
        return [found for part in value for found in _logs(part, deepest)]
    if not isinstance(value, dict) or deepest < 0:
        return []
    found: list[tuple[str, dict[str, Any]]] = []
    if any(key in value for key in _HEALTH):
        found.append(("health", value))
    if any(key in value for key in MEDIA_KEYS):
        found.append(("extended", value))
    return found or [one for part in value.values() for one in _logs(part, deepest - 1)]
