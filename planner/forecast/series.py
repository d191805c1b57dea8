"""First passage from a series of readings, with the variance between blocks of time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import chdtri, ndtri

from models import wear_forecast
from models.units import DAY_S
from planner.forecast.answer import Draws, Floats, Left, NoForecast
from planner.forecast.evidence import WEAR
from planner.telemetry.record import DriveReading

__all__ = ["FEWEST_BLOCKS", "FEWEST_COUNTS", "History", "counted", "draws", "history"]

FEWEST_COUNTS = 2
FEWEST_BLOCKS = 8
LONGEST_BLOCK_S = 28 * DAY_S
_BLOCKS_S = tuple(days * DAY_S for days in (28, 21, 14, 7))
_SHORTER = 4  # times, the blocks that the long ones are held against
_FEWEST_GAPS = 4
_DRAWS = 1024
_STEADY = 1e-6  # lumps of a rate that is taken as steady, over the distance


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Readings in order of time: host writes, and points of 100 used where stated."""

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
    def counts(self) -> float:
        """Points used between the first and the last reading that state them."""
        said = self.points[~np.isnan(self.points)]
        return float(said[-1] - said[0]) if said.size > 1 else 0.0


def history(readings: Sequence[DriveReading]) -> History:
    """Put readings in order; refuse those that cannot be of one drive."""
    if any(one.read_at_s is None for one in readings):
        raise NoForecast("a reading does not say when it was taken, so there is no series")
    names = {one.identity for one in readings if one.identity}
    if len(names) > 1 or len({one.model for one in readings if one.model}) > 1:
        raise NoForecast("the readings are of several drives; give those of one")
    ordered = sorted(readings, key=lambda one: one.read_at_s or 0.0)
    found = History(
        times_s=np.array([one.read_at_s for one in ordered], float),
        host_bytes=np.array([one.host_bytes.value if one.host_bytes else 0 for one in ordered]),
        points=np.array(
            [100 * one.used_fraction.value if one.used_fraction else np.nan for one in ordered]
        ),
    )
    _refuse(found)
    _refuse_reset_clock(ordered)
    return found


def counted(known: History) -> Left | None:
    """Return the remaining writes by the counts between readings; None for fewer than two."""
    count, last = known.counts, known.points[-1]
    if count < FEWEST_COUNTS or math.isnan(last):
        return None

    def left(points_left: float, points_used: float) -> float:
        return wear_forecast.points_left_bytes(
            max(points_left, 0.0), host_bytes=known.written_bytes, points_used=points_used
        )

    return Left(
        kind=WEAR,
        field=f"{count:g} points between the readings",
        low_bytes=left(99 - last, count + 1),
        value_bytes=left(99.5 - last, count),
        high_bytes=left(100 - last, count - 1),
    )


def draws(known: History, low_bytes: float, high_bytes: float) -> Draws:
    """Draw remaining bytes, rate and dispersion from the uncertainty of the readings.

    The ends of the counts are anywhere within their points. The variance is that of the blocks,
    drawn with as many degrees of freedom as there are blocks less one; the mean rate follows.
    Distances that flash writes rule out are left out.
    """
    first, last, chance, rate = _even(_DRAWS)
    count = known.counts
    distance = known.written_bytes * (100 - known.points[-1] - last) / (count + last - first)
    mean = known.written_bytes / known.span_s
    blocks = _blocks(known)
    if blocks is None:
        rates, lumps = np.full(_DRAWS, mean), np.full(_DRAWS, _STEADY * max(high_bytes, 1.0))
    else:
        seen, number = blocks
        drawn = seen * (number - 1) / chdtri(number - 1, chance)
        rates = mean + ndtri(rate) * np.sqrt(drawn * mean / known.span_s)
        lumps = np.maximum(drawn * mean / np.maximum(rates, mean * _STEADY), _STEADY * distance)
    kept = (rates > 0) & (distance > 0)
    inside = kept & (distance >= low_bytes) & (distance <= high_bytes)
    kept = inside if inside.any() else kept
    return Draws(
        distance_bytes=distance[kept], host_bytes_per_s=rates[kept], dispersion_bytes=lumps[kept]
    )


def varies(known: History) -> bool:
    """Whether the readings are enough to estimate how much writes vary."""
    return _blocks(known) is not None


def _blocks(known: History) -> tuple[float, int] | None:
    """Return the dispersion that the longest usable blocks show, and how many there are."""
    gap = float(np.median(np.diff(known.times_s)))
    for block_s in _BLOCKS_S:
        if known.span_s >= FEWEST_BLOCKS * block_s and gap <= block_s / _SHORTER:
            long, short = (_in_blocks(known, block_s / part) for part in (1, _SHORTER))
            if long.sum() > 0:
                whole = wear_forecast.long_run_dispersion_bytes(
                    wear_forecast.dispersion_bytes(long, interval_s=block_s),
                    short_dispersion_bytes=wear_forecast.dispersion_bytes(
                        short, interval_s=block_s / _SHORTER
                    ),
                    block_ratio=_SHORTER,
                )
                return whole, long.size
    gaps = np.diff(known.times_s)
    if gaps.size < _FEWEST_GAPS:
        return None
    return wear_forecast.dispersion_bytes(np.diff(known.host_bytes), interval_s=gaps), gaps.size


def _in_blocks(known: History, block_s: float) -> Floats:
    """Return the bytes written in blocks of a length, counted back from the last reading."""
    number = int(known.span_s // block_s)
    ends = known.times_s[-1] - block_s * np.arange(number, -1, -1)
    return np.diff(np.interp(ends, known.times_s, known.host_bytes))


def _even(number: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return points that fill the unit cube of four dimensions evenly, the same every time."""
    root = 1.0
    for _ in range(60):
        root = (1 + root) ** (1 / 5)
    steps = np.arange(1, number + 1)
    one, two, three, four = ((0.5 + steps / root**power) % 1 for power in (1, 2, 3, 4))
    return one, two, three, four


def _refuse_reset_clock(ordered: Sequence[DriveReading]) -> None:
    """Refuse readings between which the drive ran for longer than the clock did."""
    known = [(one.read_at_s or 0.0, one.power_on_s) for one in ordered if one.power_on_s]
    for (before_s, before), (after_s, after) in pairwise(known):
        if after.low - before.high > after_s - before_s + DAY_S:
            raise NoForecast(
                "the power-on time grows faster than the clock between two readings: the clock "
                "was reset"
            )


def _refuse(found: History) -> None:
    if not np.all(np.diff(found.times_s) > 0):
        raise NoForecast("two readings were taken at the same time")
    if np.any(np.diff(found.host_bytes) < 0):
        raise NoForecast("host writes fall from one reading to the next: a reset, or two drives")
    said = found.points[~np.isnan(found.points)]
    if np.any(np.diff(said) < 0):
        raise NoForecast("the percentage used falls from one reading to the next")
    if found.written_bytes <= 0:
        raise NoForecast("nothing was written between the readings")
