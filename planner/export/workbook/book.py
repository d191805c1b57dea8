"""A plan as a workbook in which every result is a live formula.

Sheet "Verdict" holds the five sentences, and the writes with their unit; "Plan" inputs as named,
unlocked cells and results that follow from them, with low and high of each; "Ends" the results with
one uncertain input at an end at a time, from which those follow; "Speed" the write rate over time
of a test and "Array" IOPS over queue depth and data loss, as values; "Assumptions" the assumed and
the missing facts; "Sources" the origin of each number, with the numbers that were passed over.
Cells show the units of the nomenclature, formulas convert to base units and back.
"""

import io
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.catalogue.priors import supply
from planner.export.workbook.application import application_sheet
from planner.export.workbook.array import array_sheet
from planner.export.workbook.cited import DEFINITIONS, PRINTED, TITLES, cited
from planner.export.workbook.file import Book
from planner.export.workbook.formats import Formats, formats, height, printing
from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan import PlanSheet
from planner.export.workbook.plan_inputs import said_once
from planner.export.workbook.setting import Setting
from planner.export.workbook.speed import speed_sheet
from planner.export.workbook.verdict import VerdictSheet
from planner.scenario.risk import Risk
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.application import Application

_DEFINITIONS = (
    "GB and TB are decimal (1e9, 1e12 bytes); GiB is binary (2^30 bytes). A year has 365 days.",
    "Over-provisioning is spare over user capacity; spare area of reviews is spare over raw flash.",
    *DEFINITIONS,
    "Worst-case IOPS is queue depth over the longest latency of a saturated test.",
)
_NOT_OF_SPEED = ("price_usd",)  # nor of the loss of data


def workbook(
    plans: Sequence[PlanReading],
    catalogue: Catalogue,
    *,
    exported: date | None = None,
    application: "Application | None" = None,
    risk: Risk | None = None,
) -> bytes:
    """Return an .xlsx file with one column per plan, all of them live.

    `exported` is the date at the top of the sheet and in the properties of the file, today without
    it; `application` is the load of the application that writes, if one does; `risk` holds the
    years asked and the assumptions about failures. The same plans on the same date give the same
    bytes.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> catalogue = load()
    >>> drive = find(catalogue, "845DC PRO 400")
    >>> workbook([plan_drive(drive, Workload(host_bytes_per_s=1e7))], catalogue)[:2]
    b'PK'
    """
    out = io.BytesIO()
    day = exported or date.today()
    with Book(out) as book:
        created = datetime.combine(day, time())
        book.set_properties({"title": "SSD capacity and endurance plan", "created": created})
        styles = formats(book)
        asked = risk or Risk()
        front = VerdictSheet(book, styles, plans, asked, application)
        setting = Setting(has_ranges=True, links=front.links())
        sheet = PlanSheet(book, styles, plans, day, setting)
        sheet.write()
        front.write(sheet, day)
        same = [sheet.as_exported(index, _NOT_OF_SPEED) for index in range(len(plans))]
        speed_sheet(book, styles, plans, same)
        array_sheet(book, styles, plans, same, asked)
        if application is not None:
            application_sheet(book, styles, application.record)
        _assumptions(book, styles, sheet.live)
        _sources(book, styles, plans, catalogue)
    return out.getvalue()


def _assumptions(book: Any, styles: Formats, live: Sequence[LivePlan]) -> None:
    lines = [("Definition", "", definition) for definition in _DEFINITIONS]
    for own in live:
        plan = own.plan
        lines += [("Assumption, as exported", plan.drive.name, note) for note in plan.notes]
        lines += [
            (
                "Input",
                plan.drive.name,
                f"{QUANTITIES[node.key].label}: {said_once(node.key, node.note)}",
            )
            for node in plan.nodes.values()
            if node.is_given and node.source in ("user", "assumption") and node.note
        ]
        lines += [("Missing, as exported", plan.drive.name, supply(name)) for name in own.blanks]
    _table(book, styles, "Assumptions", ("Kind", "Drive", "What"), lines, (20, 24, 98))


def _sources(
    book: Any, styles: Formats, plans: Sequence[PlanReading], catalogue: Catalogue
) -> None:
    lines = [
        tuple(row.values()) for plan in plans for row in cited(plan.drive, plan.nodes, catalogue)
    ]
    widths = (18, 18, 9, 7, 15, 9, 5, 16, 20, 16, 10, 26, 36)
    _table(book, styles, "Sources", TITLES, lines, widths, printed=PRINTED)


def _table(
    book: Any,
    styles: Formats,
    name: str,
    titles: Sequence[str],
    lines: Sequence[Sequence[str]],
    widths: Sequence[int],
    printed: int | None = None,
) -> None:
    sheet = book.add_worksheet(name)
    for column, (title, width) in enumerate(zip(titles, widths, strict=True)):
        sheet.write_string(0, column, title, styles["head"])
        sheet.set_column(column, column, width)
    for row, line in enumerate(lines, start=1):
        for column, cell in enumerate(line):
            sheet.write_string(row, column, cell, styles["text"])
        sheet.set_row(row, height(list(zip(line, widths, strict=True))[:printed]))
    sheet.print_area(0, 0, len(lines), (printed or len(titles)) - 1)
    sheet.freeze_panes(1, 0)
    sheet.protect("", {"format_columns": True})
    printing(sheet, 0)
