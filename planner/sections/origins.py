"""Origin of a number that no formula computes: a source, an assumption, an input, a definition."""

from collections.abc import Mapping

from models.nomenclature import QUANTITIES
from planner.catalogue.drive import ASSUMPTION, USER, Source
from planner.graph.answer import Answer

# Origins beside the sources of the catalogue.
KINDS: Mapping[str, str] = {
    ASSUMPTION.source_id: "Assumed",
    USER.source_id: "Your input",
    "workload": "Input of the workload",
    "array": "Input of the layout",
    "firmware": "Input of the firmware",
    "definition": "By definition",
    "catalogue": "Catalogue",
    "plan": "From the plan",
}


def origin(answer: Answer, sources: Mapping[str, Source]) -> str:
    """Describe the origin of a number: its source with the place in it, or its kind and its ground.

    >>> from planner.graph.answer import given
    >>> origin(given("fill_fraction", 1.0, source="workload"), {})
    'Input of the workload'
    >>> origin(given("raw_bytes", 1e12, source="assumption", note="assumed: Raw flash: 9 GiB"), {})
    'Assumed: 9 GiB'
    """
    source = sources.get(answer.source)
    kind = KINDS.get(answer.source) or (source.title if source else answer.source)
    named = ", ".join(part for part in (kind, answer.locator) if part)
    note = answer.note.removeprefix("assumed: ")
    note = note.removeprefix(f"{QUANTITIES[answer.key].label}: ")
    return f"{named}: {note}" if note else named
