"""The forecast from a series of readings, or from a single one."""

import math
from collections.abc import Sequence
from dataclasses import replace

from models import wear_indicator
from models.units import DAY_S, WEEK_S, YEAR_S
from models.wear_forecast import SURE_WEEKS
from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.forecast import series
from planner.forecast.answer import (
    PAST,
    SURE,
    WEAR_ALONE,
    Ends,
    Floats,
    Forecast,
    Interval,
    NoForecast,
)  # fmt: skip
from planner.forecast.evidence import HOST, agreed, disagreements, remaining_writes
from planner.forecast.lives import FEWEST_WEEKS, QUANTILES
from planner.forecast.rating import LAST_POINT, rating_of, worn_share
from planner.forecast.wear_alone import timed
from planner.telemetry.record import DriveReading

_WANTED_ERROR = 0.085  # relative error of the wear rate after ten counts
_MONTH_S = YEAR_S / 12
_ROUGH = 2.0  # factor to either side of a rough date
_NO_INTERVAL = "rough, within a factor of two"
_SAME = (
    "Assumed: write amplification and the rate of writes stay the same. Twice the writes halve "
    "these times."
)
_ALWAYS_ON = (
    "Times are power-on time, which is less than calendar time if the drive was ever off; state "
    "since when it is in use, or add a second reading."
)
_STAYS = "Assumed: write amplification stays the same."
_CHOICE = (
    "The interval rests on how the writes varied, and on an assumption that no reading can check: "
    "a level of writes that has held for the time of the readings holds as long again with a "
    "probability of one half, and then changes by about a factor of two, up or down."
)
_NO_DATES = "The clock of the last reading was not set: these are durations, without dates."
_HOST_WRITES = "Host writes, from SMART or a table: they show how the writes and the wear vary."
_BY_TIME = "No reading states host writes: wear per time is carried on."
_LIFE_AVERAGE = "The write rate is the mean over the whole life; the recent rate may differ."


def forecast(
    readings: Sequence[DriveReading],
    *,
    drive: Drive | None = None,
    in_service_s: float | None = None,
) -> Forecast:
    """Forecast the end of a drive's rated life from its readings.

    `drive` supplies ratings; by default it is the drive of the catalogue that the readings match.
    `in_service_s` is when the drive was put into service, in seconds since 1970; with it a single
    reading gives calendar time.

    Raises:
        NoForecast: If the readings contain neither host writes nor wear with a time, or are not of
            one drive.
    """
    drive_id = next((one.drive_id for one in reversed(readings) if one.drive_id), None)
    rated = drive or (find(load(), drive_id) if drive_id else None)
    usable = [one for one in readings if one.host_bytes is not None]
    if not usable:
        answer = _from_wear(readings, in_service_s)
    elif len(usable) == 1:
        answer = _from_one(usable[0], rated, in_service_s)
    else:
        answer = _from_series(usable, rated)
    known = usable or readings
    rating = rating_of(known, rated, in_service_s)
    last = max(known, key=lambda one: one.read_at_s or 0.0)
    answer = replace(
        answer, pe_cycles=last.pe_cycles, indicator_pe_cycles=last.indicator_pe_cycles,
        field_pe_cycles=last.field_pe_cycles,
    )  # fmt: skip
    return _ended(replace(answer, rating=rating, worn_share=worn_share(known)))


def _ended(answer: Forecast) -> Forecast:
    """Leave no time to a drive past its rated TBW, or with all of its rated life used."""
    by_rating = answer.rating is not None and answer.rating.is_past
    is_worn = answer.worn_share is not None and answer.worn_share >= LAST_POINT
    if not by_rating and not is_worn and answer.late_s > 0:
        return answer
    decides = HOST if by_rating else None
    return replace(
        answer, label=PAST, early_s=0.0, middle_s=0.0, late_s=0.0, steady=None, open=None,
        curve=None, better=(), disagreements=disagreements(answer.left, decides=decides),
    )  # fmt: skip


