"""The sheet on which a plan is alive: inputs as named cells, results as formulas."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from models.write_amplification import fifo
from planner.export.workbook.fillings import Fillings
from planner.export.workbook.formats import Formats, height, number_format, printing
from planner.export.workbook.input_rules import validation
from planner.export.workbook.plan_formulas import FACTOR, PlanFormulas, helpers, verdict
from planner.export.workbook.plan_inputs import InputKind, described, kind, listed, origin
from planner.export.workbook.plan_rows import FIRST_LIFE, FIRST_LIMIT, placed
from planner.export.workbook.setting import Setting
from planner.graph.cell_texts import FED
from planner.quantity.show import shown
from planner.sections.plan import Plan

__all__ = ["PlanSheet"]

_HEADER = 5  # title, drives, date, use and an empty row come first
_FIRST_VALUE = 2  # column C, after label and unit
_LABEL, _UNIT, _FORMULA, _SOURCE = 46.0, 9.0, 46.0, 60.0
_HOW = (
    "Change the blue cells on yellow, or fill in the empty ones; every other number follows. "
    "Protected without a password."
)
_ONLY_HERE = "holds at the exported spare area, shares and pages per block only"


class PlanSheet:
    """Where each number stands on the sheet, and how to write it there."""

    def __init__(
        self,
        book: Any,
        formats: Formats,
        plans: Sequence[Plan],
        exported: date,
        setting: Setting | None = None,
    ) -> None:
        self.book, self.formats, self.exported = book, formats, exported
        self.setting = setting or Setting()
        self.sheet = book.add_worksheet(self.setting.name)
        self.plans = plans
        self.heads = self.setting.heads or [plan.drive.name for plan in plans]
        self.fillings = self.setting.fillings or [Fillings(plan) for plan in plans]
        self.value_width = self.setting.width or (26.0 if len(plans) < 3 else 21.0)
        self.formula_column = _FIRST_VALUE + len(plans)
        self.rows, self.headings = placed(self.fillings, self.setting.beside, _HEADER + 1)
        self.columns = [
            PlanFormulas(fillings, self._cells(index))
            for index, fillings in enumerate(self.fillings)
        ]

    def write(self) -> None:
        """Write every cell of the sheet."""
        self._top()
        self._layout()
        for key, row in self.rows.items():
            if key in QUANTITIES:
                self._describe(key, row)
        for index, fillings in enumerate(self.fillings):
            for key in fillings.keys:
                self._number(index, key)
            self._beside(index)
            self._verdict(index)

    def _cells(self, index: int) -> dict[str, str]:
        """Map the numbers of a plan, and the cells on the way to them, to their cells."""
        own = {*self.fillings[index].keys, *self.setting.further(index)}
        others = QUANTITIES.keys() - own
        return {
            key: xl_rowcol_to_cell(row, _FIRST_VALUE + index)
            for key, row in self.rows.items()
            if key not in others
        }

    def _top(self) -> None:
        """Say what the sheet is, of which drives, from when, and how to use it."""
        write, formats = self.sheet.write_string, self.formats
        write(0, 0, self.setting.title, formats["title"])
        write(1, 0, f"Drives: {'; '.join(dict.fromkeys(plan.drive.name for plan in self.plans))}")
        write(2, 0, "Exported on")
        self.sheet.write_datetime(2, 1, self.exported, formats["date"])
        write(3, 0, _HOW)
        last = self.formula_column
        for column, title, look in (
            (0, "Quantity", "head"),
            (1, "Unit", "head"),
            (last, "Formula", "head note"),
            (last + 1, "Source", "head note"),
        ):
            write(_HEADER, column, title, formats[look])
        for index, name in enumerate(self.heads):
            write(_HEADER, _FIRST_VALUE + index, name, formats["head value"])
        self.sheet.set_row(_HEADER, height((name, self.value_width - 2) for name in self.heads))
        for row, heading in self.headings.items():
            for column in range(last + 2):
                self.sheet.write_blank(row, column, None, formats["section"])
            write(row, 0, heading, formats["section"])

    def _layout(self) -> None:
        sheet, last = self.sheet, self.formula_column
        widths = [_LABEL, _UNIT, *[self.value_width] * len(self.plans), _FORMULA, _SOURCE]
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
        name = self._told(key, lambda index: described(key, self.fillings[index], beside[index]))
        source = self._told(key, lambda index: origin(key, self.fillings[index], beside[index]))
        self._label(row, quantity.label, quantity.shown_in)
        self.sheet.write_string(row, self.formula_column, name, self.formats["note"])
        self.sheet.write_string(row, self.formula_column + 1, source, self.formats["note"])
        values = [
            (str(column.cached(key)), self.value_width)
            for column in self.columns
            if key in column.fillings.keys and column.fillings.tree(key) is not None
        ]
        notes = [] if self.setting.low else [(name, _FORMULA - 2), (source, _SOURCE - 2)]
        self.sheet.set_row(row, height([(quantity.label, _LABEL), *notes, *values]))

    def _label(self, row: int, label: str, unit: str) -> None:
        self.sheet.write_string(row, 0, label, self.formats["label"])
        formula, told = self.setting.unit(unit)
        if formula:
            self.sheet.write_formula(row, 1, formula, self.formats["unit"], told)
        else:
            self.sheet.write_string(row, 1, told, self.formats["unit"])

    def _told(self, key: str, tell: Callable[[int], str]) -> str:
        """Tell what holds for every drive once, and by drive where they differ."""
        told: dict[str, list[str]] = {}
        for index, own in enumerate(self.fillings):
            if key in own.keys or key in self.setting.further(index):
                told.setdefault(tell(index), []).append(self.heads[index])
        if len(told) == 1:
            return next(iter(told))
        return " | ".join(f"{', '.join(names)}: {text}" for text, names in told.items() if text)

    def _number(self, index: int, key: str) -> None:
        own = self.fillings[index]
        self._name(index, key, key)
        if key in own.blanks or own.given(key) is not None:
            self._input(index, key)
        else:
            self._result(index, key)

    def _input(self, index: int, key: str) -> None:
        row, column, own = self.rows[key], _FIRST_VALUE + index, self.fillings[index]
        cells, node = self.columns[index].cells, own.given(key)
        value = "" if node is None else shown(key, node.value)
        locked = self.formats[number_format("result", key)]
        if self._linked(index, key, value):
            return
        match kind(key, own, own if self.setting.apart else self.fillings[0]):
            case InputKind.CONSTANT:
                self.sheet.write_number(row, column, value, locked)
            case InputKind.LIST:
                self.sheet.write_string(row, column, listed(key, own), locked)
            case InputKind.AS_MEMBERS:
                drives = cells.get("working_members", cells["members"])
                self.sheet.write_formula(row, column, f"={drives}", locked, value)
            case InputKind.AS_FIRST:
                first = self.columns[0].cells[key]
                link = f"={first}" if node else f'=IF({first}="","",{first})'
                self.sheet.write_formula(row, column, link, locked, value)
            case InputKind.OPEN:
                self._open(row, column, key, value)
                self.sheet.data_validation(row, column, row, column, validation(key, cells))

    def _linked(self, index: int, key: str, value: float | str) -> bool:
        """Write an input that stands elsewhere, or that follows from others of its column."""
        cells, link = self.columns[index].cells, self.setting.link(index, key)
        if key == "working_members" and {"members", "hot_spares"} <= cells.keys():
            formula = f"={cells['members']}-{cells['hot_spares']}"
        elif link:
            formula = f"={link}" if value != "" else f'=IF({link}="","",{link})'
        else:
            return False
        look = self.formats[number_format("result", key)]
        self.sheet.write_formula(self.rows[key], _FIRST_VALUE + index, formula, look, value)
        return True

    def _beside(self, index: int) -> None:
        """Write the inputs that other sheets ask of a column."""
        row, column, cells = self.rows, _FIRST_VALUE + index, self.columns[index].cells
        for key, node in self.setting.further(index).items():
            if key in self.fillings[index].keys:
                continue
            self._name(index, key, key)
            value = "" if not node.is_known else shown(key, node.value)
            if not self._linked(index, key, value):
                self._open(row[key], column, key, value)
                rule = validation(key, cells)
                self.sheet.data_validation(row[key], column, row[key], column, rule)

    def _open(self, row: int, column: int, key: str, value: float | str) -> None:
        """Write an unlocked cell, empty where the value is unknown."""
        look = self.formats[number_format("input", key)]
        if isinstance(value, str):
            self.sheet.write_blank(row, column, None, look)
        else:
            self.sheet.write_number(row, column, value, look)

    def _result(self, index: int, key: str) -> None:
        own, column = self.columns[index], _FIRST_VALUE + index
        self._steps(index, key)
        look = self.formats[number_format("result", key)]
        self.sheet.write_formula(self.rows[key], column, own.result(key), look, own.cached(key))

    def _steps(self, index: int, key: str) -> None:
        """Write the helper cells of a number, if it has any."""
        own, column = self.columns[index], _FIRST_VALUE + index
        names = helpers(own.fillings.tree(key), key)
        if not names:
            return
        look = self.formats[number_format("result", "")]
        cached = own.helpers_cached(key)
        for name, formula, value in zip(names, own.steps(key), cached, strict=False):
            self._label_step(key, name)
            self._name(index, name, re.sub(r"(: 1/WA, |\W+)", "_", name).strip("_"))
            self.sheet.write_formula(self.rows[name], column, formula, look, value)
        if names[-1].endswith(FACTOR):
            self._factor(index, key, names[-1], own.spare(key))

    def _factor(self, index: int, key: str, name: str, spare: float | None) -> None:
        (formula,) = self.fillings[index].formulas(key)
        over = "" if formula in FED else " / fifo"
        label = self._label_step(key, name, f", {formula.rpartition('.')[2]}{over}; {_ONLY_HERE}")
        self._name(index, name, f"{key}_policy_factor")
        row, column = self.rows[name], _FIRST_VALUE + index
        wa = self.fillings[index].value(key)
        reference = 1.0 if formula in FED else None if spare is None else fifo(spare)
        value = "" if wa is None or reference is None else wa / reference
        self._open(row, column, "", value)
        cell = self.columns[index].cells[name]
        above_0 = {"validate": "custom", "value": f"=AND(ISNUMBER({cell}),{cell}>0)"}
        self.sheet.data_validation(
            row, column, row, column, above_0 | {"error_message": f"{label} must be > 0."[:255]}
        )

    def _label_step(self, key: str, name: str, more: str = "") -> str:
        label = f"{QUANTITIES[key].label}{name.removeprefix(key)}{more}"
        self._label(self.rows[name], label, "1")
        self.sheet.set_row(self.rows[name], height([(label, _LABEL)]))
        return label

    def _name(self, index: int, key: str, name: str) -> None:
        """Name a cell after its quantity, in later columns with the number of the column."""
        if self.setting.link(index, key):
            return
        cell = xl_rowcol_to_cell(self.rows[key], _FIRST_VALUE + index, row_abs=True, col_abs=True)
        numbered = name if index == 0 else f"{name}_{index + 1}"
        self.book.define_name(numbered, f"={self.setting.name}!{cell}")

    def _verdict(self, index: int) -> None:
        own, column = self.fillings[index], _FIRST_VALUE + index
        cells = self.columns[index].cells
        life = own.plan.lifetime
        lives = {
            str(limit): cells[answer.key]
            for limit, answer in own.complete.lifetime.life_by_limit.items()
        }
        years: float | str = "missing" if life.years is None else life.years
        limit = "unknown" if life.limit is None else str(life.limit)
        cached = ("never", "none") if years == float("inf") else (years, limit)
        shown_as = (("Life to the first limit", "years"), ("First limit", "1"))
        formulas = verdict(lives, cells[FIRST_LIFE])
        for key, label, formula, value in zip(
            (FIRST_LIFE, FIRST_LIMIT), shown_as, formulas, cached, strict=True
        ):
            self._label(self.rows[key], *label)
            self._name(index, key, key)
            self.sheet.write_formula(
                self.rows[key], column, formula, self.formats["verdict"], value
            )
