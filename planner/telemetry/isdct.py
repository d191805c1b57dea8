"""Output of Intel isdct: its text, or the JSON that collectors make of it."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

from planner.telemetry import smart_units
from planner.telemetry.documents import documents, head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.numerals import counter
from planner.telemetry.nvme import take_health
from planner.telemetry.record import DriveReading, FileReading, Observed, Refused
from planner.telemetry.smart_units import BYTES

_JSON_MARK = re.compile(r'"smart_(?:nand|host)_bytes_written_raw"|"endurance_analyzer"')
_SECTION = re.compile(r"- (?P<title>\S.*\S|\S) -")
_PAIR = re.compile(r"(?P<key>[A-Za-z][^:]{0,80}?) *: *(?P<value>.*)")
_TEXT_MARK = re.compile(r"^- .* -$", re.MULTILINE)
_FAMILY = "intel-nvme"
_TOLERANCE = 0.01


def looks_like_json(head: bytes) -> bool:
    """Whether a file begins like the JSON of a collector."""
    text = head_text(head)
    return text.lstrip()[:1] == "{" and bool(_JSON_MARK.search(text))


def looks_like_text(head: bytes) -> bool:
    """Whether a file begins like the text of isdct."""
    text = head_text(head).replace("\r\n", "\n")
    return bool(_TEXT_MARK.search(text)) and any(
        mark in text for mark in ("Bytes Written", "EnduranceAnalyzer", "Percentage Used")
    )


def read_json(file: str, stream: BinaryIO) -> FileReading:
    """Read the drives of a JSON file, whose keys are serial numbers."""
    drives = []
    for place, value in documents(whole_text(stream)):
        if not isinstance(value, dict):
            raise Refused(place, "is not a mapping of drives")
        known = {"": value} if _is_drive(value) else value
        for name, fields in known.items():
            if _is_drive(fields):
                drives.append(_drive(name, fields))
                within(len(drives), MOST_DRIVES, place, "drives")
    if not drives:
        raise Refused("line 1", "contains no drive with counters")
    return FileReading(file=file, drives=tuple(drives))


def read_text(file: str, stream: BinaryIO) -> FileReading:
    """Read the text of isdct: sections with headings in dashes, and lines of keys and values."""
    per_drive = list(islice(_from_text(whole_text(stream)), MOST_DRIVES + 1))
    within(len(per_drive), MOST_DRIVES, "line 1", "drives")
    if not per_drive:
        raise Refused("line 1", "contains no drive with counters")
    drives = tuple(_drive(str(fields.get("serial_number", "")), fields) for fields in per_drive)
    return FileReading(file=file, drives=drives)


def _is_drive(fields: object) -> bool:
    return isinstance(fields, dict) and any(
        key in fields
        for key in ("smart_host_bytes_written_raw", "smart_nand_bytes_written_raw",
                    "data_units_written", "percentage_used")
    )  # fmt: skip


def _drive(serial: str, fields: Mapping[str, Any]) -> DriveReading:
    evidence = Evidence(protocol="NVMe", serial=serial)
    model, family = fields.get("model_number"), fields.get("product_family")
    evidence.model = model[:200] if isinstance(model, str) else ""
    evidence.family = family[:200] if isinstance(family, str) else ""
    moment = fields.get("timestamp")
    if isinstance(moment, int) and 0 < moment < 1 << 40:
        evidence.read_at_s = float(moment)
    take_health(evidence, fields)
    evidence.user_bytes = evidence.exact(fields.get("physical_size"), "physical_size")
    _check_against_log(evidence, _counted(evidence, fields, "host", "245"))
    evidence.flash_bytes = _counted(evidence, fields, "nand", "244")
    cycles = "average_nand_erase_cycles"
    mean = evidence.counters.take(fields.get(cycles), cycles)
    if mean is not None:
        evidence.erase_cycles = counter(mean, cycles, 1.0)
    return drive_reading(evidence)


def _check_against_log(evidence: Evidence, vendor: Observed | None) -> None:
    """Take the vendor's counter, whose step is that of the flash counter, if the log agrees."""
    standard = evidence.host_bytes
    if vendor is None:
        return
    if standard is None or abs(vendor.value - standard.value) <= _TOLERANCE * standard.value:
        evidence.host_bytes = vendor
        return
    statement = f"{vendor.field} says {vendor.value:.6g} B"
    evidence.counters.skip(vendor.field, f"{vendor.value:.6g} B", f"{standard.field} says other")
    evidence.take_back("host_bytes", statement)


def _counted(
    evidence: Evidence, fields: Mapping[str, Any], side: str, number: str
) -> Observed | None:
    """Return a byte counter in its known unit, checked against the bytes printed beside it."""
    (rule,) = smart_units.load().rules_of(_FAMILY, number)
    name = f"smart_{side}_bytes_written_raw"
    raw = evidence.counters.take(fields.get(name), name)
    if raw is None:
        return None
    statement = counter(raw, name, BYTES[rule.unit])
    beside = fields.get(name.removesuffix("raw") + "bytes")
    if isinstance(beside, (int, float)) and not statement.low <= beside <= statement.high:
        evidence.counters.skip(
            name, raw, f"ambiguous: {rule.unit} do not give the bytes beside this counter"
        )
        return None
    return statement


def _from_text(text: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of each drive under the names that collectors use."""
    fields: dict[str, Any] = {}
    attribute: dict[str, str] = {}
    for line in text.splitlines():
        section = _SECTION.fullmatch(line.strip()[:200])
        pair = _PAIR.fullmatch(line.strip()[:400])
        if section:
            _close(fields, attribute)
            attribute = {}
        elif pair:
            key, value = pair["key"].strip(), pair["value"].strip()
            attribute.setdefault(key.casefold(), value)
            if key.casefold() == "serialnumber" and fields.get("serial_number") not in (
                None,
                value,
            ):
                yield fields
                fields = {}
            _keep(fields, key, value)
    _close(fields, attribute)
    if _is_drive(fields):
        yield fields


def _close(fields: dict[str, Any], attribute: Mapping[str, str]) -> None:
    """Add the raw value of a section that is an attribute as a field."""
    described = attribute.get("description", "")
    if described and "raw" in attribute:
        fields.setdefault(f"smart_{_snake(described)}_raw", attribute["raw"])


_TEXT_NAMES = {
    "modelnumber": "model_number", "productfamily": "product_family",
    "serialnumber": "serial_number", "physicalsize": "physical_size",
    "dataunitswritten": "data_units_written", "percentageused": "percentage_used",
    "poweronhours": "power_on_hours", "mediaerrors": "media_errors",
    "averagenanderasecycles": "average_nand_erase_cycles", "availablespare": "available_spare",
}  # fmt: skip


def _keep(fields: dict[str, Any], key: str, value: str) -> None:
    name = _TEXT_NAMES.get(re.sub(r"\W", "", key).casefold())
    if name and value:
        fields.setdefault(name, value)


def _snake(words: str) -> str:
    return re.sub(r"\W+", "_", words.casefold()).strip("_")