def _from_wear(readings: Sequence[DriveReading], in_service_s: float | None) -> Forecast:
    """Carry wear per time on, where no reading states host writes: time stands for them."""
    worn = timed([one for one in readings if one.used_fraction is not None], in_service_s)
    is_one = len(worn) == 1
    answer = _from_one(worn[0], None, in_service_s) if is_one else _from_series(worn, None)
    rough = tuple(note for note in answer.notes if note != _LIFE_AVERAGE)
    return replace(
        answer, label=WEAR_ALONE, steady=None, open=None, host_bytes_per_s=math.nan, wa=None,
        left=(), disagreements=(), better=(_HOST_WRITES,), notes=(_BY_TIME, *rough), curve=None,
    )  # fmt: skip


def chances(answer: Forecast, times_s: Floats) -> Floats | None:
    """Return the probability that the life has ended by each time; None without an interval."""
    return None if answer.curve is None else answer.curve.probability(times_s)


def _from_one(last: DriveReading, rated: Drive | None, in_service_s: float | None) -> Forecast:
    rate, clock = _rate(last, in_service_s)
    written = last.host_bytes.value if last.host_bytes else math.inf
    left = remaining_writes(last, rated)
    low, value, high = agreed(left)
    points = None if last.used_fraction is None else 100 * last.used_fraction.value
    early, middle, late = _rough(low, value, high, rate)
    return Forecast(
        model=last.model,
        drive_id=last.drive_id,
        basis="one reading",
        clock=clock,
        readings=1,
        weeks=0,
        label=_NO_INTERVAL,
        read_at_s=last.read_at_s if last.clock_set else None,
        early_s=early,
        middle_s=middle,
        late_s=late,
        steady=None,
        open=None,
        host_bytes_per_s=rate,
        points_per_year=None if points is None else points * YEAR_S * rate / written,
        points_used=points,
        wa=None if last.wa is None else last.wa.value,
        left=left,
        disagreements=disagreements(left),
        better=_better_than_one(points, low, rate),
        notes=(_SAME, _LIFE_AVERAGE, *([_ALWAYS_ON] if clock == "power-on" else []), *_clock(last)),
    )


def _rate(last: DriveReading, in_service_s: float | None) -> tuple[float, str]:
    """Return the mean rate of host writes, and the clock on which it is based."""
    written = last.host_bytes.value if last.host_bytes else 0.0
    if written <= 0:
        raise NoForecast("the host has written nothing yet")
    if in_service_s is not None:
        if not last.clock_set:
            raise NoForecast("the clock of the reading was not set, so it has no date")
        if last.read_at_s is None or last.read_at_s <= in_service_s:
            raise NoForecast("the reading was not taken after the drive was put into service")
        return written / (last.read_at_s - in_service_s), "calendar"
    if last.power_on_s is None or last.power_on_s.value <= 0:
        raise NoForecast("the reading gives no power-on time; state since when the drive is in use")
    return written / last.power_on_s.value, "power-on"


def _clock(last: DriveReading) -> list[str]:
    return [] if last.clock_set else [_NO_DATES]


def _better_than_one(points: float | None, low_bytes: float, rate: float) -> tuple[str, ...]:
    advice = ["A second reading, weeks later: it gives the recent rate in calendar time."]
    wanted = wear_indicator.points_needed(_WANTED_ERROR)
    if points is not None and points < wanted:
        more = math.ceil(wanted - points)
        at_least = low_bytes / rate * more / (100 - points)
        when = f": in at least {_time(at_least)}" if at_least > 0 else ""
        advice.append(f"{more} more points of wear{when}; {_precision(wanted)}.")
    return tuple(advice)


