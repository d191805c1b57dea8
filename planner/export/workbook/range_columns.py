"""Columns beside the numbers of a plan: the range of each, and its basis."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.export.workbook.formats import Formats, number_format
from planner.export.workbook.input_rules import validation
from planner.export.workbook.moved import MovedPlan
from planner.export.workbook.plan_ranges import EndCells, as_exported, live_ends, range_cell
from planner.graph.cells import Cells
from planner.quantity.show import shown
from planner.sections.ranges import Range

HEADS = ("Low", "High", "Basis")
RANGES_WIDTHS = (16.0, 16.0, 9.0)


class RangedPlan(NamedTuple):
    """A plan on its sheet: its head and cells, the rows of the sheet, and the column of low.

    `linked` are the cells of other sheets with the ends of an input.
    """

    moved: MovedPlan
    head: str
    cells: Cells
    rows: Mapping[str, int]
    first: int
    linked: Mapping[str, tuple[str, str]]

    def ends(self, key: str) -> EndCells:
        """Return the cells of low and high of a number."""
        row = self.rows[key]
        return EndCells(xl_rowcol_to_cell(row, self.first), xl_rowcol_to_cell(row, self.first + 1))


class RangeColumns:
    """Low, high and basis of the numbers of a plan, and how to write them."""

    def __init__(self, sheet: Any, styles: Formats, plan: RangedPlan) -> None:
        self.sheet, self.styles, self.plan = sheet, styles, plan

    def head(self, row: int, drive: str) -> None:
        """Write the heads, with the drive where there are several."""
        for column, head in enumerate(HEADS, self.plan.first):
            named = f"{head}: {drive}" if drive else head
            self.sheet.write_string(row, column, named, self.styles["head value"])

    def write(self, ends: Mapping[str, Sequence[EndCells]]) -> None:
        """Write low, high and basis of every number; `ends` are its cells with inputs at an end."""
        moved = self.plan.moved
        inputs = {item.quantity for item in moved.inputs}
        for key in moved.live.keys:
            if not moved.is_one(key):
                continue
            each, cell = moved.range(key), self.plan.cells.at[key]
            if key in self.plan.linked and each.is_wide:
                self._ends(key, each, [f"={end}" for end in self.plan.linked[key]])
            elif key in inputs:
                self._open(key, each)
            elif key in ends:
                scale, least = moved.moved[key].scale, moved.least(key)
                formulas = live_ends(key, scale, cell, ends[key], least)
                self._ends(key, each, formulas)
            elif each.is_wide:
                self._ends(key, each, as_exported(key, each, cell))
            place = self.plan.rows[key], self.plan.first + len(HEADS) - 1
            self.sheet.write_string(*place, each.basis, self.styles[number_format("result", key)])

    def _ends(self, key: str, each: Range, formulas: Sequence[str]) -> None:
        """Write low and high of a result; nothing where they are one."""
        row, style = self.plan.rows[key], self.styles[number_format("result", key)]
        pairs = zip(formulas, (each.low, each.high), strict=True)
        for column, (formula, end) in enumerate(pairs, self.plan.first):
            value = range_cell(key, end) if each.is_wide else ""
            self.sheet.write_formula(row, column, formula, style, value)

    def _open(self, key: str, each: Range) -> None:
        """Write the ends of an uncertain input as open cells, which move along with it."""
        row, cells = self.plan.rows[key], self.plan.cells.at
        style = self.styles[number_format("input", key)]
        pairs = zip((each.low, each.high), self.plan.ends(key)[:2], strict=True)
        for column, (end, cell) in enumerate(pairs, self.plan.first):
            value = float(shown(key, end))
            along = f"{cells[key]}*{end / each.typical!r}" if each.typical else repr(value)
            formula = f'=IF({cells[key]}="","",{along})'
            self.sheet.write_formula(row, column, formula, style, value)
            rule = validation(key, {**cells, key: cell})
            self.sheet.data_validation(row, column, row, column, rule)
