"""`smartctl --json`: SATA, SAS and NVMe, one or several documents."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from models.units import GB
from planner.telemetry.attributes import Attribute, Statistic
from planner.telemetry.documents import at, documents, head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.numerals import counter
from planner.telemetry.nvme import take_health
from planner.telemetry.record import DriveReading, FileReading, Refused
from planner.telemetry.sata import spins, take_logs

_MARKS = ('"smartctl"', '"ata_smart_attributes"', '"nvme_smart_health_information_log"')
_FIRST_JSON_S = 1_546_128_000.0  # smartctl 7.0 of 2018-12-30, the first that writes JSON
_SAS_USED = ("scsi_percentage_used_endurance_indicator", "percentage_used_endurance_indicator")


def looks_like(head: bytes) -> bool:
    """Whether a file begins like this format."""
    text = head_text(head)
    return text.lstrip()[:1] in ("{", "[") and any(mark in text for mark in _MARKS)


def is_smartctl(document: object) -> bool:
    """Whether a JSON value is a document of smartctl."""
    return isinstance(document, dict) and any(mark.strip('"') in document for mark in _MARKS)


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read every drive of a file; hard disks are left out with a note."""
    drives: list[DriveReading] = []
    left_out: list[Refused] = []
    for place, document in _each(whole_text(stream)):
        try:
            drives.append(_drive(place, document))
        except Refused as refused:
            left_out.append(refused)
    if not drives:
        raise left_out[0] if left_out else Refused("line 1", "contains no document of smartctl")
    return FileReading(file=file, drives=tuple(drives), notes=tuple(map(str, left_out)))


def _each(text: str) -> Iterator[tuple[str, Any]]:
    count = 0
    for place, value in documents(text):
        for document in value if isinstance(value, list) else [value]:
            count += 1
            within(count, MOST_DRIVES, place, "drives")
            yield place, document


def _drive(place: str, document: Any) -> DriveReading:
    if not is_smartctl(document):
        raise Refused(place, "is not a document of smartctl")
    table = _attributes(document)
    evidence = Evidence(tool_released_s=_FIRST_JSON_S)
    _identity(evidence, document)
    if spins(at(document, "rotation_rate"), table, f"{evidence.model} {evidence.family}"):
        raise Refused(place, "is a hard disk, not an SSD")
    log = at(document, "nvme_smart_health_information_log")
    if isinstance(log, dict):
        take_health(evidence, log, "nvme_smart_health_information_log.")
    _ata(evidence, document, table)
    _sas(evidence, document)
    _endurance(evidence, document)
    evidence_hours = at(document, "power_on_time", "hours")
    if evidence.power_on_s is None:
        evidence.hours(evidence_hours, "power_on_time.hours")
    _refuse_empty(place, evidence, document)
    return drive_reading(evidence)


def _refuse_empty(place: str, evidence: Evidence, document: Mapping[str, Any]) -> None:
    known = (evidence.host_bytes, evidence.user_bytes, evidence.erase_cycles, evidence.power_on_s)
    if any(known) or evidence.used or evidence.counters.unused:
        return
    statement = at(document, "smartctl", "messages")
    first = statement[0] if isinstance(statement, list) and statement else None
    words = at(first, "string")
    remark = f"; smartctl says: {words[:120]}" if isinstance(words, str) else ""
    raise Refused(place, f"has neither capacity, writes nor wear{remark}")


def _identity(evidence: Evidence, document: Mapping[str, Any]) -> None:
    evidence.model = _first_text(document, "model_name", "scsi_model_name", "product")
    evidence.family = _first_text(document, "model_family")
    evidence.serial = _first_text(document, "serial_number")
    protocol = at(document, "device", "protocol")
    evidence.protocol = protocol if isinstance(protocol, str) else ""
    read_at = at(document, "local_time", "time_t")
    if isinstance(read_at, int) and 0 < read_at < 1 << 40:
        evidence.read_at_s = float(read_at)
    for path in (("user_capacity", "bytes"), ("nvme_total_capacity",)):
        value = at(document, *path)
        if value and evidence.user_bytes is None:
            evidence.user_bytes = evidence.exact(value, ".".join(path))
    if evidence.user_bytes is None:
        _namespaces(evidence, at(document, "nvme_namespaces"))


def _namespaces(evidence: Evidence, namespaces: object) -> None:
    """Take the capacity of a drive that has one namespace."""
    if isinstance(namespaces, list) and len(namespaces) == 1:
        size = at(namespaces[0], "size", "bytes")
        evidence.user_bytes = evidence.exact(size, "nvme_namespaces[0].size.bytes")


def _attributes(document: Mapping[str, Any]) -> list[Attribute]:
    table = at(document, "ata_smart_attributes", "table")
    lines = []
    for line in table if isinstance(table, list) else ():
        number, name = at(line, "id"), at(line, "name")
        if isinstance(number, int) and isinstance(name, str):
            raw = at(line, "raw", "string")
            lines.append(
                Attribute(
                    number=number, name=name, value=at(line, "value"),
                    raw=at(line, "raw", "value") if raw is None else raw,
                )
            )  # fmt: skip
    return lines


def _ata(evidence: Evidence, document: Mapping[str, Any], table: list[Attribute]) -> None:
    pages = at(document, "ata_device_statistics", "pages")
    lines = [
        Statistic(name=at(line, "name"), value=at(line, "value"))
        for page in (pages if isinstance(pages, list) else ())
        for line in (at(page, "table") if isinstance(at(page, "table"), list) else ())
        if isinstance(at(line, "name"), str)
    ]
    sector = at(document, "logical_block_size")
    take_logs(evidence, table, lines, sector_bytes=sector if sector in (512, 4096) else 512)


def _sas(evidence: Evidence, document: Mapping[str, Any]) -> None:
    for key in _SAS_USED:
        points = evidence.counters.take(at(document, key), key)
        if points is not None:
            evidence.state_used(points, key)
            break
    written = at(document, "scsi_error_counter_log", "write", "gigabytes_processed")
    field = "scsi_error_counter_log.write.gigabytes_processed"
    take_gigabytes(evidence, written, field)
    errors = at(document, "scsi_error_counter_log", "read", "total_uncorrected_errors")
    if evidence.media_errors is None:
        field = "scsi_error_counter_log.read.total_uncorrected_errors"
        evidence.media_errors = evidence.exact(errors, field)


def _endurance(evidence: Evidence, document: Mapping[str, Any]) -> None:
    """Take the summary of newer versions if no other indicator of wear is known."""
    field = "endurance_used.current_percent"
    points = evidence.counters.take(at(document, "endurance_used", "current_percent"), field)
    if points is not None and not evidence.used:
        evidence.state_used(points, field)


def take_gigabytes(evidence: Evidence, written: object, field: str) -> None:
    """Add host writes of a SAS drive, in GB of 10^9 bytes to three decimals."""
    if written is None:
        return
    whole_part, _, decimals = str(written).partition(".")
    if len(decimals) > 9 or not (decimals or "0").isdecimal():
        evidence.counters.skip(field, written, "is not a number of gigabytes")
        return
    steps = evidence.counters.take(whole_part + decimals, field)
    if steps is not None:
        evidence.host_bytes = counter(steps, field, GB / 10 ** len(decimals))


def _first_text(document: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        value = document.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()[:200]
    return ""
