"""Readings of many drives as columns, and those of logs until they are written in buckets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.telemetry.drive_record import bare_serial
from planner.telemetry.record import DriveReading, FileReading, Observed

Floats = NDArray[np.float64]

# Columns of numbers, NaN where a reading does not state them.
# `readings` is how many readings a row stands for.
COUNTERS = (
    "host_bytes", "flash_bytes", "points", "points_low", "points_high", "power_on_s",
    "erase_cycles", "erase_cycles_low", "erase_cycles_high", "readings",
)  # fmt: skip
_NAMES = ("serial", "name", "model")
_NUMBERS = ("user_bytes", "of_system", "time_s", *COUNTERS)
_PAGES = ("smartctl_exporter text", "Prometheus JSON")  # of all drives of a host


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


@dataclass(slots=True)
class LogRows:
    """Collects the readings of logs as rows; a drive is known by serial number and model."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    refused: list[FileRefusal] = field(default_factory=list)
    _smart: set[str] = field(default_factory=set)  # identities whose counters are of the life
    _of_systems: list[tuple[str, DriveReading]] = field(default_factory=list)

    def add(self, file: str, reading: FileReading) -> None:
        """Take the drives of a file; without a serial number, all of one model are one drive."""
        drives = reading.drives
        several = len({one.identity for one in drives}) > 1 or reading.kind in _PAGES
        nameless = sum(
            not one.identity and one.read_at_s is None and one.activity is None for one in drives
        )
        if nameless > 1:
            reason = f"{nameless} readings have neither serial number nor date: of one drive is "
            self.refuse(file, f"{reason}taken only that with the most writes", nameless - 1)
        self._of_systems += [(file, one) for one in drives if one.activity is not None]
        for one in (drive for drive in drives if drive.activity is None):
            self._smart.add(one.identity)
            if one.host_bytes is None and one.unused:
                left_out = (f"{each.field} {each.text}: {each.reason}" for each in one.unused[:3])
                self.refuse(file, f"without {'; '.join(left_out)}", 1)
            serial = one.serial if bare_serial(one.serial) else ""
            capacity = one.user_bytes.value if one.user_bytes else None
            time = one.read_at_s if one.clock_set else None
            name = serial if several and serial else file
            self._row((serial, name, one.model), (capacity, 0.0, time, *counters_of(one)))

    def add_systems(self) -> None:
        """Take the drives that only the counters of their systems describe, when all are read.

        Those whose SMART log was read too are left out, as its counters cover the whole life. The
        start of a system, or of an interval, is a reading of 0; without a date, the counted time
        serves as power-on time, which gives the rate.
        """
        started: set[tuple[str, str, float]] = set()
        for file, reading in self._of_systems:
            activity, now = reading.activity, reading.read_at_s
            if activity is None or (reading.identity and reading.identity in self._smart):
                self.refuse(file, f"{reading.device}: its SMART log is read, which counts life", 1)
                continue
            name = f"{file}#{reading.device}"
            names = (f"system {reading.identity or name}", name, reading.model)
            on = activity.span_s if now is None else np.nan
            rows = [(now, activity.host_bytes.value, on, 1.0)]
            begin = None if now is None else (names[0], reading.model, now - activity.span_s)
            if begin is not None and begin not in started:
                started.add(begin)
                rows.append((begin[2], 0.0, on, 0.0))
            for time, host, on_s, count in rows:
                stated = {"host_bytes": host, "power_on_s": on_s, "readings": count}
                counters = [stated.get(one, np.nan) for one in COUNTERS]
                self._row(names, (None, 1.0, time, *counters))

    def _row(self, names: Sequence[str], numbers: Sequence[float | None]) -> None:
        self.rows.append((*names, *(np.nan if one is None else one for one in numbers)))

    def columns(self) -> dict[str, Any]:
        """Return the rows as columns, and forget them."""
        rows, self.rows = self.rows, []
        columns = zip(*rows, strict=True)
        return dict(zip((*_NAMES, *_NUMBERS), map(list, columns), strict=True))

    def refuse(self, file: str, reason: str, rows: int | None = None) -> None:
        """Count and name what cannot be used."""
        self.refused.append(FileRefusal(file, reason, rows))


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
