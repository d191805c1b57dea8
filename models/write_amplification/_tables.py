"""Sums over temperature classes, tabulated where many points ask for the same classes.

Dimensionless. A sum over classes is a smooth function of one number, the age at which a block is
collected or the gain at which spare area is split. From `MANY` points on, a table of it with its
exact slopes costs less than the sums themselves, whatever the number of classes; between the nodes
the cubic is within 1e-9.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MANY = 256
_STEP = 0.01
_LOG_AGES = np.arange(np.log(1e-7), np.log(1e5), _STEP)


class Table(NamedTuple):
    """A curve by values and slopes at equal steps from `start`."""

    start: float
    step: float
    values: Floats
    slopes: Floats

    def at(self, place: Floats) -> tuple[Floats, Floats]:
        """Return value and slope by the cubic of each step; straight on beyond the ends."""
        position = (place - self.start) / self.step
        left = np.clip(position.astype(int), 0, self.values.size - 2)
        part = np.clip(position - left, 0.0, 1.0)
        beyond = (position - left - part) * self.step
        low, high = self.values[left], self.values[left + 1]
        rise, begin, end = (
            (high - low) / self.step, self.slopes[left], self.slopes[left + 1]
        )  # fmt: skip
        bend, twist = 3 * rise - 2 * begin - end, begin + end - 2 * rise
        slope = begin + part * (2 * bend + 3 * part * twist)
        value = low + self.step * part * (begin + part * (bend + part * twist)) + beyond * slope
        return value, slope

    def holds(self, place: Floats) -> NDArray[np.bool_]:
        """Test each place for lying between the ends."""
        last = self.start + self.step * (self.values.size - 1)
        return np.asarray((place >= self.start) & (place <= last))


def excess(x: Floats) -> Floats:
    """Return h(x) = x / (1 - exp(-x)) - 1 without cancellation near 0."""
    small = np.minimum(x, 0.25)
    square = small * small
    series = 1 - square / 42 * (1 - square / 40 * (1 - square / 39.6))
    series = small / 2 + square / 12 * (1 - square / 60 * series)
    large = np.maximum(x, 0.25)
    return np.where(x < 0.25, series, (large + np.expm1(-large)) / -np.expm1(-large))


def excess_slope(x: Floats) -> Floats:
    """Return h'(x)."""
    alive, dead = np.exp(-x), -np.expm1(-x)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(x < 1e-4, 0.5 + x / 6, (dead - x * alive) / (dead * dead))


def age_by_table(
    ratios: Floats, rates: Floats, pages: Floats, slopes: float | Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Solve p = sum f h(lambda tau) + c tau for tau, and say where the table holds the answer."""
    table = _class_sum(tuple(rates), tuple(pages))
    age = np.minimum(2 * ratios, ratios + 1)
    for _ in range(100):
        log_sum, power = table.at(np.log(age))
        total = np.exp(log_sum)
        step = (total + slopes * age - ratios) / (power * total / age + slopes)
        age = np.maximum(age - step, age / 16)
        if np.all(np.abs(step) <= 1e-13 * age):
            break
    return age, table.holds(np.log(age))


def class_sum(log_ages: Floats, rates: Floats, pages: Floats) -> Floats:
    """Return sum f h(lambda tau) by table, for ages between 1e-7 and 1e5."""
    return np.asarray(np.exp(_class_sum(tuple(rates), tuple(pages)).at(log_ages)[0]))


def held_by_table(trims: Floats, rates: Floats, pages: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Solve m = sum f a lambda / (1 + a lambda), a = m (1 - q) / q for m, and say where it holds.

    The logarithm of m / a falls from 0 with that of a, ever faster: from a for m = 1 no step of
    Newton's goes too far.
    """
    table = _held_sum(tuple(rates), tuple(pages))
    wanted = np.log(trims / (1 - trims))
    place = -wanted
    for _ in range(100):
        log_held, power = table.at(place)
        step = (log_held - place - wanted) / (1 - power)
        place = place + step
        if np.all(np.abs(step) <= 1e-13):
            break
    return np.exp(table.at(place)[0]), table.holds(place)


def root_between(
    function: Callable[[Floats], Floats], low: Floats, high: Floats, *, near: float = 1e-14
) -> Floats:
    """Find the root of a rising function by secants that keep it between their ends."""
    low_value, high_value = function(low), function(high)
    for _ in range(60):
        rise = high_value - low_value
        step = np.where(rise != 0, high_value * (high - low) / np.where(rise != 0, rise, 1.0), 0.0)
        middle = high - step
        value = function(middle)
        crossed = value * high_value < 0
        low = np.where(crossed, high, low)
        low_value = np.where(crossed, high_value, low_value / 2)
        high, high_value = middle, value
        if np.all(np.abs(step) <= near):
            break
    return high


@lru_cache(maxsize=32)
def _held_sum(rates: tuple[float, ...], pages: tuple[float, ...]) -> Table:
    """Tabulate the logarithm of sum f a lambda / (1 + a lambda) over that of a."""
    total, slope = np.zeros_like(_LOG_AGES), np.zeros_like(_LOG_AGES)
    for rate, held in zip(rates, pages, strict=True):
        x = rate * np.exp(_LOG_AGES)
        total += held * x / (1 + x)
        slope += held * x / (1 + x) ** 2
    return Table(float(_LOG_AGES[0]), _STEP, np.log(total), slope / total)


@lru_cache(maxsize=32)
def _class_sum(rates: tuple[float, ...], pages: tuple[float, ...]) -> Table:
    """Tabulate the logarithm of sum f h(lambda tau) over that of tau."""
    total, slope = np.zeros_like(_LOG_AGES), np.zeros_like(_LOG_AGES)
    for rate, held in zip(rates, pages, strict=True):
        x = rate * np.exp(_LOG_AGES)
        total += held * excess(x)
        slope += held * x * excess_slope(x)
    return Table(float(_LOG_AGES[0]), _STEP, np.log(total), slope / total)
