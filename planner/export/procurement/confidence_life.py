"""The life that is reached with the confidence required, as cells: one column per candidate."""

from collections.abc import Sequence

from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.page import Page, absolute
from planner.export.procurement.sizing import SizingSheet
from planner.quantity.show import shown
from planner.search.choose import Choice

_LIVES = ("wear_life_s", "rated_life_s")
_LOOK = "result 0.0000##"


class SureLife:
    """Rows of the margin that is needed, and of the life that is left of it."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, choice: Choice, first_row: int
    ) -> None:
        self.page, self.assumed, self.sizing, self.choice = page, assumed, sizing, choice
        self.first_row, self.last_row = first_row, first_row + 3

    def cell(self, index: int) -> str:
        """Return the cell of the sure life of a candidate, in years."""
        return absolute(self.page.name, self.last_row, 2 + index)

    def write(self, heads: Sequence[str]) -> None:
        """Write the rows."""
        page, row = self.page, self.first_row
        page.section(row, "Life with the confidence required", 2 + len(heads))
        page.text(row + 2, 0, "Median over what is reached with this confidence")
        page.text(self.last_row, 0, "Life, sure")
        page.unit(self.last_row, 1, "years")
        for index, head in enumerate(heads):
            page.text(row + 1, 2 + index, head.partition(".")[0], "head value")
            self._column(index)

    def _column(self, index: int) -> None:
        page, row, column = self.page, self.first_row + 2, 2 + index
        sd, sure = self.assumed.cell("life_log_sd"), self.assumed.cell("life_confidence")
        spread = self.choice.requirements.life_spread
        page.live(row, column, f"EXP({sd}*NORMSINV({sure}/100))", spread, _LOOK)
        worn, rated = (self.sizing.cell(index, key) for key in _LIVES)
        unlimited = f'IF({worn}="never","never",{rated})'
        first = f"MIN({worn},{rated})/{absolute(page.name, row, column)}"
        body = f"IF(ISNUMBER({worn})+ISNUMBER({rated})>0,{first},{unlimited})"
        page.live(self.last_row, column, body, self._cached(index, spread), "verdict")

    def _cached(self, index: int, spread: float) -> float | str:
        life = self.choice.candidates[index].plan["endurance_life_s"]
        if not life.is_known:
            return self.sizing.value(index, "rated_life_s")
        return "never" if life.value == float("inf") else shown(life.key, life.value) / spread
