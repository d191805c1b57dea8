"""The sheet of sources: where each number of each candidate was read, losers included."""

from collections.abc import Iterator, Sequence

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.catalogue.drive import Drive, Fact
from planner.export.procurement.page import Page
from planner.scenario.terms import assumed_terms
from planner.search.choose import Candidate, Choice

_WIDTHS = (17, 17, 9, 7, 15, 9, 5, 15, 20, 16, 10, 28, 36)
_PRINTED = 11  # columns: links and notes are for the screen
_DEFINITIONS = (
    "GB and TB are decimal; GiB is binary. A year has 365 days.",
    "Rated TBW counts host bytes at the vendor's rating workload and includes its amplification.",
    "Rated TBW divided by write amplification counts write amplification twice.",
    "Costs of a year fall due in its middle; nothing inflates; taxes are not counted.",
)


def source_rows(choice: Choice, catalogue: Catalogue | None) -> list[dict[str, str]]:
    """Return every fact that a candidate was planned with, and those passed over for it."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for candidate in choice.candidates:
        for fact, used in _facts(candidate):
            row = _row(candidate.plan.drive, fact, catalogue, used=used)
            rows.setdefault(tuple(row.values()), row)
    return list(rows.values())


def _facts(candidate: Candidate) -> Iterator[tuple[Fact, bool]]:
    drive = candidate.plan.drive
    nodes = {**candidate.data_loss.nodes, **candidate.ownership.nodes, **candidate.plan.nodes}
    for quantity, fact in drive.facts.items():
        if quantity == "mtbf_s" or (quantity in nodes and nodes[quantity].is_given):
            yield fact, True
            yield from ((other, False) for other in drive.passed_over.get(quantity, ()))


def _row(drive: Drive, fact: Fact, catalogue: Catalogue | None, *, used: bool) -> dict[str, str]:
    source = catalogue.sources.get(fact.source_id) if catalogue else None
    return {
        "Drive": drive.name,
        "Quantity": QUANTITIES[fact.quantity].label,
        "Printed": fact.text,
        "Unit": fact.unit,
        "Condition": fact.condition,
        "Kind": fact.kind,
        "Used": "yes" if used else "no",
        "Source": fact.source_id,
        "Title": source.title if source else "",
        "Locator": fact.locator,
        "Date": source.date if source else "",
        "Link": source.link if source else "",
        "Note": fact.note,
    }


def write_sources(page: Page, choice: Choice, catalogue: Catalogue) -> None:
    """Write facts, then grounds of assumed prices and rates, then definitions."""
    rows = source_rows(choice, catalogue)
    rows += [
        dict.fromkeys(rows[0], "") | {
            "Drive": "All", "Quantity": QUANTITIES[name].label, "Kind": "assumption", "Used": "yes",
            "Source": term.source_id, "Locator": term.locator, "Note": term.note,
        }
        for name, term in assumed_terms().items()
        if term in choice.candidates[0].ownership.terms.assumed
    ]  # fmt: skip
    page.widths(_WIDTHS)
    page.texts(0, 0, list(rows[0]), "head")
    for place, row in enumerate(rows, start=1):
        page.texts(place, 0, list(row.values()), "text")
        page.tall(place, list(zip(row.values(), _WIDTHS, strict=True))[:_PRINTED])
    last = _notes(page, choice, len(rows) + 2)
    page.sheet.print_area(0, 0, last, _PRINTED - 1)
    page.finish(0, (1, 0))


def _notes(page: Page, choice: Choice, row: int) -> int:
    """Write definitions and notes across the page, and return the last row."""
    page.section(row, "Definitions and assumptions", _PRINTED)
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
        page.across(place, 0, _PRINTED - 1, note)
        page.tall(place, [(note, float(sum(_WIDTHS[:_PRINTED])))])
    return row + len(every)
