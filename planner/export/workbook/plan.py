"""The sheet on which a plan is alive: inputs as named cells, results as formulas."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from planner.export.workbook.ends import EndsSheet
from planner.export.workbook.exported import EXPORT_AGAIN, UP_TO_DATE, all_of, is_same
from planner.export.workbook.formats import Formats, height, number_format, printing
from planner.export.workbook.input_rules import validation
from planner.export.workbook.live import LivePlan
from planner.export.workbook.moved import ENDS, MovedPlan
from planner.export.workbook.plan_inputs import InputKind, described, kind, listed, origin
from planner.export.workbook.plan_rows import FIRST_LIFE, FIRST_LIMIT, FIRST_ROW, placed
from planner.export.workbook.range_columns import HEADS, RANGES_WIDTHS, RangeColumns, RangedPlan
from planner.export.workbook.setting import Setting
from planner.export.workbook.typed_inputs import TypedInputs
from planner.graph.cell_texts import CELLS, OVER_FIFO
from planner.graph.cells import Cells, Helper
from planner.quantity.show import shown
from planner.sections.life import LIFE_OF
from planner.sections.plan import PlanReading

_HEADER = FIRST_ROW - 1
_FIRST_VALUE = 2  # column C, after label and unit
_JUDGED_BY = "working_members"  # by which drives are accepted, so that it has no gate
_LABEL, _UNIT, _FORMULA, _SOURCE = 46.0, 9.0, 46.0, 60.0
_HOW = (
    "Change the blue cells on yellow, or fill in the empty ones; every other number follows. "
    "Protected without a password."
)
_RANGED = (
    "Low and high hold a number with 90 %: they follow from the ends of the uncertain inputs, "
    "which are in the cells next to them and may be changed too."
)
_ONLY_HERE = (
    "holds at the exported spare area, shares and pages per block only: then export again, or "
    "type in another"
)


class PlanSheet:
    """Sheet of a plan: the cells of its numbers, and their contents."""

    def __init__(
        self,
        book: Any,
        formats: Formats,
        plans: Sequence[PlanReading],
        exported: date,
        setting: Setting | None = None,
    ) -> None:
        self.book, self.formats, self.exported = book, formats, exported
        self.setting = setting or Setting()
        self.sheet = self.setting.sheet or book.add_worksheet(self.setting.name)
        self.plans = plans
        self.errors = "B5"  # cell with the number of cells in error
        self.heads = self.setting.heads or [plan.drive.name for plan in plans]
        self.live = self.setting.live or [LivePlan(plan) for plan in plans]
        self.value_width = self.setting.width or (26.0 if len(plans) < 3 else 21.0)
        self.range_column = _FIRST_VALUE + len(plans)
        ranges = len(HEADS) * len(plans) if self.setting.has_ranges else 0
        self.formula_column = self.range_column + ranges
        self.rows, self.headings = self.setting.rows or placed(self.live, self.setting.beside)
        self.columns = [Cells(own, self._cells(index)) for index, own in enumerate(self.live)]
        self.typed = TypedInputs(self.setting.name, [cells.at for cells in self.columns])

    def write(self) -> None:
        """Write every cell of the sheet."""
        self._top()
        self._layout()
        for key, row in self.rows.items():
            if key in QUANTITIES:
                self._describe(key, row)
        for index, own in enumerate(self.live):
            for key in own.keys:
                self._number(index, key)
            self._beside(index)
            self._verdict(index)
        if self.setting.has_ranges:
            self._ranges()

    def _cells(self, index: int) -> dict[str, str]:
        """Map the numbers of a plan, and the cells on the way to them, to their cells."""
        own = {*self.live[index].keys, *self.setting.further(index)}
        others = QUANTITIES.keys() - own
        return {
            key: xl_rowcol_to_cell(row, _FIRST_VALUE + index)
            for key, row in self.rows.items()
            if key not in others
        }

    def as_exported(self, index: int, left_out: Collection[str] = ()) -> str:
        """Return the condition that the inputs of a plan are as exported, but those left out.

        Other sheets may hold it: cells are named with the sheet.
        """
        own, name = self.live[index], self.setting.name
        same = []
        for key in own.keys:
            node = own.given(key)
            is_one = node is not None and not np.ndim(node.value)
            if key in left_out or own.is_result(key) or not (is_one or key in own.blanks):
                continue
            cell = f"{name}!{self.columns[index].at[key]}"
            same.append(is_same(cell, None if node is None else float(shown(key, node.value))))
        return all_of(same)

    def lived(self, index: int, key: str) -> tuple[str, str, str]:
        """Return the cells of an answer of a plan, and of its low and high, for other sheets."""
        row = self.rows[self.live[index].row_of[key]]
        low = self.range_column + len(HEADS) * index
        columns = _FIRST_VALUE + index, low, low + 1
        value, low_cell, high = (
            f"{self.setting.name}!{xl_rowcol_to_cell(row, column)}" for column in columns
        )
        return value, low_cell, high

    def _top(self) -> None:
        """Write title, drives, date and how to use the sheet."""
        write, formats = self.sheet.write_string, self.formats
        write(0, 0, self.setting.title, formats["title"])
        write(1, 0, f"Drives: {'; '.join(dict.fromkeys(plan.drive.name for plan in self.plans))}")
        write(2, 0, "Exported on")
        self.sheet.write_datetime(2, 1, self.exported, formats["date"])
        write(3, 0, f"{_HOW} {_RANGED}" if self.setting.has_ranges else _HOW)
        write(4, 0, "Cells in error, or to export again")
        self.sheet.write_formula(self.errors, f"={self._outdated()}", formats["head"], 0)
        last = self.formula_column
        for column, title, style in (
            (0, "Quantity", "head"),
            (1, "Unit", "head"),
            (last, "Formula", "head note"),
            (last + 1, "Source", "head note"),
        ):
            write(_HEADER, column, title, formats[style])
        for index, name in enumerate(self.heads):
            write(_HEADER, _FIRST_VALUE + index, name, formats["head value"])
        self.sheet.set_row(_HEADER, height((name, self.value_width - 2) for name in self.heads))
        for row, heading in self.headings.items():
            for column in range(last + 2):
                self.sheet.write_blank(row, column, None, formats["section"])
            write(row, 0, heading, formats["section"])

    def _outdated(self) -> str:
        """Return the formula of how many cells are in error."""
        first = xl_rowcol_to_cell(_HEADER + 1, _FIRST_VALUE)
        last = xl_rowcol_to_cell(max(self.rows.values()), self.range_column - 1)
        return f"SUMPRODUCT(ISERROR({first}:{last})*1)"

    def _layout(self) -> None:
        sheet, last = self.sheet, self.formula_column
        ranges = RANGES_WIDTHS * len(self.plans) if self.setting.has_ranges else ()
        values = [self.value_width] * len(self.plans)
        widths = [_LABEL, _UNIT, *values, *ranges, _FORMULA, _SOURCE]
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        sheet.conditional_format(
            _HEADER + 1, _FIRST_VALUE, max(self.rows.values()), last - 1,
            {"type": "text", "criteria": "begins with", "value": "missing",
             "format": self.formats["missing"]},
        )  # fmt: skip
        sheet.freeze_panes(_HEADER + 1, _FIRST_VALUE)
        sheet.protect("", {"format_columns": True, "format_rows": True})
        printing(sheet, _HEADER)

    def _describe(self, key: str, row: int) -> None:
        """Write label, unit, formula name, sources and notes of a number."""
        quantity = QUANTITIES[key]
        beside = [self.setting.further(index).get(key) for index in range(len(self.plans))]
        name = self._by_drive(key, lambda index: described(key, self.live[index], beside[index]))
        source = self._by_drive(key, lambda index: origin(key, self.live[index], beside[index]))
        self._label(row, quantity.label, quantity.shown_in)
        self.sheet.write_string(row, self.formula_column, name, self.formats["note"])
        self.sheet.write_string(row, self.formula_column + 1, source, self.formats["note"])
        values = [
            (str(column.value(key)), self.value_width)
            for column in self.columns
            if column.rows.is_result(key)
        ]
        notes = [] if self.setting.low else [(name, _FORMULA - 2), (source, _SOURCE - 2)]
        self.sheet.set_row(row, height([(quantity.label, _LABEL), *notes, *values]))

    def _label(self, row: int, label: str, unit: str) -> None:
        self.sheet.write_string(row, 0, label, self.formats["label"])
        formula, words = self.setting.unit(unit)
        if formula:
            self.sheet.write_formula(row, 1, formula, self.formats["unit"], words)
        else:
            self.sheet.write_string(row, 1, words, self.formats["unit"])

    def _by_drive(self, key: str, tell: Callable[[int], str]) -> str:
        """Tell a thing once where it is the same for every drive, else by drive."""
        names_by_text: dict[str, list[str]] = {}
        for index, own in enumerate(self.live):
            if key in own.keys or key in self.setting.further(index):
                names_by_text.setdefault(tell(index), []).append(self.heads[index])
        if len(names_by_text) == 1:
            return next(iter(names_by_text))
        return " | ".join(
            f"{', '.join(names)}: {text}" for text, names in names_by_text.items() if text
        )

    def _number(self, index: int, key: str) -> None:
        self._name(index, key, key)
        if self.live[index].is_result(key):
            self._result(index, key)
        else:
            self._input(index, key)

    def _input(self, index: int, key: str) -> None:
        row, column, own = self.rows[key], _FIRST_VALUE + index, self.live[index]
        cells, node = self.columns[index].at, own.given(key)
        value = "" if node is None else shown(key, node.value)
        locked = self.formats[number_format("result", key)]
        if self._linked(index, key, value):
            return
        match kind(key, own, own if self.setting.apart else self.live[0]):
            case InputKind.CONSTANT:
                self.sheet.write_number(row, column, value, locked)
            case InputKind.LIST:
                self.sheet.write_string(row, column, listed(key, own), locked)
            case InputKind.AS_MEMBERS:
                drives = cells["working_members"]
                self.sheet.write_formula(row, column, f"={drives}", locked, value)
            case InputKind.AS_FIRST:
                first = self.columns[0].at[key]
                link = f"={first}" if node else f'=IF({first}="","",{first})'
                self.sheet.write_formula(row, column, link, locked, value)
            case InputKind.OPEN:
                self._ruled(index, key, value)

    def _linked(self, index: int, key: str, value: float | str) -> bool:
        """Write an input that is edited on another sheet."""
        link = self.setting.link(index, key)
        if not link:
            return False
        formula = f"={link}" if value != "" else f'=IF({link}="","",{link})'
        style = self.formats[number_format("result", key)]
        self.sheet.write_formula(self.rows[key], _FIRST_VALUE + index, formula, style, value)
        return True

    def _beside(self, index: int) -> None:
        """Write the inputs that other sheets ask of a column."""
        for key, node in self.setting.further(index).items():
            if key in self.live[index].keys:
                continue
            self._name(index, key, key)
            value = "" if not node.is_known else shown(key, node.value)
            if not self._linked(index, key, value):
                self._ruled(index, key, value)

    def _ruled(self, index: int, key: str, value: float | str) -> None:
        """Write an unlocked cell of a quantity with its rule."""
        row, column, cells = self.rows[key], _FIRST_VALUE + index, self.columns[index].at
        self._open(row, column, key, value)
        self.sheet.data_validation(row, column, row, column, validation(key, cells))
        self.typed.add(index, key, may_be_empty=value == "")

    def _open(self, row: int, column: int, key: str, value: float | str) -> None:
        """Write an unlocked cell, empty where the value is unknown."""
        style = self.formats[number_format("input", key)]
        if isinstance(value, str):
            self.sheet.write_blank(row, column, None, style)
        else:
            self.sheet.write_number(row, column, value, style)

    def _result(self, index: int, key: str) -> None:
        own, column = self.columns[index], _FIRST_VALUE + index
        for helper in own.helpers(key):
            self._helper(index, key, helper)
        style, formula = self.formats[number_format("result", key)], own.formula(key)
        if key != _JUDGED_BY:
            formula = self.setting.gated(index, formula)
        self.sheet.write_formula(self.rows[key], column, formula, style, own.value(key))

    def _helper(self, index: int, key: str, helper: Helper) -> None:
        """Write a cell on the way to a number."""
        row, column = self.rows[helper.name], _FIRST_VALUE + index
        self._name(index, helper.name, re.sub(r"\W+", "_", helper.name).strip("_"))
        if helper.formula:
            self._label_step(key, helper.name)
            style = self.formats[number_format("result", "")]
            self.sheet.write_formula(row, column, helper.formula, style, helper.value)
            return
        (formula,) = (call.formula for call in self.live[index].calls(key)
                      if call.formula not in CELLS)  # fmt: skip
        over = " / fifo" if formula in OVER_FIFO else ""
        label = self._label_step(key, helper.name, f", {formula.__name__}{over}; {_ONLY_HERE}")
        self._open(row, column, "", helper.value)
        cell = self.columns[index].at[helper.name]
        above_0 = {"validate": "custom", "value": f"=AND(ISNUMBER({cell}),{cell}>0)"}
        self.sheet.data_validation(
            row, column, row, column, above_0 | {"error_message": f"{label} must be > 0."[:255]}
        )
        words = label.partition(";")[0]
        self.typed.add_step(index, helper.name, words, may_be_empty=helper.value == "")
        self._flag(index, key, helper)

    def _flag(self, index: int, key: str, helper: Helper) -> None:
        """Say of a value that no formula follows whether its inputs are as exported."""
        if not self.setting.has_ranges or isinstance(helper.value, str):
            return
        row, column = self.rows[helper.name], self.range_column + len(HEADS) * (index + 1) - 1
        cell, result = self.columns[index].at[helper.name], self.columns[index].at[key]
        state = f'IF({is_same(cell, helper.value)},"{UP_TO_DATE}","typed in")'
        formula = f'=IF(ISERROR({result}),"{EXPORT_AGAIN}",{state})'
        self.sheet.write_formula(row, column, formula, self.formats["note"], UP_TO_DATE)
        rule = {"type": "cell", "criteria": "==", "value": f'"{EXPORT_AGAIN}"',
                "format": self.formats["late"]}  # fmt: skip
        self.sheet.conditional_format(row, column, row, column, rule)

    def _label_step(self, key: str, name: str, more: str = "") -> str:
        label = f"{QUANTITIES[key].label}{name.removeprefix(key)}{more}"
        self._label(self.rows[name], label, "1")
        self.sheet.set_row(self.rows[name], height([(label, _LABEL)]))
        return label

    def _name(self, index: int, key: str, name: str) -> None:
        """Name a cell after its quantity, in later columns with the number of the column."""
        if self.setting.link(index, key):
            return
        self._define(index, name, self.rows[key], _FIRST_VALUE + index)

    def _define(self, index: int, name: str, row: int, column: int) -> None:
        cell = xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True)
        numbered = name if index == 0 else f"{name}_{index + 1}"
        self.book.define_name(numbered, f"={self.setting.name}!{cell}")

    def _ranges(self) -> None:
        """Write between what the numbers lie, and the sheet from which that follows."""
        firsts = range(self.range_column, self.formula_column, len(HEADS))
        linked = self.setting.ends or [{}] * len(self.live)
        each = zip(self.live, self.heads, self.columns, firsts, linked, strict=True)
        plans = [
            RangedPlan(MovedPlan(own), head, cells, self.rows, first, linked)
            for own, head, cells, first, linked in each
        ]
        ends = EndsSheet(self.book, self.formats, plans)
        ends.write(self.setting.name)
        for index, plan in enumerate(plans):
            columns = RangeColumns(self.sheet, self.formats, plan)
            columns.head(_HEADER, plan.head if len(plans) > 1 else "")
            columns.write({key: ends.of(index, key) for key in plan.moved.moved})
            for item in plan.moved.inputs:
                key, cells = item.quantity, plan.ends(item.quantity)
                for place, (end, cell) in enumerate(
                    zip(ENDS, (cells.low, cells.high), strict=True)
                ):
                    self._define(index, f"{key}_{end}", self.rows[key], plan.first + place)
                    self.typed.add_end(index, key, end, cell)

    def _verdict(self, index: int) -> None:
        own, column = self.live[index], _FIRST_VALUE + index
        cells = self.columns[index].at
        first = own.plan.lives
        lives = {str(limit): cells[own.row_of[key]] for limit, key in LIFE_OF.items()}
        years: float | str = "missing" if first.years is None else first.years
        limit = "unknown" if first.limit is None else str(first.limit)
        cached = ("never", "none") if years == float("inf") else (years, limit)
        shown_as = (("Life to the first limit", "years"), ("First limit", "1"))
        formulas = _verdict(lives, cells[FIRST_LIFE])
        for key, label, formula, value in zip(
            (FIRST_LIFE, FIRST_LIMIT), shown_as, formulas, cached, strict=True
        ):
            self._label(self.rows[key], *label)
            self._name(index, key, key)
            self.sheet.write_formula(
                self.rows[key], column, self.setting.gated(index, formula),
                self.formats["verdict"], value,
            )  # fmt: skip


def _verdict(lives: Mapping[str, str], first: str) -> tuple[str, str]:
    """Return the formulas of the first life and of its limit; `lives` are cells by limit."""
    cells = list(lives.values())
    never = ",".join(f'{cell}="never"' for cell in cells)
    every = ",".join(cells)
    life = f'=IF(COUNT({every})>0,MIN({every}),IF(OR({never}),"never","missing"))'
    limit = '"unknown"'
    for name, cell in reversed(list(lives.items())):
        limit = f'IF({cell}={first},"{name}",{limit})'
    return life, f'=IF({first}="never","none",{limit})'
