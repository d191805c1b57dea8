"""Rates of writes in the unit that was typed, or in one of which there is at least one."""

import math
import re
from typing import NamedTuple

from models.units import DAY_S, HOUR_S, WEEK_S, YEAR_S
from planner.quantity.show import day_unit
from planner.quantity.units import SIZES

ROUND_OFF = 1e-9  # by which a number that was typed comes back
FEWEST, MOST = 0.1, 1e4  # numbers that are written in the typed unit
TYPED_DIGITS = 6
_PERIODS = {
    1.0: "s", 60.0: "minute", HOUR_S: "hour", DAY_S: "day", WEEK_S: "week",
    YEAR_S / 12: "month", YEAR_S / 4: "quarter", YEAR_S: "year",
}  # fmt: skip
_DECIMAL, _BINARY, _BITS = (
    {"kB": SIZES["KB"], **{name: SIZES[name] for name in ("MB", "GB", "TB", "PB")}},
    {name: SIZES[name] for name in ("KiB", "MiB", "GiB", "TiB", "PiB")},
    {"kbit": 125.0, "Mbit": 125e3, "Gbit": 125e6, "Tbit": 125e9},
)
_FAMILIES = (_DECIMAL, _BINARY, _BITS)
_NAMES = {name.lower(): name for family in _FAMILIES for name in family}
_SCOPE = re.compile(r"\s*(/\s*|\s(per|to each|each)\s+)(drive|node)\s*$", re.IGNORECASE)
_PARTS = re.compile(r"\+?[0-9][0-9.,]*(?:e[-+]?[0-9]+)?\s*(?P<rest>(?P<unit>[a-z]+).*)", re.I)


class RateUnit(NamedTuple):
    """A unit of a rate of writes: its amount, its period, and the bytes a second of one."""

    name: str
    period: str
    size: float

    def __str__(self) -> str:
        """Write the unit as it follows a number."""
        if not self.period:
            return self.name
        if self.period == "s":
            return f"{self.name}/s"
        return f"{self.name} a{'n' if self.period == 'hour' else ''} {self.period}"

    @property
    def is_of_days(self) -> bool:
        """Whether it is bytes of a day or longer, which need no rate a day beside them."""
        is_long = self.period in ("day", "week", "month", "quarter", "year")
        return is_long and self.name not in _BITS

    def fitting(self, bytes_per_s: float, *, fewest: float = FEWEST) -> "RateUnit":
        """Return the unit if a rate is a plain number of it, else one with another prefix."""
        about = bytes_per_s * (1 + ROUND_OFF)
        if not bytes_per_s or (fewest <= about / self.size and bytes_per_s / self.size <= MOST):
            return self
        family = next((each for each in _FAMILIES if self.name in each), None)
        if family is None:
            return a_day_unit(bytes_per_s)
        one = self.size / family[self.name]
        units = [self._replace(name=name, size=one * size) for name, size in family.items()]
        return next((unit for unit in reversed(units) if about >= unit.size), units[0])

    def written(self, bytes_per_s: float) -> str:
        """Write a rate in the unit: as it was typed, else with three digits.

        >>> a_day_unit(750.0).written(750.0), a_day_unit(750.0).written(777.77)
        ('64.8 MB a day', '67.2 MB a day')
        """
        value = bytes_per_s / self.size
        typed = float(f"{value:.{TYPED_DIGITS}g}")
        is_typed = math.isclose(typed, value, rel_tol=ROUND_OFF)
        return f"{typed if is_typed else float(f'{value:.3g}'):.12g} {self}"


def a_day_unit(bytes_per_s: float) -> RateUnit:
    """Return decimal bytes a day, of which a rate has at least one."""
    name, size = day_unit(bytes_per_s)
    return RateUnit(name, "day", size)


def unit_typed(written: str, capacity_bytes: float) -> RateUnit | None:
    """Return the unit of plain writes as they were typed; None where they are a sentence.

    >>> unit = unit_typed("0.5 TiB a week", 1e12)
    >>> print(unit, unit_typed("20 MB/s for 8 hours a day", 1e12))
    TiB a week None
    >>> unit.written(unit.size / 2)
    '0.5 TiB a week'
    """
    from planner.quantity.writes import is_plain, statement  # noqa: PLC0415 - a list of drives has none

    bare = _SCOPE.sub("", str(written).strip())
    parts = _PARTS.fullmatch(bare)
    if parts is None or not is_plain(bare):
        return None
    one = statement("writes", f"1 {parts['rest']}")
    size = one.bytes_per_s(capacity_bytes)
    if one.fills:
        return RateUnit("DWPD", "", size) if size > 0 else None
    name = _NAMES.get(parts["unit"].lower(), "")
    family = next((each for each in _FAMILIES if name in each), {})
    period = _PERIODS.get(round(family[name] / size, 6)) if family and size else None
    return None if period is None else RateUnit(name, period, size)
