"""A history of readings, and the ends of the remaining life from it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from models import wear_forecast
from models.units import DAY_S, WEEK_S
from models.wear_forecast.futures import warnings_of
from planner.forecast.answer import Ends, Floats, NoForecast, RemainingWrites
from planner.forecast.evidence import WEAR
from planner.forecast.lives import FEWEST_WEEKS, QUANTILES, block_weeks, distances, ends_of
from planner.telemetry.record import DriveReading

FEWEST_COUNTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Readings in order of time: host writes, and percentage points used (NaN if not stated)."""

    times_s: Floats
    host_bytes: Floats
    points: Floats

    @property
    def span_s(self) -> float:
        """Time from the first reading to the last."""
        return float(self.times_s[-1] - self.times_s[0])

    @property
    def written_bytes(self) -> float:
        """Host writes from the first reading to the last."""
        return float(self.host_bytes[-1] - self.host_bytes[0])

    @property
    def with_points(self) -> "History":
        """The readings that state the points used."""
        stated = ~np.isnan(self.points)
        return History(
            times_s=self.times_s[stated],
            host_bytes=self.host_bytes[stated],
            points=self.points[stated],
        )

    @property
    def counts(self) -> float:
        """Points used between the first and the last reading that state them."""
        stated = self.points[~np.isnan(self.points)]
        return float(stated[-1] - stated[0]) if stated.size > 1 else 0.0


def history(readings: Sequence[DriveReading]) -> History:
    """Sort readings by time; refuse those that cannot be of one drive."""
    if any(one.read_at_s is None for one in readings):
        raise NoForecast("a reading has no date, so there is no series")
    drives = {one.identity for one in readings if one.identity}
    if len(drives) > 1 or len({one.model for one in readings if one.model}) > 1:
        raise NoForecast("the readings belong to several drives; give those of one")
    ordered = sorted(readings, key=lambda one: one.read_at_s or 0.0)
    sorted_readings = History(
        times_s=np.array([one.read_at_s for one in ordered], float),
        host_bytes=np.array([one.host_bytes.value if one.host_bytes else 0 for one in ordered]),
        points=np.round(  # 16 - 14 are 2 whole points, though 100 x 0.14 is not 14
            [100 * one.used_fraction.value if one.used_fraction else np.nan for one in ordered], 9
        ),
    )
    _check(sorted_readings)
    _check_clock(ordered)
    return sorted_readings


def left_by_counts(known: History) -> RemainingWrites | None:
    """Return the remaining writes from the wear counts between readings; None for less than two."""
    worn = known.with_points
    count = known.counts
    if count < FEWEST_COUNTS or math.isnan(known.points[-1]) or worn.written_bytes <= 0:
        return None
    last = worn.points[-1]

    def left(points_left: float, points_used: float) -> float:
        return wear_forecast.points_left_bytes(
            max(points_left, 0.0), host_bytes=worn.written_bytes, points_used=points_used
        )

    return RemainingWrites(
        kind=WEAR,
        field=f"{count:g} points between the readings",
        low_bytes=left(99 - last, count + 1),
        value_bytes=left(99.5 - last, count),
        high_bytes=left(100 - last, count - 1),
    )


class Lives(NamedTuple):
    """The ends of a life: if the level of the writes may change ("open"), and if it stays."""

    open: Ends
    steady: Ends
    weeks: float
    warnings: tuple[str, ...]


def lives_of(
    known: History, left: RemainingWrites, *, low_bytes: float, high_bytes: float
) -> Lives | None:
    """Return the ends of the remaining life; None if the readings are too few for an interval.

    Wear is counted in whole points between the readings; under a rating the remaining bytes are
    uniform between low and high. What other evidence excludes is left out.
    """
    by_counts = left.kind == WEAR
    if by_counts and known.counts < FEWEST_COUNTS:
        return None
    (weeks,), (number,) = block_weeks(np.array([known.span_s]), np.array([known.times_s.size - 1]))
    if number < FEWEST_WEEKS or not math.isfinite(high_bytes):
        return None
    length = weeks * WEEK_S
    marks = known.times_s[-1] - length * np.arange(number, -1, -1)
    wrote = np.diff(np.interp(marks, known.times_s, known.host_bytes))[None]
    if wrote.sum() <= 0:
        return None
    worn = known.with_points if by_counts else known
    far = distances(
        np.array([by_counts]), written_bytes=np.array([worn.written_bytes]),
        points_used=np.array([known.counts]),
        points_left=np.array([max(100 - known.points[-1], 0.0)]),
        low_bytes=np.array([low_bytes]), high_bytes=np.array([high_bytes]),
    )  # fmt: skip
    ends, steady = (
        ends_of(wrote, interval_s=length, distance_bytes=far, changes=changes)
        for changes in (True, False)
    )
    middle_s = float(ends.quantile(QUANTILES)[1])
    times = known.times_s - known.times_s[0]
    return Lives(
        ends, steady, known.span_s / WEEK_S, warnings_of(known.host_bytes, times, middle_s)
    )


def _check_clock(ordered: Sequence[DriveReading]) -> None:
    """Refuse readings between which power-on time grew faster than the clock."""
    clocks = [(one.read_at_s or 0.0, one.power_on_s) for one in ordered if one.power_on_s]
    for (before_s, before), (after_s, after) in pairwise(clocks):
        if after.low - before.high > after_s - before_s + DAY_S:
            raise NoForecast(
                "the power-on time grows faster than the clock between two readings: the clock "
                "was reset"
            )


def _check(readings: History) -> None:
    if not np.all(np.diff(readings.times_s) > 0):
        raise NoForecast("two readings have the same time")
    if np.any(np.diff(readings.host_bytes) < 0):
        raise NoForecast("host writes fall from one reading to the next: a reset, or two drives")
    if np.any(np.diff(readings.points[~np.isnan(readings.points)]) < 0):
        raise NoForecast("the percentage used falls from one reading to the next")
    if readings.written_bytes <= 0:
        raise NoForecast("nothing was written between the readings")
