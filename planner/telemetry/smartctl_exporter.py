"""Prometheus text of smartctl_exporter: the drives of one host at one moment."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from models.units import HOUR_S
from planner.telemetry.attributes import Attribute, Statistic
from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.nvme import DATA_UNIT_BYTES, take_health
from planner.telemetry.prometheus import Sample, samples
from planner.telemetry.record import DriveReading, FileReading, Refused
from planner.telemetry.sata import spins, take_logs

MARK = "smartctl_device"
_SECTORS = (512.0, 4096.0)
_STATISTIC = ("statistic_name", "name")  # labels of newer and older releases
_WRITTEN = "device_bytes_written"
_BINARY = 1024.0  # releases that multiply data units by 1,024 sectors print 2.4 % too much


@dataclass(kw_only=True)
class _Device:
    """The samples of one drive, and the line on which they begin."""

    place: str
    labels: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    attributes: dict[tuple[int, str], dict[str, float]] = field(default_factory=dict)
    statistics: list[Statistic] = field(default_factory=list)


def looks_like(head: bytes) -> bool:
    """Whether a file begins like the page of an exporter with drives."""
    return any(line.startswith(MARK) for line in head_text(head).splitlines())


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read every drive of a page; hard disks are left out with a note."""
    drives, left_out = drives_of(samples(whole_text(stream), MARK))
    if not drives:
        raise left_out[0] if left_out else Refused("line 1", "contains no sample of a drive")
    return FileReading(file=file, drives=tuple(drives), notes=tuple(map(str, left_out)))


def drives_of(
    page: Iterable[Sample], read_at_s: float | None = None
) -> tuple[list[DriveReading], list[Refused]]:
    """Return every drive of the samples of one moment, and why others are left out."""
    drives: list[DriveReading] = []
    left_out: list[Refused] = []
    devices = _devices(page)
    step = _sectors_of_a_unit(devices)
    for device in devices:
        try:
            drives.append(_drive(device, read_at_s, step))
        except Refused as refused:
            left_out.append(refused)
    return drives, left_out


def _devices(page: Iterable[Sample]) -> list[_Device]:
    found: dict[str, _Device] = {}
    for sample in page:
        labels = sample.labels
        device = found.setdefault(labels.get("device", ""), _Device(place=sample.place))
        within(len(found), MOST_DRIVES, sample.place, "drives")
        _add(device, sample.name.removeprefix("smartctl_"), labels, sample.value)
    return list(found.values())


def _add(device: _Device, name: str, labels: dict[str, str], value: float) -> None:
    match name:
        case "device":
            device.labels = labels
        case "device_attribute":
            number, kind = labels.get("attribute_id", ""), labels.get("attribute_value_type", "")
            if number.isdecimal() and len(number) < 4:
                key = int(number), labels.get("attribute_name", "")[:200]
                device.attributes.setdefault(key, {})[kind] = value
        case "device_statistics":
            called = next((labels[key] for key in _STATISTIC if key in labels), "")
            device.statistics.append(Statistic(name=called[:200], value=value))
        case "device_block_size":
            if labels.get("blocks_type") == "logical":
                device.numbers[name] = value
        case _:
            device.numbers[name] = value


def _sectors_of_a_unit(devices: Iterable[_Device]) -> float:
    """Return the sectors that the release of a page counts in a data unit: 1,024 or 1,000.

    One number of the latter in 128 is a multiple of both; those of all drives of a page rarely are.
    """
    written = [
        one.numbers.get(_WRITTEN, 0.0) % ((one.numbers.get("device_block_size") or 512.0) * _BINARY)
        for one in devices
        if one.labels.get("protocol", "").strip() == "NVMe"
    ]
    return 1000.0 if any(written) else _BINARY


def _drive(device: _Device, read_at_s: float | None, unit_sectors: float) -> DriveReading:
    labels, numbers = device.labels, device.numbers
    table = [
        Attribute(number=number, name=name, value=kinds.get("value"), raw=kinds.get("raw"))
        for (number, name), kinds in device.attributes.items()
    ]
    evidence = Evidence(
        model=labels.get("model_name", "").strip()[:200],
        family=labels.get("model_family", "").strip()[:200],
        serial=labels.get("serial_number", "").strip()[:200],
        protocol=labels.get("protocol", "").strip()[:20],
        read_at_s=read_at_s,
    )
    rotation = int(max(numbers.get("device_rotation_rate", 0.0), 0.0))
    if rotation or spins(None, table, f"{evidence.model} {evidence.family}"):
        raise Refused(device.place, "is a hard disk, not an SSD")
    if evidence.protocol == "NVMe":
        _health(evidence, numbers, unit_sectors)
    sector = numbers.get("device_block_size", 512.0)
    take_logs(
        evidence, table, device.statistics, sector_bytes=sector if sector in _SECTORS else 512.0
    )
    _present(evidence, numbers)
    return drive_reading(evidence)


def _health(evidence: Evidence, numbers: dict[str, float], unit_sectors: float) -> None:
    """Add the health log; the exporter prints 0 for what a drive has not."""
    units = _data_units(evidence, numbers, unit_sectors) if numbers.get(_WRITTEN) else None
    log = {
        "percentage_used": numbers.get("device_percentage_used"),
        "available_spare": numbers.get("device_available_spare"),
        "media_errors": numbers.get("device_media_errors"),
        "data_units_written": units,
    }
    labels = {key: f"{MARK}_{key}" for key in log} | {"data_units_written": f"smartctl_{_WRITTEN}"}
    take_health(evidence, log, labels=labels)


def _data_units(evidence: Evidence, numbers: dict[str, float], unit_sectors: float) -> float | None:
    """Return data units from bytes, which releases compute as 1,024 or as 1,000 sectors each."""
    bytes_, sector = numbers[_WRITTEN], numbers.get("device_block_size", 512.0)
    step = sector * _BINARY if unit_sectors == _BINARY else DATA_UNIT_BYTES
    if step > 0 and bytes_ % step == 0:
        return bytes_ / step
    evidence.counters.skip(
        f"smartctl_{_WRITTEN}", f"{bytes_:.6g} B", "is not a number of data units"
    )
    return None


def _present(evidence: Evidence, numbers: dict[str, float]) -> None:
    """Add capacity and power-on time unless they are 0, which means unknown."""
    if capacity := numbers.get("device_capacity_bytes"):
        evidence.user_bytes = evidence.exact(capacity, "smartctl_device_capacity_bytes")
    seconds = numbers.get("device_power_on_seconds")
    if evidence.power_on_s is None and seconds:
        evidence.hours(seconds // HOUR_S, "smartctl_device_power_on_seconds")
