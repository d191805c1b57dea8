"""Low and high of the numbers of a plan: cells beside them that follow its inputs.

The ends are those of `planner.graph.interval`, of cells that hold the number with one uncertain
input at an end at a time. A number that no formula follows keeps them as exported.
"""

from collections.abc import Sequence
from math import inf, isfinite, isinf
from typing import NamedTuple

from models.nomenclature import QUANTITIES
from models.write_amplification.factors import LEAST_COPIES
from planner.export.workbook.exported import EXPORT_AGAIN, is_same
from planner.graph.interval import SLACK, Scale
from planner.graph.number import ROUND_OFF
from planner.quantity.show import shown
from planner.quantity.units import FACTORS
from planner.sections.ranges import Range

_LEAST_WA = repr(1 - LEAST_COPIES)


class EndCells(NamedTuple):
    """The cells of a number with one uncertain input at its low end, and at its high one."""

    low: str
    high: str
    is_model: bool = False


def range_cell(key: str, value: float) -> float | str:
    """Return the value of the cell of an end of a range."""
    return "never" if isinf(value) else float(shown(key, value))


def as_exported(key: str, each: Range, cell: str) -> tuple[str, str]:
    """Return the formulas of ends that hold while the number in `cell` is as exported."""
    typical = range_cell(key, each.typical)
    same = f'{cell}="{typical}"' if isinstance(typical, str) else is_same(cell, typical)
    low, high = (
        f'=IF({same},{_written(range_cell(key, end))},"{EXPORT_AGAIN}")'
        for end in (each.low, each.high)
    )
    return low, high


def _written(value: float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def along(key: str, scale: Scale, cell: str, typical: float, end: float) -> str:
    """Return the formula of a number that is as far from that in `cell` as at export."""
    on = _OnScale(scale, 1 / FACTORS[QUANTITIES[key].shown_in])
    return f'=IF(ISNUMBER({cell}),{on.moved(cell, on.apart(repr(end), repr(typical)))},"")'


def live_ends(
    key: str, scale: Scale, cell: str, ends: Sequence[EndCells], least: float = -inf
) -> tuple[str, str]:
    """Return the formulas of low and high of the number in `cell`: nothing where they are one.

    Where a cell is in error they say to export again; one that is missing counts as no swing. No
    low end lies below `least`, in base units, unless the number itself does.

    >>> low, _ = live_ends("wear_life_s", "logarithm", "C9", [EndCells("K9", "L9")])
    >>> "C9*EXP(0-(LN(C9/MIN(C9,K9,L9))^2)^0.5)" in low
    True
    """
    on = _OnScale(scale, 1 / FACTORS[QUANTITIES[key].shown_in])
    swings = [on.swings(cell, each) for each in ends]
    cells = ",".join(dict.fromkeys(each for pair in ends for each in pair[:2]))
    every = f"{cell},{cells}"
    smallest, largest = f"MIN({every})", f"MAX({every})"
    centre = "".join(f"+{swing.centre}" for swing in swings if swing.centre)
    down, up = (
        "({})^0.5".format("+".join(f"{side}^2" for side in sides))
        for sides in zip(*(swing[:2] for swing in swings), strict=True)
    )
    low, high = on.moved(cell, f"0{centre}-{down}"), on.moved(cell, f"0{centre}+{up}")
    if centre:
        low, high = f"MIN({cell},{low})", f"MAX({cell},{high})"
    low = f"IF({on.inside(smallest, cell)},{low},{smallest})"
    high = f"IF({on.inside(smallest, largest)},{high},{largest})"
    if isfinite(least):
        low, smallest = (on.no_less(end, cell, least) for end in (low, smallest))
    endless = "OR({})".format(",".join(f'{each}="never"' for each in cells.split(",")))
    is_one = f"AND({largest}-{smallest}<={ROUND_OFF!r}*ABS({cell}),NOT({endless}))"
    low, high = (
        f'=IF(ISERROR(SUM({every})),"{EXPORT_AGAIN}",'
        f'IF(ISNUMBER({cell}),IF({is_one},"",{number}),'
        f'IF(AND({cell}="never",COUNT({cells})>0),{of_endless},"")))'
        for number, of_endless in (
            (low, f"MIN({cells})"), (f'IF({endless},"never",{high})', '"never"'),
        )
    )  # fmt: skip
    return low, high


class _Swings(NamedTuple):
    """Swings of a number by an input, down and up; of a model its half width and centre."""

    down: str
    up: str
    centre: str = ""


class _OnScale:
    """Formulas of numbers on a scale on which swings add, in a unit of which `one` is 1."""

    def __init__(self, scale: Scale, one: float) -> None:
        self.scale, self.one = scale, repr(one)

    def swings(self, cell: str, ends: EndCells) -> _Swings:
        """Return the swings of the number in a cell by one input."""
        low, high, is_model = ends
        if is_model:
            half = f"({self.apart(high, low)}/2)"
            return _Swings(half, half, f"({self.apart(low, cell)}+{self.apart(high, cell)})/2")
        three = f"({cell},{low},{high})"
        return _Swings(self.apart(cell, f"MIN{three}"), self.apart(f"MAX{three}", cell))

    def apart(self, more: str, less: str) -> str:
        """Return the distance of two numbers on the scale."""
        if self.scale == "linear":
            return f"({more}-{less})"
        return f"LN({self._onto(more)}/{self._onto(less)})"

    def _onto(self, number: str) -> str:
        match self.scale:
            case "copies":
                return f"({number}-{_LEAST_WA})"
            case "logit":
                return f"({number}/({self.one}-{number}))"
        return number

    def moved(self, cell: str, by: str) -> str:
        """Return the number that lies so far from that in a cell."""
        match self.scale:
            case "linear":
                return f"{cell}+({by})"
            case "copies":
                return f"({cell}-{_LEAST_WA})*EXP({by})+{_LEAST_WA}"
            case "logit":
                return f"{self.one}/(1+({self.one}-{cell})/{cell}*EXP(-({by})))"
        return f"{cell}*EXP({by})"

    def no_less(self, low: str, cell: str, least: float) -> str:
        """Return a low end that is cut where the number in a cell is no less."""
        end = repr(least * float(self.one))
        return f"IF({cell}>={end}-{SLACK!r},MAX({low},MIN({end},{cell})),{low})"

    def inside(self, least: str, most: str) -> str:
        """Return the condition that numbers between two have a place on the scale."""
        match self.scale:
            case "linear":
                return "TRUE"
            case "copies":
                return f"{least}>{_LEAST_WA}"
            case "logit":
                return f"AND({least}>0,{most}<{self.one})"
        return f"{least}>0"
