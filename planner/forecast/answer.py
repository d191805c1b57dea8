"""Records of a forecast, in base units."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.wear_forecast import Draws

__all__ = ["COVERAGE", "SURE", "Draws", "Floats", "Forecast", "Interval", "Left", "NoForecast"]

Floats = NDArray[np.float64]

COVERAGE = 0.9  # share of drives whose end falls between the first date and the last
SURE = "90 %"  # the label of an interval that covers it


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
class Interval:
    """Early, middle and late end of the rated life, from the last reading."""

    early_s: float
    middle_s: float | None
    late_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """End of the rated life: early, middle and late, and its basis.

    `open` holds in 90 % of drives even if the level of writes changes, `steady` if the writes stay
    of their kind; both are None where the readings are too few for an interval. Early, middle and
    late are those of `open` where it is known, else rough: the middle within a factor of two.
    `label` says which, `weeks` how long the readings were taken.

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
    weeks: int
    label: str
    read_at_s: float | None
    early_s: float
    middle_s: float | None
    late_s: float
    steady: Interval | None
    open: Interval | None
    host_bytes_per_s: float
    points_used: float | None
    wa: float | None
    left: tuple[Left, ...]
    disagreements: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    draws: Draws | None = field(default=None, repr=False, compare=False)

    @property
    def is_past(self) -> bool:
        """Whether the rated life is used up, however it is counted."""
        return self.late_s <= 0

    @property
    def is_rough(self) -> bool:
        """Whether the dates are labelled as rough, and never as 90 %."""
        return self.label != SURE
