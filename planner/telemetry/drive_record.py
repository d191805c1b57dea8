"""The record of one drive from the evidence in a file.

The evidence is first checked for physical plausibility. Then the numbers that follow from several
others are computed: write amplification, implied P/E cycles, drive writes per day, and the match in
the catalogue.
"""

import hashlib
import math
from collections.abc import Iterator
from datetime import UTC, datetime

from models import endurance, wear_indicator
from models.units import DAY_S
from planner.telemetry import gate, wear
from planner.telemetry.evidence import Evidence
from planner.telemetry.indicator_cycles import indicator_cycles
from planner.telemetry.matching import found, match, outside
from planner.telemetry.record import DriveReading, Observed

LATEST_S = 4_102_444_800.0  # 2100, in seconds since 1970; a later clock is wrong


def drive_reading(evidence: Evidence) -> DriveReading:
    """Return the record of a drive, with the numbers that follow from others."""
    gate.apply(evidence)
    used = wear.life_used(evidence)
    wa = evidence.wa or _wa(evidence)
    clock_set = _clock(evidence)
    capacity = evidence.user_bytes
    user_bytes = capacity.value if capacity else None
    drive_id = match(evidence.model, user_bytes)
    by_writes = indicator_cycles(drive_id, used, evidence.host_bytes, evidence.flash_bytes, wa)
    return DriveReading(
        model=evidence.model,
        family=evidence.family,
        identity=digest(evidence.serial),
        serial=evidence.serial,
        protocol=evidence.protocol,
        read_at_s=_possible(evidence.read_at_s),
        clock_set=clock_set,
        drive_id=drive_id,
        user_bytes=capacity,
        power_on_s=evidence.power_on_s,
        host_bytes=evidence.host_bytes,
        flash_bytes=evidence.flash_bytes,
        wa=wa,
        used_fraction=used,
        spare_fraction=evidence.spare_fraction,
        erase_cycles=evidence.erase_cycles,
        pe_cycles=_pe_cycles(evidence, used),
        indicator_pe_cycles=by_writes.counted,
        field_pe_cycles=by_writes.in_field,
        dwpd=_dwpd(evidence),
        wear_per_s=_wear_per_s(evidence, used),
        media_errors=evidence.media_errors,
        unused=tuple(evidence.counters.unused),
        notes=(*evidence.counters.notes, *_names(evidence.model, user_bytes)),
    )


def _names(model: str, user_bytes: float | None) -> Iterator[str]:
    """Yield a note on a model that is no listed drive of the catalogue for certain."""
    known = found(model, user_bytes)
    if known.drive is not None:
        if not known.drive.is_listed:
            yield f"{known.drive.name}: its facts are those that other sizes of the model share."
    elif known.drives:
        names = ", ".join(drive.name for drive in known.drives)
        yield f"The model may be that of {names}: name the drive."
    elif other := outside(model, user_bytes):
        yield f"The catalogue has no {other.name}: a plan takes it as '{other.kind}'."


def _clock(evidence: Evidence) -> bool:
    """Whether the file's clock was set; add a note if not."""
    moment = evidence.read_at_s
    if moment is None or gate.clock_was_set(moment, evidence.tool_released_s):
        return True
    date = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")
    evidence.counters.notes.append(
        f"The clock of the file says {date} and was not set: durations are valid, dates are not."
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
            "Flash writes are less than host writes: the controller compresses data."
        )
    return ratio


def _pe_cycles(evidence: Evidence, used: Observed | None) -> Observed | None:
    """Return the rated cycles implied by the mean erase count and the share of life used."""
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
        note="per day of power-on time; per calendar day at most this",
    )


def _wear_per_s(evidence: Evidence, used: Observed | None) -> Observed | None:
    """Return the share of the rated life used over power-on time, which needs no host writes."""
    on = evidence.power_on_s
    if used is None or on is None or on.value <= 0:
        return None
    return Observed(
        value=used.value / on.value, field=f"{used.field} / {on.field}", low=used.low / on.high,
        high=used.high / on.low if on.low > 0 else math.inf,
    )  # fmt: skip


def _possible(moment_s: float | None) -> float | None:
    return moment_s if moment_s is not None and moment_s < LATEST_S else None


def digest(serial: str) -> str:
    """Return a digest that tells drives apart without storing serials; empty for placeholders."""
    bare = bare_serial(serial)
    return hashlib.sha256(bare.encode()).hexdigest()[:12] if bare else ""


def bare_serial(serial: str) -> str:
    """Return a serial number without its padding, in capitals; empty for placeholders.

    >>> bare_serial(" s4evnf0m "), bare_serial("0000")
    ('S4EVNF0M', '')
    """
    bare = serial.strip("-. *xX0").upper()
    return "" if len(bare) < 4 or "REDACT" in bare else bare
