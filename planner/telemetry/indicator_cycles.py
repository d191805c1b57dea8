"""Rated cycles that the wear indicator implies, by what was written rather than by erases.

The flash that was written over the raw flash is the mean of the cycles spent; over the share of the
life used it is the rated cycles. What the host wrote is that flash times a write amplification:
where no counter tells it, it is 1 of sequential writes, and that of hosts in the field else.
"""

import math
from functools import lru_cache
from typing import NamedTuple

from models import wear_indicator
from planner.catalogue import load
from planner.telemetry.record import Observed

SEQUENTIAL = "if every byte of the host is one of flash, as of sequential writes"
IN_FIELD = "with the write amplification of hosts in the field, {low:.3g} to {high:.3g}"

Span = tuple[float, float, float]  # low, typical, high


class _Flash(NamedTuple):
    """Raw flash of a drive and the write amplification of hosts in the field."""

    raw_bytes: Span
    field_wa: Span


class IndicatorCycles(NamedTuple):
    """Rated cycles by what was written: as counted or of sequential writes; of other hosts."""

    counted: Observed | None = None
    in_field: Observed | None = None


def indicator_cycles(
    drive_id: str | None,
    used: Observed | None,
    host: Observed | None,
    flash: Observed | None,
    wa: Observed | None,
) -> IndicatorCycles:
    """Return the rated cycles by what was written; nothing of a drive whose flash is unknown."""
    written = flash or host
    if drive_id is None or used is None or written is None:
        return IndicatorCycles()
    if used.value <= 0 or written.value <= 0:
        return IndicatorCycles()
    known = _flash_of(drive_id)
    if flash is not None:
        return IndicatorCycles(_cycles(written, used, known.raw_bytes, (1.0, 1.0, 1.0), ""))
    if wa is not None:
        return IndicatorCycles(_cycles(written, used, known.raw_bytes, _span(wa), wa.field))
    low, _, high = known.field_wa
    return IndicatorCycles(
        _cycles(written, used, known.raw_bytes, (1.0, 1.0, 1.0), SEQUENTIAL),
        _cycles(
            written, used, known.raw_bytes, known.field_wa, IN_FIELD.format(low=low, high=high)
        ),
    )


def _cycles(written: Observed, used: Observed, raw_bytes: Span, wa: Span, note: str) -> Observed:
    """Return the cycles, between the ends that steps of the counters, flash and WA leave."""

    def of(written_bytes: float, wa: float, raw: float, share: float) -> float:
        if share <= 0:
            return math.inf
        if written_bytes <= 0 or math.isinf(share):
            return 0.0
        return wear_indicator.pe_cycles(written_bytes * wa, raw_bytes=raw, points_used=100 * share)

    return Observed(
        value=of(written.value, wa[1], raw_bytes[1], used.value),
        field=f"{written.field} / {used.field}",
        low=of(written.low, wa[0], raw_bytes[2], used.high),
        high=of(written.high, wa[2], raw_bytes[0], used.low),
        note=note,
    )


def _span(known: Observed) -> Span:
    return known.low, known.value, known.high


@lru_cache(maxsize=4096)
def _flash_of(drive_id: str) -> _Flash:
    """Return flash and write amplification of a drive of the catalogue, assumed where unknown."""
    from models import write_amplification  # noqa: PLC0415 - few files need it
    from planner.catalogue.priors import assumptions, field_copying  # noqa: PLC0415
    from planner.catalogue.unlisted import by_id  # noqa: PLC0415 - few logs are of one

    drive = by_id(load().drives, drive_id)
    if drive is None:
        raise KeyError(drive_id)  # of the match
    raw = drive.value("raw_bytes")
    assumed = {item.quantity: item for item in assumptions(drive)}.get("raw_bytes")
    spans = (raw, raw, raw) if raw is not None else (0.0, 0.0, 0.0)
    if assumed is not None:
        spans = (assumed.low, assumed.typical, assumed.high)
    copies = field_copying(drive)

    def field_wa(raw_bytes: float, ratio: float) -> float:
        random_wa = write_amplification.fifo(raw_bytes / drive.capacity_bytes - 1)
        return write_amplification.field_wa(random_wa, field_copy_ratio=ratio)

    least, typical, most = spans
    return _Flash(
        spans,
        (field_wa(most, copies.low), field_wa(typical, copies.typical),
         field_wa(least, copies.high)),
    )  # fmt: skip
