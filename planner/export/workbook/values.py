"""A sheet of values as exported, not live: a column a plan, and between what each lies."""

from collections.abc import Mapping, Sequence
from math import isinf
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE
from planner.export.workbook.formats import Formats, number_format, printing
from planner.export.workbook.plan_ranges import range_cell
from planner.export.workbook.range_columns import HEADS, RANGES_WIDTHS
from planner.quantity.show import shown
from planner.sections.ranges import Range

FIRST_VALUE = 2  # column, after label and unit
_STATES, _DRIVES = 2, 3  # rows


class ValuesSheet:
    """Labels, units and values of plans, low, high and basis of each, and charts."""

    def __init__(
        self, book: Any, styles: Formats, name: str, title: str, words: str, unit_width: float,
        drives: Sequence[str], wide: int,
    ) -> None:  # fmt: skip
        """Head the columns; `wide` of them are as wide as a value."""
        self.book, self.styles, self.name, self.count = book, styles, name, len(drives)
        self.sheet = sheet = book.add_worksheet(name)
        self.text(0, 0, title, "title")
        self.text(1, 0, words, "plain")
        sheet.set_column(0, 0, 44)
        sheet.set_column(1, 1, unit_width)
        sheet.set_column(FIRST_VALUE, FIRST_VALUE + wide - 1, 20)
        sheet.set_row(_DRIVES, 32)
        for index, drive in enumerate(drives):
            self.text(_DRIVES, FIRST_VALUE + index, drive, "head value")
        for index, drive in enumerate(drives):
            ends = zip(HEADS, RANGES_WIDTHS, strict=True)
            for column, (head, width) in enumerate(ends, self.ends_column(index)):
                sheet.set_column(column, column, width)
                named = head if self.count == 1 else f"{head}: {drive}"
                self.text(_DRIVES, column, named, "head value")

    def ends_column(self, index: int) -> int:
        """Return the first column of the ranges of a plan."""
        return FIRST_VALUE + self.count + len(HEADS) * index

    def text(self, row: int, column: int, text: str, style: str = "label") -> None:
        """Write text."""
        self.sheet.write_string(row, column, text, self.styles[style])

    def label(self, row: int, key: str, label: str = "") -> None:
        """Write the label of a row, and its unit."""
        self.text(row, 0, label or QUANTITIES[key].label)
        self.text(row, 1, QUANTITIES[key].shown_in, "unit")

    def value(
        self, row: int, index: int, key: str, value: float | None, *, missing: str = "missing",
        endless: str = "unlimited",
    ) -> None:  # fmt: skip
        """Write a value of a plan, or the word for one that is missing or has no end."""
        column = FIRST_VALUE + index
        if value is None or isinf(value):
            self.text(row, column, missing if value is None else endless, "missing")
        else:
            style = self.styles[number_format("result", key)]
            self.sheet.write_number(row, column, shown(key, value), style)

    def range(self, row: int, index: int, key: str, each: Range | None) -> None:
        """Write low, high and basis of a value of a plan."""
        if each is None:
            return
        column = self.ends_column(index)
        for place, end in enumerate((each.low, each.high) if each.is_wide else (), column):
            value = range_cell(key, end)
            style = "missing" if isinstance(value, str) else number_format("result", key)
            self.sheet.write(row, place, value, self.styles[style])
        self.text(row, column + len(HEADS) - 1, each.basis, "text")

    def states(self, conditions: Sequence[str], last_row: int) -> None:
        """Say of each column whether its inputs are as exported; amber where they are not."""
        self.text(_STATES, 0, "These values are")
        for place, condition in enumerate(conditions, start=FIRST_VALUE):
            formula = f'=IF({condition},"{UP_TO_DATE}","{OUT_OF_DATE}")'
            self.sheet.write_formula(_STATES, place, formula, self.styles["verdict"], UP_TO_DATE)
        state, last = xl_rowcol_to_cell(_STATES, FIRST_VALUE, row_abs=True), len(conditions)
        rule = {"type": "formula", "criteria": f'={state}="{OUT_OF_DATE}"',
                "format": self.styles["late"]}  # fmt: skip
        self.sheet.conditional_format(_STATES, FIRST_VALUE, last_row, FIRST_VALUE + last - 1, rule)

    def points(self, row: int, column: int, key: str, values: Sequence[float]) -> None:
        """Write the points of a curve below each other."""
        self.sheet.write_column(row, column, values, self.styles[number_format("result", key)])

    def chart(
        self, row: int, style: str, curves: Sequence[tuple[str, int, int]], points: tuple[int, int],
        title: str, axes: Sequence[Mapping[str, Any]], description: str,
    ) -> None:  # fmt: skip
        """Draw curves, each by name and columns of x and y, from the first to the last point."""
        chart, (first, last) = self.book.add_chart({"type": "scatter", "subtype": style}), points
        for name, x, y in curves:
            chart.add_series({
                "name": name,
                "categories": [self.name, first, x, last, x],
                "values": [self.name, first, y, last, y],
            })  # fmt: skip
        chart.set_title({"name": title})
        chart.set_x_axis(axes[0])
        chart.set_y_axis(axes[1])
        chart.set_size({"width": 820, "height": 340})
        self.sheet.insert_chart(row, 0, chart, {"description": description})

    def finish(self, frozen_row: int) -> None:
        """Freeze, protect without a password and set up the paper."""
        self.sheet.freeze_panes(frozen_row, FIRST_VALUE)
        self.sheet.protect("", {"format_columns": True})
        printing(self.sheet, _DRIVES)
