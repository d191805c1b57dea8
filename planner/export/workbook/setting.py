"""Setting of a sheet of plans in a workbook, with the inputs that other sheets hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan_rows import Rows
from planner.graph.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Name and title of a sheet of plans, and how it hangs together with other sheets.

    Attributes:
        name: Name of the sheet.
        title: First line of the sheet.
        heads: Heads of the columns; the names of the drives without it.
        links: For each plan, cells on other sheets in which an input is edited, by quantity.
        ends: For each plan, cells on other sheets of low and high of an input, by quantity.
        beside: For each plan, inputs that other sheets ask of its column, by quantity.
        apart: Whether every column has inputs of its own; otherwise those of workload and array
            follow the first column.
        currency: Cell of the name of the currency; without a cell prices are in USD.
        currency_text: What that cell holds.
        width: Width of the columns of values.
        low: Whether rows are as high as labels and values only, whatever is noted on them.
        has_ranges: Whether columns beside the values say between what each lies, and on what it
            rests.
        live: Those of the plans, where they are known already.
        refused: For each plan, the cell on another sheet that counts typed cells that hold what
            they do not accept; while there are any the plan has no results.
        sheet: The sheet itself, where it is there already.
        rows: Where each number stands, where that is known already.
    """

    name: str = "Plan"
    title: str = "SSD capacity and endurance plan"
    heads: Sequence[str] = ()
    links: Sequence[Mapping[str, str]] = ()
    ends: Sequence[Mapping[str, tuple[str, str]]] = ()
    beside: Sequence[Mapping[str, Answer]] = ()
    apart: bool = False
    currency: str = ""
    currency_text: str = "USD"
    width: float | None = None
    low: bool = False
    has_ranges: bool = False
    live: Sequence[LivePlan] = ()
    refused: Sequence[str] = ()
    sheet: Any = None
    rows: Rows | None = None

    def link(self, index: int, key: str) -> str | None:
        """Return the cell elsewhere in which an input of a plan is edited."""
        return self.links[index].get(key) if self.links else None

    def gated(self, index: int, formula: str) -> str:
        """Return the formula of a result of a plan, in error while a typed cell is refused.

        >>> Setting(refused=["Checks!$C$9"]).gated(0, "=2*B7")
        '=IF(Checks!$C$9>0,NA(),2*B7)'
        """
        if not self.refused:
            return formula
        return f"=IF({self.refused[index]}>0,NA(),{formula.removeprefix('=')})"

    def further(self, index: int) -> Mapping[str, Answer]:
        """Return the inputs beside those of a plan."""
        return self.beside[index] if self.beside else {}

    def unit(self, unit: str) -> tuple[str, str]:
        """Return the formula of a unit that names a currency, "" for all others, and the unit.

        >>> Setting(currency="Assumptions!$C$4", currency_text="EUR").unit("USD/TB")
        ('=Assumptions!$C$4&"/TB"', 'EUR/TB')
        """
        before, usd, after = unit.partition("USD")
        if not self.currency or not usd or before:
            return "", "" if unit == "1" else unit
        return f'={self.currency}&"{after}"', f"{self.currency_text}{after}"
