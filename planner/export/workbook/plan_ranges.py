"""Between what the numbers of a plan lie, as exported, in cells beside them."""

from collections.abc import Iterator
from math import isclose, isinf

from planner.export.workbook.exported import EXPORT_AGAIN
from planner.quantity.show import shown
from planner.sections.plan import PlanReading

HEADS = ("Low", "High", "Basis")
RANGES_WIDTHS = (16.0, 16.0, 9.0)
_SAME = 1e-9  # a spreadsheet program computes what was exported to this, of one


def ranges_of(
    plan: PlanReading, key: str, cell: str, exported: float | str
) -> Iterator[tuple[str, float | str]]:
    """Yield formulas and values of low, high and basis; low and high are "" where they are one.

    They are of the number as `exported`; where `cell` holds another they say to export again. A
    range of another number of the same name, as a rate slowed down by reads of the map, is none.
    """
    each = plan.range_of(key)
    if each is None or not _is_same(range_cell(key, each.typical), exported):
        return
    for end in (each.low, each.high):
        yield (
            _unchanged(key, each.typical, cell, range_cell(key, end)) if each.is_wide else ("", "")
        )
    yield _unchanged(key, each.typical, cell, each.basis)


def _is_same(one: float | str, other: float | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return isclose(one, other, rel_tol=_SAME)


def range_cell(key: str, value: float) -> float | str:
    """Return the value of the cell of an end of a range."""
    return "never" if isinf(value) else float(shown(key, value))


def _unchanged(key: str, exported: float, cell: str, value: float | str) -> tuple[str, float | str]:
    """Return the formula of a value that holds for a number as exported, and that value."""
    before = range_cell(key, exported)
    written = f'"{value}"' if isinstance(value, str) else repr(value)
    if isinstance(before, str):
        same = f'{cell}="{before}"'
    else:
        near = f"ABS({cell}-{before!r})<={_SAME * abs(before)!r}"
        same = f"IF(ISNUMBER({cell}),{near},FALSE)"
    return f'=IF({same},{written},"{EXPORT_AGAIN}")', value
