"""The sheet of comparison: one row per candidate in every block, the best of each column green."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.export.procurement.comparison_columns import (
    FIRST_ON_SCREEN,
    Column,
    ColumnSource,
    Shown,
    columns_of,
)
from planner.export.procurement.page import LINE, Page
from planner.export.workbook.formats import height

_ON_A_PAGE = 3  # blocks
_WIDTHS = (40, *[14.5] * 7)
_NAME_WIDTH = 38.0
_LOOKS = {"text": "right", "day": "day", "score": "score"}


class Comparison:
    """Blocks of columns, and what each cell holds."""

    def __init__(self, page: Page, source: ColumnSource, heads: Sequence[str]) -> None:
        self.page, self.source, self.layout, self.heads = page, source, source.layout, heads
        self.columns, self.count = columns_of(source.choice), len(heads)
        self.last_row = self.layout[next(reversed(self.columns))].last

    def shown(self, heading: str, title: str, index: int) -> float | str:
        """Return the value of a cell as exported."""
        return self.figures[heading][title][index][1]

    @cached_property
    def figures(self) -> Mapping[str, Mapping[str, list[Shown]]]:
        """Formula and value of every cell, by heading and title; verdicts know what is refused."""
        return {
            heading: {
                column.title: [
                    self._figure(column, index, is_gated=heading != "Verdict")
                    for index in range(self.count)
                ]
                for column in columns
            }
            for heading, columns in self.columns.items()
        }

    def _figure(self, column: Column, index: int, *, is_gated: bool) -> Shown:
        formula, value = column.figure(self.source, index)
        if formula and is_gated:
            formula = self.source.checks.refused.gated(index, formula)
        return formula, value

    def write(self) -> None:
        """Write every block."""
        page, blocks = self.page, [self.layout[heading] for heading in self.columns]
        first, printed = blocks[0].top, self.layout[FIRST_ON_SCREEN].top
        page.text(0, 0, "Comparison of candidates", "title")
        page.text(1, 0, "Green is best in its column. Brown figures are values as exported; all "
                  "others follow Sizing and Assumptions.", "plain")  # fmt: skip
        page.widths((*_WIDTHS, _WIDTHS[-1]))  # the last is for the screen
        for heading, columns in self.columns.items():
            self._block(heading, columns)
        page.sheet.print_area(0, 0, printed - 2, len(_WIDTHS) - 1)
        page.mark_missing((first, 1, self.last_row, len(_WIDTHS) - 1))
        page.finish(0, (first, 1))
        tops = [block.top for block in blocks if block.top < printed]
        page.break_before(
            *tops[_ON_A_PAGE::_ON_A_PAGE], end=printed - 1
        )  # so that no block is torn apart

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
            for index, figure in enumerate(self.figures[heading][column.title]):
                self._cell(*block.at(index, column.title), column, figure)

    def _cell(self, row: int, place: int, column: Column, figure: Shown) -> None:
        page, (formula, shown) = self.page, figure
        if not formula:
            page.fixed(row, place, shown, column.style)
        elif column.style in _LOOKS:
            page.live(row, place, formula, shown, _LOOKS[column.style])
        else:
            page.quantity(row, place, column.style or "afr_fraction", formula, shown)

    def _colour(self, heading: str, column: Column) -> None:
        block, title = self.layout[heading], column.title
        area, here = block.area(title), xl_rowcol_to_cell(*block.at(0, title))
        if column.best and self.count > 1:
            cells = block.cells_here(title)
            best = "MIN" if column.best == "min" else "MAX"
            differ = f"MIN({cells})<MAX({cells})"
            self.page.colour(area, f"AND(ISNUMBER({here}),{here}={best}({cells}),{differ})", "good")
        self.page.colours(area, here, column.colours)
