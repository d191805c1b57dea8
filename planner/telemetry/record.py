"""Records of what a file said, in base units; each number keeps the field that it came from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

__all__ = [
    "DriveReading",
    "Observed",
    "Reading",
    "Refused",
    "Unused",
    "WorkloadReading",
    "as_record",
]


class Refused(ValueError):  # noqa: N818 - named by what happened, as `raise Refused` is read
    """A file, or a part of it, that cannot be read: where, and the reason in half a sentence."""

    def __init__(self, position: str, reason: str) -> None:
        super().__init__(f"{position}: {reason}")
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[type["Refused"], tuple[str, str]]:
        """Pickle by its two parts."""
        return Refused, (self.position, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A number in base units, the field that it came from, and what its step leaves open.

    `low` and `high` enclose the true value: a counter in units of 32 MiB, a percentage in
    whole points. A number that is exact has `low == value == high`.
    """

    value: float
    field: str
    low: float
    high: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """A counter that was there and was not used, and why."""

    field: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveReading:
    """What a file says of one drive at one moment.

    Attributes
    ----------
    model : str
        As the drive names itself; empty where the file does not say.
    identity : str
        Digest of the serial number, to tell drives apart; empty where it is not there.
    read_at_s : float, optional
        When it was read, seconds since 1970. [s]
    clock_set : bool
        Whether `read_at_s` is a date, not merely a time that passes: a clock that was reset is not.
    drive_id : str, optional
        The drive of the catalogue that the model and capacity match.
    user_bytes, power_on_s, host_bytes, flash_bytes : Observed, optional
        Capacity, time under power, bytes written by the host and to the flash. [bytes, s]
    wa : Observed, optional
        Flash bytes over host bytes, with the interval of both counters. [1]
    used_fraction : Observed, optional
        Share of the rated life that the drive says is used; may exceed 1. [1]
    erase_cycles, pe_cycles : Observed, optional
        Mean erase count, and the rating that it implies together with `used_fraction`. [1]
    dwpd : Observed, optional
        Drive writes per day of power-on time, which is at most calendar time. [1/day]
    media_errors : Observed, optional
        Errors that the drive could not correct. [1]
    unused : tuple of Unused
        Counters of unknown or untrusted unit.
    """

    model: str = ""
    family: str = ""
    identity: str = ""
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
    dwpd: Observed | None = None
    media_errors: Observed | None = None
    unused: tuple[Unused, ...] = ()
    notes: tuple[str, ...] = ()


class WorkloadReading:
    """What a file says of a workload or a test; readers of either derive a dataclass."""

    __slots__ = ()

    def plan_options(self) -> dict[str, str]:
        """Return the options of a plan that it supplies, as they are written on a terminal."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One file: its kind, what it holds, or the sentence why it was refused.

    A concatenation holds several drives; `drive` is the first of them.
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


def as_record(reading: Reading) -> dict[str, object]:
    """Return a reading as plain lists and mappings that JSON takes: infinity becomes null.

    >>> as_record(Reading(file="a.json", refused="a.json: byte 0: is empty"))["refused"]
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
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
