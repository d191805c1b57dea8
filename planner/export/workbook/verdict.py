"""The first sheet: writes in the unit of the reader, and five sentences on each plan.

Sentences are text as exported, and say so once an input was changed. The word of LASTS, the ends of
rating and flash wear-out, and the writes that all sheets compute with are live formulas.
"""

from collections.abc import Sequence
from datetime import date
from math import isinf
from typing import TYPE_CHECKING, Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.units import YEAR_S
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE, is_same
from planner.export.workbook.formats import Formats, height, number_format, printing
from planner.export.workbook.plan import PlanSheet
from planner.export.workbook.typed_writes import (
    CONVERTED,
    FROM_0,
    IN_ONE,
    TYPED,
    UNITS,
    WRITES,
    converted,
    number_of,
    unit_of,
    unit_rows,
    unit_validation,
)
from planner.quantity.show import shown
from planner.scenario.risk import Risk
from planner.search.verdict import dates, heading, verdict
from planner.search.verdict.lasts import (
    NO,
    PROBABLY,
    PROBABLY_NOT,
    ROUNDING,
    UNKNOWN,
    YES,
    YES_BUT,
    EnduranceDates,
)
from planner.sections.life import HASTE
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.application import Application

NAME = "Verdict"
_LABEL, _VALUE, _TEXT = 18.0, 13.0, 100.0
_UNIT_COLUMN = 5  # and the next: the table of units, beside what is printed
_FIRST_ROW = 4
_HOW = "Change the blue cells on yellow here and on the sheet Plan; every number follows."
_CHANGED = "An input was changed: export again for this sentence."
_YEARS = "Years asked"
_RATING, _WEAR, _WARRANTY = "by its rating", "flash wear-out", "warranty"
_STATE = "These sentences are"
_ASKED = TYPED, CONVERTED
_LINES = (
    _YEARS, "LASTS", _RATING, _WEAR, _WARRANTY, "WORST SECOND", "SAFE", "COST", "NEXT", _STATE,
)  # fmt: skip
_BETWEEN = "Years until then, low and high of 90 %."
_UNKNOWN = "not stated"
_MOST_TEXT = 250  # characters of a text in a formula


