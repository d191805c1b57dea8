"""The sheet of owning by year: what every candidate costs, as blocks of years, and charts."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.owning_charts import bars_chart, columns_chart
from planner.export.procurement.owning_formulas import MOST_LIVES, YEARLY, Yearly
from planner.export.procurement.owning_totals import TOTALS
from planner.export.procurement.page import Page, absolute, base
from planner.export.procurement.sizing import SizingSheet
from planner.export.procurement.years import FIRST_YEAR, Years
from planner.graph.answer import Answer, walk
from planner.quantity.show import shown
from planner.search.choose import Candidate
from planner.sections.ownership import Ownership

NAME = "TCO by year"
_TOTALS_ROW = 5
_CHART_ROWS = 20
_LEGIBLE = 10  # columns at 8 points across landscape A4
_PLACES = {yearly.key: place for place, yearly in enumerate(YEARLY)}
_STAYS = (  # by the end of a year, so that years after the last hold the last
    "yearly_written_bytes", "yearly_lives", "yearly_failures", "slot_replacements",
    "cumulative_replacements", "cumulative_bought_drives",
)  # fmt: skip
_STACKED = ("yearly_drives_usd", "yearly_slot_usd", "yearly_energy_usd", "yearly_labour_usd")
_PRESENT = ("drives_present_usd", "slot_present_usd", "energy_present_usd", "labour_present_usd")
_NO_PRICE = "missing: Price per drive"
_NO_POWER = "missing: power when idle and writing, or rates"
_OF_SIZING = ("price_usd", "members", "idle_power_w", "read_power_w", "write_power_w",
              "afr_fraction", "host_limit_bytes", "reads_per_write", "writes_per_write",
              "budget_iops", "read_iops", "write_iops", "usable_bytes", "user_bytes")  # fmt: skip


class OwningSheet:
    """Where each cost of each candidate stands, before anything is written."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, candidates: Sequence[Candidate]
    ) -> None:
        self.page, self.assumed, self.sizing = page, assumed, sizing
        self.candidates = candidates
        first = candidates[0]
        self.charts_row = _TOTALS_ROW + len(TOTALS) + 2
        self.years = Years(
            page=page, assumed=assumed, workload=first.plan.workload, owned=first.ownership,
            first_row=self.charts_row + _CHART_ROWS,
        )  # fmt: skip
        self.block_rows = len(YEARLY) + 4
        self.blocks_row = self.years.last_row + 3
        self.totals_rows = {key: _TOTALS_ROW + place for place, key in enumerate(TOTALS)}

    def total(self, index: int, key: str) -> str:
        """Return the cell of what owning a candidate comes to, as other sheets know it."""
        return self.page.cell(self._named(key, index))

    def total_value(self, index: int, key: str) -> float | str:
        """Return the exported value of that cell."""
        owned = self.candidates[index].ownership
        found = owned.nodes.get(key)
        if found is not None:
            return shown(key, float(found.value))
        if key == "energy_j":
            return _NO_POWER
        if key == "cost_per_iops" and "npv_usd" in owned.nodes:
            return self.sizing.value(index, "budget_iops")
        return _NO_PRICE

    @property
    def last_row(self) -> int:
        """The last row of the last block."""
        return self._block_row(len(self.candidates)) - 2

    @property
    def last_lives(self) -> list[str]:
        """Cells of the lives used by the end of the planning horizon."""
        row = [self._row_of(index, "yearly_lives") for index in range(len(self.candidates))]
        return [absolute(NAME, place, self.years.columns[-1]) for place in row]

    def written(self, index: int) -> str:
        """Return the cell of what one drive has been written by the end of the horizon."""
        row = self._row_of(index, "yearly_written_bytes")
        return absolute(NAME, row, self.years.columns[-1])

    @property
    def last_clock(self) -> str:
        """The years of writing by the end of the planning horizon, on this sheet."""
        return self.years.cell("clock", self.years.columns[-1])

    def write(self, heads: Sequence[str]) -> None:
        """Write totals, years and blocks, with the charts between them."""
        page = self.page
        page.text(0, 0, "Cost of owning, by year", "title")
        page.text(1, 0, "Costs of a year fall due in its middle; nothing inflates. Every number "
                  "follows Sizing and Assumptions.", "plain")  # fmt: skip
        page.widths([38, 11, 12, *[11] * len(self.years.columns)])
        self._totals(heads)
        self.years.write()
        self._generations()
        for index, head in enumerate(heads):
            self._block(index, head)
        page.finish(0, (_TOTALS_ROW, 2))
        if self.printed >= _LEGIBLE:
            page.sheet.fit_to_pages(2, 0)
            page.sheet.repeat_columns(0, 1)
        last = self._block_row(len(self.candidates)) - 1
        page.sheet.print_area(0, 0, last, self.printed)
        self._fade(last)
        page.mark_missing((_TOTALS_ROW, 2, last, self.years.columns[-1]))
        page.sheet.set_h_pagebreaks([
            self.charts_row,
            *(self._block_row(index) for index in range(0, len(heads), 2)),
        ])  # fmt: skip

    @property
    def printed(self) -> int:
        """The last column that is printed: that of the planning horizon, of charts and candidates.

        Ten columns are as many as can be read on one page; of a longer horizon two are printed.
        """
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
        return self._block_row(index) + 1 + _PLACES[key]

    @property
    def _generation_column(self) -> int:
        return self.years.columns[-1] + 2

    def _generations(self) -> None:
        """Write 1, 2 ... beside the years: numbers of lives that wear may have ended."""
        column = self._generation_column
        for k in range(1, MOST_LIVES + 1):
            self.page.sheet.write_number(k, column, k, self.page.styles["unit"])
        self.page.text(0, column, "Lives", "unit")
        self.page.sheet.set_column(column, column, 8, None, {"hidden": True})

    def _cells(self, index: int) -> dict[str, str]:
        """Return the cells of other sheets that the formulas of a candidate read."""
        sizing, assumed = self.sizing, self.assumed
        found = {name: assumed.cell(name) for name in assumed.entries}
        found |= {key: sizing.cell(index, key) for key in _OF_SIZING if sizing.has(key)}
        found["working_members"] = sizing.working(index)
        found["member_bytes_per_s"] = base(
            sizing.cell(index, "member_bytes_per_s"), "member_bytes_per_s"
        )
        found["host_bytes_per_s"] = base(found["host_bytes_per_s"], "host_bytes_per_s")
        column = self._generation_column
        found["generations"] = ":".join(
            xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True) for row in (1, MOST_LIVES)
        )
        return found | {
            "early_life": f"({self.page.cell('early_life_ratio')}/100)",
            "spread": f"({self.page.cell('early_life_cv')}/100)",
            "factors": self.years.row_of("factor"),
            "last clock": self.last_clock,
        }

    def _totals(self, heads: Sequence[str]) -> None:
        page = self.page
        page.texts(_TOTALS_ROW - 1, 0, ("Over the planning horizon", "Unit"), "head")
        for index, head in enumerate(heads):
            page.text(_TOTALS_ROW - 1, 2 + index, head, "head value")
        page.tall(_TOTALS_ROW - 1, [(head, 10.0) for head in heads])
        for key, row in self.totals_rows.items():
            page.text(row, 0, QUANTITIES[key].label)
            page.unit(row, 1, QUANTITIES[key].shown_in)
            for index in range(len(heads)):
                page.define(self._named(key, index), row, 2 + index)

    def _block(self, index: int, head: str) -> None:
        """Write the years of one candidate, then what they come to."""
        page, row = self.page, self._block_row(index)
        page.section(row, head, self.years.columns[-1] + 1)
        for number, column in enumerate(self.years.columns, start=1):
            page.sheet.write_number(row, column, number, page.styles["section year"])
        at = self._cells(index) | self._ends(index)
        for yearly in YEARLY:
            self._yearly(index, yearly, at)
        self._capital(index, row + 1 + len(YEARLY))
        at |= {key: xl_rowcol_to_cell(self.totals_rows[key], 2 + index) for key in TOTALS}
        for key, formula in TOTALS.items():
            value = self.total_value(index, key)
            page.quantity(self.totals_rows[key], 2 + index, key, formula(at), value)

    def _ends(self, index: int) -> dict[str, str]:
        columns = self.years.columns
        return {
            f"{end} {yearly.key}": xl_rowcol_to_cell(
                self._row_of(index, yearly.key), column, row_abs=True, col_abs=True
            )
            for yearly in YEARLY
            for end, column in (("first", columns[0]), ("last", columns[-1]))
        }

    def _yearly(self, index: int, yearly: Yearly, at: Mapping[str, str]) -> None:
        page, key = self.page, yearly.key
        row, columns = self._row_of(index, key), self.years.columns
        page.text(row, 0, QUANTITIES[key].label)
        page.unit(row, 1, QUANTITIES[key].shown_in)
        page.define(self._named(key, index), row, columns[0], columns[-1])
        before: dict[str, str] | None = None
        for column, value in zip(columns, self._values(index, key), strict=True):
            now = self._of_year(index, column)
            page.quantity(row, column, key, yearly.formula({**at, **now}, before), value)
            before = now

    def _of_year(self, index: int, column: int) -> dict[str, str]:
        rows = {
            yearly.key: xl_rowcol_to_cell(self._row_of(index, yearly.key), column)
            for yearly in YEARLY
        }
        return rows | {name: self.years.cell(name, column) for name in ("part", "end", "clock")}

    def _values(self, index: int, key: str) -> list[float | str]:
        """Return the exported values of the cells of a row."""
        owned, years = self.candidates[index].ownership, len(self.years.columns)
        nodes = owned.nodes | walk([owned["yearly_write_iops"]])
        found = nodes.get(key)
        if found is None:
            return [_NO_PRICE if key == "yearly_drives_usd" else _NO_POWER] * years
        values: list[float | str] = [shown(key, float(value)) for value in _by_year(owned, found)]
        return values + [values[-1] if key in _STAYS else 0.0] * (years - len(values))

    def _capital(self, index: int, row: int) -> None:
        """Write the price of the start, and the sum of every year, for the chart."""
        page = self.page
        capital = xl_rowcol_to_cell(self.totals_rows["capital_usd"], 2 + index)
        page.text(row, 0, QUANTITIES["capital_usd"].label)
        page.unit(row, 1, "USD")
        page.quantity(row, 2, "capital_usd", capital, self.total_value(index, "capital_usd"))
        page.text(row + 1, 0, "All costs of the year, undiscounted")
        page.unit(row + 1, 1, "USD")
        page.quantity(row + 1, 2, "capital_usd", capital, self.total_value(index, "capital_usd"))
        values = [self._values(index, key) for key in _STACKED]
        for number, column in enumerate(self.years.columns):
            numbers = [own[number] for own in values]
            cells = (xl_rowcol_to_cell(self._row_of(index, key), column) for key in _STACKED)
            summed = math.fsum(value for value in numbers if not isinstance(value, str))
            page.quantity(row + 1, column, "capital_usd", f"SUM({','.join(cells)})", summed)

    def charts(self, heads: Sequence[str]) -> None:
        """Draw what the first candidate costs by year, and what every one comes to today."""
        page, columns, last = self.page, (self.years.columns[0], self.printed), 1 + len(heads)
        yearly = [(self._row_of(0, key), *columns) for key in _STACKED]
        columns_chart(page, yearly, (self.years.first_row, *columns), self.charts_row, heads[0])
        present = [(self.totals_rows[key], 2, last) for key in ("capital_usd", *_PRESENT)]
        bars_chart(page, present, (_TOTALS_ROW - 1, 2, last), self.charts_row)


def _by_year(owned: Ownership, node: Answer) -> Sequence[float]:
    years = len(np.ravel(owned.terms.years))
    values = np.ravel(np.asarray(node.value, float))
    return np.broadcast_to(values, years).tolist() if values.size == 1 else values.tolist()
