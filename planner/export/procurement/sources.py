"""The sheet of sources: where each number of each candidate was read, losers included."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.export.procurement.page import Page
from planner.export.workbook.cited import DEFINITIONS, PRINTED, TITLES, cited
from planner.scenario.terms import assumed_terms
from planner.search.choose import Choice

_WIDTHS = (17, 17, 9, 7, 15, 9, 5, 15, 20, 16, 10, 28, 36)
_DEFINITIONS = (
    "GB and TB are decimal; GiB is binary. A year has 365 days.",
    *DEFINITIONS,
    "Costs of a year fall due in its middle. Inflation and taxes are not counted.",
)


def source_rows(choice: Choice, catalogue: Catalogue | None) -> list[dict[str, str]]:
    """Return every fact that a candidate was planned with, and those passed over for it."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for one in choice.candidates:
        nodes = {**one.data_loss.nodes, **one.ownership.nodes, **one.plan.nodes}
        for row in cited(one.plan.drive, nodes, catalogue, "mtbf_s"):
            rows.setdefault(tuple(row.values()), row)
    return list(rows.values())


def write_sources(page: Page, choice: Choice, catalogue: Catalogue) -> None:
    """Write facts, then grounds of assumed prices and rates, then definitions."""
    rows = source_rows(choice, catalogue)
    rows += [
        dict.fromkeys(TITLES, "") | {
            "Drive": "All", "Quantity": QUANTITIES[name].label, "Kind": "assumption", "Used": "yes",
            "Source": term.source_id, "Locator": term.locator, "Note": term.note,
        }
        for name, term in assumed_terms().items()
        if term in choice.candidates[0].ownership.assumed
    ]  # fmt: skip
    page.widths(_WIDTHS)
    page.texts(0, 0, TITLES, "head")
    for place, row in enumerate(rows, start=1):
        page.texts(place, 0, list(row.values()), "text")
        page.tall(place, list(zip(row.values(), _WIDTHS, strict=True))[:PRINTED])
    last = _notes(page, choice, len(rows) + 2)
    page.finish(0, (1, 0))
    page.one_page(last, PRINTED - 1, is_cut=True)


def _notes(page: Page, choice: Choice, row: int) -> int:
    """Write definitions and notes across the page, and return the last row."""
    page.section(row, "Definitions and assumptions", PRINTED)
    notes: Sequence[str] = [
        *_DEFINITIONS,
        *choice.notes,
        *dict.fromkeys(
            note
            for one in choice.candidates
            for note in (*one.plan.notes, *one.ownership.notes, *one.data_loss.notes,
                         *one.queue.notes)
        ),
    ]  # fmt: skip
    every = list(dict.fromkeys(notes))
    for place, note in enumerate(every, start=row + 1):
        page.across(place, 0, PRINTED - 1, note)
        page.tall(place, [(note, float(sum(_WIDTHS[:PRINTED])))])
    return row + len(every)
