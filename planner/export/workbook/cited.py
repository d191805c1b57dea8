"""Sources of a plan's numbers, with the numbers that were passed over, as rows."""

from collections.abc import Iterator, Mapping

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.catalogue.drive import Drive, Fact
from planner.graph.answer import Answer

TITLES = (
    "Drive", "Quantity", "Printed", "Unit", "Condition", "Kind", "Used", "Source", "Title",
    "Locator", "Date", "Link", "Note",
)  # fmt: skip
PRINTED = 11  # columns: links and notes are for the screen
DEFINITIONS = (
    "Rated TBW counts host bytes at the vendor's rating workload and includes its amplification.",
    "Rated TBW divided by write amplification counts write amplification twice.",
)


def cited(
    drive: Drive, nodes: Mapping[str, Answer], catalogue: Catalogue | None, *always: str
) -> Iterator[dict[str, str]]:
    """Yield each fact that a plan was made with or that is `always` cited, then its rivals."""
    for quantity, fact in drive.facts.items():
        if quantity in always or (quantity in nodes and nodes[quantity].is_given):
            yield _row(drive, fact, catalogue, used="yes")
            for other in drive.passed_over.get(quantity, ()):
                yield _row(drive, other, catalogue, used="no")


def _row(drive: Drive, fact: Fact, catalogue: Catalogue | None, *, used: str) -> dict[str, str]:
    source = catalogue.sources.get(fact.source_id) if catalogue else None
    title, date, link = (source.title, source.date, source.link) if source else ("", "", "")
    row = (
        drive.name, QUANTITIES[fact.quantity].label, fact.text, fact.unit, fact.condition,
        fact.kind, used, fact.source_id, title, fact.locator, date, link, fact.note,
    )  # fmt: skip
    return dict(zip(TITLES, row, strict=True))
