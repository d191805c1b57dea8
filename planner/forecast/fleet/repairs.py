"""Faults in a drive's readings, and their repairs; each is reported.

A counter that falls to less than half was reset, or the drive was swapped if its power-on time fell
too. Smaller falls, and many, are readings out of order: of two drives with one serial number where
two rising series run beside each other, else of a clock that went back. A rise that no interface
carries is a jump.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, GB, HOUR_S
from planner.forecast.fleet.readings import Floats

Rows = NDArray[np.intp]

FASTEST_BYTES_PER_S = 15.754 * GB  # four lanes of PCI Express 5.0, as in `planner.telemetry.gate`
_RESET = 0.5  # a counter that keeps more than this share of itself was not reset
_MOST_RESETS = 2  # more falls than this are readings out of order
_MOST_CLOCKS = 5  # times that a clock goes back
_NEAR = 3.0  # usual steps, between readings around which the clock went back


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A fault in the readings of a drive, its number, and its repair."""

    kind: str
    number: int
    done: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """One drive's series: rows in order, their times, and host bytes that rise throughout."""

    rows: Rows
    time_s: Floats
    written_bytes: Floats
    anomalies: tuple[Anomaly, ...]


def repaired(time_s: Floats, host_bytes: Floats, power_on_s: Floats) -> tuple[Repaired, ...]:
    """Return the series of one drive, or those of two that share a serial number.

    The readings are in the order of time, and of host writes at one time.
    """
    rows: Rows = np.arange(time_s.size)
    falls = np.flatnonzero(np.diff(host_bytes) < 0)
    if not falls.size or _are_resets(falls, host_bytes):
        return (_in_order(rows, time_s, host_bytes, power_on_s),)
    order = _order(host_bytes, power_on_s)
    series = _rising(host_bytes, power_on_s)
    if len(series) != 2 or _is_one_clock(time_s[order], host_bytes[order]):
        return (_by_hours(order, time_s, host_bytes, power_on_s),)
    done = "read as two drives"
    shared = Anomaly("two drives with one serial number", 1, done)
    return tuple(
        _with(shared, _in_order(np.array(one), time_s, host_bytes, power_on_s)) for one in series
    )


def _order(host_bytes: Floats, power_on_s: Floats) -> Rows:
    """Return the readings in the order of power-on time if all state it, else of host writes."""
    known = bool(np.all(np.isfinite(power_on_s)))
    return np.lexsort((host_bytes, power_on_s if known else host_bytes))


def _is_one_clock(time_s: Floats, host_bytes: Floats) -> bool:
    """Whether readings in the order of one drive's wear go on where the clock went back."""
    steps, back = np.diff(host_bytes), np.diff(time_s) < 0
    usual = np.median(steps[steps > 0]) if np.any(steps > 0) else 0.0
    few = 1 <= back.sum() <= _MOST_CLOCKS
    return bool(few and np.all(steps >= 0) and np.all(steps[back] <= _NEAR * usual))


def _are_resets(falls: Rows, host_bytes: Floats) -> bool:
    deep = host_bytes[falls + 1] < _RESET * host_bytes[falls]
    return falls.size <= _MOST_RESETS and bool(np.all(deep))


def _rising(host_bytes: Floats, power_on_s: Floats) -> list[list[int]]:
    """Split readings into series that rise: each joins that whose last is nearest below."""
    series: list[list[int]] = []
    for row, host in enumerate(host_bytes):
        below = [
            one
            for one in series
            if host_bytes[one[-1]] <= host and not power_on_s[one[-1]] > power_on_s[row]
        ]
        if below:
            max(below, key=lambda one: float(host_bytes[one[-1]])).append(row)
        else:
            series.append([row])
    return series


def _by_hours(order: Rows, time_s: Floats, host_bytes: Floats, power_on_s: Floats) -> Repaired:
    """Date readings of a clock that went back by power-on time, else by their usual step."""
    steps, on = np.diff(time_s[order]), np.diff(power_on_s[order])
    if np.all(np.isfinite(power_on_s)):
        good = (steps > 0) & (on > 0)
        pace = max(float(steps[good].sum() / on[good].sum()), 1.0) if good.any() else 1.0
        behind = pace * (power_on_s[order[-1]] - power_on_s[order])
        done = "dated by power-on time before the last reading"
    else:
        usual = float(np.median(steps[steps > 0])) if np.any(steps > 0) else DAY_S
        forward = np.append(np.where(steps > 0, np.minimum(steps, _NEAR * usual), usual), 0.0)
        behind = np.cumsum(forward[::-1])[::-1]
        done = "put in the order of host writes"
    times = time_s[order].max() - behind
    one = _in_order(np.arange(order.size), times, host_bytes[order], power_on_s[order])
    one = Repaired(order[one.rows], one.time_s, one.written_bytes, one.anomalies)
    back = max(int(np.sum(steps < 0)), 1)
    return _with(Anomaly("clock going back", back, done), one)


def _with(anomaly: Anomaly, one: Repaired) -> Repaired:
    return Repaired(one.rows, one.time_s, one.written_bytes, (anomaly, *one.anomalies))


def _in_order(rows: Rows, time_s: Floats, host_bytes: Floats, power_on_s: Floats) -> Repaired:
    """Mend resets, swaps, jumps and doubled readings of a series in the order of time."""
    anomalies: list[Anomaly] = []
    rows = _single(rows, time_s, anomalies)
    rows = _after_swap(rows, host_bytes, power_on_s, anomalies)
    steps = np.diff(host_bytes[rows])
    span = np.diff(time_s[rows])
    resets = steps < 0
    if resets.any():
        steps[resets] = np.minimum(host_bytes[rows][1:][resets], FASTEST_BYTES_PER_S * span[resets])
        done = "writes before and after the reset were added"
        anomalies.append(Anomaly("counter reset", int(resets.sum()), done))
    jumps = steps > FASTEST_BYTES_PER_S * np.maximum(span, HOUR_S)
    if jumps.any():
        steps[jumps] = 0.0
        done = "more than the interface carries: the rise was left out"
        anomalies.append(Anomaly("jump", int(jumps.sum()), done))
    missing = _missing(span)
    if missing:
        anomalies.append(Anomaly("missing days", missing, "writes were spread over the gap"))
    return Repaired(rows, time_s[rows], np.append(0.0, np.cumsum(steps)), tuple(anomalies))


def _single(rows: Rows, time_s: Floats, anomalies: list[Anomaly]) -> Rows:
    """Keep the last of several readings at one time."""
    doubled = np.append(np.diff(time_s[rows]) <= 0, False)
    if doubled.any():
        done = "the reading with the most host writes was kept"
        anomalies.append(Anomaly("duplicate day", int(doubled.sum()), done))
    return np.asarray(rows[~doubled])


def _after_swap(
    rows: Rows, host_bytes: Floats, power_on_s: Floats, anomalies: list[Anomaly]
) -> Rows:
    """Keep the readings since the last swap: host writes and power-on time both fell."""
    host, on = host_bytes[rows], power_on_s[rows]
    swapped = np.flatnonzero((np.diff(host) < 0) & (np.diff(on) < 0))
    if swapped.size:
        done = "readings of the drive before were left out"
        anomalies.append(Anomaly("swapped drive", int(swapped.size), done))
        return rows[swapped[-1] + 1 :]
    return rows


def _missing(span: Floats) -> int:
    """Count the readings that are missing at the usual step, where whole days are missing."""
    if span.size < 3:
        return 0
    usual = max(float(np.median(span)), DAY_S)
    return int(np.sum(np.maximum(np.rint(span / usual) - 1, 0)))
