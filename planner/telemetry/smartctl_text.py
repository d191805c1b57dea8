"""Text of `smartctl -a` or `-x`: SATA, SAS and NVMe, one or several drives."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from planner.telemetry.attributes import Attribute, Statistic
from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, MOST_LINES, within
from planner.telemetry.nvme import take_health
from planner.telemetry.record import DriveReading, FileReading, Refused
from planner.telemetry.sata import spins, take_logs
from planner.telemetry.smartctl_json import take_gigabytes

_BANNER = re.compile(r"^smartctl \d", re.MULTILINE)
_RELEASE = re.compile(r"smartctl \S+ (\d{4}-\d\d-\d\d) ")
_SIGNS = re.compile(r"=== START OF |^ID# ATTRIBUTE_NAME|SMART/Health Information", re.MULTILINE)
_ATTRIBUTE = re.compile(
    r" *(?P<number>\d{1,3}) +(?P<name>[!-~]+) +(?:0x[0-9a-fA-F]{4}|[-POSRCK]{6})"
    r" +(?P<value>\d{1,3}) +(?:\d{1,3}|---) +(?:\d{1,3}|---)"
    r" +(?:(?:Pre-fail|Old_age) +(?:Always|Offline) +)?"
    r"[!-~]+ +(?P<raw>.+)"
)
_STATISTIC = re.compile(
    r"0x[0-9a-f]{2} +0x[0-9a-f]{3} +\d+ +(?P<value>[!-~]+) +[-NDCV!-~]{3} +(?P<name>.+)"
)
_PAIR = re.compile(r"(?P<key>[A-Za-z][^:]{1,60}?): *(?P<value>\S.*)?")
_SAS_WRITES = re.compile(r"write: +(?:\d+ +){5}(?P<gigabytes>\d+(?:\.\d+)?) +\d+ *")
_SAS_HOURS = re.compile(
    r"(?:Accumulated power on time, hours:minutes|number of hours powered up =) *(\d+)"
)
_HEALTH = {
    "Data Units Written": "data_units_written",
    "Host Write Commands": "host_writes",
    "Percentage Used": "percentage_used",
    "Available Spare": "available_spare",
    "Power On Hours": "power_on_hours",
    "Media and Data Integrity Errors": "media_errors",
}
_MODEL = ("Device Model", "Model Number", "Product")
_CAPACITY = ("User Capacity", "Total NVM Capacity", "Namespace 1 Size/Capacity", "Size/Capacity")
_TIME = "%a %b %d %H:%M:%S %Y"


def looks_like(head: bytes) -> bool:
    """Whether a file begins like this format."""
    text = head_text(head)
    return text.lstrip()[:1] not in ("{", "[") and bool(
        _BANNER.search(text) and _SIGNS.search(text)
    )


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read every drive of a file; hard disks are left out with a note."""
    drives: list[DriveReading] = []
    left_out: list[Refused] = []
    for count, (first, lines) in enumerate(_parts(whole_text(stream)), start=1):
        within(count, MOST_DRIVES, f"line {first}", "drives")
        try:
            drives.append(_drive(first, lines))
        except Refused as refused:
            left_out.append(refused)
    if not drives:
        raise left_out[0] if left_out else Refused("line 1", "contains no output of smartctl")
    return FileReading(file=file, drives=tuple(drives), notes=tuple(map(str, left_out)))


