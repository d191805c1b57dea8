"""The request for quotation: what is to be offered, without any price or rank, to be sent out."""

from datetime import date

from planner.catalogue.drive import Drive
from planner.export.procurement.layout import Layout
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import Page
from planner.export.procurement.project import Project
from planner.export.procurement.sizing import SizingSheet
from planner.quantity.show import shown
from planner.search.choose import Choice

_ASKED = (
    "Item", "Drive, or one that is no worse", "Interface, form factor", "Drives",
    "Capacity at least [GB]", "Rated writes at least [TB]", "Warranty at least [years]",
)  # fmt: skip
_OFFERED = ("Part number", "Currency", "VAT in the price [%]", "Price of one", "From drives",
            "Price of each then", "Least order", "Delivered in [days]", "Valid until")  # fmt: skip
_WIDTHS = (4, 21, 11, 6, 9, 9, 9, 11, 8, 7, 9, 6, 9, 6, 8, 9)
_HOW = (
    "Please fill in the cells on yellow. Prices without VAT unless the share of VAT is stated; "
    "with delivery. Offers of other drives are welcome if they are no worse in every column."
)


class QuoteRequest:
    """One item per drive, by name; its columns of the offer are those of the sheet of quotes."""

    def __init__(
        self, page: Page, choice: Choice, sizing: SizingSheet, owning: OwningSheet, layout: Layout
    ) -> None:
        self.page, self.choice, self.layout = page, choice, layout
        self.sizing, self.owning = sizing, owning

    def write(self, exported: date, project: Project) -> None:
        """Write letterhead, items and signature."""
        page, block = self.page, self.layout["items"]
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
        page.across(6, 0, len(_WIDTHS) - 1, _HOW)
        page.texts(block.top, 0, (*_ASKED, *_OFFERED), "head")
        page.sheet.set_row(block.top, 62)
        for item, (name, index) in enumerate(sorted(self._items().items())):
            self._item(block.rows[item], item + 1, name, index)
        for label, row in self.layout["signature"].rows.items():
            page.across(row, 0, 1, label, "label")
            page.merge(row, 2, 9, "signature")
            page.sheet.set_row(row, 24)
        page.finish(block.top, (block.top + 1, 2))

    def _items(self) -> dict[str, int]:
        """Return the first candidate of each drive, by name."""
        found: dict[str, int] = {}
        for index, one in enumerate(self.choice.candidates):
            found.setdefault(one.plan.drive.name, index)
        return found

    def _item(self, row: int, item: int, name: str, index: int) -> None:
        page, one = self.page, self.choice.candidates[index]
        drive, terms = one.plan.drive, one.ownership.terms
        page.sheet.write_number(row, 0, item, page.styles["centre"])
        page.text(row, 1, name)
        page.text(row, 2, _described(drive))
        spares = self.owning.assumed.cell("spare_drives")
        page.quantity(row, 3, "members", f"{self.sizing.cell(index, 'members')}+{spares}",
                      one.plan.array.members + terms.spare_drives)  # fmt: skip
        size = self.sizing.cell(index, "user_bytes")
        page.quantity(row, 4, "user_bytes", size, self.sizing.value(index, "user_bytes"))
        written = one.written_bytes
        value = shown("yearly_written_bytes", written.value) if written.is_known else "missing"
        page.quantity(row, 5, "yearly_written_bytes", self.owning.written(index), value)
        years = self.owning.assumed.cell("horizon_s")
        page.quantity(row, 6, "warranty_s", years, shown("horizon_s", terms.horizon_s))
        for column in range(len(_ASKED), len(_WIDTHS)):
            is_text = column < len(_ASKED) + 2
            page.blank(row, column, "open text" if is_text else _STYLES.get(column, "open number"))
        page.tall(row, [(name, 15.0), (_described(drive), 9.0), ("room\nto write", 9.0)])


_STYLES = {len(_WIDTHS) - 1: "open day"}


def _described(drive: Drive) -> str:
    """Name interface and form factor as far as they are known."""
    return ", ".join(part for part in (drive.interface, drive.form_factor) if part)
