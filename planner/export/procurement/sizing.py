"""The sheet of sizing: the live plan of every candidate, one column each."""

from collections.abc import Collection, Sequence
from datetime import date

from planner.catalogue.facts import stated
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.layout import Layout
from planner.export.procurement.page import Page
from planner.export.procurement.refused import RefusedCells
from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan import PlanSheet
from planner.export.workbook.plan_inputs import InputKind, kind
from planner.export.workbook.plan_rows import Rows
from planner.export.workbook.setting import Setting
from planner.quantity.show import shown
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.sections.data_loss import data_loss

_PRINTED = 46  # the last row on paper: life, inputs of workload, array and drive
_POWER = ("idle_power_w", "read_power_w", "write_power_w")


class SizedPlan:
    """The rows of a candidate: those of its plan, and inputs that owning asks beside them.

    `shared` inputs stand on Assumptions, and `fixed` ones belong to the layout: no edit changes
    them.
    """

    def __init__(self, live: LivePlan, risk: Risk, workload: Collection[str]) -> None:
        drive = live.plan.drive
        self.live, self.fixed = live, _fixed(live.plan.array)
        afr = data_loss(live.plan, risk)["afr_fraction"]
        self.beside = {name: stated(drive, name) for name in _POWER} | {"afr_fraction": afr}
        # the failure rate is the one assumed for all, unless the drive has one of its own
        self.shared = {*workload, *(["afr_fraction"] if afr.is_given else ())}

    def given(self, key: str) -> float | str | None:
        """Return the value of an input as exported, "" where it is empty, None for a result."""
        for node in (self.beside.get(key), self.live.given(key)):
            if node is not None and node.is_known:
                return shown(key, node.value)
        return "" if key in self.live.blanks or key in self.beside else None

    @property
    def inputs(self) -> dict[str, float | None]:
        """The inputs in the candidate's own column, None for blanks."""
        own, found = self.live, dict[str, float | None]()
        for key in (*own.keys, *self.beside):
            is_input = key in own.blanks or own.given(key) is not None
            is_open = is_input and kind(key, own, own) is InputKind.OPEN
            is_elsewhere = key in self.shared or key in self.fixed
            if (is_open or key in self.beside) and not is_elsewhere:
                value = self.given(key)
                found[key] = value if isinstance(value, float | int) else None
        return found


class SizingSheet:
    """The plans of the candidates as cells."""

    def __init__(
        self, page: Page, sized: Sequence[SizedPlan], rows: Rows, assumed: Assumptions,
        layout: Layout, heads: Sequence[str], exported: date, refused: RefusedCells,
    ) -> None:  # fmt: skip
        self.page, self.sized, self.block = page, sized, layout["sizing"]
        self.inputs, live = [own.inputs for own in sized], [own.live for own in sized]
        prices = layout["prices"]
        setting = Setting(
            name=page.name,
            sheet=page.sheet,
            title="Sizing: every candidate as a live plan",
            heads=heads,
            links=[
                {key: assumed.cell(key) for key in own.shared}
                | own.fixed
                | {"price_usd": prices.cell(index, "taken")}
                for index, own in enumerate(sized)
            ],
            ends=[
                {"price_usd": (prices.cell(index, "low"), prices.cell(index, "high"))}
                for index in range(len(sized))
            ],
            beside=[own.beside for own in sized],
            apart=True,
            low=True,
            has_ranges=True,
            currency=page.currency,
            currency_text=page.currency_text,
            live=live,
            refused=[refused.count(index) for index in range(len(sized))],
            rows=rows,
            width=16.0 if len(sized) < 6 else 11.0,
        )
        plans = [own.plan for own in live]
        self.plans = PlanSheet(page.book, page.styles, plans, exported, setting)

    def write(self) -> None:
        """Write the sheet; its columns of values are printed."""
        self.plans.write()
        self.page.typed.extend(self.plans.typed.every)
        last = min(self.block.last, _PRINTED)
        self.plans.sheet.print_area(0, 0, last, self.plans.range_column - 1)
        self.plans.sheet.fit_to_pages(1, 1)

    def has(self, key: str) -> bool:
        """Whether there is a row of a quantity."""
        return key in self.block.rows

    def cell(self, index: int, key: str) -> str:
        """Return the cell of a number of a candidate as other sheets know it."""
        return self.block.cell(key, index)

    def working(self, index: int) -> str:
        """Return the cell of the drives that hold data."""
        return self.cell(index, "working_members")

    def value(self, index: int, key: str) -> float | str:
        """Return the value of a result or an input as exported."""
        given = self.sized[index].given(key)
        return self.plans.columns[index].value(key) if given is None else given


def _fixed(array: Array) -> dict[str, str]:
    """Return the numbers of the layout that no edit changes: they belong to its level."""
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
