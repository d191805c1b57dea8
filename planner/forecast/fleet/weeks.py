"""Readings of large fleets, thinned to the first and the last of each week of each drive.

Weeks count back from the newest reading of all. Weeks of the same drive merge by the same rules as
readings, in any order and any grouping.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, HOUR_S
from planner.forecast.fleet.readings import Columns, Floats
from planner.forecast.fleet.repairs import FASTEST_BYTES_PER_S
from planner.telemetry.evidence import LONGEST_S

NUMBERS = ("host_bytes", "flash_bytes", "percent_used", "power_on_hours")
_TOGETHER = 25_000  # drives whose weeks are merged at once
_MOST_GAPPY = 0.2  # share of the drives that may be read again because days are missing


@dataclass(frozen=True, slots=True)
class Weeks:
    """A row for each drive and week: its readings, and the counters at its first and last.

    `days` has a bit for each day with a reading, `rose` says that host writes only rose, `dated`
    that readings have dates without a time of day.
    """

    drive: NDArray[np.int32]
    week: NDArray[np.int32]
    readings: NDArray[np.int32]
    days: NDArray[np.uint8]
    dated: NDArray[np.bool_]
    rose: NDArray[np.bool_]
    first_s: Floats
    last_s: Floats
    first: Mapping[str, NDArray[np.floating]]
    last: Mapping[str, NDArray[np.floating]]

    def of(self, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> "Weeks":
        """Return some of the rows."""
        return Weeks(
            self.drive[rows], self.week[rows], self.readings[rows], self.days[rows],
            self.dated[rows], self.rose[rows], self.first_s[rows], self.last_s[rows],
            {name: column[rows] for name, column in self.first.items()},
            {name: column[rows] for name, column in self.last.items()},
        )  # fmt: skip

    def columns(self) -> Columns:
        """Return the first reading of each drive, and the last of each of its weeks."""
        oldest = np.flatnonzero(np.diff(self.drive, append=-1))  # weeks count back
        oldest = oldest[self.first_s[oldest] < self.last_s[oldest]]
        begin = self.of(oldest)
        return Columns(
            np.concatenate([begin.drive, self.drive]).astype(np.int64),
            np.concatenate([begin.first_s, self.last_s]),
            _counters(
                {name: np.concatenate([begin.first[name], self.last[name]]) for name in NUMBERS},
                np.concatenate([np.zeros(oldest.size), self.readings]),
            ),
        )


@dataclass(frozen=True, slots=True)
class Shards:
    """Weeks of shards, each in the order of drives, which are merged for some drives at a time.

    So all weeks are in memory once. Drives that are `left_out` are read again with all their rows.
    """

    parts: Sequence[Weeks]
    left_out: NDArray[np.bool_]

    def of(self, first: int, end: int) -> Weeks:
        """Return the weeks of some drives, merged."""
        bounds = (np.searchsorted(part.drive, [first, end]).tolist() for part in self.parts)
        return merged([
            part.of(slice(*ends)) for part, ends in zip(self.parts, bounds, strict=True)
        ])  # fmt: skip

    def between(self, first: int, end: int) -> Columns:
        """Return the readings of some drives, without those that are left out."""
        weeks = self.of(first, end)
        return weeks.of(~self.left_out[weeks.drive]).columns()


def _counters(numbers: Mapping[str, NDArray[np.floating]], readings: Floats) -> dict[str, Floats]:
    host, flash, points, hours = (np.asarray(numbers[name], float) for name in NUMBERS)
    step = np.where(points == np.floor(points), 1.0, 0.5)
    on = hours * HOUR_S
    return {
        "host_bytes": host, "flash_bytes": flash, "points": points,
        "points_low": np.maximum(points - step, 0.0), "points_high": points + step,
        "power_on_s": np.where(on <= LONGEST_S, on, np.nan), "readings": readings,
        **dict.fromkeys(
            ("erase_cycles", "erase_cycles_low", "erase_cycles_high"), np.full(host.size, np.nan)
        ),
    }  # fmt: skip


def merged(parts: Sequence[Weeks]) -> Weeks:
    """Merge weeks: ordered by drive and week, one row for each."""
    rows = [part.drive.astype(np.int64) << 20 | part.week for part in parts]
    order = np.argsort(np.concatenate(rows), kind="stable")

    def together(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])[order]

    def ends(end: str) -> dict[str, NDArray[np.floating]]:
        return {
            name: np.concatenate([getattr(part, end)[name] for part in parts])[order]
            for name in NUMBERS
        }

    every = Weeks(
        together("drive"), together("week"), together("readings"), together("days"),
        together("dated"), together("rose"), together("first_s"), together("last_s"),
        ends("first"), ends("last"),
    )  # fmt: skip
    same = (np.diff(every.drive) == 0) & (np.diff(every.week) == 0)
    if not same.any():
        return every
    start = np.flatnonzero(np.append(True, ~same))
    number = np.cumsum(np.append(True, ~same)) - 1
    first = np.lexsort((every.first_s, number))[start]  # the earliest row of each group
    last = np.lexsort((-every.last_s, number))[start]
    lowest = np.fmin.reduceat(every.first["host_bytes"], start)
    highest = np.fmax.reduceat(every.last["host_bytes"], start)
    rose = np.logical_and.reduceat(every.rose, start)
    rose &= _equal(every.first["host_bytes"][first], lowest)
    rose &= _equal(every.last["host_bytes"][last], highest)
    return Weeks(
        every.drive[start], every.week[start], np.add.reduceat(every.readings, start),
        np.bitwise_or.reduceat(every.days, start), np.logical_and.reduceat(every.dated, start),
        rose, every.first_s[first], every.last_s[last],
        {name: np.fmin.reduceat(column, start) for name, column in every.first.items()},
        {name: np.fmax.reduceat(column, start) for name, column in every.last.items()},
    )  # fmt: skip


def _is_jump(wrote: Floats, span_s: Floats) -> NDArray[np.bool_]:
    return np.asarray(wrote > FASTEST_BYTES_PER_S * np.maximum(span_s, HOUR_S))


def _equal(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.bool_]:
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)))


def irregular(shards: Shards, drives: int) -> NDArray[np.bool_]:
    """Find the drives with counters that fell or jumped, or with doubled or missing days.

    Missing days count only where most of the fleet is read daily.
    """
    bad, gappy = np.zeros((2, drives), bool)
    known = 0
    for first in range(0, drives, _TOGETHER):
        weeks = shards.of(first, first + _TOGETHER)
        bad[weeks.drive[_is_wrong(weeks)]] = True
        ends = np.flatnonzero(np.diff(weeks.drive, prepend=-1, append=-1))
        start, oldest = ends[:-1], ends[1:] - 1
        if not start.size:
            continue
        days = np.add.reduceat(np.bitwise_count(weeks.days), start, dtype=np.int64)
        span = np.rint((weeks.last_s[start] - weeks.first_s[oldest]) / DAY_S) + 1
        gappy[weeks.drive[start][days < span]] = True
        known += start.size
    return bad | gappy if gappy.sum() <= _MOST_GAPPY * known else bad


def _is_wrong(weeks: Weeks) -> NDArray[np.bool_]:
    """Find the rows with counters that fell or jumped, or with doubled days."""
    wrong = ~weeks.rose | (weeks.dated & (weeks.readings > np.bitwise_count(weeks.days)))
    later = np.flatnonzero(np.diff(weeks.drive) == 0)  # the row of the week after the next row's
    for name in ("host_bytes", "percent_used"):
        wrong[later] |= weeks.first[name][later] < weeks.last[name][later + 1]
    host = weeks.first["host_bytes"], weeks.last["host_bytes"]
    wrong |= _is_jump(host[1] - host[0], weeks.last_s - weeks.first_s)
    wrong[later] |= _is_jump(
        host[0][later] - host[1][later + 1], weeks.first_s[later] - weeks.last_s[later + 1]
    )
    return wrong
