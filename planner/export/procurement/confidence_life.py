"""The life that is reached with the confidence required, as cells: one column per candidate."""

from collections.abc import Sequence

from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.layout import Block
from planner.export.procurement.page import Page
from planner.export.procurement.sizing import SizingSheet
from planner.quantity.show import shown
from planner.search.choose import Choice

_LIVES = ("wear_life_s", "rated_life_s")
_LOOK = "result 0.0000##"


class SureLife:
    """Rows of the margin that is needed, and of the life that is left of it."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, choice: Choice, block: Block
    ) -> None:
        self.page, self.assumed, self.sizing, self.choice = page, assumed, sizing, choice
        self.block = block

    def write(self, heads: Sequence[str]) -> None:
        """Write the rows."""
        page, block = self.page, self.block
        page.section(block.top, "Life with the confidence required", 2 + len(heads))
        page.text(block.rows["margin"], 0, "Median over what is reached with this confidence")
        page.text(block.rows["life"], 0, "Life, sure")
        page.unit(block.rows["life"], 1, "years")
        for index, head in enumerate(heads):
            number = head.partition(".")[0]
            page.text(block.top + 1, block.columns[index], number, "head value")
            self._column(index)

    def _column(self, index: int) -> None:
        page, block = self.page, self.block
        sd, sure = self.assumed.cell("life_log_sd"), self.assumed.cell("life_confidence")
        spread = self.choice.requirements.life_spread
        margin = f"EXP({sd}*NORMSINV({sure}/100))"
        page.live(*block.at("margin", index), margin, spread, _LOOK)
        worn, rated = (self.sizing.cell(index, key) for key in _LIVES)
        unlimited = f'IF({worn}="never","never",{rated})'
        first = f"MIN({worn},{rated})/{block.cell('margin', index)}"
        body = f"IF(ISNUMBER({worn})+ISNUMBER({rated})>0,{first},{unlimited})"
        page.live(*block.at("life", index), body, self._cached(index, spread), "verdict")

    def _cached(self, index: int, spread: float) -> float | str:
        life = self.choice.candidates[index].life_s
        if not life.is_known:
            return self.sizing.value(index, "rated_life_s")
        return "never" if life.value == float("inf") else shown(life.key, life.value) / spread
