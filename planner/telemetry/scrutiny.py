"""Details of a drive by Scrutiny's HTTP API: `/api/device/WWN/details`, one drive over time.

Fields by `webapp/backend/pkg/models` of Scrutiny: `data.device` names the drive,
`data.smart_results` holds its readings, `attrs` the attributes of each by number (SATA) or by name
(NVMe), and `total_bytes_written`, in newer releases, the count of the standard log. Names of
attributes are not stored.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

from planner.telemetry.attributes import Attribute, Statistic
from planner.telemetry.documents import at, documents, head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_READINGS, within
from planner.telemetry.nvme import take_health
from planner.telemetry.record import DriveReading, FileReading, Refused
from planner.telemetry.sata import spins, take_logs

_SECTOR_BYTES = 512
_WRITTEN = "total_bytes_written"


def looks_like(head: bytes) -> bool:
    """Whether a file begins like the details of a drive."""
    text = head_text(head).lstrip()
    return text.startswith("{") and '"smart_results"' in text and '"attrs"' in text


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the drive at each of its readings, the earliest first."""
    drives: list[DriveReading] = []
    for place, document in documents(whole_text(stream)):
        device, results = at(document, "data", "device"), at(document, "data", "smart_results")
        if not isinstance(device, dict) or not isinstance(results, list):
            raise Refused(place, "has no data.device beside data.smart_results")
        within(len(results), MOST_READINGS, place, "readings")
        drives += [_drive(place, device, one) for one in results if isinstance(one, dict)]
    if not drives:
        raise Refused("line 1", "contains no reading of a drive")
    drives.sort(key=lambda one: one.read_at_s or 0.0)
    return FileReading(file=file, drives=tuple(drives))


def _drive(place: str, device: Mapping[str, Any], result: Mapping[str, Any]) -> DriveReading:
    evidence = Evidence(
        model=_text(device, "model_name"),
        serial=_text(device, "serial_number"),
        protocol=_text(result, "device_protocol") or _text(device, "device_protocol"),
        read_at_s=_moment(result.get("date")),
    )
    capacity = device.get("capacity")
    evidence.user_bytes = evidence.exact(capacity, "capacity") if capacity else None
    attributes = result.get("attrs")
    attributes = attributes if isinstance(attributes, dict) else {}
    table = _table(attributes)
    if device.get("rotational_speed") or spins(None, table, evidence.model):
        raise Refused(place, "is a hard disk, not an SSD")
    if evidence.protocol == "NVMe":
        log = {name: at(one, "value") for name, one in attributes.items()}
        take_health(evidence, log, prefix="attrs.")
    take_logs(evidence, table, _statistics(evidence, result), sector_bytes=_SECTOR_BYTES)
    if evidence.power_on_s is None:
        evidence.hours(result.get("power_on_hours"), "power_on_hours")
    return drive_reading(evidence)


def _table(attributes: Mapping[str, Any]) -> list[Attribute]:
    """Return the attributes of a SATA drive, which are stored by number."""
    return [
        Attribute(
            number=int(number), name="", value=at(one, "value"),
            raw=at(one, "raw_string") or at(one, "raw_value"),
        )
        for number, one in attributes.items()
        if number.isdecimal() and len(number) < 4
    ]  # fmt: skip


def _statistics(evidence: Evidence, result: Mapping[str, Any]) -> list[Statistic]:
    """Return the standard count of host writes, which newer releases store in bytes."""
    written = result.get(_WRITTEN)
    if evidence.protocol != "ATA" or not isinstance(written, int) or written % _SECTOR_BYTES:
        return []
    return [Statistic(name="Logical Sectors Written", value=written // _SECTOR_BYTES)]


def _text(record: Mapping[str, Any], key: str) -> str:
    text = record.get(key)
    return text.strip()[:200] if isinstance(text, str) else ""


def _moment(date: object) -> float | None:
    """Return seconds since 1970 of a date such as 2026-11-28T05:00:00Z, or None."""
    try:
        moment = datetime.fromisoformat(str(date).replace("Z", "+00:00"))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