class VerdictSheet:
    """Sheet of the verdict of plans whose numbers are on the sheet of the plans."""

    def __init__(
        self, book: Any, styles: Formats, plans: Sequence[PlanReading], risk: Risk,
        application: "Application | None",
    ) -> None:  # fmt: skip
        self.book, self.styles, self.plans, self.risk = book, styles, plans, risk
        self.sheet = book.add_worksheet(NAME)
        self._verdicts = [
            verdict(plan, risk.horizon_s, risk, application=application) for plan in plans
        ]
        self._first_rows = list(self._placed())

    def _placed(self) -> list[int]:
        rows, row = [], _FIRST_ROW
        for index in range(len(self.plans)):
            rows.append(row)
            row += len(_LINES) + (len(_ASKED) if self._is_asked(index) else 0) + 2
        return rows

    def _is_asked(self, index: int) -> bool:
        """Whether a plan has cells for its writes: those as the first plan's follow these."""
        rates = [float(plan.workload.host_bytes_per_s) for plan in self.plans]
        return index == 0 or rates[index] != rates[0]

    def _row(self, index: int, line: str) -> int:
        """Return the row of a line of a plan."""
        lines = [*(_ASKED if self._is_asked(index) else ()), *_LINES]
        return self._first_rows[index] + 1 + lines.index(line)

    def _cell(self, index: int, line: str, column: int = 1) -> str:
        cell: str = xl_rowcol_to_cell(self._row(index, line), column)
        return cell

    def links(self) -> list[dict[str, str]]:
        """Return the cells in which the inputs of each plan are edited, for the sheet of plans."""
        asked = [index if self._is_asked(index) else 0 for index in range(len(self.plans))]
        return [{WRITES: f"{NAME}!{self._cell(index, CONVERTED)}"} for index in asked]

    def write(self, plans: PlanSheet, exported: date) -> None:
        """Write every cell; `plans` is the sheet whose cells the formulas refer to."""
        write, styles = self.sheet.write_string, self.styles
        write(0, 0, "Verdict", styles["title"])
        write(1, 0, "Exported on")
        self.sheet.write_datetime(1, 1, exported, styles["date"])
        write(2, 0, _HOW)
        for column, width in enumerate((_LABEL, _VALUE, _VALUE, _TEXT)):
            self.sheet.set_column(column, column, width)
        self._units()
        for index, plan in enumerate(self.plans):
            self._heading(index, plan)
            if self._is_asked(index):
                self._writes(index, plan)
            self._years(index)
            self._sentences(index, plans)
            self._lasting(index, plan, plans)
        last = self._row(len(self.plans) - 1, _STATE)
        self.sheet.print_area(0, 0, last, 3)
        self.sheet.freeze_panes(_FIRST_ROW - 1, 1)
        self.sheet.protect("", {"format_columns": True, "format_rows": True})
        printing(self.sheet, 0)
        self.sheet.activate()

    def _units(self) -> None:
        self.sheet.write_string(_FIRST_ROW - 1, _UNIT_COLUMN, "Unit", self.styles["head"])
        self.sheet.write_string(_FIRST_ROW - 1, _UNIT_COLUMN + 1, IN_ONE, self.styles["head"])
        for row, (unit, factor) in enumerate(unit_rows(), _FIRST_ROW):
            self.sheet.write_string(row, _UNIT_COLUMN, unit, self.styles["unit"])
            self.sheet.write_number(row, _UNIT_COLUMN + 1, factor, self.styles["result 0.0000##"])
        self.sheet.set_column(_UNIT_COLUMN + 1, _UNIT_COLUMN + 1, 16)

    def _heading(self, index: int, plan: PlanReading) -> None:
        row, text = self._first_rows[index], heading(plan, self.risk.horizon_s)
        for column in range(4):
            self.sheet.write_blank(row, column, None, self.styles["section"])
        self.sheet.write_string(row, 0, text, self.styles["section"])

    def _label(self, index: int, line: str, text: str = "") -> int:
        row = self._row(index, line)
        self.sheet.write_string(row, 0, line, self.styles["label"])
        if text:
            self.sheet.write_string(row, 3, text, self.styles["text"])
        self.sheet.set_row(row, height([(line, _LABEL), (text, _TEXT)]))
        return row

    def _writes(self, index: int, plan: PlanReading) -> None:
        """Write the number of the writes, its unit and their sentence, and the converted rate."""
        rate, typed = float(plan.workload.host_bytes_per_s), plan.workload.writes_typed
        row = self._label(index, TYPED, f"As typed: {typed}" if typed else "")
        style = self.styles[number_format("input", WRITES)]
        number, units = self._cell(index, TYPED), self._cell(index, TYPED, 2)
        self.sheet.write_number(row, 1, number_of(plan.workload), style)
        self.sheet.write_string(row, 2, unit_of(plan.workload), style)
        condition, words = FROM_0
        message = f"Writes must be {words}. Sentences are read elsewhere."
        self.sheet.data_validation(row, 1, row, 1, {
            "validate": "custom",
            "value": f"=AND(ISNUMBER({number}),{condition.format(x=number)})",
            "input_title": TYPED, "input_message": message,
            "error_title": TYPED, "error_message": message,
        })  # fmt: skip
        self.sheet.data_validation(row, 2, row, 2, unit_validation(self._table(0)))
        self._define(index, "writes", number)
        self._define(index, "writes_unit", units)
        formula = f"={converted(number, units, self._table(0), self._table(1))}"
        row = self._label(index, CONVERTED, "What every sheet computes with, of all drives.")
        result = self.styles[number_format("result", WRITES)]
        self.sheet.write_formula(row, 1, formula, result, float(shown(WRITES, rate)))
        self.sheet.write_string(row, 2, "GiB/day", self.styles["unit"])
        self._define(index, WRITES, self._cell(index, CONVERTED))

    def _table(self, column: int) -> str:
        """Return the cells of the units, or of their factors."""
        ends = (
            xl_rowcol_to_cell(row, _UNIT_COLUMN + column, row_abs=True, col_abs=True)
            for row in (_FIRST_ROW, _FIRST_ROW + len(UNITS) - 1)
        )
        return ":".join(ends)

    def _define(self, index: int, name: str, cell: str) -> None:
        numbered = name if index == 0 else f"{name}_{index + 1}"
        column, row = cell.rstrip("0123456789"), cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        self.book.define_name(numbered, f"={NAME}!${column}${row}")

    def _years(self, index: int) -> None:
        """Write the years asked, an input in the first plan and a link in the others."""
        row = self._label(index, _YEARS)
        self.sheet.write_string(row, 2, "years", self.styles["unit"])
        years, cell = self.risk.horizon_s / YEAR_S, self._cell(index, _YEARS)
        if index:
            link = f"={self._cell(0, _YEARS)}"
            style = self.styles[number_format("result", "warranty_s")]
            self.sheet.write_formula(row, 1, link, style, years)
            return
        self.sheet.write_number(row, 1, years, self.styles[number_format("input", "warranty_s")])
        self.sheet.data_validation(row, 1, row, 1, {
            "validate": "custom", "value": f"=AND(ISNUMBER({cell}),{cell}>0)",
            "error_title": _YEARS, "error_message": "Years must be a number > 0.",
        })  # fmt: skip
        self._define(0, "asked_years", cell)

    def _sentences(self, index: int, plans: PlanSheet) -> None:
        """Write the five sentences, each as long as the inputs are as exported."""
        statement, state = self._verdicts[index], self._cell(index, _STATE)
        words = {"SAFE": statement.safe.word}
        for line, text in statement.lines.items():
            row = self._label(index, line, text)
            formula = f'=IF({state}="{UP_TO_DATE}",{_quoted(text)},"{_CHANGED}")'
            self.sheet.write_formula(row, 3, formula, self.styles["label"], text)
            if line in words:
                word = words[line]
                formula = f'=IF({state}="{UP_TO_DATE}","{word}","-")'
                self.sheet.write_formula(row, 1, formula, self.styles["verdict"], word)
        row = self._label(index, _STATE)
        years = is_same(self._cell(0, _YEARS), self.risk.horizon_s / YEAR_S)
        same = f"AND({plans.as_exported(index)},{years})"
        formula = f'=IF({same},"{UP_TO_DATE}","{OUT_OF_DATE}")'
        self.sheet.write_formula(row, 1, formula, self.styles["verdict"], UP_TO_DATE)
        errors = f"{plans.setting.name}!{plans.errors}"
        formula = (
            f'=IF({errors}=0,"",{errors}&" cells of the sheet {plans.setting.name} are in error: '
            'a cell takes a number, sentences are read by the options and the app.")'
        )
        self.sheet.write_formula(row, 3, formula, self.styles["missing"], "")

    def _lasting(self, index: int, plan: PlanReading, plans: PlanSheet) -> None:
        """Write the ends of rating, wear-out and warranty, and the word that follows from them."""
        ends, word = dates(plan), self._verdicts[index].lasts.word
        own = _Lives(plans, index)
        warranty = (
            None if ends.warranty is None or ends.warranty.basis == "prior" else ends.warranty
        )
        for line, key, part in (
            (_RATING, "printed_life_s", ends.printed),
            (_WEAR, "wear_life_s", ends.own_wear),
            (_WARRANTY, "warranty_s", warranty),
        ):
            row = self._label(index, line, _BETWEEN)
            for column, place in enumerate(("low", "high"), 1):
                if part is None:
                    self.sheet.write_string(row, column, _UNKNOWN, self.styles["unit"])
                    continue
                style, value = self.styles[number_format("result", key)], getattr(part, place)
                formula = own.rating(place) if line == _RATING else own.of(key, place)
                held = "never" if isinf(value) else float(shown(key, value))
                self.sheet.write_formula(row, column, f"={formula}", style, held)
        formula = f"={self._word(index, own, ends)}"
        self.sheet.write_formula(
            self._row(index, "LASTS"), 1, formula, self.styles["verdict"], word
        )

    def _word(self, index: int, own: "_Lives", ends: EnduranceDates) -> str:
        """Return the formula of the word of LASTS, by the rules of the planner's own verdict."""
        rating, wear, warranty = (
            [self._cell(index, line, column) for column in (1, 2)]
            for line in (_RATING, _WEAR, _WARRANTY)
        )
        years = f"{self._cell(index, _YEARS)}*{1 - ROUNDING!r}"

        def is_short(*cells: str) -> str:
            tests = [f"AND(ISNUMBER({cell}),{cell}<{years})" for cell in cells]
            return tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"

        lives = [own.rating("typical")] if ends.rating else []
        lives += [own.of("wear_life_s", "typical")] if ends.own_wear else []
        if ends.printed is None:
            typical = lives[-1:]
            probably = f'IF({is_short(*typical)},"{PROBABLY_NOT}","{PROBABLY}")' if typical else ""
            sure = probably or f'"{UNKNOWN}"'
        else:
            probably = f'IF({is_short(*lives)},"{PROBABLY_NOT}","{PROBABLY}")'
            yes = f'IF({is_short(warranty[0])},"{YES_BUT}","{YES}")'
            sure = f"IF({is_short(rating[0], wear[0])},{probably},{yes})"
        judged = f'IF({is_short(rating[1], wear[1])},"{NO}",{sure})'
        errors = ",".join(f"ISERROR({cell})" for cell in (*rating, *wear))
        return f'IF(OR({errors}),"Error",{judged})'


class _Lives:
    """The cells of lives on the sheet of plans, as formulas of the sheet of the verdict."""

    def __init__(self, plans: PlanSheet, index: int) -> None:
        self.plans, self.index = plans, index

    def rating(self, place: str) -> str:
        """Return the life by the rating as printed, or as used up faster by small writes."""
        printed, converted = self.of("printed_life_s", place), self.of("rated_life_s", place)
        faster = f"IF({printed}>{HASTE!r}*{converted},{converted},{printed})"
        return f"IF(ISNUMBER({converted}),{faster},{printed})"

    def of(self, key: str, place: str) -> str:
        """Return a life at an end: its own cell, or that of the number where it has no ends."""
        cell, low, high = self.plans.lived(self.index, key)
        if place == "typical":
            return cell
        end = low if place == "low" else high
        return f"IF(ISNUMBER({end}),{end},{cell})"


def _quoted(text: str) -> str:
    """Return a text in a formula, in pieces that spreadsheet programs accept."""
    pieces = [text[start : start + _MOST_TEXT] for start in range(0, len(text), _MOST_TEXT)]
    return "&".join('"{}"'.format(piece.replace('"', '""')) for piece in pieces)
