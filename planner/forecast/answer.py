"""Records of a forecast, in base units."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["COVERAGE", "Draws", "Floats", "Forecast", "Left", "NoForecast"]

Floats = NDArray[np.float64]

COVERAGE = 0.9  # share of drives whose end falls between the first date and the last


class NoForecast(ValueError):  # noqa: N818 - reads as what happened
    """Readings without a forecast, and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Remaining host bytes by one kind of evidence; `value` None is no estimate."""

    kind: str
    field: str
    low_bytes: float
    value_bytes: float | None
    high_bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """Equally likely values of the unknowns: remaining bytes, rate and dispersion of writes."""

    distance_bytes: Floats
    host_bytes_per_s: Floats
    dispersion_bytes: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """End of the rated life: early, middle and late, and its basis.

    Times count from the last reading. `clock` says what passes: "calendar", or "power-on" where
    the files give no more; a drive that is off half of the time lasts twice as long by the
    calendar. `wa` is write amplification between the readings, or over the life. `left` holds what
    each kind of evidence says, the one that is taken first.
    """

    model: str
    drive_id: str | None
    basis: str
    clock: str
    readings: int
    read_at_s: float | None
    early_s: float
    middle_s: float | None
    late_s: float
    host_bytes_per_s: float
    points_used: float | None
    wa: float | None
    left: tuple[Left, ...]
    disagreements: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    draws: Draws | None = field(default=None, repr=False, compare=False)
