"""Facts of a drive as leaves of a plan."""

from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import cell_of
from planner.catalogue.rated import write_size
from planner.graph.answer import Answer, given

# Pages of the unit of collection, where a formula or a simulated drive needs it and none is known.
LARGE_BLOCK = 512.0
BITS = {"SLC": 1.0, "MLC": 2.0, "TLC": 3.0, "QLC": 4.0}
_GIVE_WAY = ("dynamic", "hybrid")


def stated(drive: Drive, quantity: str) -> Answer:
    """Return the catalogue's fact for `quantity`, or that there is none."""
    fact = drive.facts.get(quantity)
    if fact is None:
        return given(quantity, None, source="")
    kind = "" if fact.kind in ("spec", "user", "assumption") else fact.kind
    note = "; ".join(part for part in (kind, fact.condition, fact.note) if part)
    locator = "" if fact.kind in ("user", "assumption") else fact.locator
    return given(quantity, fact.value, source=fact.source_id, locator=locator, note=note)


def cell_bits(drive: Drive) -> float | None:
    """Return the bits of a cell, as stated or by its type; None where neither is known."""
    return drive.value("bits_per_cell") or BITS.get(cell_of(drive))


def gives_way(drive: Drive) -> bool:
    """Whether the write cache shrinks as the drive fills: its printed size is that of an empty one.

    >>> from planner.catalogue import find, load
    >>> gives_way(find(load(), "990 PRO 2TB")), gives_way(find(load(), "840 EVO 250"))
    (True, False)
    """
    is_sized = drive.value("slc_cache_bytes") is not None and cell_bits(drive) is not None
    return is_sized and drive.slc_cache in _GIVE_WAY


def implied(drive: Drive) -> dict[str, Answer]:
    """Return the facts that words beside others imply: bits of a cell, size of the rated writes.

    >>> from planner.catalogue import find, load
    >>> implied(find(load(), "D5-P5336 61"))["rating_transfer_bytes"].value
    16384.0
    """
    bits = BITS.get(cell_of(drive))
    answers = {} if bits is None else {"bits_per_cell": bits}
    rating = drive.facts.get("rated_bytes") or drive.facts.get("rated_dwpd")
    size = write_size(rating.condition) if rating else None
    if size is not None:
        answers["rating_transfer_bytes"] = size
    return {
        name: given(name, value, source="catalogue")
        for name, value in answers.items()
        if name not in drive.facts
    }
