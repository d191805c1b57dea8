"""Records of a forecast, in base units."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.forecast.rating import Rating
from planner.telemetry.record import Observed

Floats = NDArray[np.float64]

COVERAGE = 0.9  # share of drives whose life ends within the interval
SURE = "90 %"  # label of such an interval
WEAR_ALONE = "rough, from wear alone"  # label of dates without host writes
PAST = "retire now"  # label of a drive past its rating, which has no date ahead


class NoForecast(ValueError):  # noqa: N818 - reads as what happened
    """The reason why readings allow no forecast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingWrites:
    """Remaining host writes by one kind of evidence, with a range; `value_bytes` may be None."""

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


@dataclass(frozen=True, slots=True)
class Ends:
    """End of the life of a drive: times by which it ends with some probabilities."""

    probabilities: Floats
    times_s: Floats

    def quantile(self, probability: Floats) -> Floats:
        """Return the times by which the end has come with probabilities that are in the table."""
        return self.times_s[np.searchsorted(self.probabilities, probability - 1e-9)]

    def probability(self, times_s: Floats) -> Floats:
        """Return the probability that the end has come by each time, linear in its logarithm."""
        if self.times_s[-1] <= 0:
            return np.ones(np.shape(times_s))
        known, wanted = (np.log(np.maximum(one, 1.0)) for one in (self.times_s, times_s))
        return np.asarray(np.interp(wanted, known, self.probabilities, left=0.0, right=1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Early, middle and late end of the rated life, and the basis of these dates.

    `open` is a 90 % interval that allows the level of writes to change; `steady` one for an
    unchanged workload. Both are None if the readings are too few. Early, middle and late are those
    of `open` if it is known, else a rough range: the middle within a factor of two. `label` says
    which; `weeks` is the time that the readings span. From wear alone, without host writes, dates
    are rough, `host_bytes_per_s` is NaN and `left` is empty.

    Times count from the last reading. `clock` is "calendar", or "power-on" if the files give only
    power-on time: a drive that is off half of the time lasts twice as long by the calendar. `wa` is
    the write amplification between the readings, or over the life. `left` holds the remaining
    writes by each kind of evidence, the one used first. `rating` holds the rated TBW and warranty
    of a drive of the catalogue, `worn_share` the used share of the life by the wear indicator: past
    its TBW, or with all its life used, a drive has no time left. Rated cycles are those of the last
    reading.
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
    points_per_year: float | None
    points_used: float | None
    wa: float | None
    left: tuple[RemainingWrites, ...]
    disagreements: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    curve: Ends | None = field(default=None, repr=False, compare=False)
    rating: Rating | None = None
    worn_share: float | None = None
    pe_cycles: Observed | None = None
    indicator_pe_cycles: Observed | None = None
    field_pe_cycles: Observed | None = None

    @property
    def is_past(self) -> bool:
        """Whether the whole interval is in the past."""
        return self.late_s <= 0

    @property
    def is_rough(self) -> bool:
        """Whether the dates are rough, not a 90 % interval."""
        return self.label != SURE
