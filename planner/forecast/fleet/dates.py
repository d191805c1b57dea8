"""The end of the rated life of every drive: early, middle and late, from the last reading.

The evidence is that of the forecast of one drive: points of wear counted between the readings, else
points over the whole life, else flash writes against rated cycles, else the rated TBW.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import endurance
from models.units import WEEK_S
from models.wear_forecast import SURE_WEEKS, remaining_lives
from planner.catalogue import find, load
from planner.catalogue.rated import rated_bytes_of
from planner.forecast.answer import PAST, SURE, WEAR_ALONE
from planner.forecast.fleet.histories import Histories
from planner.forecast.fleet.readings import DriveName, Floats
from planner.forecast.lives import FEWEST_WEEKS, QUANTILES, distances
from planner.forecast.rating import LAST_POINT
from planner.forecast.series import FEWEST_COUNTS
from planner.telemetry.matching import match

_ROUGH = 2.0  # factor to either side of a rough date
_ROUNDED = 0.1  # of a rating
NO_DATES = "no dates"
_FACTOR_OF_TWO = "rough, within a factor of two"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """Times from the last reading until the end, NaN where nothing is known of it.

    `rated_bytes` is the rated TBW by the catalogue. Drives that are `past` it, or that state all of
    their rated life as used, have no time left. `by_power_on` says that times are power-on time,
    for drives with a single reading. `rate` is the mean rate of host writes; of drives that state
    none, NaN.
    """

    early_s: Floats
    middle_s: Floats
    late_s: Floats
    label: NDArray[np.str_]
    evidence: NDArray[np.str_]
    by_power_on: NDArray[np.bool_]
    rate: Floats
    rated_bytes: Floats
    past: NDArray[np.bool_]


class _Left(NamedTuple):
    """Remaining life by one kind of evidence, in bytes (or seconds)."""

    low: Floats
    value: Floats
    high: Floats


def dates_of(histories: Histories) -> Dates:
    """Forecast every drive."""
    rate, by_power_on = _rates(histories)
    ratings = _ratings(histories.drives)
    kinds = {
        "wear between the readings": _by_counts(histories),
        "wear over the life": _by_life(histories),
        **_by_ratings(histories, *ratings),
    }
    evidence = np.full(len(histories.drives), "", dtype="<U32")
    low, value, high = np.full((3, evidence.size), np.nan)
    for kind, left in kinds.items():
        new = (evidence == "") & ~np.isnan(left.low)
        evidence[new] = kind
        for column, one in zip((low, value, high), left, strict=True):
            column[new] = one[new]
    low, value, high = _agreed(_Left(low, value, high), kinds["flash writes"], evidence)
    times = np.stack(_rough(_Left(low, value, high), rate))
    known = np.isfinite(times[0])
    label = np.where(known, _FACTOR_OF_TWO, NO_DATES).astype("<U32")
    _draw_intervals(histories, evidence, _Left(low, value, high), times, label)
    label[histories.by_time & known] = WEAR_ALONE
    past = _past(histories, ratings[0], times[2])
    times[:, past], label[past] = 0.0, PAST
    return Dates(
        early_s=times[0], middle_s=times[1], late_s=times[2], label=label, evidence=evidence,
        by_power_on=by_power_on, rate=np.where(histories.by_time, np.nan, rate),
        rated_bytes=ratings[0], past=past,
    )  # fmt: skip


def _past(histories: Histories, rated: Floats, late_s: Floats) -> NDArray[np.bool_]:
    """Tell the drives past their rated TBW, or with all of their rated life used.

    A wear indicator that has stopped states all of it.
    """
    worn = (histories.points >= 100 * LAST_POINT) | np.isposinf(histories.points_high)
    return np.asarray((histories.life_host_bytes >= rated) | worn | (late_s <= 0))


def joined_dates(parts: Sequence[Dates], order: Sequence[int]) -> Dates:
    """Put the dates of several parts of a fleet into one, in an order of all drives."""
    rows = np.array(order, np.intp)
    return Dates(**{
        column.name: np.concatenate([getattr(part, column.name) for part in parts])[rows]
        for column in fields(Dates)
    })  # fmt: skip


def _agreed(first: _Left, flash: _Left, evidence: NDArray[np.str_]) -> _Left:
    """Narrow what wear leaves by flash writes where these agree, as the forecast of one drive."""
    near = 1 + _ROUNDED
    agree = np.char.startswith(evidence, "wear")
    agree &= (first.low <= flash.high * near) & (flash.low <= first.high * near) & (flash.high > 0)
    low = np.where(agree, np.maximum(first.low, flash.low), first.low)
    high = np.where(agree, np.minimum(first.high, flash.high), first.high)
    value = np.where(agree & np.isnan(first.value), flash.value, first.value)
    return _Left(low, np.where(agree, np.minimum(np.maximum(value, low), high), value), high)


def _rates(histories: Histories) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the rate of host writes, and whether it is over power-on time."""
    series = histories.is_series
    life = np.where(histories.by_time, histories.power_on_s, histories.host_bytes)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(
            series, histories.written_bytes / histories.span_s, life / histories.power_on_s
        )
    return np.where((rate > 0) & np.isfinite(rate), rate, np.nan), ~series


