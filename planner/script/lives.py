"""When the rated life of a drive in use ends, for scripts."""

from dataclasses import dataclass, field
from math import nan
from os import PathLike
from pathlib import Path

from planner.catalogue import find, load
from planner.forecast import Forecast, Interval, forecast
from planner.graph.number import Number
from planner.quantity.parse import parse_day
from planner.telemetry import DriveReading, read

__all__ = ["RemainingLife", "remaining_life"]


@dataclass(frozen=True)
class RemainingLife:
    """Time from the last reading until the rated life is used up.

    `life` is what is printed, with the range that `label` says: "90 %", or rough. `steady` is the
    range that holds if the workload stays of its kind; None where the readings are too few for
    either. `record` holds everything that the forecast says.
    """

    label: str
    weeks: int
    life: Number
    steady: Number | None
    notes: tuple[str, ...] = field(repr=False)
    record: Forecast = field(repr=False)


def remaining_life(
    *files: str | PathLike[str], drive: str | None = None, since: str | None = None
) -> RemainingLife:
    """Read files of one drive, and forecast the end of its rated life, as the command does.

    `drive` names whose ratings hold, `since` the day on which the drive was put to use.

    >>> left = remaining_life("docs/examples/wear-history.csv")
    >>> left.label, left.life, left.steady
    ('90 %', 8.427 years (4.387 to 13.5), 9.552 years (7.198 to 11.76))
    """
    readings = [one for name in files for one in _readings(Path(name))]
    record = forecast(
        readings,
        drive=None if drive is None else find(load(), drive),
        in_service_s=None if since is None else parse_day("since", since),
    )
    return RemainingLife(
        label=record.label,
        weeks=record.weeks,
        life=_number(record),
        steady=None if record.steady is None else _number(record.steady),
        notes=record.notes,
        record=record,
    )


def _readings(path: Path) -> tuple[DriveReading, ...]:
    with path.open("rb") as stream:
        reading = read(str(path), stream)
    if reading.refused is not None:
        raise ValueError(reading.refused)
    return tuple(reading.drives)


def _number(ends: Forecast | Interval) -> Number:
    middle = nan if ends.middle_s is None else ends.middle_s
    return Number(middle, "remaining_life_s", between=(ends.early_s, ends.late_s))
