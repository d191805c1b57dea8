"""Rows of years as cells, and the block of those that all candidates share."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from xlsxwriter.utility import xl_col_to_name

from models.nomenclature import QUANTITIES
from planner.export.procurement.page import Page
from planner.graph.cells import Cells, helper_names, of_year
from planner.graph.rows import Rows

FIRST_YEAR = 3  # column D, after label, unit and the start
START = 2
YEARLY = ("year_part", "year_length_s", "year_end_s", "mid_year_s", "discount_factor")
SINGLE = ("early_life_cv", "horizon_written_bytes")
_HERE, _BEFORE = "<here>", "<before>"  # columns of a later year and of the year before it


def cells_of(key: str, row: int, columns: range, *, is_first: bool) -> dict[str, str]:
    """Name the cell of a year in a row, and its runs of cells: of the first or any later year."""
    first, last = (f"${xl_col_to_name(columns[place])}${row + 1}" for place in (0, -1))
    here = first if is_first else f"{_HERE}${row + 1}"
    found = {key: here, f"{key}:all": f"{first}:{last}", f"{key}:upto": f"{first}:{here}"}
    if is_first:
        return found | {f"{key}:before": "0"}
    return found | {f"{key}:before": f"{first}:{_BEFORE}${row + 1}", f"{key}:first": first}


@dataclass(frozen=True, slots=True)
class YearCells:
    """The numbers of a candidate as cells: in the first year, and in any later one."""

    columns: range
    first: Cells
    later: Cells
    gated: Callable[[str], str] = str  # formula of a candidate, in error while a cell is refused

    def write(self, page: Page, row: int, key: str) -> None:
        """Write a row of years, if the candidate has it."""
        label(page, row, key)
        if key in self.first.rows.keys:
            formulas = self._formulas(*(_text(cells, key) for cells in (self.first, self.later)))
            for place, (column, formula) in enumerate(formulas):
                value = self.first.value(key, place)
                page.quantity(row, column, key, self.gated(formula), value)

    def write_start(self, page: Page, row: int, column: int, key: str) -> None:
        """Write a single number, if the candidate has it."""
        if key in self.first.rows.keys:
            formula = self.gated(_text(self.first, key))
            page.quantity(row, column, key, formula, self.first.value(key))

    def write_helper(self, page: Page, row: int, key: str, name: str) -> None:
        """Write a cell on the way to a row, or a row of them if its name is that of a row."""
        time, _, words = name.partition(":")
        label(page, row, time, words)
        first, later = (
            next(helper for helper in cells.helpers(key) if helper.name == name)
            for cells in (self.first, self.later)
        )
        formulas = [(START, first.formula.removeprefix("="))]
        if time in YEARLY:
            formulas = self._formulas(*(each.formula.removeprefix("=") for each in (first, later)))
        for place, (column, formula) in enumerate(formulas):
            page.live(row, column, formula, of_year(first.value, place), "result 0.0000##")

    def _formulas(self, first: str, later: str) -> list[tuple[int, str]]:
        """Return the formula of each year with its column."""
        names = pairwise(map(xl_col_to_name, self.columns))
        texts = [later.replace(_HERE, here).replace(_BEFORE, before) for before, here in names]
        return list(zip(self.columns, [first, *texts], strict=True))


def _text(cells: Cells, key: str) -> str:
    """Return the formula of a row as a page takes it: without the sign of equality."""
    return cells.formula(key).removeprefix("=")


def label(page: Page, row: int, key: str, words: str = "") -> None:
    """Write label and unit of a row; words behind the label refer to years of writing."""
    quantity = QUANTITIES[key]
    text = f"{quantity.label}:{words}" if words else quantity.label
    page.text(row, 0, text)
    if words:
        page.tall(row, [(text, 38.0)])
    page.unit(row, 1, "years" if words else quantity.shown_in)


class Years:
    """Rows of years, and cells below them, of what depends on assumptions alone."""

    def __init__(self, page: Page, rows: Rows, years: int, first_row: int) -> None:
        self.page, self.first_row = page, first_row
        self.columns = range(FIRST_YEAR, FIRST_YEAR + years)
        self._helpers = {
            name: key
            for key in ("yearly_written_bytes", "horizon_written_bytes")
            for call in rows.calls(key)
            for name in helper_names(call)
        }
        yearly = [name for name in self._helpers if name.partition(":")[0] in YEARLY]
        single = [name for name in self._helpers if name not in yearly]
        self._yearly = dict(enumerate((*YEARLY, *yearly), start=first_row + 1))
        self._single = dict(enumerate((*SINGLE, *single), start=max(self._yearly) + 2))

    @property
    def last_row(self) -> int:
        """The last row that is used."""
        return max(self._single)

    def cells(self, *, is_first: bool) -> dict[str, str]:
        """Name the cells of the first or any later year, and those below, by what they hold."""
        found: dict[str, Any] = {name: f"$C${row + 1}" for row, name in self._single.items()}
        for row, name in {self.first_row: "year", **self._yearly}.items():
            found |= cells_of(name, row, self.columns, is_first=is_first)
        return found

    def write(self, cells: YearCells) -> None:
        """Write heads, rows and the cells below them."""
        page, row = self.page, self.first_row
        page.texts(row, 0, ("Year", "", "Start"), "head")
        for number, column in enumerate(self.columns, start=1):
            page.sheet.write_number(row, column, number, page.styles["head value"])
        for row, name in {**self._yearly, **self._single}.items():
            if name in self._helpers:
                cells.write_helper(page, row, self._helpers[name], name)
            elif row in self._yearly:
                cells.write(page, row, name)
            else:
                label(page, row, name)
                cells.write_start(page, row, START, name)
                page.define(name, row, START)
