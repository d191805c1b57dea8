"""The sheet of comparison: one row per candidate in every block, the best of each column green."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.export.procurement.comparison_columns import (
    FIRST_ON_SCREEN,
    Column,
    ColumnSource,
    blocks,
)
from planner.export.procurement.page import LINE, Page, absolute
from planner.export.procurement.ranking import rank_of
from planner.export.workbook.exported import OUT_OF_DATE
from planner.export.workbook.formats import height, number_format

NAME = "Comparison"
_FIRST = 3
_ON_A_PAGE = 3  # blocks
_WIDTHS = (40, *[14.5] * 7)
_NAME_WIDTH = 38.0


class Comparison:
    """Blocks of columns, and where each stands."""

    def __init__(self, page: Page, source: ColumnSource, heads: Sequence[str]) -> None:
        self.page, self.source, self.heads = page, source, heads
        self.blocks = blocks(source)
        self.rows: dict[str, int] = {}
        row = _FIRST
        for heading in self.blocks:
            self.rows[heading] = row
            row += len(heads) + 3
        self.last_row = row - 2

    def cell(self, heading: str, title: str, index: int) -> str:
        """Return a cell as other sheets know it."""
        row, column = self._place(heading, title)
        return absolute(NAME, row + index, column)

    def cells(self, heading: str, title: str) -> str:
        """Return the cells of all candidates in a column."""
        row, column = self._place(heading, title)
        first, last = (
            xl_rowcol_to_cell(place, column, row_abs=True, col_abs=True)
            for place in (row, row + len(self.heads) - 1)
        )
        return f"{first}:{last}"

    @property
    def scored(self) -> str:
        """The title of the column that candidates are ranked by."""
        return next(one.title for one in self.blocks["Verdict"] if one.kind == "score")

    def score(self, index: int) -> str:
        """Return the cell that a candidate is ranked by."""
        return self.cell("Verdict", self.scored, index)

    def column(self, heading: str, title: str) -> str:
        """Return the cells of all candidates in a column as other sheets know them."""
        end = self.cell(heading, title, len(self.heads) - 1).rpartition("!")[2]
        return f"{self.cell(heading, title, 0)}:{end}"

    def shown(self, heading: str, title: str, index: int) -> float | str:
        """Return the exported value of a cell."""
        value = self.values[heading][title][index]
        return value if isinstance(value, float | int | str) else ""

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, list[object]]]:
        """What every column holds as exported, by heading and title."""
        return {heading: self._values_of(columns) for heading, columns in self.blocks.items()}

    def _values_of(self, columns: Sequence[Column]) -> Mapping[str, list[object]]:
        found: dict[str, list[object]] = {}
        for column in columns:
            found[column.title] = [
                column.figure(self.source, index)[1]
                if column.figure is not None
                else self._derived_value(column, index, found[column.of])
                for index in range(len(self.heads))
            ]
        return found

    def _place(self, heading: str, title: str) -> tuple[int, int]:
        titles = [column.title for column in self.blocks[heading]]
        return self.rows[heading] + 2, 1 + titles.index(title)

    def write(self) -> None:
        """Write every block."""
        page = self.page
        page.text(0, 0, "Comparison of candidates", "title")
        page.text(1, 0, "Green is best in its column. Brown figures are values as exported; all "
                  "others follow Sizing and Assumptions.", "plain")  # fmt: skip
        page.widths(_WIDTHS)
        for heading, columns in self.blocks.items():
            self._block(heading, columns)
        page.sheet.print_area(0, 0, self.rows[FIRST_ON_SCREEN] - 2, len(_WIDTHS) - 1)
        page.mark_missing((_FIRST, 1, self.last_row, len(_WIDTHS) - 1))
        page.finish(0, (_FIRST, 1))
        page.break_before(*self._breaks())

    def _breaks(self) -> Iterator[int]:
        """Yield the rows of blocks that begin a page, so that none is torn apart."""
        printed = [row for row in self.rows.values() if row < self.rows[FIRST_ON_SCREEN]]
        yield from printed[_ON_A_PAGE::_ON_A_PAGE]

    @cached_property
    def _names(self) -> Sequence[str]:
        """The heads, or drives alone where a head takes two lines: eight of these fill a page."""
        if all(height([(head, _NAME_WIDTH)]) == LINE for head in self.heads):
            return self.heads
        drives = (one.plan.drive.name for one in self.source.choice.candidates)
        return [f"{place}. {name}" for place, name in enumerate(drives, start=1)]

    def _block(self, heading: str, columns: Sequence[Column]) -> None:
        page, row = self.page, self.rows[heading]
        page.section(row, heading, len(_WIDTHS))
        page.text(row + 1, 0, "Candidate", "head")
        page.tall(row + 1, [(f"{column.title} [{column.unit}]", 11.5) for column in columns])
        for place, column in enumerate(columns, start=1):
            page.titled(row + 1, place, column.title, column.unit, "head value")
            self._colour(heading, column)
        for index, name in enumerate(self._names):
            page.text(row + 2 + index, 0, name)
            page.tall(row + 2 + index, [(name, _NAME_WIDTH)])
        self._column_values(heading, columns)

    def _column_values(self, heading: str, columns: Sequence[Column]) -> None:
        for column in columns:
            row, place = self._place(heading, column.title)
            for index in range(len(self.heads)):
                if column.figure is not None:
                    formula = column.figure(self.source, index)[0]
                else:
                    formula = self._derived(heading, column, index)
                value = self.values[heading][column.title][index]
                self._cell(row + index, place, column, formula, value)

    def _cell(self, row: int, place: int, column: Column, formula: str, value: object) -> None:
        page = self.page
        shown = value if isinstance(value, float | int | str) else ""
        if not formula:
            page.fixed(row, place, shown, column.style)
        elif column.style in ("text", "day"):
            page.live(row, place, formula, shown, "right" if column.style == "text" else "day")
        elif column.style == "score":
            page.live(row, place, formula, shown, "score")
        else:
            style = number_format("cell", column.style or "afr_fraction")
            page.live(row, place, formula, shown,
                      "cell #,##0" if column.kind == "rank" else style)  # fmt: skip

    def _derived(self, heading: str, column: Column, index: int) -> str:
        """Return the formula of rank, or of what lies above the lowest, of another column."""
        if column.kind == "order":
            scores = [self.cell(heading, column.of, other) for other in range(len(self.heads))]
            return self.source.ranking.rank(index, scores)
        cells = self.cells(heading, column.of)
        row, place = self._place(heading, column.of)
        here = xl_rowcol_to_cell(row + index, place)
        formulas = {
            "delta": f"{here}-MIN({cells})",
            "share": f"({here}/MIN({cells})-1)*100",
            "rank": f"RANK({here},{cells},1)",
        }
        return f'IF(ISNUMBER({here}),{formulas[column.kind]},"missing")'

    def _derived_value(self, column: Column, index: int, values: Sequence[object]) -> object:
        own = values[index]
        known = [value for value in values if isinstance(value, float | int)]
        if column.kind == "order":
            return rank_of(index, known, self.source.choice)
        return _compared(column.kind, own, known) if isinstance(own, float | int) else "missing"

    def _colour(self, heading: str, column: Column) -> None:
        row, place = self._place(heading, column.title)
        area = (row, place, row + len(self.heads) - 1, place)
        here = xl_rowcol_to_cell(row, place)
        if column.best and len(self.heads) > 1:
            cells = self.cells(heading, column.title)
            best = "MIN" if column.best == "min" else "MAX"
            differ = f"MIN({cells})<MAX({cells})"
            self.page.colour(area, f"AND(ISNUMBER({here}),{here}={best}({cells}),{differ})", "good")
        if column.kind == "verdict":
            self.page.colour_verdicts(area, here)
        if column.kind == "stale":
            self.page.colour(area, f"{here}>0", "late")
        if column.kind == "state":
            self.page.colour(area, f'{here}="{OUT_OF_DATE}"', "late")


def _compared(kind: str, own: float, known: Sequence[float]) -> float:
    """Return the excess over the lowest, as an amount or in percent, or the rank."""
    lowest = min(known)
    if kind == "rank":
        return 1 + sum(other < own for other in known)
    return own - lowest if kind == "delta" else 100 * (own / lowest - 1)
