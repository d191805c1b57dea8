"""Evidence of one drive in a file, and the record made of it.

Readers of every format fill in an `Evidence`; what follows from several numbers together (write
amplification, implied cycles, drive writes per day, the match in the catalogue) is computed here
once.
"""

import hashlib
import math
from dataclasses import dataclass, field
from datetime import UTC, datetime

from models import endurance, wear_indicator
from models.units import DAY_S, HOUR_S
from planner.telemetry import gate, wear
from planner.telemetry.matching import match
from planner.telemetry.numerals import Counters
from planner.telemetry.record import DriveReading, Observed

__all__ = ["LATEST_S", "Evidence", "drive_reading", "percent_used"]

LATEST_S = 4_102_444_800.0  # 2100, in seconds since 1970; a later clock is wrong
_MORE_THAN = 255  # a percentage that says no more than "above 254"
_UNITS = {"host_bytes": " B", "flash_bytes": " B"}


@dataclass(kw_only=True)
class Evidence:
    """Numbers of one drive; `used` holds every statement on wear, that of a standard log first.

    `tool_released_s` is when the program that wrote the file was released, where the file says so;
    `host_by_standard` that a log whose unit a standard defines gave the host writes.
    """

    counters: Counters = field(default_factory=Counters)
    model: str = ""
    family: str = ""
    serial: str = ""
    protocol: str = ""
    compresses: bool = False
    read_at_s: float | None = None
    tool_released_s: float | None = None
    user_bytes: Observed | None = None
    power_on_s: Observed | None = None
    host_bytes: Observed | None = None
    host_by_standard: bool = False
    flash_bytes: Observed | None = None
    wa: Observed | None = None
    used: list[Observed] = field(default_factory=list)
    spare_fraction: Observed | None = None
    erase_cycles: Observed | None = None
    media_errors: Observed | None = None

    def hours(self, value: object, name: str) -> None:
        """Take power-on hours, unless no drive can have run for so long."""
        hours = self.counters.take(value, name)
        if hours is None:
            return
        if hours * HOUR_S > gate.LONGEST_S:
            self.counters.skip(name, value, "is longer than any drive has run")
            return
        self.power_on_s = Observed(
            value=hours * HOUR_S, field=name, low=hours * HOUR_S, high=(hours + 1) * HOUR_S
        )

    def exact(self, value: object, name: str, scale: float = 1.0) -> Observed | None:
        """Take a number that has no step."""
        number = self.counters.take(value, name)
        if number is None:
            return None
        scaled = number * scale
        return Observed(value=scaled, field=name, low=scaled, high=scaled)

    def take_back(self, name: str, reason: str) -> None:
        """Take back a number that was read, and name it with the reason."""
        said: Observed = getattr(self, name)
        self.counters.skip(said.field, f"{said.value:.6g}{_UNITS.get(name, '')}", reason)
        setattr(self, name, None)


def percent_used(points: float, name: str) -> Observed:
    """Return whole points of life used: rounded either way, so a point to each side.

    >>> percent_used(255, "percentage_used").high
    inf
    """
    if points >= _MORE_THAN:
        return Observed(
            value=points / 100, field=name, low=2.54, high=math.inf, note="more than 254 %"
        )
    return Observed(
        value=points / 100, field=name, low=max(points - 1, 0) / 100, high=(points + 1) / 100
    )


def drive_reading(evidence: Evidence) -> DriveReading:
    """Return the record of a drive, with everything that follows from its numbers."""
    gate.apply(evidence)
    used = wear.agreed(evidence)
    wa = evidence.wa or _wa(evidence)
    clock_set = _clock(evidence)
    capacity = evidence.user_bytes
    return DriveReading(
        model=evidence.model,
        family=evidence.family,
        identity=_digest(evidence.serial),
        protocol=evidence.protocol,
        read_at_s=_possible(evidence.read_at_s),
        clock_set=clock_set,
        drive_id=match(evidence.model, capacity.value if capacity else None),
        user_bytes=capacity,
        power_on_s=evidence.power_on_s,
        host_bytes=evidence.host_bytes,
        flash_bytes=evidence.flash_bytes,
        wa=wa,
        used_fraction=used,
        spare_fraction=evidence.spare_fraction,
        erase_cycles=evidence.erase_cycles,
        pe_cycles=_pe_cycles(evidence, used),
        dwpd=_dwpd(evidence),
        media_errors=evidence.media_errors,
        unused=tuple(evidence.counters.unused),
        notes=tuple(evidence.counters.notes),
    )


def _clock(evidence: Evidence) -> bool:
    """Whether the file's clock gives dates; where it was not set, say so."""
    moment = evidence.read_at_s
    if moment is None or gate.clock_was_set(moment, evidence.tool_released_s):
        return True
    said = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")
    evidence.counters.notes.append(
        f"The clock of the file says {said} and was not set: durations hold, dates would not."
    )
    return False


def _wa(evidence: Evidence) -> Observed | None:
    host, flash = evidence.host_bytes, evidence.flash_bytes
    if host is None or flash is None or host.value <= 0:
        return None
    least = gate.least_wa(evidence)
    ratio = Observed(
        value=max(flash.value / host.value, least),
        field=f"{flash.field} / {host.field}",
        low=max(flash.low / host.high, least),
        high=flash.high / host.low if host.low > 0 else math.inf,
    )
    if ratio.high < 1:
        evidence.counters.notes.append(
            "Less was written to the flash than by the host: the controller compresses."
        )
    return ratio


def _pe_cycles(evidence: Evidence, used: Observed | None) -> Observed | None:
    """Return the rated cycles that an erase count and the share of life used stand for."""
    erases = evidence.erase_cycles
    if erases is None or used is None or erases.value <= 0 or used.value <= 0:
        return None

    return Observed(
        value=_rating(erases.value, used.value),
        field=f"{erases.field} / {used.field}",
        low=_rating(max(erases.low, 0.5), used.high) if math.isfinite(used.high) else 0.0,
        high=_rating(erases.high, used.low),
    )


def _rating(cycles: float, share: float) -> float:
    if share <= 0:
        return math.inf
    return wear_indicator.pe_cycles(cycles, raw_bytes=1.0, points_used=100 * share)


def _dwpd(evidence: Evidence) -> Observed | None:
    host, capacity, hours = evidence.host_bytes, evidence.user_bytes, evidence.power_on_s
    if host is None or capacity is None or hours is None:
        return None
    if min(host.value, capacity.value, hours.value) <= 0:
        return None
    most = endurance.required_dwpd(host.value / hours.value, user_bytes=capacity.value)
    return Observed(
        value=most,
        field=f"{host.field} / {capacity.field} / {hours.field}",
        low=0.0,
        high=endurance.required_dwpd(host.high / hours.low, user_bytes=capacity.value)
        if hours.low >= DAY_S
        else math.inf,
        note="per day of power-on time, so at most this per day of the calendar",
    )


def _possible(moment_s: float | None) -> float | None:
    return moment_s if moment_s is not None and moment_s < LATEST_S else None


def _digest(serial: str) -> str:
    """Distinguish drives without storing what identifies them; placeholders are no serial."""
    bare = serial.strip("-. *xX0").upper()
    if len(bare) < 4 or "REDACT" in bare:
        return ""
    return hashlib.sha256(bare.encode()).hexdigest()[:12]
