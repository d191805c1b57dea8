"""Evidence of one drive in a file, and the record made of it.

Readers of every format fill in an `Evidence`; what follows from several numbers together (write
amplification, implied cycles, drive writes per day, the match in the catalogue) is computed here
once.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from models import endurance, wear_indicator
from models.units import DAY_S, HOUR_S
from planner.telemetry.matching import match
from planner.telemetry.numerals import Counters
from planner.telemetry.record import DriveReading, Observed

__all__ = ["LATEST_S", "LONGEST_S", "Evidence", "drive_reading", "percent_used"]

LATEST_S = 4_102_444_800.0  # 2100, in seconds since 1970; a later clock is wrong
LONGEST_S = 30 * 8766 * HOUR_S  # no drive of this kind has run for longer
_MORE_THAN = 255  # a percentage that says no more than "above 254"


@dataclass(kw_only=True)
class Evidence:
    """Numbers of one drive; `used` holds every statement on wear, the most trusted first."""

    counters: Counters = field(default_factory=Counters)
    model: str = ""
    family: str = ""
    serial: str = ""
    protocol: str = ""
    read_at_s: float | None = None
    user_bytes: Observed | None = None
    power_on_s: Observed | None = None
    host_bytes: Observed | None = None
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
        if hours * HOUR_S > LONGEST_S:
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
    notes = list(evidence.counters.notes)
    used = _agreed(evidence.used, notes)
    wa = evidence.wa or _wa(evidence, notes)
    capacity = evidence.user_bytes
    return DriveReading(
        model=evidence.model,
        family=evidence.family,
        identity=_digest(evidence.serial),
        protocol=evidence.protocol,
        read_at_s=_possible(evidence.read_at_s),
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
        notes=tuple(notes),
    )


def _agreed(said: Sequence[Observed], notes: list[str]) -> Observed | None:
    """Return the interval that all statements on wear allow; contradictions are left out, noted."""
    if not said:
        return None
    low, high, agreeing = said[0].low, said[0].high, [said[0]]
    for other in said[1:]:
        if other.low <= high and other.high >= low:
            low, high = max(low, other.low), min(high, other.high)
            agreeing.append(other)
        else:
            notes.append(
                f"{other.field} says {100 * other.value:.4g} % of the life is used, "
                f"{said[0].field} {100 * said[0].value:.4g} %; the latter is taken."
            )
    best = min(agreeing, key=lambda one: one.high - one.low)
    return Observed(
        value=min(max(best.value, low), high), field=best.field, low=low, high=high, note=best.note
    )


def _wa(evidence: Evidence, notes: list[str]) -> Observed | None:
    host, flash = evidence.host_bytes, evidence.flash_bytes
    if host is None or flash is None or host.value <= 0:
        return None
    if flash.value <= 0:
        evidence.counters.skip(flash.field, "0", "stays at zero although the host wrote")
        evidence.flash_bytes = None
        return None
    ratio = Observed(
        value=flash.value / host.value,
        field=f"{flash.field} / {host.field}",
        low=flash.low / host.high,
        high=flash.high / host.low if host.low > 0 else math.inf,
    )
    if ratio.high < 1:
        notes.append("Less was written to the flash than by the host: the drive compresses.")
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
