"""The sheet of plans with one uncertain input at an end at a time, from which ranges follow."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from planner.export.workbook.formats import Formats, height, number_format, printing
from planner.export.workbook.moved import ENDS
from planner.export.workbook.plan_ranges import EndCells, along
from planner.export.workbook.range_columns import RangedPlan
from planner.graph.cells import Cells, Helper
from planner.quantity.show import shown

NAME = "Ends"
_DRIVES, _INPUTS, _ENDS, _OF_INPUT, _FIRST_ROW = 3, 4, 5, 6, 7
_FIRST_VALUE = 2  # column, after label and unit
_LABEL, _UNIT, _WIDTH = 46.0, 9.0, 16.0
_TITLE = "Answers with one uncertain input at an end at a time"
_HOW = (
    "Low and high on the sheet of the plan follow from these numbers: swings add in quadrature. "
    "The ends of an input are in the cells next to it there, and may be edited."
)
_FOLDED = "Folded, their joint swing as exported"


class EndsSheet:
    """Sheet of the numbers with one input at an end at a time."""

    def __init__(self, book: Any, styles: Formats, plans: Sequence[RangedPlan]) -> None:
        """Place the numbers of plans in the order of the rows on their sheet."""
        self.sheet, self.styles, self.plans = book.add_worksheet(NAME), styles, plans
        self._helpers = [
            {key: _moving(plan.cells, key) for keys in plan.moved.steps.values() for key in keys}
            for plan in plans
        ]
        self._labels = dict(self._named())
        order = {name: row for plan in plans for name, row in plan.rows.items()}
        names = sorted(self._labels, key=order.__getitem__)
        self._rows = {name: row for row, name in enumerate(names, _FIRST_ROW)}
        widths = (2 * (len(plan.moved.inputs) + bool(plan.moved.folded)) for plan in plans)
        self._first = list(accumulate(widths, initial=_FIRST_VALUE))

    def _named(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield label and unit of every number that has a row, by name."""
        for plan, helpers in zip(self.plans, self._helpers, strict=True):
            for key in (*helpers, *plan.moved.moved):
                label, unit = QUANTITIES[key].label, QUANTITIES[key].shown_in
                yield key, (label, "" if unit == "1" else unit)
                for name in helpers.get(key, ()):
                    yield name, (f"{label}{name.removeprefix(key)}", "")

    def of(self, index: int, key: str) -> list[EndCells]:
        """Return the cells of a number of a plan at the ends of all that moves it."""
        plan = self.plans[index].moved
        moved = plan.moved[key]
        pairs = [
            self._pair(index, place, key)._replace(is_model=item.is_model)
            for place, item in enumerate(plan.inputs)
            if item in moved.inputs
        ]
        if moved.folded is not None:
            folded = self._pair(index, len(plan.inputs), key)
            pairs.append(folded._replace(is_model=moved.are_models))
        return pairs

    def _pair(self, index: int, place: int, name: str) -> EndCells:
        """Return the cells of a number at both ends of the input at a place."""
        row, first = self._rows[name], self._first[index] + 2 * place
        low, high = (f"{NAME}!{xl_rowcol_to_cell(row, first + end)}" for end in range(2))
        return EndCells(low, high)

    def write(self, of: str) -> None:
        """Write every cell of the sheet; `of` is the sheet of the plans."""
        self._top()
        for index, plan in enumerate(self.plans):
            self.sheet.write_string(_DRIVES, self._first[index], plan.head, self.styles["head"])
            at = {name: f"{of}!{cell}" for name, cell in plan.cells.at.items()}
            for place, item in enumerate(plan.moved.inputs):
                cells = plan.ends(item.quantity)[:2]
                for offset, (end, cell) in enumerate(zip(ENDS, cells, strict=True), 2 * place):
                    self._end(index, offset, item.quantity, end, at, f"{of}!{cell}")
            self._folded(index, at)

    def _top(self) -> None:
        """Write title, labels and units."""
        sheet, styles = self.sheet, self.styles
        sheet.write_string(0, 0, _TITLE, styles["title"])
        sheet.write_string(1, 0, _HOW)
        sheet.set_column(0, 0, _LABEL)
        sheet.set_column(1, 1, _UNIT)
        sheet.set_column(_FIRST_VALUE, self._first[-1], _WIDTH)
        for row, title in ((_INPUTS, "Quantity"), (_OF_INPUT, "The input itself")):
            sheet.write_string(row, 0, title, styles["head" if row == _INPUTS else "label"])
        for name, (label, unit) in self._labels.items():
            row = self._rows[name]
            sheet.write_string(row, 0, label, styles["label"])
            sheet.write_string(row, 1, unit, styles["unit"])
            sheet.set_row(row, height([(label, _LABEL)]))
        sheet.freeze_panes(_FIRST_ROW, _FIRST_VALUE)
        sheet.protect("", {"format_columns": True, "format_rows": True})
        printing(sheet, _ENDS)

    def _head(self, column: int, words: str, end: str) -> None:
        self.sheet.write_string(_INPUTS, column, words, self.styles["head value"])
        self.sheet.write_string(_ENDS, column, end, self.styles["head value"])

    def _end(
        self, index: int, offset: int, quantity: str, end: str, at: Mapping[str, str], where: str
    ) -> None:
        """Write a plan with one input at an end, read from the cell `where`."""
        column, rows = self._first[index] + offset, self.plans[index].moved.rows[quantity, end]
        self._head(column, QUANTITIES[quantity].label, end)
        value = float(shown(quantity, rows.value(quantity)))
        self._formula(_OF_INPUT, column, quantity, f"={where}", value)
        steps = sorted(self.plans[index].moved.steps[quantity], key=self._rows.__getitem__)
        own = {
            name: xl_rowcol_to_cell(self._rows[name], column)
            for key in steps
            for name in (key, *self._helpers[index][key])
        }
        cells = Cells(rows, {**at, quantity: where, **own})
        for key in steps:
            before = self._helpers[index][key]
            for helper in cells.helpers(key):
                if helper.name in before:
                    formula = helper.formula or _beside(helper, at[helper.name], before)
                    self._formula(self._rows[helper.name], column, "", formula, helper.value)
            self._formula(self._rows[key], column, key, cells.formula(key), cells.value(key))

    def _folded(self, index: int, at: Mapping[str, str]) -> None:
        """Write the answers with all folded inputs at an end together, as at export."""
        plan = self.plans[index].moved
        if not plan.folded:
            return
        first = self._first[index] + 2 * len(plan.inputs)
        labels = ", ".join(QUANTITIES[item.quantity].label for item in plan.folded)
        for end, name in enumerate(ENDS):
            self._head(first + end, f"{_FOLDED}: {labels}", name)
            for key, moved in plan.moved.items():
                if moved.folded is not None:
                    value = float(shown(key, moved.folded[end]))
                    typical = float(shown(key, plan.live.value(key)))
                    formula = along(key, moved.scale, at[key], typical, value)
                    self._formula(self._rows[key], first + end, key, formula, value)

    def _formula(self, row: int, column: int, key: str, formula: str, value: float | str) -> None:
        style = self.styles[number_format("result", key)]
        self.sheet.write_formula(row, column, formula, style, value)


def _moving(cells: Cells, key: str) -> dict[str, float | str]:
    """Return the helper cells of a number that follow its inputs, or hold a value that is used."""
    return {
        helper.name: helper.value
        for helper in cells.helpers(key)
        if helper.formula or helper.value != ""
    }


def _beside(helper: Helper, cell: str, before: Mapping[str, float | str]) -> str:
    """Return the formula of a value that no formula follows: in ratio to that of the plan."""
    ratio = helper.value / before[helper.name]
    return f'=IF({cell}="","",{cell}*{ratio!r})'