def _by_counts(histories: Histories) -> _Left:
    used, last, wrote = histories.points_used, histories.points, histories.points_host_bytes
    enough = (used >= FEWEST_COUNTS) & (wrote > 0)

    def left(points_left: Floats, points_used: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            each = wrote * np.maximum(points_left, 0.0) / points_used
        return np.where(enough, each, np.nan)

    return _Left(left(99 - last, used + 1), left(99.5 - last, used), left(100 - last, used - 1))


def _by_life(histories: Histories) -> _Left:
    """Return the remaining life by the mean wear so far; its lower end alone without any wear."""
    life = np.where(histories.by_time, histories.power_on_s, histories.life_host_bytes)
    life = np.where(life > 0, life, np.nan)

    def left(points: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return life * np.maximum(100 - points, 0.0) / points

    value = np.where(histories.points > 0, left(histories.points), np.nan)
    low = np.where(np.isinf(histories.points_high), 0.0, left(histories.points_high))
    return _Left(
        np.where(np.isnan(histories.points), np.nan, low), value, left(histories.points_low)
    )


def _by_ratings(
    histories: Histories, rated: Floats, flash: Floats, cycles: Floats
) -> dict[str, _Left]:
    life = histories.life_host_bytes
    erased = histories.erase_cycles > 0
    limit = np.where(erased, cycles, flash)
    spent = (
        np.where(erased, of_erases, histories.flash_bytes)
        for of_erases in (
            histories.erase_cycles_high, histories.erase_cycles, histories.erase_cycles_low
        )
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        low, value, high = (
            life * np.maximum(limit * part / np.where(of >= 0, of, np.nan) - 1, 0.0)
            for part, of in zip((1 - _ROUNDED, 1.0, 1 + _ROUNDED), spent, strict=True)
        )
    low, value, high = (np.where(value < np.inf, one, np.nan) for one in (low, value, high))
    left = np.maximum(rated - life, 0.0)
    return {"flash writes": _Left(low, value, high), "rated TBW": _Left(left, left, left)}


def _ratings(drives: Sequence[DriveName]) -> tuple[Floats, Floats, Floats]:
    """Return rated host bytes, flash bytes of the rated cycles, and these, by the catalogue."""
    known: dict[tuple[str, float], tuple[float, float, float]] = {}
    for drive in drives:
        key = drive.model, drive.user_bytes
        if key not in known:
            known[key] = _rating(drive)
    rows = np.array([known[drive.model, drive.user_bytes] for drive in drives], float)
    rated, flash, cycles = rows.reshape(-1, 3).T
    return rated, flash, cycles


def _rating(name: DriveName) -> tuple[float, float, float]:
    drive_id = match(name.model, None if np.isnan(name.user_bytes) else name.user_bytes)
    if drive_id is None:
        return np.nan, np.nan, np.nan
    drive = find(load(), drive_id)
    limit, cycles, raw = rated_bytes_of(drive), *map(drive.value, ("pe_cycles", "raw_bytes"))
    flash = np.nan
    if cycles is not None and raw is not None:
        flash = endurance.write_limit_bytes(raw, pe_cycles=cycles, wa=1.0)
    return np.nan if limit is None else limit.value, flash, np.nan if cycles is None else cycles


def _rough(left: _Left, rate: Floats) -> tuple[Floats, Floats, Floats]:
    """Return a factor of two about the middle, or the evidence if wider."""
    none = np.isnan(left.value)
    early = np.where(none, left.low / _ROUGH, np.minimum(left.low, left.value / _ROUGH))
    late = np.where(none, left.high * _ROUGH, np.maximum(left.high, left.value * _ROUGH))
    return early / rate, left.value / rate, late / rate


def _draw_intervals(
    histories: Histories, evidence: NDArray[np.str_], left: _Left, times: Floats,
    label: NDArray[np.str_],
) -> None:  # fmt: skip
    """Replace rough dates by quantiles where the history has weeks enough."""
    counted = evidence == "wear between the readings"
    by_rating = np.isin(evidence, ("flash writes", "rated TBW"))
    for blocks in histories.blocks:
        number = blocks.host_bytes.shape[1]
        if number < FEWEST_WEEKS or number * blocks.block_s < FEWEST_WEEKS * WEEK_S:
            continue
        enough = (counted | by_rating)[blocks.drives] & (blocks.host_bytes.sum(axis=1) > 0)
        of, wrote = blocks.drives[enough], blocks.host_bytes[enough]
        if not of.size:
            continue
        far = distances(
            counted[of], written_bytes=histories.points_host_bytes[of],
            points_used=histories.points_used[of],
            points_left=np.maximum(100 - histories.points[of], 0.0),
            low_bytes=left.low[of], high_bytes=left.high[of],
        )  # fmt: skip
        times[:, of] = remaining_lives(
            QUANTILES, written_bytes=wrote, interval_s=blocks.block_s, distance_bytes=far
        )
        weeks = histories.span_s[of] / WEEK_S
        rough = np.char.add(np.char.add("rough, from ", weeks.astype(int).astype("<U6")), " weeks")
        label[of] = np.where(weeks < SURE_WEEKS, rough, SURE)
