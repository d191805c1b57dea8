"""Records of the contents of files, in base units; each number keeps its field in the file."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from planner.quantity.input import ValueText


class Refused(ValueError):  # noqa: N818 - named by what happened, as `raise Refused` is read
    """A file, or a part of it, that cannot be read: position and reason."""

    def __init__(self, position: str, reason: str) -> None:
        super().__init__(f"{position}: {reason}")
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[type["Refused"], tuple[str, str]]:
        """Pickle by position and reason."""
        return Refused, (self.position, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A number in base units, its field in the file, and its interval.

    `low` and `high` enclose the true value, which is uncertain by the step of the counter, such as
    32 MiB or a whole percentage point. An exact number has `low == value == high`.
    """

    value: float
    field: str
    low: float
    high: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """A counter in the file that is not used, and the reason."""

    field: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Counters of the operating system for a block device, since its start or in an interval.

    Attributes:
        host_bytes: Bytes written in `span_s`. [bytes]
        read_bytes: Bytes read in `span_s`. [bytes]
        writes: Write operations in `span_s`, after merging. [1]
        reads: Read operations in `span_s`, after merging. [1]
        span_s: Time in which these were counted. [s]
        since_start: Whether `span_s` began with the system, so that the counters start anew with
            it.
    """

    host_bytes: Observed
    read_bytes: Observed | None = None
    writes: Observed | None = None
    reads: Observed | None = None
    span_s: float
    since_start: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveReading:
    """The counters of one drive at one time.

    Attributes:
        model: Model string of the drive; empty if the file does not state it.
        identity: Digest of the serial number, to distinguish drives; empty without a serial number.
        serial: Serial number, which no record or print shows.
        device: Name of the block device in its system, where the file names drives so.
        activity: Writes and reads by the operating system's counters, which are not those of the
            life.
        read_at_s: Time of the reading, seconds since 1970. [s]
        clock_set: Whether `read_at_s` is a true date; if the clock was not set, only differences
            are valid.
        drive_id: The drive of the catalogue that matches model and capacity.
        user_bytes: User capacity. [bytes]
        power_on_s: Power-on time. [s]
        host_bytes: Bytes written by the host. [bytes]
        flash_bytes: Bytes written to the flash. [bytes]
        wa: Write amplification: flash bytes over host bytes. [1]
        used_fraction: Share of the rated life used, by the drive's indicator; may exceed 1. [1]
        erase_cycles: Mean erase count. [1]
        pe_cycles: Rated cycles that it implies together with `used_fraction`. [1]
        indicator_pe_cycles: Rated cycles by what was written and `used_fraction`: by flash writes
            where they are counted, else by host writes, as of sequential ones. [1]
        field_pe_cycles: The same by host writes with the write amplification of hosts in the field,
            where none is counted. [1]
        dwpd: Drive writes per day of power-on time. [1/day]
        wear_per_s: Share of the rated life used over power-on time. [1/s]
        media_errors: Errors that the drive could not correct. [1]
        unused: Counters of unknown unit, and implausible ones.
    """

    model: str = ""
    family: str = ""
    identity: str = ""
    serial: str = field(default="", repr=False)
    device: str = ""
    protocol: str = ""
    read_at_s: float | None = None
    clock_set: bool = True
    drive_id: str | None = None
    user_bytes: Observed | None = None
    power_on_s: Observed | None = None
    host_bytes: Observed | None = None
    flash_bytes: Observed | None = None
    wa: Observed | None = None
    used_fraction: Observed | None = None
    spare_fraction: Observed | None = None
    erase_cycles: Observed | None = None
    pe_cycles: Observed | None = None
    indicator_pe_cycles: Observed | None = None
    field_pe_cycles: Observed | None = None
    dwpd: Observed | None = None
    wear_per_s: Observed | None = None
    activity: Activity | None = None
    media_errors: Observed | None = None
    unused: tuple[Unused, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Serial number, else model and device, by which drives are told apart."""
        return (self.identity,) if self.identity else (self.model, self.device)


def count_drives(readings: Sequence[DriveReading]) -> int:
    """Count the drives of some readings.

    A reading without serial number and device is one of a drive of its model; one that has no
    model either is one of any.

    >>> one = DriveReading(identity="a1", model="A")
    >>> count_drives([one, DriveReading(model="A"), DriveReading()]), count_drives([DriveReading()])
    (1, 1)
    >>> count_drives([one, DriveReading(identity="b2", model="A"), DriveReading(model="B")])
    3
    """
    models = {one.model for one in readings if one.identity} | {""}
    keys = {one.key for one in readings if one.identity or one.device or one.model not in models}
    return max(len(keys), min(len(readings), 1))


class WorkloadReading:
    """Base class for the workload or test in a file."""

    __slots__ = ()

    def plan_inputs(self) -> dict[str, ValueText]:
        """Return the inputs of a plan that it supplies."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """One file: its format and contents, or the sentence why it was refused.

    A file may contain several drives; `drive` is the first of them.
    """

    file: str
    kind: str = ""
    drives: tuple[DriveReading, ...] = ()
    workload: WorkloadReading | None = None
    refused: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def drive(self) -> DriveReading | None:
        """The only drive of the file, or the first."""
        return self.drives[0] if self.drives else None


def as_record(reading: FileReading) -> dict[str, object]:
    """Return a reading as lists and mappings for JSON; infinity becomes null.

    >>> as_record(FileReading(file="a.json", refused="a.json: byte 0: is empty"))["refused"]
    'a.json: byte 0: is empty'
    """
    record: dict[str, object] = {
        "file": reading.file,
        "kind": reading.kind or None,
        "drive": _plain(reading.drive),
        "workload": _plain(reading.workload),
        "refused": reading.refused,
        "notes": list(reading.notes),
    }
    if len(reading.drives) > 1:
        record["drives"] = _plain(reading.drives)
    return record


def _plain(value: Any) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        shown = (part.name for part in fields(value) if part.repr)
        return {name: _plain(getattr(value, name)) for name in shown}
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
