"""The sheet of owning by year: what every candidate costs, as blocks of years, and charts."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from xlsxwriter.utility import xl_rowcol_to_cell

from models.units import YEAR_S
from planner.export.procurement import years as years_block
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.layout import OWNING, SIZING
from planner.export.procurement.owning_charts import bars_chart, columns_chart
from planner.export.procurement.page import Page, absolute
from planner.export.procurement.refused import RefusedCells
from planner.export.procurement.sizing import SizingSheet
from planner.export.procurement.years import FIRST_YEAR, START, YearCells, Years, cells_of, label
from planner.graph.cells import Cells
from planner.graph.rows import Rows
from planner.scenario.terms import LEVELS
from planner.search.choose import Candidate
from planner.sections.ownership import over_years
from planner.sections.owning import RUNNING

_TOTALS_ROW = 5
_CHART_ROWS = 20
_LEGIBLE = 10  # columns at 8 points across landscape A4
TOTALS = (
    "capital_usd", "operating_present_usd", *RUNNING, "drives_present_usd", "residual_usd",
    "residual_present_usd", "npv_usd",
    "equivalent_usd_per_year", "priced_usd_per_year", "cost_per_usable_byte",
    "cost_per_usable_byte_year", "cost_per_written_byte", "cost_per_iops", "horizon_replacements",
    "bought_drives", "made_drives", "energy_j",
    *(f"{level}_{what}" for what in (
        "embodied_kg", "operational_kg", "carbon_kg", "carbon_kg_per_byte_year",
    ) for level in LEVELS),
)  # fmt: skip
_PRINTED = TOTALS.index("energy_j") + 1  # of the totals: costs and energy, above the charts
YEARLY = (
    "yearly_written_bytes", "yearly_lives", "yearly_failures", "slot_replacements",
    "cumulative_replacements", "yearly_replacements", "cumulative_bought_drives",
    "yearly_bought_drives", "yearly_write_iops", "yearly_power_w", "array_power_w",
    "yearly_energy_j", "yearly_energy_usd", "yearly_slot_usd", "yearly_node_usd",
    "yearly_labour_usd", "yearly_drives_usd",
)  # fmt: skip
_OF_NODES = ("yearly_node_usd", "node_present_usd")  # of clusters alone
_OF_DRIVE = ("early_limit_bytes", "read_j", "write_j")
_STACKED = {
    "Replacements": "yearly_drives_usd", "Slots": "yearly_slot_usd", "Nodes": "yearly_node_usd",
    "Energy": "yearly_energy_usd", "Labour": "yearly_labour_usd",
}  # fmt: skip
_PRESENT = {
    "Drives at the start": "capital_usd", "Replacements": "drives_present_usd",
    "Slots": "slot_present_usd", "Nodes": "node_present_usd", "Energy": "energy_present_usd",
    "Labour": "labour_present_usd",
}  # fmt: skip
_SHOWN = ("afr_fraction", *TOTALS, *YEARLY, *_OF_DRIVE, *years_block.YEARLY, *years_block.SINGLE)
_OPTIONAL = ("read_power_w", "replaced_fraction", "qos_iops")  # empty cells elsewhere


class OwningSheet:
    """Cells of each cost of each candidate, placed before anything is written."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet,
        candidates: Sequence[Candidate], refused: RefusedCells,
    ) -> None:  # fmt: skip
        self.page, self.assumed, self.sizing = page, assumed, sizing
        self.candidates, self.refused = candidates, refused
        self.rows = [
            _rows(one, sized.live, assumed.years)
            for one, sized in zip(candidates, sizing.sized, strict=True)
        ]
        self.charts_row = _TOTALS_ROW + _PRINTED + 1
        below = self.charts_row + _CHART_ROWS  # the row of the totals that are not printed
        last = below + len(TOTALS) - _PRINTED
        self.years = Years(page, self.rows[0], assumed.years, last + 1)
        self._places = {key: place for place, key in enumerate((*YEARLY, *_OF_DRIVE), start=1)}
        self.block_rows = len(self._places) + 4
        self.blocks_row = self.years.last_row + 3
        rows = (*range(_TOTALS_ROW, _TOTALS_ROW + _PRINTED), *range(below, last))
        self.totals_rows = dict(zip(TOTALS, rows, strict=True))
        self.cells = [self._cells(index) for index in range(len(candidates))]

    def total(self, index: int, key: str) -> str:
        """Return the cell of what owning a candidate comes to, as other sheets know it."""
        return self.page.cell(self._named(key, index))

    def total_value(self, index: int, key: str) -> float | str:
        """Return the exported value of that cell."""
        value: float | str = self.cells[index].first.value(key)
        return value

    @property
    def last_row(self) -> int:
        """The last row of the last block."""
        return self._block_row(len(self.candidates)) - 2

    def written(self, index: int) -> str:
        """Return the cell of what one drive has been written by the end of the horizon."""
        row = self._row_of(index, "yearly_written_bytes")
        return absolute(OWNING, row, self.years.columns[-1])

    def write(self, heads: Sequence[str]) -> None:
        """Write totals, years and blocks, with the charts between them."""
        page = self.page
        page.text(0, 0, "Cost of owning, by year", "title")
        page.text(1, 0, "Costs of a year fall due in its middle; nothing inflates. Every number "
                  "follows Sizing and Assumptions.", "plain")  # fmt: skip
        page.widths([38, 14, 12, *[11] * len(self.years.columns)])
        self._totals(heads)
        self.years.write(replace(self.cells[0], gated=str))
        for index, head in enumerate(heads):
            self._block(index, head)
        page.finish(0, (_TOTALS_ROW, 2))
        page.one_page(self.charts_row + _CHART_ROWS - 1, _LEGIBLE - 1)
        last = self._block_row(len(self.candidates)) - 1
        self._fade(last)
        page.mark_missing((_TOTALS_ROW, 2, last, self.years.columns[-1]))

    @property
    def printed(self) -> int:
        """The last column that charts show: that of the planning horizon, or of a page."""
        years = math.ceil(self.candidates[0].ownership.terms.horizon_s / YEAR_S)
        return max(_LEGIBLE, FIRST_YEAR + years) - 1

    def _fade(self, last: int) -> None:
        """Grey the years after the planning horizon."""
        first = FIRST_YEAR
        part = xl_rowcol_to_cell(self.years.first_row + 1, first, row_abs=True)
        area = (self.years.first_row, first, last, self.years.columns[-1])
        self.page.colour(area, f"{part}=0", "grey")

    def _named(self, key: str, index: int) -> str:
        return key if index == 0 else f"{key}_{index + 1}"

    def _block_row(self, index: int) -> int:
        return self.blocks_row + index * self.block_rows

    def _row_of(self, index: int, key: str) -> int:
        return self._block_row(index) + self._places[key]

    def _cells(self, index: int) -> YearCells:
        """Return the numbers of a candidate as cells, with their places on this sheet."""
        sized = self.sizing.plans.columns[index].at
        found = {name: self.assumed.cell(name) for name in self.assumed.entries}
        found |= {name: f"{SIZING}!{cell}" for name, cell in sized.items()}
        found |= self.assumed.workload
        found |= {key: self._total(key, index) for key in TOTALS}
        found |= {key: f"$C${self._row_of(index, key) + 1}" for key in _OF_DRIVE}
        first, later = (
            Cells(self.rows[index], found | self._of_years(index, is_first=is_first))
            for is_first in (True, False)
        )
        gated = partial(self.refused.gated, index, otherwise="NA()")
        return YearCells(self.years.columns, first, later, gated)

    def _of_years(self, index: int, *, is_first: bool) -> dict[str, str]:
        found = self.years.cells(is_first=is_first)
        for key in YEARLY:
            row = self._row_of(index, key)
            found |= cells_of(key, row, self.years.columns, is_first=is_first)
        return found

    def _total(self, key: str, index: int) -> str:
        return str(xl_rowcol_to_cell(self.totals_rows[key], 2 + index, row_abs=True, col_abs=True))

    def _totals(self, heads: Sequence[str]) -> None:
        page = self.page
        page.texts(_TOTALS_ROW - 1, 0, ("Over the planning horizon", "Unit"), "head")
        for index, head in enumerate(heads):
            page.text(_TOTALS_ROW - 1, 2 + index, head, "head value")
        page.tall(_TOTALS_ROW - 1, [(head, 8.0) for head in heads])
        for key, row in self.totals_rows.items():
            label(page, row, key)
            for index in range(len(heads)):
                page.define(self._named(key, index), row, 2 + index)

    def _block(self, index: int, head: str) -> None:
        """Write the years of one candidate, then what they come to."""
        page, row = self.page, self._block_row(index)
        page.section(row, head, self.years.columns[-1] + 1)
        for number, column in enumerate(self.years.columns, start=1):
            page.sheet.write_number(row, column, number, page.styles["section year"])
        cells, columns = self.cells[index], self.years.columns
        for key in YEARLY:
            cells.write(page, self._row_of(index, key), key)
            page.define(self._named(key, index), self._row_of(index, key), columns[0], columns[-1])
        for key in _OF_DRIVE:
            label(page, self._row_of(index, key), key)
            cells.write_start(page, self._row_of(index, key), START, key)
        self._capital(index, row + 1 + len(self._places))
        for key, total_row in self.totals_rows.items():
            cells.write_start(page, total_row, START + index, key)

    def _capital(self, index: int, row: int) -> None:
        """Write the price of the start, and the sum of every year, for the chart."""
        page = self.page
        capital, price = self._total("capital_usd", index), self.total_value(index, "capital_usd")
        label(page, row, "capital_usd")
        page.quantity(row, 2, "capital_usd", capital, price)
        page.text(row + 1, 0, "All costs of the year, undiscounted")
        page.unit(row + 1, 1, "USD")
        page.quantity(row + 1, 2, "capital_usd", capital, price)
        for place, column in enumerate(self.years.columns):
            known = [key for key in _STACKED.values() if key in self.rows[index].keys]
            values = (self.cells[index].first.value(key, place) for key in known)
            summed = math.fsum(value for value in values if not isinstance(value, str))
            cells = (xl_rowcol_to_cell(self._row_of(index, key), column) for key in known)
            page.quantity(row + 1, column, "capital_usd", f"SUM({','.join(cells)})", summed)

    def charts(self, heads: Sequence[str]) -> None:
        """Draw the yearly costs of the first candidate, and the present value of each."""
        page, columns, last = self.page, (self.years.columns[0], self.printed), 1 + len(heads)
        known = self.rows[0].keys
        yearly = {kind: (self._row_of(0, key), *columns)
                  for kind, key in _STACKED.items() if key in known}  # fmt: skip
        columns_chart(page, yearly, (self.years.first_row, *columns), self.charts_row, heads[0])
        present = {kind: (self.totals_rows[key], 2, last)
                   for kind, key in _PRESENT.items() if key in known}  # fmt: skip
        bars_chart(page, present, (_TOTALS_ROW - 1, 2, last), self.charts_row)


def _rows(candidate: Candidate, plan: Rows, years: int) -> Rows:
    """Return owning as rows beside those of the plan."""
    reading = over_years(candidate.ownership, years)
    unknown = () if candidate.plan.array.nodes else _OF_NODES
    names = [key for key in _SHOWN if key in reading.graph.answers and key not in unknown]
    return Rows(reading, names, optional=_OPTIONAL, beyond=plan, shown=_SHOWN)
