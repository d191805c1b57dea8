"""Histories of drives from their readings: sums, and writes in equal blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, HOUR_S, WEEK_S
from planner.forecast.fleet.readings import COUNTERS, DriveName, Floats, Readings
from planner.forecast.fleet.repairs import FASTEST_BYTES_PER_S, Anomaly, Repaired, repaired
from planner.forecast.lives import block_weeks
from planner.telemetry.gate import FIRST_CLOCK_S

Rows = NDArray[np.intp]

_GAP = 1.5  # usual steps of time, beyond which a reading is missing


@dataclass(frozen=True, slots=True)
class Blocks:
    """Writes in equal blocks of time back from the last reading, of drives with as many of them."""

    drives: Rows
    block_s: float
    host_bytes: Floats  # one row for each drive
    flash_bytes: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Histories:
    """Drives as columns, NaN where unknown; bytes between the readings, and over the life.

    `written_bytes` is what the host wrote from the first to the last reading. `flash_written_bytes`
    belongs to `flash_host_bytes` of them, `points_used` to `points_host_bytes`. Drives in `by_time`
    do not state host writes: for these, seconds stand for bytes.
    """

    drives: tuple[DriveName, ...]
    readings: NDArray[np.int64]
    first_s: Floats
    last_s: Floats
    by_time: NDArray[np.bool_]
    host_bytes: Floats
    flash_bytes: Floats
    power_on_s: Floats
    erase_cycles: Floats
    erase_cycles_low: Floats
    erase_cycles_high: Floats
    points: Floats
    points_low: Floats
    points_high: Floats
    written_bytes: Floats
    flash_written_bytes: Floats
    flash_host_bytes: Floats
    points_used: Floats
    points_host_bytes: Floats
    blocks: tuple[Blocks, ...]
    anomalies: Mapping[int, tuple[Anomaly, ...]]

    @property
    def span_s(self) -> Floats:
        """Time from the first reading to the last; NaN without dates."""
        return self.last_s - self.first_s

    @property
    def is_dated(self) -> NDArray[np.bool_]:
        """Whether the last reading has a date, by a clock that was set."""
        return np.asarray(np.nan_to_num(self.last_s, nan=-np.inf) >= FIRST_CLOCK_S)

    def read_at_s(self, now_s: float) -> Floats:
        """Return the time of the last reading, and `now_s` for those without a date."""
        return np.where(self.is_dated, self.last_s, now_s)

    @property
    def counts_life(self) -> NDArray[np.bool_]:
        """Whether host writes count the whole life, not the time since boot or an interval."""
        return np.array([drive.counts_life for drive in self.drives], bool)

    @property
    def life_host_bytes(self) -> Floats:
        """Host writes over the life, NaN where only others are known."""
        return np.where(self.counts_life, self.host_bytes, np.nan)

    @property
    def is_series(self) -> NDArray[np.bool_]:
        """Whether a drive has readings at two times, and writes between them."""
        return (self.span_s > 0) & (self.written_bytes > 0)


def histories_of(readings: Readings) -> Histories:
    """Order the readings of each drive, mend what is wrong with them, and sum them up."""
    host = readings.counters["host_bytes"]
    stated = np.bincount(readings.drive[np.isfinite(host)], minlength=len(readings.drives)) > 0
    by_time = ~stated[readings.drive]
    time = _times(readings)
    host = np.where(by_time, _clock(readings), host)
    usable = np.isfinite(host) & (np.isfinite(readings.counters["points"]) | ~by_time)
    usable &= np.isfinite(time) | ~_has_two_dates(readings)
    order = np.flatnonzero(usable)
    order = order[np.lexsort((host[order], time[order], readings.drive[order]))]
    ordered, host = replace(readings, time_s=time).of(order), host[order]
    return _summed(_mended(ordered, host), ordered, host)


def _has_two_dates(readings: Readings) -> NDArray[np.bool_]:
    """Tell the readings of drives that have two dates or more."""
    dated = np.isfinite(readings.time_s)
    number = np.bincount(readings.drive[dated], minlength=len(readings.drives))
    return np.asarray(number[readings.drive] >= 2)


def _times(readings: Readings) -> Floats:
    """Return the dates of the readings, and power-on time for drives without any.

    The power-on time must differ between the readings.
    """
    drives, dated = len(readings.drives), np.isfinite(readings.time_s)
    if dated.all():
        return readings.time_s
    number = np.bincount(readings.drive[dated], minlength=drives)[readings.drive]
    on = readings.counters["power_on_s"]
    lowest, highest = np.full(drives, np.inf), np.full(drives, -np.inf)
    np.fmin.at(lowest, readings.drive, on)
    np.fmax.at(highest, readings.drive, on)
    differs = (highest > lowest)[readings.drive]
    return np.where((number == 0) & differs, on, readings.time_s)


def _clock(readings: Readings) -> Floats:
    """Return power-on time of drives all of whose readings state it and in which it rises.

    Of the others, the calendar, and power-on time for a reading without a date.
    """
    on, drives = readings.counters["power_on_s"], len(readings.drives)
    known = np.isfinite(on)
    lowest, highest = np.full(drives, np.inf), np.full(drives, -np.inf)
    np.minimum.at(lowest, readings.drive, np.where(known, on, -np.inf))
    np.maximum.at(highest, readings.drive, np.where(known, on, -np.inf))
    rises = (np.isfinite(lowest) & (highest > lowest))[readings.drive]
    return np.where(rises | ~np.isfinite(readings.time_s), on, readings.time_s)


@dataclass(frozen=True, slots=True)
class _Series:
    """Rows of all drives one after the other; `start` and `end` bound those of each."""

    drives: tuple[DriveName, ...]
    row: Rows
    time_s: Floats
    written: Floats
    start: Rows
    end: Rows
    anomalies: Mapping[int, tuple[Anomaly, ...]]


def _mended(readings: Readings, host: Floats) -> _Series:
    """Mend the drives that need it, and take the others as they are."""
    bounds = np.flatnonzero(np.diff(readings.drive, prepend=-1, append=-1))
    start, end = bounds[:-1], bounds[1:]
    undated = ~np.isfinite(readings.time_s)
    lone = np.add.reduceat(undated, start) > 0 if start.size else undated[:0]
    wrong = _wrong(readings, host, start, end) & ~lone
    plain = np.flatnonzero(~(wrong | lone))
    rows = _spans(start[plain], end[plain])
    sizes = [end[plain] - start[plain]]
    names = [readings.drives[number] for number in readings.drive[start[plain]].tolist()]
    base = np.repeat(host[start[plain]], sizes[0])
    columns = [(rows, readings.time_s[rows], host[rows] - base)]
    anomalies: dict[int, tuple[Anomaly, ...]] = {}
    for at in np.flatnonzero(wrong | lone):
        for name, one in _one_by_one(readings, host, np.arange(start[at], end[at]), lone[at]):
            if one.anomalies:
                anomalies[len(names)] = one.anomalies
            names.append(name)
            sizes.append(np.array([one.rows.size]))
            columns.append((one.rows, one.time_s, one.written_bytes))
    row, time, written = (np.concatenate(column) for column in zip(*columns, strict=True))
    ends = np.cumsum(np.concatenate([[0], *sizes]))
    return _Series(tuple(names), row, time, written, ends[:-1], ends[1:], anomalies)


def _spans(start: Rows, end: Rows) -> Rows:
    """Return the numbers from each start to before its end, one span after the other."""
    sizes = end - start
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(np.repeat(start, sizes) + within)


def _one_by_one(
    readings: Readings, host: Floats, rows: Rows, is_lone: np.bool_
) -> Iterator[tuple[DriveName, Repaired]]:
    """Yield the series of a drive whose readings need mending."""
    name = readings.drives[readings.drive[rows[0]]]
    if is_lone:
        latest = rows[np.argmax(host[rows])][None]  # without dates there is no series
        yield name, Repaired(latest, readings.time_s[latest], np.zeros(1), ())
        return
    power_on_s = readings.counters["power_on_s"][rows]
    several = repaired(readings.time_s[rows], host[rows], power_on_s)
    for number, one in enumerate(several, 1):
        called = name if len(several) == 1 else replace(name, name=f"{name.name} ({number})")
        yield called, replace(one, rows=rows[one.rows])


def _wrong(readings: Readings, host: Floats, start: Rows, end: Rows) -> NDArray[np.bool_]:
    """Tell the drives whose readings need mending."""
    if not start.size:
        return np.zeros(0, bool)
    within = readings.drive[1:] == readings.drive[:-1]
    step, wrote = np.diff(readings.time_s), np.diff(host)
    usual = np.maximum(
        (readings.time_s[end - 1] - readings.time_s[start]) / np.maximum(end - start - 1, 1), DAY_S
    )
    rank = np.repeat(np.arange(start.size), end - start)[1:]
    bad = (step <= 0) | (wrote < 0) | (wrote > FASTEST_BYTES_PER_S * np.maximum(step, HOUR_S))
    bad |= (step > _GAP * usual[rank]) & ((end - start)[rank] > 3)
    return np.bincount(rank[within & bad], minlength=start.size) > 0


def _summed(series: _Series, readings: Readings, host: Floats) -> Histories:
    start, last = series.start, series.end - 1
    columns = {name: readings.counters[name][series.row] for name in COUNTERS}
    stated = np.isfinite(columns["host_bytes"])
    point_start, point_last = _stretch(columns["points"], series)
    flash_start, flash_last = _stretch(columns["flash_bytes"], series)
    first_host = host[series.row[start]] if start.size else np.zeros(0)

    def between(column: Floats, first: Rows, end: Rows) -> Floats:
        known = (first >= 0) & (end > first)
        rose = column[end] - column[first] if column.size else np.zeros(0)
        return np.where(known, rose, np.nan)

    def at(column: Floats, rows: Rows) -> Floats:
        return np.where(rows >= 0, column[rows], np.nan) if column.size else np.zeros(0)

    by_time = ~stated[last] if last.size else np.zeros(0, bool)
    return Histories(
        drives=series.drives,
        readings=np.add.reduceat(columns["readings"], start).astype(np.int64)
        if start.size
        else start,
        first_s=series.time_s[start],
        last_s=series.time_s[last],
        by_time=by_time,
        host_bytes=np.where(by_time, np.nan, first_host + series.written[last]),
        flash_bytes=at(columns["flash_bytes"], flash_last),
        power_on_s=columns["power_on_s"][last],
        erase_cycles=columns["erase_cycles"][last],
        erase_cycles_low=columns["erase_cycles_low"][last],
        erase_cycles_high=columns["erase_cycles_high"][last],
        points=at(columns["points"], point_last),
        points_low=at(columns["points_low"], point_last),
        points_high=at(columns["points_high"], point_last),
        written_bytes=series.written[last],
        flash_written_bytes=between(columns["flash_bytes"], flash_start, flash_last),
        flash_host_bytes=between(series.written, flash_start, flash_last),
        points_used=between(columns["points"], point_start, point_last),
        points_host_bytes=between(series.written, point_start, point_last),
        blocks=_blocks(series, columns["flash_bytes"]),
        anomalies=series.anomalies,
    )


def _stretch(column: Floats, series: _Series) -> tuple[Rows, Rows]:
    """Return the first and the last row of each drive between which a counter only rose; or -1."""
    number = np.repeat(np.arange(series.start.size), series.end - series.start)
    stated = np.flatnonzero(np.isfinite(column))
    value, of = column[stated], number[stated]
    begins = np.ones(stated.size, bool)
    begins[1:] = (of[1:] != of[:-1]) | (value[1:] < value[:-1])
    first, last = np.full((2, series.start.size), -1)
    first[of[begins]] = stated[begins]  # the last one that begins holds
    last[of] = stated
    return first, last


def _blocks(series: _Series, flash: Floats) -> tuple[Blocks, ...]:
    """Cut histories into blocks of weeks, longer where readings are rare or over 60 weeks long."""
    start, last = series.start, series.end - 1
    if not start.size:
        return ()
    span = series.time_s[last] - series.time_s[start]
    count = np.maximum(last - start, 1)
    weeks, whole = block_weeks(span, count)
    number = whole.astype(int)
    found = []
    for block, blocks in np.unique(np.stack([weeks, number]), axis=1).T:
        if blocks < 2:
            continue
        drives = np.flatnonzero((weeks == block) & (number == blocks))
        marks = series.time_s[last[drives]][:, None] - block * WEEK_S * np.arange(blocks, -1, -1)
        wrote, burnt = (
            np.diff(_at(marks, column, drives, series), axis=1)
            for column in (series.written, flash)
        )
        found.append(Blocks(drives, float(block * WEEK_S), np.maximum(wrote, 0), burnt))
    return tuple(found)


def _at(marks: Floats, column: Floats, drives: Rows, series: _Series) -> Floats:
    """Interpolate a column of drives at times, one row of them for each drive."""
    lowest = np.nanmin(series.time_s)
    width = float(np.nanmax(series.time_s) - lowest) + WEEK_S
    rank = np.repeat(np.arange(drives.size), series.end[drives] - series.start[drives])
    rows = _spans(series.start[drives], series.end[drives])
    places = rank * width + (series.time_s[rows] - lowest)
    wanted = np.arange(drives.size)[:, None] * width + np.maximum(marks - lowest, 0.0)
    return np.asarray(np.interp(wanted.ravel(), places, column[rows]).reshape(marks.shape))


def joined(parts: Sequence[Histories], order: Sequence[int]) -> Histories:
    """Put the drives of several parts into one, in an order of all of them."""
    offsets = np.cumsum([0, *(len(part.drives) for part in parts)])
    place = np.empty(len(order), np.intp)
    place[np.array(order, np.intp)] = np.arange(len(order))
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])[np.array(order, np.intp)]
        for name in (
            "readings", "first_s", "last_s", "by_time", "host_bytes", "flash_bytes", "power_on_s",
            "erase_cycles", "erase_cycles_low", "erase_cycles_high", "points", "points_low",
            "points_high", "written_bytes", "flash_written_bytes", "flash_host_bytes",
            "points_used", "points_host_bytes",
        )
    }  # fmt: skip
    drives = [drive for part in parts for drive in part.drives]
    return Histories(
        drives=tuple(drives[at] for at in order),
        blocks=tuple(
            replace(blocks, drives=place[blocks.drives + offset])
            for part, offset in zip(parts, offsets, strict=False)
            for blocks in part.blocks
        ),
        anomalies={
            int(place[at + offset]): anomalies
            for part, offset in zip(parts, offsets, strict=False)
            for at, anomalies in part.anomalies.items()
        },
        **columns,
    )