def _parts(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each drive's first line number and its lines."""
    within(text.count("\n"), MOST_LINES, "line 1", "lines")
    starts = [found.start() for found in _BANNER.finditer(text)] or [0]
    line = 1 + text.count("\n", 0, starts[0])
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        yield line, part.splitlines()
        line += part.count("\n")


def _drive(first: int, lines: list[str]) -> DriveReading:
    place, pairs = f"line {first}", _pairs(lines)
    table = [_attribute(found) for line in lines if (found := _ATTRIBUTE.fullmatch(line[:400]))]
    evidence = Evidence()
    _identity(evidence, pairs)
    if spins(pairs.get("Rotation Rate"), table, f"{evidence.model} {evidence.family}"):
        raise Refused(place, "is a hard disk, not an SSD")
    evidence.tool_released_s = _released(lines)
    health = {name: pairs[key] for key, name in _HEALTH.items() if key in pairs}
    bare = {name: text.partition("[")[0] for name, text in health.items()}
    take_health(evidence, bare, labels={name: key for key, name in _HEALTH.items()})
    statistics = [
        Statistic(name=found["name"].strip(), value=found["value"])
        for line in lines
        if (found := _STATISTIC.fullmatch(line[:400])) and found["value"].isdigit()
    ]
    take_logs(evidence, table, statistics, sector_bytes=_sector(pairs))
    _sas(evidence, pairs, lines)
    known = (evidence.host_bytes, evidence.user_bytes, evidence.erase_cycles, evidence.power_on_s)
    if not (any(known) or evidence.used or evidence.counters.unused):
        raise Refused(place, "has neither capacity, writes nor wear")
    return drive_reading(evidence)


def _pairs(lines: list[str]) -> dict[str, str]:
    """Return "Key: value" lines, the first of each key."""
    pairs: dict[str, str] = {}
    for line in lines:
        found = _PAIR.fullmatch(line[:400].rstrip())
        if found:
            pairs.setdefault(found["key"].strip(), (found["value"] or "").strip())
    return pairs


def _attribute(found: re.Match[str]) -> Attribute:
    return Attribute(
        number=int(found["number"]), name=found["name"], value=found["value"], raw=found["raw"]
    )


def _identity(evidence: Evidence, pairs: dict[str, str]) -> None:
    evidence.model = next((pairs[key][:200] for key in _MODEL if pairs.get(key)), "")
    evidence.family = pairs.get("Model Family", "")
    evidence.serial = pairs.get("Serial Number", "") or pairs.get("Serial number", "")
    evidence.protocol = (
        "NVMe" if "Model Number" in pairs else "SCSI" if "Product" in pairs else "ATA"
    )
    evidence.read_at_s = _moment(pairs.get("Local Time is", ""))
    for key in _CAPACITY:
        if evidence.user_bytes is None and pairs.get(key):
            written = pairs[key].partition("[")[0].removesuffix("bytes ").strip()
            size = evidence.exact(written.removesuffix("bytes").strip(), key)
            evidence.user_bytes = size if size and size.value > 0 else None


def _moment(text: str) -> float | None:
    """Return seconds since 1970, to within half a day, as the time zone is ignored."""
    words = " ".join(text.split()[:5])
    try:
        return datetime.strptime(words, _TIME).replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _released(lines: list[str]) -> float | None:
    """Return the release date of smartctl: "smartctl 7.1 2020-06-20 r5066"."""
    found = _RELEASE.match(lines[0][:200]) if lines else None
    try:
        return datetime.fromisoformat(found[1] + "T00:00+00:00").timestamp() if found else None
    except ValueError:
        return None


def _sector(pairs: dict[str, str]) -> float:
    statement = pairs.get("Sector Sizes") or pairs.get("Sector Size") or ""
    return 4096.0 if statement.startswith("4096 bytes logical") else 512.0


def _sas(evidence: Evidence, pairs: dict[str, str], lines: list[str]) -> None:
    field = "Percentage used endurance indicator"
    points = evidence.counters.take(pairs.get(field, "").removesuffix("%") or None, field)
    if points is not None:
        evidence.state_used(points, field)
    for line in lines:
        writes = _SAS_WRITES.fullmatch(line[:200])
        if writes:
            take_gigabytes(evidence, writes["gigabytes"], "write: gigabytes processed")
        hours = _SAS_HOURS.match(line.strip()[:200])
        if hours and evidence.power_on_s is None:
            evidence.hours(hours[1], "hours powered up")
