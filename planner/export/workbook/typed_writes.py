"""Writes typed as a number and a unit of a list: the units, their rules, and the converted rate."""

from collections.abc import Iterator
from typing import Any

from models.units import DAY_S, GB, GIB, MB, TB, TIB, YEAR_S
from planner.export.workbook.typed_cells import Rule
from planner.quantity.rates import a_day_unit
from planner.quantity.show import shown
from planner.scenario.workload import Workload

WRITES = "host_bytes_per_s"
TYPED, CONVERTED = "Writes", "Writes, converted"
IN_ONE = "GiB/day in one"  # head of the factors beside the units
FROM_0: Rule = ("{x}>=0", "a number from 0 on; its unit is in the next cell")
_PB, _WEEK_S, _MONTH_S = 1e15, 7 * DAY_S, YEAR_S / 12
# Bytes a second of each unit in which writes may be typed into the cell.
UNITS = {
    "MB/s": MB, "GB/s": GB, "MiB/s": GIB / 1024, "MB/day": MB / DAY_S, "GB/day": GB / DAY_S,
    "TB/day": TB / DAY_S, "GiB/day": GIB / DAY_S, "TiB/day": TIB / DAY_S, "TB/week": TB / _WEEK_S,
    "TB/month": TB / _MONTH_S, "TB/year": TB / YEAR_S, "PB/year": _PB / YEAR_S,
}  # fmt: skip
_USUAL = "GB/day"


def unit_of(workload: Workload) -> str:
    """Return the unit of the list in which writes were typed, or one of days.

    >>> from planner.sections.request import plan_of
    >>> unit_of(plan_of("870 EVO 1TB", writes="2TB a year").workload)
    'TB/year'
    >>> unit_of(plan_of("870 EVO 1TB", writes="1 MB/s for 9 h a day").workload)
    'GB/day'
    """
    units = (workload.writes_unit, a_day_unit(float(workload.host_bytes_per_s)))
    names = (f"{unit.name}/{unit.period}" for unit in units if unit is not None)
    return next((name for name in names if name in UNITS), _USUAL)


def number_of(workload: Workload) -> float:
    """Return the number of the writes in that unit.

    >>> number_of(Workload(host_bytes_per_s=UNITS["TB/day"]))
    1.0
    """
    return float(workload.host_bytes_per_s) / UNITS[unit_of(workload)]


def unit_rows() -> Iterator[tuple[str, float]]:
    """Yield each unit with its factor in the unit of the converted rate.

    >>> dict(unit_rows())["GiB/day"]
    1.0
    """
    for unit, factor in UNITS.items():
        yield unit, float(shown(WRITES, factor))


def unit_validation(names: str) -> dict[str, Any]:
    """Return the rule of a cell for one of the units in the cells `names`."""
    message = "One of the units of the list."
    return {
        "validate": "list", "source": f"={names}", "input_title": "Unit", "input_message": message,
        "error_title": "Unit", "error_message": message,
    }  # fmt: skip


def unit_rule(names: str) -> Rule:
    """Return the rule of a cell for one of the units in the cells `names`, in capitals as there."""
    return f"SUMPRODUCT(EXACT({names},{{x}})*1)=1", "a unit of the list, such as TB/day"


def converted(number: str, unit: str, names: str, factors: str) -> str:
    """Return the formula of the rate of a number in a unit, in error unless it is a rate.

    >>> converted("B5", "C5", "F5:F9", "G5:G9").partition("=1),")[2]
    'B5*SUMPRODUCT(EXACT(F5:F9,C5)*G5:G9),NA())'
    """
    known = f"SUMPRODUCT(EXACT({names},{unit})*1)=1"
    factor = f"SUMPRODUCT(EXACT({names},{unit})*{factors})"
    return f"IF(AND(ISNUMBER({number}),{number}>=0,{known}),{number}*{factor},NA())"
