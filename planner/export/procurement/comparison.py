"""The sheet of comparison: one row per candidate in every block, the best of each column green."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.export.procurement.comparison_columns import (
    FIRST_ON_SCREEN,
    Column,
    ColumnSource,
    columns_of,
)
from planner.export.procurement.layout import Layout
from planner.export.procurement.page import LINE, Page
from planner.export.procurement.ranking import rank_of
from planner.export.workbook.exported import OUT_OF_DATE
from planner.export.workbook.formats import height, number_format

_ON_A_PAGE = 3  # blocks
_WIDTHS = (40, *[14.5] * 7)
_NAME_WIDTH = 38.0


class Comparison:
    """Blocks of columns, and what each cell holds."""

    def __init__(
        self, page: Page, source: ColumnSource, layout: Layout, heads: Sequence[str]
    ) -> None:
        self.page, self.source, self.layout, self.heads = page, source, layout, heads
        self.columns = columns_of(source.choice)
        self.last_row = layout[next(reversed(self.columns))].last

    @property
    def scored(self) -> str:
        """The title of the column that candidates are ranked by."""
        return next(one.title for one in self.columns["Verdict"] if one.kind == "score")

    def shown(self, heading: str, title: str, index: int) -> float | str:
        """Return what a cell shows as exported."""
        value = self.values[heading][title][index]
        return value if isinstance(value, float | int | str) else ""

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, list[object]]]:
        """What every column holds as exported, by heading and title."""
        return {heading: self._values_of(columns) for heading, columns in self.columns.items()}

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

    def write(self) -> None:
        """Write every block."""
        page, blocks = self.page, [self.layout[heading] for heading in self.columns]
        first, printed = blocks[0].top, self.layout[FIRST_ON_SCREEN].top
        page.text(0, 0, "Comparison of candidates", "title")
        page.text(1, 0, "Green is best in its column. Brown figures are values as exported; all "
                  "others follow Sizing and Assumptions.", "plain")  # fmt: skip
        page.widths(_WIDTHS)
        for heading, columns in self.columns.items():
            self._block(heading, columns)
        page.sheet.print_area(0, 0, printed - 2, len(_WIDTHS) - 1)
        page.mark_missing((first, 1, self.last_row, len(_WIDTHS) - 1))
        page.finish(0, (first, 1))
        tops = [block.top for block in blocks if block.top < printed]
        page.break_before(*tops[_ON_A_PAGE::_ON_A_PAGE])  # so that no block is torn apart

    @cached_property
    def _names(self) -> Sequence[str]:
        """The heads, or drives alone where a head takes two lines: eight of these fill a page."""
        if all(height([(head, _NAME_WIDTH)]) == LINE for head in self.heads):
            return self.heads
        drives = (one.plan.drive.name for one in self.source.choice.candidates)
        return [f"{place}. {name}" for place, name in enumerate(drives, start=1)]

    def _block(self, heading: str, columns: Sequence[Column]) -> None:
        page, block = self.page, self.layout[heading]
        page.section(block.top, heading, len(_WIDTHS))
        page.text(block.top + 1, 0, "Candidate", "head")
        titles = [(f"{column.title} [{column.unit}]", 11.5) for column in columns]
        page.tall(block.top + 1, titles)
        for column in columns:
            place = block.columns[column.title]
            page.titled(block.top + 1, place, column.title, column.unit, "head value")
            self._colour(heading, column)
        for index, name in enumerate(self._names):
            page.text(*block.at(index, "candidate"), name)
            page.tall(block.rows[index], [(name, _NAME_WIDTH)])
        for column in columns:
            for index in range(len(self.heads)):
                if column.figure is not None:
                    formula = column.figure(self.source, index)[0]
                else:
                    formula = self._derived(heading, column, index)
                value = self.values[heading][column.title][index]
                self._cell(*block.at(index, column.title), column, formula, value)

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
            scores = [self.layout[heading].cell(other, column.of) for other in
                      range(len(self.heads))]  # fmt: skip
            return self.source.ranking.rank(index, scores)
        block = self.layout[heading]
        cells, here = block.cells_here(column.of), block.here(index, column.of)
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
        block, title = self.layout[heading], column.title
        area, here = block.area(title), xl_rowcol_to_cell(*block.at(0, title))
        if column.best and len(self.heads) > 1:
            cells = block.cells_here(title)
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
    """Return what lies above the lowest, as an amount or in percent, or the rank."""
    lowest = min(known)
    if kind == "rank":
        return 1 + sum(other < own for other in known)
    return own - lowest if kind == "delta" else 100 * (own / lowest - 1)
