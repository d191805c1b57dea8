"""The sheet of sizing: the live plan of every candidate, one column each."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from planner.catalogue.facts import stated
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.page import absolute
from planner.export.workbook.formats import Formats
from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan import PlanSheet
from planner.export.workbook.plan_inputs import InputKind, kind
from planner.export.workbook.setting import Setting
from planner.graph.answer import Answer
from planner.quantity.show import shown
from planner.scenario.array import RaidLevel
from planner.scenario.risk import Risk
from planner.search.choose import Candidate
from planner.sections.data_loss import data_loss

NAME = "SizingSheet"
_POWER = ("idle_power_w", "read_power_w", "write_power_w")


class SizingSheet:
    """The plans of the candidates as cells, and where each number of them stands."""

    def __init__(
        self,
        book: Any,
        styles: Formats,
        candidates: Sequence[Candidate],
        assumed: Assumptions,
        heads: Sequence[str],
        exported: date,
        prices: Sequence[str],
    ) -> None:
        shared = assumed.workload
        self.prices = prices
        self.beside = [_beside(one, assumed.risk) for one in candidates]
        setting = Setting(
            name=NAME,
            title="Sizing: every candidate as a live plan",
            heads=heads,
            links=[
                shared
                | _fixed(one)
                | _afr(beside, assumed.cell("afr_fraction"))
                | {"price_usd": price}
                for one, beside, price in zip(candidates, self.beside, prices, strict=True)
            ],
            beside=self.beside,
            apart=True,
            low=True,
            has_ranges=True,
            currency=assumed.cell("currency"),
            currency_text=assumed.terms.currency,
            live=assumed.live,
            width=16.0 if len(candidates) < 6 else 11.0,
        )
        self.plans = PlanSheet(book, styles, [one.plan for one in candidates], exported, setting)

    @property
    def live(self) -> Sequence[LivePlan]:
        """The candidates' plans as rows."""
        return self.plans.live

    def write(self) -> None:
        """Write the sheet, of which the columns of values are printed."""
        self.plans.write()
        last = max(self.plans.rows.values())
        self.plans.sheet.print_area(0, 0, last, self.plans.range_column - 1)

    def has(self, key: str) -> bool:
        """Whether there is a row of a quantity."""
        return key in self.plans.rows

    def cell(self, index: int, key: str) -> str:
        """Return the cell of a number of a candidate as other sheets know it."""
        return absolute(NAME, self.plans.rows[key], 2 + index)

    def working(self, index: int) -> str:
        """Return the cell of the drives that hold data."""
        return self.cell(index, "working_members")

    def value(self, index: int, key: str) -> float | str:
        """Return what a cell of a result or input holds as exported."""
        beside = self.beside[index].get(key)
        if key in ("first_life", "first_limit"):
            raise KeyError(key)
        if beside is not None and beside.is_known:
            return shown(key, beside.value)
        node = self.live[index].given(key)
        if node is not None:
            return shown(key, node.value)
        if key in self.live[index].blanks or key in self.beside[index]:
            return ""
        return self.plans.columns[index].value(key)

    def inputs(self, index: int) -> dict[str, float | None]:
        """Return the inputs that stand in a candidate's own column, None for blanks."""
        own, found = self.live[index], dict[str, float | None]()
        links = self.plans.setting.links[index]
        for key in (*own.keys, *self.beside[index]):
            is_input = key in own.blanks or own.given(key) is not None
            is_open = is_input and kind(key, own, own) is InputKind.OPEN
            is_linked = key in links and key != "price_usd"
            if (is_open or key in self.beside[index]) and not is_linked:
                value = self.value(index, key)
                found[key] = None if isinstance(value, str) else value
        return found


def _beside(candidate: Candidate, risk: Risk) -> Mapping[str, Answer]:
    """Return what owning asks of a candidate beside its plan."""
    answer = candidate.plan
    found = {name: stated(answer.drive, name) for name in _POWER}
    found["afr_fraction"] = data_loss(answer, risk)["afr_fraction"]
    return found


def _afr(beside: Mapping[str, Answer], cell: str) -> dict[str, str]:
    """Link the failure rate to the one assumed for all, unless the drive has one of its own."""
    node = beside["afr_fraction"]
    return {"afr_fraction": cell} if node.is_given else {}


def _fixed(candidate: Candidate) -> dict[str, str]:
    """Return the numbers of the layout that no edit changes: they belong to its level."""
    array = candidate.plan.array
    fixed: dict[str, float] = {"parities": array.parities}
    if array.level is not RaidLevel.RAID1:
        fixed["copies"] = array.copies
    if array.data_members is not None:
        fixed |= {
            "sets": array.sets,
            "data_members": array.data_members or 0,
            "stripe_members": array.stripe_members,
        }
        if not array.hot_spares:
            fixed["hot_spares"] = 0
    return {name: repr(value) for name, value in fixed.items()}
