"""Facts of a drive as leaves of a plan."""

from planner.catalogue.drive import Drive
from planner.graph.answer import Answer, given

__all__ = ["stated"]


def stated(drive: Drive, quantity: str) -> Answer:
    """Return the catalogue's fact for `quantity`, or that there is none."""
    fact = drive.facts.get(quantity)
    if fact is None:
        return given(quantity, None, source="")
    kind = "" if fact.kind in ("spec", "user", "assumption") else fact.kind
    note = "; ".join(part for part in (kind, fact.condition, fact.note) if part)
    locator = "" if fact.kind in ("user", "assumption") else fact.locator
    return given(quantity, fact.value, source=fact.source_id, locator=locator, note=note)