def _from_series(usable: Sequence[DriveReading], rated: Drive | None) -> Forecast:
    known = series.history(usable)
    last = max(usable, key=lambda one: one.read_at_s or 0.0)
    rate = known.written_bytes / known.span_s
    counted = series.left_by_counts(known)
    left = remaining_writes(last, rated, counted)
    low, value, high = agreed(left)
    lives = series.lives_of(known, left[0], low_bytes=low, high_bytes=high)
    early, middle, late = _rough(low, value, high, rate)
    label, notes = _NO_INTERVAL, [_SAME]
    if lives is not None:
        early, middle, late = lives.open.quantile(QUANTILES).tolist()
        label = SURE if lives.weeks >= SURE_WEEKS else f"rough, from {int(lives.weeks)} weeks"
        notes = [_STAYS, _CHOICE, *lives.warnings]
    return Forecast(
        model=last.model,
        drive_id=last.drive_id,
        basis="series",
        clock="calendar",
        readings=len(usable),
        weeks=int(known.span_s // WEEK_S),
        label=label,
        read_at_s=last.read_at_s if last.clock_set else None,
        early_s=early,
        middle_s=middle,
        late_s=late,
        steady=_interval(lives and lives.steady),
        open=_interval(lives and lives.open),
        host_bytes_per_s=rate,
        points_per_year=_points_per_year(known),
        points_used=known.counts,
        wa=_wa_between(usable),
        left=left,
        disagreements=disagreements(left),
        better=_better_than_series(known, has_interval=lives is not None),
        notes=(*notes, *_power(usable), *_clock(last)),
        curve=lives and lives.open,
    )


def _points_per_year(known: series.History) -> float | None:
    worn = known.with_points
    return known.counts / worn.span_s * YEAR_S if worn.times_s.size > 1 else None


def _interval(ends: Ends | None) -> Interval | None:
    if ends is None:
        return None
    early, middle, late = ends.quantile(QUANTILES).tolist()
    return Interval(early_s=early, middle_s=middle, late_s=late)


def _rough(
    low_bytes: float, value_bytes: float | None, high_bytes: float, rate: float
) -> tuple[float, float | None, float]:
    """Return early, middle and late: a factor of two about the middle, or the evidence if wider."""
    if value_bytes is None:
        return low_bytes / rate / _ROUGH, None, high_bytes / rate * _ROUGH
    early, late = min(low_bytes, value_bytes / _ROUGH), max(high_bytes, value_bytes * _ROUGH)
    return early / rate, value_bytes / rate, late / rate


def _wa_between(usable: Sequence[DriveReading]) -> float | None:
    """Return flash writes over host writes between the first and the last reading."""
    ordered = sorted(usable, key=lambda one: one.read_at_s or 0.0)
    first, last = ordered[0], ordered[-1]
    flash = (first.flash_bytes, last.flash_bytes)
    if first.host_bytes is None or last.host_bytes is None or flash[0] is None or flash[1] is None:
        return None
    host_bytes = last.host_bytes.value - first.host_bytes.value
    flash_bytes = flash[1].value - flash[0].value
    return flash_bytes / host_bytes if host_bytes > 0 and flash_bytes > 0 else None


def _better_than_series(known: series.History, *, has_interval: bool) -> tuple[str, ...]:
    advice = []
    wanted = math.ceil(wear_indicator.points_needed(_WANTED_ERROR))
    more = wanted - known.counts
    if more > 0:
        pace = known.counts / known.span_s
        when = f": in about {_time(more / pace)}" if pace > 0 else ""
        counts = "count" if more == 1 else "counts"
        advice.append(f"{more:.0f} more {counts} of wear{when}; {_precision(wanted)}.")
    lacking = SURE_WEEKS * WEEK_S - known.span_s
    if lacking > 0:
        advice.append(
            f"Readings for {_time(lacking)} more: from {SURE_WEEKS:.0f} weeks on there is a "
            f"{SURE} interval, from {FEWEST_WEEKS} a rough one."
        )
    elif not has_interval:
        advice.append("A reading every week: eight weeks of them show how much the writes vary.")
    return tuple(advice)


def _power(usable: Sequence[DriveReading]) -> tuple[str, ...]:
    """Return a note on the share of the time between the readings that the drive was on."""
    ordered = sorted(usable, key=lambda one: one.read_at_s or 0.0)
    first, last = ordered[0], ordered[-1]
    if first.power_on_s is None or last.power_on_s is None:
        return ()
    span = (last.read_at_s or 0.0) - (first.read_at_s or 0.0)
    share = (last.power_on_s.value - first.power_on_s.value) / span
    return (f"The drive was on for {100 * share:.3g} % of the time.",) if 0 <= share < 0.97 else ()


def _precision(counts: float) -> str:
    return f"{math.ceil(counts)} counts give the wear rate to {100 * _WANTED_ERROR:g} %"


def _time(seconds: float) -> str:
    if seconds < 2 * _MONTH_S:
        return f"{math.ceil(seconds / DAY_S)} days"
    if seconds < 2 * YEAR_S:
        return f"{seconds / _MONTH_S:.0f} months"
    return f"{seconds / YEAR_S:.3g} years"
