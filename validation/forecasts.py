"""Coverage of the intervals of remaining life, for drives with random writes.

Each kind is a stochastic process of daily writes with mean 1 over the life of a drive. The forecast
gets weekly readings of a part of it, with wear in whole percent, and is compared with the day on
which the drive was worn out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, TB, WEEK_S
from models.wear_forecast import distances_bytes, remaining_lives

Floats = NDArray[np.float64]
Writes = Callable[[np.random.Generator, int], Floats]

# Days of history, and the least coverage of the open interval; that of 120 days is labelled rough.
LEAST = {365: 0.85, 182: 0.85, 120: 0.76}
DRIVES, QUICK_DRIVES = 300, 30
_FEWEST_COUNTS = 2
_ENDS = (0.05, 0.95)
_CV = 0.5  # coefficient of variation of the daily writes, unless the kind has its own
_SPARE_LIVES = 3.0  # length of the drawn writes, in lives at the mean rate


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of random writes: name, description and generator."""

    name: str
    words: str
    writes: Writes
    by_time: float = 0.0  # share of the wear that time alone adds


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of both intervals over a number of drives of one kind.

    `open` and `steady` are shares of drives whose life ends within the interval; widths are medians
    relative to the true remaining life.
    """

    kind: Kind
    history_days: int
    drives: int
    open: float
    steady: float
    open_width: float
    steady_width: float

    @property
    def inside(self) -> bool:
        """Whether the coverage of the open interval is large enough."""
        return self.open >= LEAST[self.history_days]


@dataclass(frozen=True, slots=True)
class _Drive:
    """The readings of a drive, and its life after the last reading."""

    host_bytes: Floats
    times_s: Floats
    points_used: float
    points_left: float
    end_s: float


def _independent(rng: np.random.Generator, days: int) -> Floats:
    return rng.gamma(_CV**-2, _CV**2, days)


def _weekly(rng: np.random.Generator, days: int) -> Floats:
    weekday = (np.arange(days) + rng.integers(7)) % 7
    return np.where(weekday < 5, 1.3, 0.25) * _independent(rng, days)


def _level(rng: np.random.Generator, size: int) -> Floats:
    """Draw levels of mean 1."""
    sd = np.sqrt(np.log1p(_CV**2))
    return np.asarray(np.exp(sd * rng.standard_normal(size) - sd**2 / 2))


def _monthly(rng: np.random.Generator, days: int) -> Floats:
    months = np.repeat(_level(rng, days // 30 + 2), 30)
    return months[rng.integers(30) :][:days] * _independent(rng, days)


def _resembling(correlation: float, rng: np.random.Generator, days: int) -> Floats:
    """Draw daily writes whose logarithm is an autoregressive process."""
    from scipy.signal import lfilter  # noqa: PLC0415 - slow to import

    sd = np.sqrt(np.log1p(_CV**2))
    news = rng.standard_normal(days) * np.sqrt(1 - correlation**2)
    news[0] = rng.standard_normal()
    return np.asarray(np.exp(sd * lfilter([1.0], [1.0, -correlation], news) - sd**2 / 2))


def _heavy(rng: np.random.Generator, days: int) -> Floats:
    return (rng.pareto(1.8, days) + 1) * 0.8 / 1.8


def _bursts(rng: np.random.Generator, days: int) -> Floats:
    burst = rng.random(days) < 1 / 14
    return 0.3 * _independent(rng, days) + 0.7 * 14 * burst * _heavy(rng, days)


def _regimes(rng: np.random.Generator, days: int) -> Floats:
    busy = (np.cumsum(rng.random(days) < 1 / 180) + rng.integers(2)) % 2
    return np.where(busy, 1.5, 0.5) * _independent(rng, days)


def _step(rng: np.random.Generator, days: int) -> Floats:
    """Double the writes on a day between the first and, had they not doubled, the last."""
    steps = np.arange(days) >= rng.uniform(0, days / _SPARE_LIVES)
    return (1.0 + steps) * _independent(rng, days)


def _growth(rng: np.random.Generator, days: int) -> Floats:
    return np.asarray(1.2 ** (np.arange(days) / 365) * _independent(rng, days))


KINDS = (
    Kind("independent", "days do not depend on each other (gamma, CV 0.5)", _independent),
    Kind("weekly", "working days 1.3, weekends 0.25", _weekly),
    Kind("monthly", "a level for each month (CV 0.5)", _monthly),
    Kind("AR(1) 0.9", "days resemble each other for ten days", partial(_resembling, 0.9)),
    Kind("AR(1) 0.98", "days resemble each other for fifty days", partial(_resembling, 0.98)),
    Kind("heavy days", "Pareto of index 1.8 every day", _heavy),
    Kind("bursts", "70 % of the writes in bursts, Pareto of index 1.8, every 14 days", _bursts),
    Kind("regimes", "half and one and a half of the mean, for 180 days in the mean", _regimes),
    Kind("step", "twice the writes from a day that may be past or to come", _step),
    Kind("growth", "20 % more a year, which the forecast does not know", _growth),
    Kind("wear by time", "half of the wear comes with time alone", _independent, by_time=0.5),
)  # fmt: skip


def forecast_cases(*, quick: bool) -> list[tuple[Kind, int, int]]:
    """Return every kind with every length of history, and the number of drives."""
    drives = QUICK_DRIVES if quick else DRIVES
    return [(kind, days, drives) for kind in KINDS for days in LEAST]


def coverage(case: tuple[Kind, int, int]) -> Coverage:
    """Forecast drives of a kind, and count those whose life ends within the interval."""
    kind, days, wanted = case
    drives = _drives(kind, days, wanted)
    wrote = np.array([np.diff(drive.host_bytes) for drive in drives])
    far = distances_bytes(
        wrote.sum(axis=1), points_used=[drive.points_used for drive in drives],
        points_left=[drive.points_left for drive in drives],
    )  # fmt: skip
    end = np.array([drive.end_s for drive in drives])
    found = []
    for changes in (True, False):
        early, late = remaining_lives(
            _ENDS, written_bytes=wrote, interval_s=WEEK_S, distance_bytes=far, changes=changes
        )
        inside = (early <= end) & (end <= late)
        found.append((float(inside.mean()), float(np.median((late - early) / end))))
    (opened, open_width), (steady, steady_width) = found
    return Coverage(kind, days, wanted, opened, steady, open_width, steady_width)


def _drives(kind: Kind, days: int, wanted: int) -> Sequence[_Drive]:
    """Draw drives until enough have two counts of wear and are not worn out at the last reading."""
    found: list[_Drive] = []
    number = 0
    while len(found) < wanted:
        drive = _drawn(kind, days, np.random.default_rng([days, number]))
        number += 1
        if drive is not None:
            found.append(drive)
    return found


def _drawn(kind: Kind, days: int, rng: np.random.Generator) -> _Drive | None:
    pace = rng.uniform(0.02, 0.2)  # points a day: 1.4 to 14 years of life
    start = rng.uniform(0, 30)
    whole = days + int(_SPARE_LIVES * 100 / pace)
    written = np.concatenate([[0.0], np.cumsum(kind.writes(rng, whole))])
    aged = (1 - kind.by_time) * written + kind.by_time * np.arange(whole + 1)
    used = start + pace * aged
    at = np.arange(days % 7, days + 1, 7)
    counted = np.floor(used[at[-1]]) - np.floor(used[at[0]])
    if used[days] >= 99 or used[-1] < 100 or counted < _FEWEST_COUNTS:
        return None
    after = int(np.argmax(used >= 100))
    end = after - (used[after] - 100) / (used[after] - used[after - 1])
    return _Drive(
        host_bytes=written[at] * pace * 2 * TB,
        times_s=np.asarray(at * DAY_S, float),
        points_used=counted,
        points_left=100 - np.floor(used[at[-1]]),
        end_s=(end - days) * DAY_S,
    )
