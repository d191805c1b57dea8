"""The sheet on which a plan is alive: inputs as named cells, results as formulas."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from models.write_amplification import fifo
from planner.assumptions import supply
from planner.export.accepted import validation
from planner.export.cell_formulas import FED
from planner.export.fillings import Fillings
from planner.export.looks import Formats, height, number_format, printing
from planner.export.plan_formulas import FACTOR, PlanFormulas, helpers, verdict
from planner.export.plan_inputs import InputKind, describe, group, kind, listed
from planner.figures import Given
from planner.plan import Plan
from planner.quantities import shown

__all__ = ["PlanSheet"]

_HEADER = 5  # title, drives, date, use and an empty row come first
_FIRST_VALUE = 2  # column C, after label and unit
_GROUPS = ("Inputs: workload", "Inputs: array", "Inputs: drive", "Constants")
_LABEL, _UNIT, _FORMULA, _SOURCE = 46.0, 9.0, 46.0, 60.0
_HOW = (
    "Change the blue cells on yellow, or fill in the empty ones; every other number follows. "
    "Protected without a password."
)
_ONLY_HERE = "holds at the exported spare area, shares and pages per block only"
_ASKED_FIRST = ("host_bytes_per_s", "growth_per_year", "price_usd")
_FIRST_LIFE, _FIRST_LIMIT = "first_life", "first_limit"


class PlanSheet:
    """Where each number stands on the sheet, and how to write it there."""

    def __init__(self, book: Any, formats: Formats, plans: Sequence[Plan], exported: date) -> None:
        self.book, self.formats, self.exported = book, formats, exported
        self.sheet = book.add_worksheet("Plan")
        self.plans = plans
        self.fillings = [Fillings(plan) for plan in plans]
        self.value_width = 26.0 if len(plans) < 3 else 21.0
        self.formula_column = _FIRST_VALUE + len(plans)
        self.rows: dict[str, int] = {}
        self.headings: dict[int, str] = {}
        self._place()
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
            self._verdict(index)

    def _cells(self, index: int) -> dict[str, str]:
        return {key: xl_rowcol_to_cell(row, _FIRST_VALUE + index) for key, row in self.rows.items()}

    def _place(self) -> None:
        """Give every number a row: verdict, inputs, answers by question, steps."""
        row = _HEADER + 1
        for heading, keys in self._groups():
            self.headings[row] = heading
            self.rows |= {key: row + 1 + position for position, key in enumerate(keys)}
            row += len(keys) + 2

    def _groups(self) -> Iterator[tuple[str, list[str]]]:
        keys = list(dict.fromkeys(key for fillings in self.fillings for key in fillings.keys))
        grouped = {key: self._input_group(key) for key in keys}
        yield "Verdict", [_FIRST_LIFE, _FIRST_LIMIT]
        for heading in _GROUPS:
            inputs = [key for key in keys if grouped[key] == heading]
            yield heading, sorted(inputs, key=lambda key: key not in _ASKED_FIRST)
        placed = {key for key in keys if grouped[key]}
        for section in self.plans[0].sections:
            asked = dict.fromkeys(
                answer.key for own in self.fillings for answer in own.complete.sections[section]
            )
            yield section, [key for key in asked if key not in placed]
            placed |= asked.keys()
        left = [key for key in keys if key not in placed]
        yield "Steps", [*left, *self._helpers(keys)]

    def _input_group(self, key: str) -> str:
        """Name the group of a number that is an input of some plan; "" for results."""
        for own in self.fillings:
            if key in own.blanks or own.given(key) is not None:
                return group(key, own.given(key))
        return ""

    def _helpers(self, keys: Sequence[str]) -> list[str]:
        names = (name for own in self.fillings for key in keys for name in self._of(own, key))
        return list(dict.fromkeys(names))

    @staticmethod
    def _of(own: Fillings, key: str) -> list[str]:
        return helpers(own.tree(key), key) if key in own.keys else []

    def _top(self) -> None:
        """Say what the sheet is, of which drives, from when, and how to use it."""
        write, formats = self.sheet.write_string, self.formats
        write(0, 0, "SSD capacity and endurance plan", formats["title"])
        write(1, 0, f"Drives: {'; '.join(plan.drive.name for plan in self.plans)}")
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
        names = [plan.drive.name for plan in self.plans]
        for index, name in enumerate(names):
            write(_HEADER, _FIRST_VALUE + index, name, formats["head value"])
        self.sheet.set_row(_HEADER, height((name, self.value_width - 2) for name in names))
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
        name = self._told(key, lambda own: _formula(own, key))
        source = self._told(key, lambda own: _origin(own, key))
        self._label(row, quantity.label, quantity.shown_in)
        self.sheet.write_string(row, self.formula_column, name, self.formats["note"])
        self.sheet.write_string(row, self.formula_column + 1, source, self.formats["note"])
        values = [
            (str(column.cached(key)), self.value_width)
            for column in self.columns
            if key in column.fillings.keys and column.fillings.tree(key) is not None
        ]
        texts = [(quantity.label, _LABEL), (name, _FORMULA - 2), (source, _SOURCE - 2)]
        self.sheet.set_row(row, height([*texts, *values]))

    def _label(self, row: int, label: str, unit: str) -> None:
        self.sheet.write_string(row, 0, label, self.formats["label"])
        self.sheet.write_string(row, 1, "" if unit == "1" else unit, self.formats["unit"])

    def _told(self, key: str, tell: Callable[[Fillings], str]) -> str:
        """Tell what holds for every drive once, and by drive where they differ."""
        told: dict[str, list[str]] = {}
        for own in self.fillings:
            if key in own.keys:
                told.setdefault(tell(own), []).append(own.plan.drive.name)
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
        match kind(key, own, self.fillings[0]):
            case InputKind.CONSTANT:
                self.sheet.write_number(row, column, value, locked)
            case InputKind.LIST:
                self.sheet.write_string(row, column, listed(key, own), locked)
            case InputKind.AS_MEMBERS:
                self.sheet.write_formula(row, column, f"={cells['members']}", locked, value)
            case InputKind.AS_FIRST:
                first = self.columns[0].cells[key]
                link = f"={first}" if node else f'=IF({first}="","",{first})'
                self.sheet.write_formula(row, column, link, locked, value)
            case InputKind.OPEN:
                self._open(row, column, key, value)
                self.sheet.data_validation(row, column, row, column, validation(key, cells))

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
        """Write the helper cells of a write amplification, if the number is one."""
        own, column = self.columns[index], _FIRST_VALUE + index
        names = helpers(own.fillings.tree(key), key)
        if not names:
            return
        spare = own.spare(key)
        cached = own.cached(key) if spare is None else 1 / fifo(spare)
        look = self.formats[number_format("result", "")]
        for name, formula in zip(names, own.steps(key), strict=False):
            self._label_step(key, name)
            self._name(index, name, name.replace(": 1/WA, ", "_").replace(" ", "_"))
            self.sheet.write_formula(self.rows[name], column, formula, look, cached)
        if names[-1].endswith(FACTOR):
            self._factor(index, key, names[-1], spare)

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
        cell = xl_rowcol_to_cell(self.rows[key], _FIRST_VALUE + index, row_abs=True, col_abs=True)
        self.book.define_name(name if index == 0 else f"{name}_{index + 1}", f"=Plan!{cell}")

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
        formulas = verdict(lives, cells[_FIRST_LIFE])
        for key, label, formula, value in zip(
            (_FIRST_LIFE, _FIRST_LIMIT), shown_as, formulas, cached, strict=True
        ):
            self._label(self.rows[key], *label)
            self._name(index, key, key)
            self.sheet.write_formula(
                self.rows[key], column, formula, self.formats["verdict"], value
            )


def _formula(own: Fillings, key: str) -> str:
    if own.tree(key) is None:
        return describe(key, own)
    return " or ".join(name.removeprefix("models.") for name in own.formulas(key))


def _origin(own: Fillings, key: str) -> str:
    """Name the source of an input, or what would supply it, with the notes on a number."""
    node = own.given(key)
    if key in own.blanks:
        return f"not known; to be had from {supply(key).partition(': ')[2]}"
    source = node.source if isinstance(node, Given) else ""
    return "; ".join(part for part in (source, own.note(key)) if part)
