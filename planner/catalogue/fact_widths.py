"""Width of facts: how far one may be from the drive, by the kind of its source."""

from collections.abc import Mapping

from planner.catalogue.drive import RECALLED, Drive, Fact
from planner.catalogue.priors import Assumption

Widths = dict[str, tuple[float, float]]

ROUGH = (0.8, 1.25)  # of an estimate, from memory or from a peer: assumed
# Ends over the figure, by kind. Wear indicators lie 3 to 15 % above estimated cycles; of those that
# are facts the points that were counted are not known.
_OF_CYCLES: Widths = {"spec": (0.97, 1.03), "measured": ROUGH, "derived": ROUGH}
_OF_FOLDING: Widths = dict.fromkeys(("spec", "measured", "derived"), (1 / 1.15, 1.15))
_OF_THE_REST: Widths = {RECALLED: ROUGH, "estimate": ROUGH}
_BY_QUANTITY: Mapping[str, Widths] = {
    "pe_cycles": _OF_THE_REST | _OF_CYCLES,
    "folded_write_bytes_per_s": _OF_THE_REST | _OF_FOLDING,
}
# Counted, or promised: what they say is what they are, and a wrong one is another drive.
COUNTED = frozenset({
    "user_bytes", "warranty_s", "rating_period_s", "bits_per_cell", "spare_fraction", "op_nominal",
    "rated_queue_depth", "saturated_queue_depth", "price_usd",
})  # fmt: skip


def uncertain_facts(drive: Drive) -> tuple[Assumption, ...]:
    """Return the facts of a drive that are no more than about right, each with its range of 90 %.

    What the user states and what is assumed are not among them.

    >>> from planner.catalogue import find, load
    >>> [(item.quantity, item.low, item.high)
    ...  for item in uncertain_facts(find(load(), "850 PRO 256")) if item.quantity == "pe_cycles"]
    [('pe_cycles', 5820.0, 6180.0)]
    """
    return tuple(
        _range(fact, *ends) for fact in drive.facts.values() if (ends := width_of(fact)) is not None
    )


def width_of(fact: Fact) -> tuple[float, float] | None:
    """Return the ends of a fact over its figure; None where it is what it says."""
    if fact.quantity in COUNTED:
        return None
    return _BY_QUANTITY.get(fact.quantity, _OF_THE_REST).get(fact.kind)


def _range(fact: Fact, low: float, high: float) -> Assumption:
    return Assumption(
        quantity=fact.quantity, low=low * fact.value, typical=fact.value, high=high * fact.value,
        ground=f"{fact.source_id}, {fact.locator}", basis=f"a figure that is {_SAID[fact.kind]}",
        is_measured=True,
    )  # fmt: skip


_SAID = {
    "spec": "printed", "measured": "measured", "derived": "derived", RECALLED: "from memory",
    "estimate": "an estimate",
}  # fmt: skip
