"""`remaining_life` for scripts: forecast the end of a drive's rated life from its files."""

from dataclasses import dataclass, field
from datetime import date
from math import nan
from os import PathLike

from models.errors import DomainError
from planner.catalogue import find, load
from planner.forecast import Forecast, Interval, forecast, readings
from planner.graph.number import Number
from planner.quantity.parse import parse_day


@dataclass(frozen=True)
class RemainingLife:
    """Time from the last reading until the rated life is used up.

    `life` has the range that `label` describes: "90 %", or rough. `steady` has the narrower range
    for an unchanged workload; it is None if the readings are too few. `record` is the whole
    forecast.
    """

    label: str
    weeks: int
    life: Number
    steady: Number | None
    notes: tuple[str, ...] = field(repr=False)
    record: Forecast = field(repr=False)


def remaining_life(
    *files: str | PathLike[str], drive: str | None = None, since: date | str | None = None
) -> RemainingLife:
    """Forecast the end of a drive's rated life from files of it, as the command `forecast` does.

    `drive` is a drive of the catalogue whose ratings are used, `since` the day on which the drive
    was put into service.

    >>> left = remaining_life("docs/examples/wear-history.csv")
    >>> left.label, left.life, left.steady
    ('90 %', 8.338 years (4.178 to 13.99), 9.497 years (7.04 to 11.87))
    """
    if not files:
        raise DomainError("files must name at least one file")
    record = forecast(
        [one for name in files for one in readings(name)],
        drive=None if drive is None else find(load(), drive),
        in_service_s=None if since is None else parse_day("since", str(since)),
    )
    return RemainingLife(
        label=record.label,
        weeks=record.weeks,
        life=_number(record),
        steady=None if record.steady is None else _number(record.steady),
        notes=record.notes,
        record=record,
    )


def _number(ends: Forecast | Interval) -> Number:
    middle = nan if ends.middle_s is None else ends.middle_s
    return Number(middle, "remaining_life_s", between=(ends.early_s, ends.late_s))
