"""The request for quotation: what is to be offered, without any price or rank, to be sent out."""

from datetime import date

from planner.catalogue.drive import Drive
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import Page
from planner.export.procurement.project import Project
from planner.export.procurement.sizing import SizingSheet
from planner.quantity.show import shown
from planner.search.choose import Choice

NAME = "RFQ"
_ASKED = (
    "Item", "Drive, or one that is no worse", "Interface, form factor", "Drives",
    "Capacity at least [GB]", "Rated writes at least [TB]", "Warranty at least [years]",
)  # fmt: skip
_OFFERED = ("Part number", "Currency", "VAT in the price [%]", "Price of one", "From drives",
            "Price of each then", "Least order", "Delivered in [days]", "Valid until")  # fmt: skip
_WIDTHS = (4, 21, 11, 6, 9, 9, 9, 11, 8, 7, 9, 6, 9, 6, 8, 9)
_TABLE = 9
_HOW = (
    "Please fill in the cells on yellow. Prices without VAT unless the share of VAT is stated; "
    "with delivery. Offers of other drives are welcome if they are no worse in every column."
)


class QuoteRequest:
    """One item per drive, by name; its columns of the offer are those of the sheet of quotes."""

    def __init__(
        self, page: Page, choice: Choice, sizing: SizingSheet, owning: OwningSheet, project: Project
    ) -> None:
        self.page, self.choice, self.project = page, choice, project
        self.sizing, self.owning = sizing, owning

    def write(self, exported: date) -> None:
        """Write letterhead, items and signature."""
        page = self.page
        page.widths(_WIDTHS)
        page.text(0, 0, "Request for quotation", "title")
        lines = (
            ("Project", self.project.title), ("Buyer", self.project.organisation),
            ("Asked by", self.project.prepared_by), ("Supplier", self.project.supplier),
            ("Please answer by", ""),
        )  # fmt: skip
        for row, (label, text) in enumerate(lines, start=1):
            page.sheet.merge_range(row, 0, row, 1, "", page.styles["label"])
            page.text(row, 0, label)
            page.sheet.merge_range(row, 2, row, 6, "", page.styles["open text"])
            page.words(row, 2, text, locked=False)
        page.text(1, 8, "Date")
        page.sheet.merge_range(1, 9, 1, 10, "", page.styles["day"])
        page.sheet.write_datetime(1, 9, exported, page.styles["day"])
        page.sheet.merge_range(6, 0, 6, len(_WIDTHS) - 1, "", page.styles["text"])
        page.text(6, 0, _HOW, "text")
        page.texts(_TABLE - 1, 0, (*_ASKED, *_OFFERED), "head")
        page.sheet.set_row(_TABLE - 1, 62)
        for item, (name, index) in enumerate(sorted(self._items().items()), start=1):
            self._item(_TABLE - 1 + item, item, name, index)
        self._signature(_TABLE + len(self._items()) + 1)
        page.finish(_TABLE - 1, (_TABLE, 2))

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
        written = one.ownership["horizon_bytes"]
        value = shown("yearly_written_bytes", written.value) if written.is_known else "missing"
        page.quantity(row, 5, "yearly_written_bytes", self.owning.written(index), value)
        years = self.owning.assumed.cell("horizon_s")
        page.quantity(row, 6, "warranty_s", years, shown("horizon_s", terms.horizon_s))
        for column in range(len(_ASKED), len(_WIDTHS)):
            is_text = column < len(_ASKED) + 2
            page.blank(row, column, "open text" if is_text else _STYLES.get(column, "open number"))
        page.tall(row, [(name, 15.0), (_described(drive), 9.0), ("room\nto write", 9.0)])

    def _signature(self, row: int) -> None:
        page = self.page
        for place, label in enumerate(("Supplier", "Offer number", "Date and signature"), row):
            page.sheet.merge_range(place, 0, place, 1, "", page.styles["label"])
            page.text(place, 0, label)
            page.sheet.merge_range(place, 2, place, 9, "", page.styles["signature"])
            page.sheet.set_row(place, 24)


_STYLES = {len(_WIDTHS) - 1: "open day"}


def _described(drive: Drive) -> str:
    """Name interface and form factor as far as they are known."""
    return ", ".join(part for part in (drive.interface, drive.form_factor) if part)
