"""The request for quotation: what is to be offered, without any price or rank, to be sent out."""

from datetime import date

from planner.export.procurement.layout import Layout
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import Page
from planner.export.procurement.project import Project
from planner.export.procurement.sizing import SizingSheet
from planner.quantity.show import shown
from planner.search.choose import Candidate, Choice

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


def write_request(
    page: Page, choice: Choice, sizing: SizingSheet, owning: OwningSheet, layout: Layout,
    project: Project, exported: date,
) -> None:  # fmt: skip
    """Write letterhead, an item for each drive by name, and where to sign.

    The columns of the offer are those of the sheet of quotes.
    """
    block, last = layout["items"], len(_WIDTHS) - 1
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
    page.texts(block.top, 0, (*_ASKED, *_OFFERED), "head")
    page.sheet.set_row(block.top, 62)
    first: dict[str, int] = {}  # candidate of each drive
    for index, one in enumerate(choice.candidates):
        first.setdefault(one.plan.drive.name, index)
    for item, (_, index) in enumerate(sorted(first.items())):
        row, one = block.rows[item], choice.candidates[index]
        page.sheet.write_number(row, 0, item + 1, page.styles["centre"])
        _asked(page, row, one, index, sizing, owning)
        for column in range(len(_ASKED), last):
            is_text = column < len(_ASKED) + 2
            page.blank(row, column, "open text" if is_text else "open number")
        page.blank(row, last, "open day")
    for label, row in layout["signature"].rows.items():
        page.across(row, 0, 1, label, "label")
        page.merge(row, 2, 9, "signature")
        page.sheet.set_row(row, 24)
    page.finish(block.top, (block.top + 1, 2))


def _asked(
    page: Page, row: int, one: Candidate, index: int, sizing: SizingSheet, owning: OwningSheet
) -> None:
    """Write the request for a drive: number, capacity, writes and warranty."""
    drive, terms, written = one.plan.drive, one.ownership.terms, one.ownership["horizon_bytes"]
    described = ", ".join(part for part in (drive.interface, drive.form_factor) if part)
    page.texts(row, 1, (drive.name, described))
    count = f"{sizing.cell(index, 'members')}+{owning.assumed.cell('spare_drives')}"
    page.quantity(row, 3, "members", count, one.plan.array.members + terms.spare_drives)
    size = sizing.cell(index, "user_bytes")
    page.quantity(row, 4, "user_bytes", size, sizing.value(index, "user_bytes"))
    value = shown("yearly_written_bytes", written.value) if written.is_known else "missing"
    page.quantity(row, 5, "yearly_written_bytes", owning.written(index), value)
    years = owning.assumed.cell("horizon_s")
    page.quantity(row, 6, "warranty_s", years, shown("horizon_s", terms.horizon_s))
    page.tall(row, [(drive.name, 15.0), (described, 9.0), ("room\nto write", 9.0)])
