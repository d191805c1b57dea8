"""A plan as a workbook in which every result is a live formula.

Sheet "Plan" holds inputs as named, unlocked cells and results that follow from
them; "Assumptions" what was taken for granted and what is missing; "Sources"
where each number was read, with the numbers that were passed over. Cells show
the units of the nomenclature, formulas convert to base units and back.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import xlsxwriter

from models.nomenclature import QUANTITIES
from planner.assumptions import supply
from planner.catalogue import Catalogue
from planner.drive import Drive, Fact
from planner.export.plan_sheet import NUMBER_FORMATS, Formats, PlanSheet, printing
from planner.figures import Given, Node
from planner.plan import Plan

__all__ = ["workbook"]

_DEFINITIONS = (
    "GB and TB are decimal (1e9, 1e12 bytes); GiB is binary (2^30 bytes). A year has 365 days.",
    "Over-provisioning is spare over user capacity; spare area of reviews is spare over raw flash.",
    "Rated TBW counts host bytes at the vendor's rating workload and includes its amplification.",
    "Rated TBW divided by write amplification counts write amplification twice.",
    "Worst-case IOPS is queue depth over the longest latency of a saturated test.",
)


def workbook(plans: Sequence[Plan], catalogue: Catalogue) -> bytes:
    """Return an .xlsx file with one column per plan, all of them live.

    >>> from planner.catalogue import find, load
    >>> from planner.plan import plan
    >>> from planner.workload import Workload
    >>> catalogue = load()
    >>> drive = find(catalogue, "845DC PRO 400")
    >>> workbook([plan(drive, Workload(host_bytes_per_s=1e7))], catalogue)[:2]
    b'PK'
    """
    out = io.BytesIO()
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, {"in_memory": True, **options}) as book:
        formats = _formats(book)
        PlanSheet(book, formats, plans).write()
        _assumptions(book, formats, plans)
        _sources(book, formats, plans, catalogue)
    return out.getvalue()


def _formats(book: Any) -> dict[str, Any]:
    looks: dict[str, dict[str, Any]] = {
        "title": {"bold": True, "font_size": 14},
        "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"},
        "section": {"bold": True, "font_color": "#1F4E79", "top": 1},
        "label": {},
        "unit": {"font_color": "#595959"},
        "note": {"font_color": "#595959", "indent": 1},
        "text": {"text_wrap": True, "valign": "top", "quote_prefix": True},
        "missing": {"italic": True, "font_color": "#9C0006"},
        "verdict": {"bold": True, "align": "right", "num_format": "#,##0.00"},
        "input": {"font_color": "#0000FF", "bg_color": "#FFFFE0", "locked": False, "border": 4},
        "result": {},
    }
    formats = {name: book.add_format(look) for name, look in looks.items()}
    for pattern in set(NUMBER_FORMATS.values()):
        for kind in ("input", "result"):
            look = looks[kind] | {"num_format": pattern}
            formats[f"{kind} {pattern}"] = book.add_format(look)
    return formats


def _assumptions(book: Any, formats: Formats, plans: Sequence[Plan]) -> None:
    lines = [("Definition", "", definition) for definition in _DEFINITIONS]
    for plan in plans:
        lines += [("Assumption", plan.drive.name, note) for note in plan.notes]
        lines += [
            ("Input", plan.drive.name, f"{QUANTITIES[node.key].label}: {node.note}")
            for node in plan.nodes.values()
            if isinstance(node, Given) and node.source in ("user", "assumption") and node.note
        ]
        lacking = dict.fromkeys(name for answer in plan.missing for name in answer.lacking)
        lines += [("Missing", plan.drive.name, supply(name)) for name in lacking]
    _table(book, formats, "Assumptions", ("Kind", "Drive", "What"), lines, (14, 28, 110))


def _sources(book: Any, formats: Formats, plans: Sequence[Plan], catalogue: Catalogue) -> None:
    titles = (
        "Drive", "Quantity", "Printed", "Unit", "Condition", "Kind", "Used", "Source", "Locator",
        "Date", "Link", "Note",
    )  # fmt: skip
    lines = [
        (plan.drive.name, *_source_line(fact, catalogue, used=used))
        for plan in plans
        for fact, used in _cited_facts(plan.drive, plan.nodes)
    ]
    widths = (26, 28, 12, 8, 26, 10, 6, 48, 40, 12, 40, 60)
    _table(book, formats, "Sources", titles, lines, widths)


def _cited_facts(drive: Drive, nodes: Mapping[str, Node]) -> Iterator[tuple[Fact, bool]]:
    for quantity, fact in drive.facts.items():
        if isinstance(nodes.get(quantity), Given):
            yield fact, True
            yield from ((other, False) for other in drive.passed_over.get(quantity, ()))


def _source_line(fact: Fact, catalogue: Catalogue, *, used: bool) -> tuple[str, ...]:
    source = catalogue.sources.get(fact.source_id)
    return (
        QUANTITIES[fact.quantity].label,
        fact.text,
        fact.unit,
        fact.condition,
        fact.kind,
        "yes" if used else "no",
        source.title if source else fact.source_id,
        fact.locator,
        source.date if source else "",
        source.link if source else "",
        fact.note,
    )


def _table(
    book: Any,
    formats: Formats,
    name: str,
    titles: Sequence[str],
    lines: Sequence[Sequence[str]],
    widths: Sequence[int],
) -> None:
    sheet = book.add_worksheet(name)
    for column, (title, width) in enumerate(zip(titles, widths, strict=True)):
        sheet.write_string(0, column, title, formats["head"])
        sheet.set_column(column, column, width)
    for row, line in enumerate(lines, start=1):
        for column, cell in enumerate(line):
            sheet.write_string(row, column, cell, formats["text"])
    sheet.freeze_panes(1, 0)
    sheet.protect("", {"format_columns": True})
    printing(sheet)
