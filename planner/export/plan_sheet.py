"""The sheet on which a plan is alive: inputs as named cells, results as formulas."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from models.write_amplification import fifo
from planner.export.cell_formulas import CELL_FORMULAS, FIFO, FIFO_STEPS, FIFO_VALUE, GREEDY, NEVER
from planner.figures import Answer, Figure, Given, Missing, Node
from planner.lifetime import Lifetime
from planner.plan import Plan
from planner.quantities import FACTORS, shown

__all__ = ["NUMBER_FORMATS", "Formats", "PlanSheet", "printing"]

_FIRST_VALUE = 2  # column C, after label and unit
_STEP_NAMES = ("start", "Newton step 1", "Newton step 2")
_FROM_OUTSIDE = ("workload", "array", "definition")
_INPUT_GROUPS = (
    ("Inputs: workload", ("workload",)),
    ("Inputs: array", ("array",)),
    ("Inputs: drive", None),
    ("Constants", ("definition",)),
)
NUMBER_FORMATS = {
    "USD": "#,##0.00",
    "USD/GB": "#,##0.000",
    "USD/TB": "#,##0.00##",
    "years": "#,##0.00",
    "IOPS": "#,##0",
    "%": "0.00##",
    "x": "0.0000",
    "GB": "#,##0.##",
    "GiB": "#,##0.##",
    "TB": "#,##0.###",
    "GiB/day": "#,##0.###",
    "MB/s": "#,##0.0",
    "us": "#,##0.0",
    "ms": "0.00##",
    "1/day": "0.00##",
}

Formats = Mapping[str, Any]


class PlanSheet:
    """Where each number stands on the sheet, and how to write it there."""

    def __init__(self, book: Any, formats: Formats, plans: Sequence[Plan]) -> None:
        self.book, self.formats, self.plans = book, formats, plans
        self.sheet = book.add_worksheet("Plan")
        self.nodes = [plan.nodes for plan in plans]
        self.rows: dict[str, int] = {}
        self.headings: dict[int, str] = {}
        self._place()

    def write(self) -> None:
        """Write every cell of the sheet."""
        self._frame()
        for key, row in self.rows.items():
            quantity = QUANTITIES.get(key)
            if quantity is not None:
                self.sheet.write_string(row, 0, quantity.label, self.formats["label"])
                self.sheet.write_string(row, 1, quantity.shown_in, self.formats["unit"])
                self._remarks(key, row)
        for index, plan in enumerate(self.plans):
            for answer in (*self.nodes[index].values(), *plan.missing):
                self._answer(index, answer)
            self._verdict(index, plan.lifetime)

    def _place(self) -> None:
        """Give every number a row: verdict, inputs, answers by question, steps."""
        row = 4
        for heading, keys in self._groups():
            self.headings[row] = heading
            row += 1
            for key in keys:
                self.rows[key] = row
                row += 1
            row += 1

    def _groups(self) -> Iterator[tuple[str, list[str]]]:
        nodes = {key: node for mapping in self.nodes for key, node in mapping.items()}
        inputs = [key for key, node in nodes.items() if isinstance(node, Given)]
        yield "Verdict", ["first_life", "first_limit"]
        for heading, sources in _INPUT_GROUPS:
            yield heading, [key for key in inputs if _is_from(nodes[key], sources)]
        placed = set(inputs)
        for section in self.plans[0].sections:
            keys = dict.fromkeys(
                answer.key for plan in self.plans for answer in plan.sections[section]
            )
            yield section, [key for key in keys if key not in placed]
            placed |= keys.keys()
        steps: list[str] = []
        for key, node in nodes.items():
            steps += _helper_keys(node)
            steps += [] if key in placed else [key]
        yield "Steps", steps

    def _frame(self) -> None:
        sheet, last = self.sheet, _FIRST_VALUE + len(self.plans)
        sheet.write_string(0, 0, "SSD plan", self.formats["title"])
        sheet.write_string(1, 0, "Change the blue cells; every other number follows.")
        for column, title in (
            (0, "Quantity"),
            (1, "Unit"),
            (last, "Formula"),
            (last + 1, "Source"),
        ):
            sheet.write_string(3, column, title, self.formats["head"])
        for index, plan in enumerate(self.plans):
            sheet.write_string(3, _FIRST_VALUE + index, plan.drive.name, self.formats["head"])
        for row, heading in self.headings.items():
            sheet.write_string(row, 0, heading, self.formats["section"])
        sheet.set_column(0, 0, 42)
        sheet.set_column(1, 1, 9)
        sheet.set_column(_FIRST_VALUE, last - 1, 26)
        sheet.set_column(last, last, 44)
        sheet.set_column(last + 1, last + 1, 110)
        sheet.freeze_panes(4, _FIRST_VALUE)
        sheet.protect("", {"format_columns": True, "select_locked_cells": True})
        printing(sheet)

    def _remarks(self, key: str, row: int) -> None:
        """Write formula name, sources and notes of the first plan that knows the number."""
        last = _FIRST_VALUE + len(self.plans)
        known = [nodes[key] for nodes in self.nodes if key in nodes]
        if not known:
            return
        node = known[0]
        name = node.formula.removeprefix("models.") if isinstance(node, Figure) else "input"
        origin = [node.source] if isinstance(node, Given) else []
        self.sheet.write_string(row, last, name, self.formats["note"])
        remark = "; ".join(part for part in (*origin, node.note) if part)
        self.sheet.write_string(row, last + 1, remark, self.formats["note"])

    def _answer(self, index: int, answer: Answer) -> None:
        row, column = self.rows[answer.key], _FIRST_VALUE + index
        if isinstance(answer, Missing):
            lacking = ", ".join(QUANTITIES[name].label for name in answer.lacking)
            self.sheet.write_string(row, column, f"missing: {lacking}", self.formats["missing"])
            return
        self._name(row, column, answer.key)
        if isinstance(answer, Given):
            self._input(row, column, answer)
        else:
            self._result(row, column, answer)

    def _input(self, row: int, column: int, node: Given) -> None:
        value = shown(node.key, node.value)
        self.sheet.write_number(row, column, value, self._number_format("input", node.key))
        self.sheet.data_validation(row, column, row, column, _validation(node.key))

    def _name(self, row: int, column: int, key: str) -> None:
        """Name a cell after its quantity, in later columns with the number of the column."""
        index = column - _FIRST_VALUE
        cell = xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True)
        self.book.define_name(key if index == 0 else f"{key}_{index + 1}", f"=Plan!{cell}")

    def _result(self, row: int, column: int, node: Figure) -> None:
        refs = {name: self._reference(part.key, column) for name, part in node.inputs.items()}
        if node.formula in (FIFO, GREEDY):
            body = self._uniform_steps(node, column, refs["op_ratio"])
        else:
            body = CELL_FORMULAS[node.formula].format(**refs)
        factor = FACTORS[QUANTITIES[node.key].shown_in]
        cell_formula = f"({body})" if factor == 1 else f"({body})/{factor!r}"
        if node.formula in NEVER:
            cell_formula = f'IF({NEVER[node.formula].format(**refs)},"never",{cell_formula})'
        value = shown(node.key, node.value)
        written = self._number_format("result", node.key)
        self.sheet.write_formula(row, column, f"={cell_formula}", written, _cached(value))

    def _uniform_steps(self, node: Figure, column: int, op_ratio: str) -> str:
        """Write the helper cells of a write amplification; return what its own cell holds."""
        spare, previous = node.inputs["op_ratio"].value, ""
        y = 2 * spare * (1 + 0.2536 * spare) / (1 + spare * (1.587 + 0.5595 * spare))
        for position, (helper, template) in enumerate(
            zip(_helper_keys(node), FIFO_STEPS, strict=False)
        ):
            row = self.rows[helper]
            body = template.format(p=op_ratio, y=previous)
            cached = y if position == 0 else 1 / fifo(spare)
            self._helper_label(row, f"{QUANTITIES[node.key].label}: 1/WA, {_STEP_NAMES[position]}")
            self.sheet.write_formula(
                row, column, f"=IF({op_ratio}>0,{body},NA())", self.formats["result"], cached
            )
            previous = xl_rowcol_to_cell(row, column)
        value = FIFO_VALUE.format(y=previous)
        if node.formula == FIFO:
            return value
        row = self.rows[_helper_keys(node)[-1]]
        self._helper_label(row, f"{QUANTITIES[node.key].label}: policy factor, greedy / fifo")
        self.sheet.write_number(row, column, node.value / fifo(spare), self.formats["input"])
        return f"{value}*{xl_rowcol_to_cell(row, column)}"

    def _helper_label(self, row: int, label: str) -> None:
        self.sheet.write_string(row, 0, label, self.formats["label"])
        self.sheet.write_string(row, 1, "1", self.formats["unit"])

    def _verdict(self, index: int, life: Lifetime) -> None:
        column = _FIRST_VALUE + index
        cells = {
            limit: xl_rowcol_to_cell(self.rows[node.key], column)
            for limit, node in life.known.items()
        }
        for key, label, unit in (
            ("first_life", "Life to the first limit", "years"),
            ("first_limit", "First limit", ""),
        ):
            self.sheet.write_string(self.rows[key], 0, label, self.formats["label"])
            self.sheet.write_string(self.rows[key], 1, unit, self.formats["unit"])
        if not cells or life.years is None or life.limit is None:
            self.sheet.write_string(self.rows["first_life"], column, "missing")
            return
        first = xl_rowcol_to_cell(self.rows["first_life"], column)
        minimum = f"=MIN({','.join(cells.values())})"
        self.sheet.write_formula(
            self.rows["first_life"], column, minimum, self.formats["verdict"], _cached(life.years)
        )
        label = '"unknown"'
        for limit, cell in reversed(list(cells.items())):
            label = f'IF({cell}={first},"{limit}",{label})'
        self.sheet.write_formula(
            self.rows["first_limit"], column, f"={label}", self.formats["verdict"], str(life.limit)
        )

    def _reference(self, key: str, column: int) -> str:
        cell = xl_rowcol_to_cell(self.rows[key], column)
        factor = FACTORS[QUANTITIES[key].shown_in]
        return cell if factor == 1 else f"({cell}*{factor!r})"

    def _number_format(self, kind: str, key: str) -> Any:
        pattern = NUMBER_FORMATS.get(QUANTITIES[key].shown_in)
        name = f"{kind} {pattern}" if pattern else kind
        return self.formats[name]


def _is_from(node: Node, sources: Sequence[str] | None) -> bool:
    """Whether an input is of a group; the drive's are those of no other group."""
    if not isinstance(node, Given):
        return False
    return node.source not in _FROM_OUTSIDE if sources is None else node.source in sources


def _helper_keys(node: Node) -> list[str]:
    if not isinstance(node, Figure) or node.formula not in (FIFO, GREEDY):
        return []
    names = [f"{node.key}: {step}" for step in _STEP_NAMES]
    return names if node.formula == FIFO else [*names, f"{node.key}: factor"]


def _cached(value: float) -> float | str:
    return "never" if value == float("inf") else value


def _validation(key: str) -> dict[str, Any]:
    """Return the accepted range of an input, as the formulas accept it."""
    if QUANTITIES[key].shown_in == "%":
        return {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": 100}
    lowest = {"growth_per_year": -100.0, "parities": -1.0}.get(key, 0.0)
    return {
        "validate": "decimal",
        "criteria": ">",
        "value": lowest,
        "error_title": QUANTITIES[key].label[:32],
        "error_message": f"{QUANTITIES[key].label} must be > {lowest:g}."[:255],
    }


def printing(sheet: Any) -> None:
    """Print a sheet on landscape A4, one page wide."""
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
