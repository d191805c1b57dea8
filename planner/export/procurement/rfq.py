"""The request for quotation: requirements, not drives, without any price or rank, to be sent out.

An item is a kind of drive in a number. Beside each requirement is a cell for the offered figure,
and below are cells for the price, in the columns of the sheet of quotes.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.layout import Layout
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import Page
from planner.export.procurement.project import Project
from planner.export.workbook.formats import number_format
from planner.quantity.show import shown
from planner.search.choose import Candidate, Choice, Need
from planner.search.choose.decision import kind_of

_WIDTHS = (5, 8, *[10.8] * 12)
_HOW = (
    "Please fill in the cells on yellow: any drive that meets every requirement of an item is "
    "welcome. Prices without VAT unless the share of VAT is stated; with delivery."
)
_PRICED = ("Vendor and model", "", "", "Part number", "Currency", "VAT in the price [%]",
           "Price of one", "From drives", "Price of each then", "Least order",
           "Delivered in [days]", "Valid until")  # fmt: skip
_TEXTS = (0, 3, 4)  # of these columns, from the third of the sheet
_ANY, _YES = "any", "yes"
_TALL = 30.0  # points of a row to write in

Shown = tuple[str, float | str]  # formula, and what it gives as exported


class Required(NamedTuple):
    """A requirement of an item: its title, its quantity, formula and value as exported."""

    title: str
    key: str
    shown: Shown


def items_of(choice: Choice) -> list[list[int]]:
    """Return the candidates by item: those of one kind of drive, in one number."""
    items: dict[object, list[int]] = {}
    for index, one in enumerate(choice.candidates):
        items.setdefault((kind_of(one.plan.drive), one.plan.array.members), []).append(index)
    return list(items.values())


class RequestSheet:
    """The sheet: letterhead, requirements by item, prices by item, and where to sign."""

    def __init__(
        self, page: Page, choice: Choice, checks: Checks, owning: OwningSheet, layout: Layout
    ) -> None:
        self.page, self.choice, self.checks, self.owning = page, choice, checks, owning
        self.layout, self.items = layout, items_of(choice)

    def write(self, project: Project, exported: date) -> None:
        """Write every cell."""
        page, last = self.page, len(_WIDTHS) - 1
        page.widths(_WIDTHS)
        page.text(0, 0, "Request for quotation", "title")
        lines = {
            "Project": project.title, "Buyer": project.organisation,
            "Asked by": project.prepared_by, "Supplier": project.supplier, "Please answer by": "",
        }  # fmt: skip
        for row, (label, text) in enumerate(lines.items(), start=1):
            page.across(row, 0, 1, label, "label")
            page.merge(row, 2, 6, "open text")
            page.words(row, 2, text, locked=False)
        page.text(1, 8, "Date")
        page.merge(1, 9, 10, "day")
        page.sheet.write_datetime(1, 9, exported, page.styles["day"])
        page.across(6, 0, last, _HOW)
        self._requirements()
        self._prices()
        for label, row in self.layout["signature"].rows.items():
            page.across(row, 0, 1, label, "label")
            page.merge(row, 2, 7, "signature")
            page.high(row, 24)
        page.finish(0, (1, 2))
        page.one_page(self.layout["signature"].last, last)

    def _requirements(self) -> None:
        """Write the requirements of each item, and a cell for the offered figure beside each."""
        page, block = self.page, self.layout["items"]
        page.section(block.top, "Each requirement, and what you offer", len(_WIDTHS))
        head = block.top + 1
        page.texts(head, 0, ("Item", "Drives"), "head")
        for place, (title, key, _) in enumerate(self._required(self.items[0])):
            unit = QUANTITIES[key].shown_in if key else ""
            page.text(head, 2 + 2 * place, f"{title} [{unit}]" if unit else title, "head value")
            page.text(head, 3 + 2 * place, "offered", "head value")
        page.high(head, 45)
        for item, row in block.rows.items():
            index = self.items[item][0]
            page.sheet.write_number(row, 0, item + 1, page.styles["centre"])
            count, spare = self.choice.candidates[index], self.owning.assumed.cell("spare_drives")
            drives = f"{self.checks.sizing.cell(index, 'members')}+{spare}"
            value = count.plan.array.members + count.ownership.terms.spare_drives
            page.quantity(row, 1, "members", self.checks.refused.gated(index, drives), value)
            for place, (_, key, (formula, each)) in enumerate(self._required(self.items[item])):
                style = number_format("cell", key) if key else "right"
                page.live(row, 2 + 2 * place, formula, each, style)
                page.blank(row, 3 + 2 * place, "open number" if key else "open text")
                page.high(row, _TALL)

    def _required(self, item: Sequence[int]) -> list[Required]:
        index, alike = item[0], [self.choice.candidates[each] for each in item]
        sizing, kind = self.checks.sizing, kind_of(alike[0].plan.drive)
        size = sizing.cell(index, "user_bytes"), sizing.value(index, "user_bytes")
        form = kind.place or _either([one.plan.drive.form_factor for one in alike])
        bus = kind.bus or _either([one.plan.drive.interface for one in alike])
        every = (
            Required("Capacity at least", "user_bytes", size),
            Required("Rated writes at least", "yearly_written_bytes", self._written(index)),
            Required("Warranty at least", "warranty_s", self._years(Need.WARRANTY, alike[0])),
            Required("Power-loss protection", "", _text(_YES if kind.is_protected else _ANY)),
            Required("Form factor", "", _text(form)),
            Required("Interface", "", _text(bus)),
        )
        return [
            one._replace(shown=(self.checks.refused.gated(index, one.shown[0]), one.shown[1]))
            for one in every
        ]

    def _years(self, need: Need, one: Candidate) -> Shown:
        """Return the years over which a need must hold, by default the planning horizon."""
        if need in self.checks.needs:
            return self.checks.needed(need)
        horizon_s = one.ownership.terms.horizon_s
        return self.owning.assumed.cell("horizon_s"), float(shown("horizon_s", horizon_s))

    def _written(self, index: int) -> Shown:
        """Return the writes for which each drive must be rated.

        Over the planning horizon they are exact, over longer years at its mean rate.
        """
        one = self.choice.candidates[index]
        years, needed = self._years(Need.RATED, one)
        horizon = self.owning.assumed.cell("horizon_s")
        written, terms = one.ownership["horizon_bytes"], one.ownership.terms
        longer = float(needed) / float(shown("horizon_s", terms.horizon_s))
        formula = f"{self.owning.written(index)}*MAX(1,{years}/{horizon})"
        if not written.is_known:
            return formula, "missing"
        return formula, float(shown("yearly_written_bytes", written.value)) * max(1.0, longer)

    def _prices(self) -> None:
        """Write cells for the drive that is offered, its price and its terms."""
        page, block = self.page, self.layout["offers"]
        page.section(block.top, "What you offer, and its price", len(_WIDTHS))
        page.text(block.top + 1, 0, "Item", "head")
        page.texts(block.top + 1, 1, ("", *_PRICED), "head note")
        page.high(block.top + 1, 45)
        for item, row in block.rows.items():
            page.sheet.write_number(row, 0, item + 1, page.styles["centre"])
            for column in range(3, len(_PRICED)):
                is_text = column in _TEXTS
                page.blank(row, 2 + column, "open text" if is_text else "open number")
            page.merge(row, 2, 4, "open text")
            page.blank(row, 1 + len(_PRICED), "open day")
            page.high(row, _TALL)


def _text(words: str) -> Shown:
    """Return words as a formula."""
    return '"{}"'.format(words.replace('"', '""')), words


def _either(words: Sequence[str]) -> str:
    """Return the alternatives, or that any is accepted."""
    return " or ".join(dict.fromkeys(each for each in words if each)) or _ANY
