"""The years of the planning horizon, as cells that all candidates share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xlsxwriter.utility import xl_rowcol_to_cell

from models import cost, growth
from models.units import YEAR_S
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.owning_formulas import early_life, early_spread
from planner.export.procurement.page import Page, base
from planner.graph import cell_growth as growth_cells
from planner.scenario.growth import course_of
from planner.scenario.workload import Workload
from planner.sections.ownership import Ownership

FIRST_YEAR = 3  # column D, after label, unit and the start
_ROWS = (
    ("part", "Share of the year within the planning horizon"),
    ("end", "End of the year"),
    ("middle", "Middle of the year"),
    ("factor", "Discount factor in the middle of the year"),
    ("smooth", "Years of writing at today's whole rate, steps left aside"),
    ("clock", "Years of writing at today's whole rate"),
)
_UNITS = {"end": "years", "middle": "years", "smooth": "years", "clock": "years"}


def clock_refs(assumed: Assumptions) -> dict[str, str]:
    """Return the cells of the course of the writes, in base units."""
    names = ("growth_per_year", "phase_in_s")
    return {name: base(assumed.cell(name), name) for name in names if name in assumed.workload}


@dataclass(slots=True)
class Years:
    """Rows of part, end, middle, discount factor and clock, and cells beside them."""

    page: Page
    assumed: Assumptions
    workload: Workload
    owned: Ownership
    first_row: int

    @property
    def columns(self) -> range:
        """The columns of the years."""
        return range(FIRST_YEAR, FIRST_YEAR + self.assumed.years)

    @property
    def last_row(self) -> int:
        """The last row that is used."""
        return self.first_row + len(_ROWS) + 3 + len(self.workload.rate_steps)

    def cell(self, name: str, column: int) -> str:
        """Return a cell of a year, fixed in its row."""
        row = self.first_row + 1 + [key for key, _ in _ROWS].index(name)
        return self.page_cell(row, column)

    @staticmethod
    def page_cell(row: int, column: int) -> str:
        """Return a cell of this sheet."""
        return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))

    def row_of(self, name: str) -> str:
        """Return the cells of all years."""
        return f"{self.cell(name, self.columns[0])}:{self.cell(name, self.columns[-1])}"

    def write(self) -> None:
        """Write heads, rows and the cells beside them."""
        page, row = self.page, self.first_row
        page.texts(row, 0, ("Year", "", "Start"), "head")
        for number, column in enumerate(self.columns, start=1):
            page.sheet.write_number(row, column, number, page.styles["head value"])
        values = self._values()
        for place, (name, label) in enumerate(_ROWS, start=row + 1):
            page.text(place, 0, label)
            page.tall(place, [(label, 38.0)])
            page.unit(place, 1, _UNITS.get(name, ""))
            for number, column in enumerate(self.columns):
                value = float(values[name][number])
                page.live(place, column, self._formula(name, column), value, "result 0.0000##")
        self._beside(row + 1 + len(_ROWS))

    def _formula(self, name: str, column: int) -> str:
        year = self.page_cell(self.first_row, column)
        horizon = self.assumed.cell("horizon_s")
        end = f"({self.cell('end', column)}*31536000)"
        match name:
            case "part":
                return f"MAX(0,MIN(1,{horizon}-({year}-1)))"
            case "end":
                return f"MIN({year},{horizon})"
            case "middle":
                return f"{year}-1+{self.cell('part', column)}/2"
            case "factor":
                rate = self.assumed.cell("discount_rate")
                return f"(1+{rate}/100)^(-{self.cell('middle', column)})"
            case "smooth":
                return f"({growth_cells.clock(clock_refs(self.assumed), end)})/31536000"
        return self.bent(self.cell("smooth", column))

    def bent(self, smooth: str) -> str:
        """Return years of writing with steps, from those without."""
        formula, before = smooth, "1"
        for step in range(1, len(self.workload.rate_steps) + 1):
            after, at = (self._step(step, column) for column in (FIRST_YEAR, 2))
            formula += f"+({after}-{before})*MAX(0,{smooth}-{at})"
            before = after
        return formula

    def _step(self, step: int, column: int) -> str:
        return self.page_cell(self.first_row + len(_ROWS) + 2 + step, column)

    def _values(self) -> Mapping[str, Sequence[float]]:
        years = np.arange(1.0, self.assumed.years + 1)
        horizon = self.owned.terms.horizon_s
        part, end, middle = (
            np.asarray(formula(years, horizon_s=horizon))  # type: ignore[arg-type]
            for formula in (
                cost.year_part, cost.year_end_s, cost.mid_year_s
            )
        )  # fmt: skip
        rate = self.owned.terms.known("discount_rate").value
        smooth, clock = (np.asarray(self.clock(end, steps=steps)) for steps in (False, True))
        return {
            "part": part.tolist(), "end": (end / YEAR_S).tolist(),
            "middle": (middle / YEAR_S).tolist(),
            "factor": ((1 + rate) ** (-middle / YEAR_S)).tolist(),
            "smooth": (smooth / YEAR_S).tolist(), "clock": (clock / YEAR_S).tolist(),
        }  # fmt: skip

    def clock(self, time_s: object, *, steps: bool = True) -> float:
        """Return the seconds of writing at today's whole rate by a time."""
        course = course_of(self.workload)
        if not steps:
            course = {key: course[key] for key in course.keys() & {"growth_per_year", "phase_in_s"}}
        return growth.written_bytes(time_s, host_bytes_per_s=1.0, **course)  # type: ignore[arg-type]

    def _beside(self, row: int) -> None:
        """Write the spread of lives in force, and the clock and slope of each step."""
        page = self.page
        share = self.assumed.cell("replaced_fraction")
        replaced, spread = f"({share}/100)", f"({self.assumed.cell('life_cv')}/100)"
        cv = self.owned["life_cv"].value
        ratio = self._early_value()
        for place, (name, label, none, some, value) in enumerate((
            ("early_life_ratio", "Mean life over that of drives left to wear out", "1",
             early_life(replaced, spread), ratio),
            ("early_life_cv", "Relative spread of life in force", spread,
             early_spread(replaced, spread), float(cv)),
        ), start=row):  # fmt: skip
            page.text(place, 0, label)
            page.unit(place, 1, "%")
            formula = f'100*IF({share}="",{none},{some})'
            page.live(place, 2, formula, 100 * value, "result 0.0000##")
            page.define(name, place, 2)
        if self.workload.rate_steps:
            self._steps()

    def _early_value(self) -> float:
        node = self.owned.nodes.get("early_life_ratio")
        return 1.0 if node is None else float(node.value)

    def _steps(self) -> None:
        slope = 1.0
        for step, (time_s, factor) in enumerate(sorted(self.workload.rate_steps), start=1):
            row = self.first_row + len(_ROWS) + 2 + step
            slope *= factor
            at = f"({self.assumed.cell(f'step_{step}_s')}*31536000)"
            clock = growth_cells.clock(clock_refs(self.assumed), at)
            before = f"*{self._step(step - 1, FIRST_YEAR)}" if step > 1 else ""
            self.page.text(row, 0, f"Step {step}: years of writing before it; rate after it, by"
                           " that of today")  # fmt: skip
            value = self.clock(time_s, steps=False) / YEAR_S
            self.page.live(row, 2, f"({clock})/31536000", value, "result 0.0000##")
            factor_cell = self.assumed.cell(f"step_{step}_factor")
            self.page.live(row, FIRST_YEAR, f"{factor_cell}{before}", slope, "result 0.0000##")
