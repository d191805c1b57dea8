"""Remaining host writes by wear, flash writes and rated TBW, and whether these agree."""

import math
from collections.abc import Sequence

from models import endurance, wear_forecast
from models.units import TB
from planner.catalogue.drive import Drive
from planner.catalogue.rated import rated_bytes_of
from planner.forecast.answer import NoForecast, RemainingWrites
from planner.telemetry.record import DriveReading, Observed

WEAR, FLASH, HOST = "wear indicator", "flash writes", "rated TBW"
_TOLERANCE = 0.1  # ratings are rounded


def remaining_writes(
    last: DriveReading, rated: Drive | None, counted: RemainingWrites | None = None
) -> tuple[RemainingWrites, ...]:
    """Return the remaining writes by each kind of evidence, the most trusted first.

    `counted` is the estimate from wear counts between readings, which replaces that from the whole
    life.
    """
    estimates = (counted or _by_wear(last), _by_flash(last, rated), _by_rating(last, rated))
    known = tuple(left for left in estimates if left is not None)
    if not known:
        raise NoForecast(
            "neither wear nor a rating is known: give readings with a percentage used, or a drive "
            "of the catalogue with rated TBW or program/erase cycles"
        )
    return known


def agreed(left: Sequence[RemainingWrites]) -> tuple[float, float | None, float]:
    """Return low, value and high of the first evidence, narrowed by flash writes if they agree.

    Flash writes that leave nothing do not narrow it: the wear indicator says when life has ended.
    """
    first = left[0]
    low, value, high = first.low_bytes, first.value_bytes, first.high_bytes
    for other in left[1:]:
        if other.kind == FLASH and other.high_bytes > 0 and _overlap(first, other):
            low, high = max(low, other.low_bytes), min(high, other.high_bytes)
            value = other.value_bytes if value is None else value
    return low, value if value is None else min(max(value, low), high), high


def disagreements(
    left: Sequence[RemainingWrites], *, decides: str | None = None
) -> tuple[str, ...]:
    """Report each kind of evidence that disagrees with the first, and by how much.

    `decides` names the evidence in use, by default the first.
    """
    if not left:
        return ()
    first = left[0]
    used = decides or first.kind
    return tuple(
        f"{_sentence(first)}, {_sentence(other)}{_ratio(first, other)}; the {used} is used."
        for other in left[1:]
        if not _overlap(first, other)
    )


def _by_wear(last: DriveReading) -> RemainingWrites | None:
    used, host = last.used_fraction, last.host_bytes
    if used is None or host is None or host.value <= 0:
        return None

    def left(share: float) -> float:
        if share <= 0:
            return math.inf
        return wear_forecast.points_left_bytes(
            max(100 - 100 * share, 0.0), host_bytes=host.value, points_used=100 * share
        )

    return RemainingWrites(
        kind=WEAR,
        field=used.field,
        low_bytes=0.0 if math.isinf(used.high) else left(used.high),
        value_bytes=left(used.value) if used.value > 0 else None,
        high_bytes=left(used.low),
    )


def _by_flash(last: DriveReading, rated: Drive | None) -> RemainingWrites | None:
    """Return the remaining writes by rated cycles, from flash writes or the mean erase count."""
    cycles = rated.value("pe_cycles") if rated else None
    raw = rated.value("raw_bytes") if rated else None
    host = last.host_bytes
    if cycles is None or host is None or host.value <= 0:
        return None
    if last.erase_cycles is not None and last.erase_cycles.value > 0:
        return _share_left(host, last.erase_cycles, cycles)
    if last.flash_bytes is not None and last.flash_bytes.value > 0 and raw is not None:
        limit = endurance.write_limit_bytes(raw, pe_cycles=cycles, wa=1.0)
        return _share_left(host, last.flash_bytes, limit)
    return None


def _share_left(host: Observed, spent: Observed, limit: float) -> RemainingWrites:
    def left(used: float, rating: float) -> float:
        return host.value * max(rating / used - 1, 0.0) if used > 0 else math.inf

    return RemainingWrites(
        kind=FLASH,
        field=spent.field,
        low_bytes=left(spent.high, limit * (1 - _TOLERANCE)),
        value_bytes=left(spent.value, limit),
        high_bytes=left(spent.low, limit * (1 + _TOLERANCE)),
    )


def _by_rating(last: DriveReading, rated: Drive | None) -> RemainingWrites | None:
    limit, host = (rated_bytes_of(rated) if rated else None), last.host_bytes
    if limit is None or host is None:
        return None
    return RemainingWrites(
        kind=HOST,
        field=host.field,
        low_bytes=max(limit.low - host.high, 0.0),
        value_bytes=max(limit.value - host.value, 0.0),
        high_bytes=max(limit.high - host.low, 0.0),
    )


def _overlap(one: RemainingWrites, other: RemainingWrites) -> bool:
    factor = 1 + _TOLERANCE
    return one.low_bytes <= other.high_bytes * factor and other.low_bytes <= one.high_bytes * factor


def _sentence(left: RemainingWrites) -> str:
    value = left.low_bytes if left.value_bytes is None else left.value_bytes
    least = "at least " if left.value_bytes is None else ""
    form = ",.0f" if value >= 1000 * TB else ".3g"
    return f"the {left.kind} leaves {least}{value / TB:{form}} TB of host writes"


def _ratio(one: RemainingWrites, other: RemainingWrites) -> str:
    values = sorted(
        left.low_bytes if left.value_bytes is None else left.value_bytes for left in (one, other)
    )
    return f", {values[1] / values[0]:.3g} times as much" if values[0] > 0 else ""
