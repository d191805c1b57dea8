"""Readings of many drives as columns, collected from files of any kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.telemetry.record import DriveReading, Observed

Floats = NDArray[np.float64]

# Columns of numbers, NaN where a reading does not state them.
# `readings` is how many readings a row stands for.
COUNTERS = (
    "host_bytes", "flash_bytes", "points", "points_low", "points_high", "power_on_s",
    "erase_cycles", "erase_cycles_low", "erase_cycles_high", "readings",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveName:
    """A drive of the fleet: its name (serial number or file), and what was read of it in words.

    `counts_life` is False where the host writes count since the system started, not for life.
    """

    name: str
    model: str = ""
    site: str = ""
    user_bytes: float = np.nan
    counts_life: bool = True


@dataclass(frozen=True, slots=True)
class FileRefusal:
    """A file, or rows of it, that cannot be used, and the reason."""

    file: str
    reason: str
    rows: int | None = None  # None: the whole file


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """Readings in the order of the files: the drive by number, the time, and the counters."""

    drives: tuple[DriveName, ...]
    drive: NDArray[np.int64]
    time_s: Floats
    counters: Mapping[str, Floats]

    def of(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Readings":
        """Return some of the readings."""
        return Readings(
            drives=self.drives, drive=self.drive[rows], time_s=self.time_s[rows],
            counters={name: column[rows] for name, column in self.counters.items()},
        )  # fmt: skip


class Columns(NamedTuple):
    """Readings as columns: the drives by number, times, counters."""

    drive: NDArray[np.int64]
    time_s: Floats
    counters: Mapping[str, Floats]

    def between(self, first: int, end: int) -> "Columns":
        """Return the readings of some drives."""
        rows = (self.drive >= first) & (self.drive < end)
        counters = {name: column[rows] for name, column in self.counters.items()}
        return Columns(self.drive[rows], self.time_s[rows], counters)


class FilePart(Protocol):
    """Readings that can be taken drive by drive."""

    def between(self, first: int, end: int) -> Columns:
        """Return the readings of some drives."""


@dataclass(slots=True)
class Collection:
    """Collects readings from files and tables; a drive is known by serial number and model."""

    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    _drives: list[DriveName] = field(default_factory=list)
    _parts: list[FilePart] = field(default_factory=list)
    _smart: set[str] = field(default_factory=set)  # identities whose counters are of the life
    _of_systems: list[tuple[str, DriveReading]] = field(default_factory=list)
    refused: list[FileRefusal] = field(default_factory=list)
    read: int = 0

    def number(self, key: str, drive: DriveName) -> int:
        """Return the number of a drive; a later file may add what an earlier did not state."""
        number = self._numbers.setdefault((key, drive.model), len(self._drives))
        if number == len(self._drives):
            self._drives.append(drive)
        return number

    def add_readings(self, file: str, drives: Sequence[DriveReading]) -> None:
        """Take the drives of a file; without a serial number, all of one model are one drive."""
        numbers, times, counters = [], [], []
        several = len({reading.identity for reading in drives}) > 1
        nameless = sum(
            not one.identity and one.read_at_s is None and one.activity is None for one in drives
        )
        if nameless > 1:
            reason = f"{nameless} readings have neither serial number nor date: of one drive is "
            self.refuse(file, f"{reason}taken only that with the most writes", nameless - 1)
        self._of_systems += [(file, one) for one in drives if one.activity is not None]
        for reading in (one for one in drives if one.activity is None):
            self._smart.add(reading.identity)
            if reading.host_bytes is None and reading.unused:
                left_out = (f"{one.field} {one.text}: {one.reason}" for one in reading.unused[:3])
                self.refuse(file, f"without {'; '.join(left_out)}", 1)
            capacity = reading.user_bytes.value if reading.user_bytes else np.nan
            called = f"{file}#{reading.identity}" if several and reading.identity else file
            name = DriveName(name=called, model=reading.model, user_bytes=capacity)
            numbers.append(self.number(reading.identity or f"file {file}", name))
            known = reading.read_at_s if reading.clock_set else None
            times.append(np.nan if known is None else known)
            counters.append(counters_of(reading))
        self._add_rows(numbers, times, counters)

    def _add_rows(
        self, numbers: Sequence[int], times: Sequence[float], counters: Sequence[Sequence[float]]
    ) -> None:
        rows = np.array(counters, float).reshape(-1, len(COUNTERS))
        stated = dict(zip(COUNTERS, rows.T, strict=True))
        self.add(Columns(np.array(numbers, np.int64), np.array(times, float), stated))

    def add_systems(self) -> None:
        """Take the drives that only the counters of their systems describe, when all are read.

        Those whose SMART log was read too are left out, as its counters cover the whole life. The
        start of a system, or of an interval, is a reading of 0; without a date, the counted time
        serves as power-on time, which gives the rate.
        """
        numbers, times, counters = [], [], []
        started: set[tuple[int, float]] = set()
        for file, reading in self._of_systems:
            activity, now = reading.activity, reading.read_at_s
            called = f"{file}#{reading.device}"
            if activity is None or (reading.identity and reading.identity in self._smart):
                self.refuse(file, f"{reading.device}: its SMART log is read, which counts life", 1)
                continue
            name = DriveName(name=called, model=reading.model, counts_life=False)
            number = self.number(f"system {reading.identity or called}", name)
            on = activity.span_s if now is None else np.nan
            rows = [(now, activity.host_bytes.value, on, 1.0)]
            if now is not None and (number, now - activity.span_s) not in started:
                started.add((number, now - activity.span_s))
                rows.append((now - activity.span_s, 0.0, on, 0.0))
            for time, host, on_s, count in rows:
                numbers.append(number)
                times.append(np.nan if time is None else time)
                stated = {"host_bytes": host, "power_on_s": on_s, "readings": count}
                counters.append([stated.get(name, np.nan) for name in COUNTERS])
        self._add_rows(numbers, times, counters)

    def add(self, part: FilePart) -> None:
        """Take readings whose drives are numbered."""
        self._parts.append(part)

    def refuse(self, file: str, reason: str, rows: int | None = None) -> None:
        """Count and name what cannot be used."""
        self.refused.append(FileRefusal(file, reason, rows))

    @property
    def drives(self) -> int:
        """Number of drives that were read."""
        return len(self._drives)

    def readings(self, first: int, end: int) -> Readings:
        """Return the readings of some drives, which are numbered from 0 there."""
        parts = [part.between(first, end) for part in self._parts]
        none = np.zeros(0)
        return Readings(
            drives=tuple(self._drives[first:end]),
            drive=np.concatenate([none, *(part.drive for part in parts)]).astype(np.int64) - first,
            time_s=np.concatenate([none, *(part.time_s for part in parts)]),
            counters={
                name: np.concatenate([none, *(part.counters[name] for part in parts)])
                for name in COUNTERS
            },
        )


def counters_of(reading: DriveReading) -> tuple[float, ...]:
    """Return the counters of a reading in the order of `COUNTERS`."""
    used = reading.used_fraction
    points, erases = (
        (np.nan,) * 3 if one is None else (one.value, one.low, one.high)
        for one in (used, reading.erase_cycles)
    )
    host, flash = _value(reading.host_bytes), _value(reading.flash_bytes)
    if np.isnan(flash) and reading.wa is not None:
        flash = reading.wa.value * host
    on = _value(reading.power_on_s)
    return host, flash, *(100 * share for share in points), on, *erases, 1.0


def _value(number: Observed | None) -> float:
    return np.nan if number is None else number.value
